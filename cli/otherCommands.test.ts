import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytes } from '../src/analysis/phrase.ts';
import { cli, json, PLAIN } from './cli.testkit.ts';
import { formatTime } from './table.ts';

describe('run-many', () => {
  it('answers every line in order, by id or by number, and goes on after a bad one', async () => {
    const lines = [
      JSON.stringify(PLAIN),
      '',
      '{"id":"b","config":{"hz":1,"actors":[]}}',
      'junk',
      '{"id":7,"config":{"scenario":"one-reader"}}',
    ];
    const { status, out } = await cli(['run-many', '-', '--json'], lines.join('\n'));
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(status).toBe(0);
    expect(answers.map(({ id }) => id)).toEqual([1, 'b', 4, 7]);
    expect(answers[1].error).toMatch(/^hz: 1: a whole number/);
    expect(answers[2].error).toMatch(/^line 4: not JSON/);
    expect([answers[0].result.latency.synchronize_srcu_expedited.n, answers[3].result.v]).toEqual([3, 1]);
  });

  it('answers by the id also where the configuration is missing or has company', async () => {
    const lines = ['{"id":"x"}', '{"id":"y","hz":250}', '{"id":"z","config":{},"hz":250}'];
    const { out } = await cli(['run-many', '-'], lines.join('\n'));
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const missing = 'config is missing beside id: {"id": ..., "config": {...}}';
    expect(answers).toEqual([
      { id: 'x', error: missing },
      { id: 'y', error: missing },
      { id: 'z', error: 'hz: unknown key beside config; allowed: id, config' },
    ]);
  });

  it('says so where there is nothing to run', async () => {
    const nothing = { status: 0, out: '', err: 'notice: -: there is no configuration in it\n' };
    expect(await cli(['run-many', '-'], '\n \n')).toMatchObject(nothing);
  });

  it('says on stderr what of a line has no effect', async () => {
    const line = JSON.stringify({ id: 'a', config: { ...PLAIN, initial: { gpKthreadCpu: 0 } } });
    const { err, out } = await cli(['run-many', '-'], line);
    expect(err).toMatch(/^notice: "a": initial\.gpKthreadCpu: 0: no effect/);
    expect(JSON.parse(out).result.config.initial.gpKthreadCpu).toBe(0);
  });

  it('needs a file', async () => {
    expect((await cli(['run-many'])).status).toBe(2);
    expect((await cli(['run-many', '/nowhere.jsonl'])).errors).toEqual([
      expect.stringMatching(/^\/nowhere\.jsonl: cannot be read/),
    ]);
  });
});

describe('sweep', () => {
  it('runs every combination, over seeds', async () => {
    const words = [
      'sweep',
      'one-reader',
      '--param',
      'hz=100,250',
      '--param',
      'a0.hold=1ms,12ms',
      '--seeds',
      '2',
      '--json',
    ];
    const { runs } = await json(words);
    expect(runs).toHaveLength(8);
    expect(runs[3]).toMatchObject({ values: { hz: '100', 'a0.hold': '12ms' }, seed: 2 });
    const p50 = runs.map(
      (run: { result: { latency: Record<string, { p50: number }> } }) =>
        run.result.latency.synchronize_srcu_expedited?.p50,
    );
    expect(new Set(p50).size).toBeGreaterThan(2);
  });

  it('says once what has no effect, and which run was stopped', async () => {
    const words = ['sweep', 'one-reader', 'rcu_nocbs=1', '--param', 'a1.start=0,7100s', '--json'];
    const { errors, status } = await cli(words);
    expect(status).toBe(0);
    expect(errors).toEqual([
      'notice: params.rcu_nocbs: "1": no effect: no actor uses Tree RCU',
      expect.stringMatching(/^notice: a1\.start=7100s seed=1: the run was stopped at /),
    ]);
  });

  it('has columns of floods where a run has one', async () => {
    const words = ['sweep', 'page-cache-pressure', '--param', 'a0.count=1,2'];
    const { runs } = await json([...words, '--json']);
    const [head = '', ...rows] = (await cli(words)).out.trimEnd().split('\n');
    expect(head).toMatch(/ sleeps +polling +flood +grace periods +peak$/);
    rows.forEach((row, i) => {
      const { kfree, memory } = runs[i].result;
      const figures = [formatTime(kfree.floodNs), `${kfree.gracePeriods}`, bytes(memory.peakBytes)];
      expect(row.split(/ {2,}/).slice(-3)).toEqual(figures);
    });
    expect(rows).toHaveLength(2);
    expect((await cli(['sweep', 'one-reader', '--param', 'hz=100'])).out).not.toContain('flood');
  });

  it('takes values with commas in quotes', async () => {
    const words = ['sweep', 'one-reader', '--param', 'stop="done,40ms",100ms', '--param', 'cpus="2"'];
    const { runs } = await json([...words, '--json']);
    expect(runs.map(({ values }: { values: object }) => values)).toEqual([
      { stop: 'done,40ms', cpus: '2' },
      { stop: '100ms', cpus: '2' },
    ]);
    expect(runs[0].result.config.stop).toEqual({ whenDone: true, afterNs: 40_000_000 });
  });

  it('names the series of each run', async () => {
    const actor = { kind: 'updater', api: 'synchronize_rcu', calls: 1 };
    const words = ['sweep', '-', '--param', 'a0.api=synchronize_rcu,synchronize_srcu'];
    const { out } = await cli(words, JSON.stringify({ actors: [actor] }));
    const column = out.split('\n').map((line) => line.trim().split(/ {2,}/)[3]);
    expect(column).toEqual(['latency of', 'synchronize_rcu', 'synchronize_srcu', undefined]);
    const load = '{"actors":[{"kind":"load","spin":"1ms"}],"stop":{"afterNs":"9ms"}}';
    const none = await cli(['sweep', '-', '--param', 'hz=100'], load);
    expect(none.out).toMatch(/\n100 +1 +9 ms +- +- +- +- +-\n/);
  });

  it('prints a table', async () => {
    const { out } = await cli(['sweep', 'one-reader', '--param', 'hz=100,250']);
    expect(out.split('\n').map((line) => line.trim().split(/ {2,}/)[0])).toEqual(['hz', '100', '250', '']);
  });

  it('has one column of seeds, also where they are what is swept', async () => {
    const { out } = await cli(['sweep', 'one-reader', '--param', 'seed=7,9', '--param', 'hz=250']);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/ +/).slice(0, 2));
    expect(rows).toEqual([
      ['hz', 'seed'],
      ['250', '7'],
      ['250', '9'],
    ]);
  });

  it.each([
    [['sweep', 'one-reader', '--param', 'hz'], /NAME=v1,v2/],
    [['sweep', 'one-reader', '--param', 'hz=100,"250'], /a value with a comma in double quotes/],
    [['sweep', 'one-reader', '--param', 'hz=100,,250'], /NAME=v1,v2/],
    [['sweep', 'one-reader', '--param', 'theme=dark,light'], /^--param theme: it belongs to links/],
    [['sweep', 'one-reader', '--param', 'd=1'], /^--param d: it changes nothing in a run/],
    [['sweep', 'one-reader', '--param', 'v=1'], /^--param v: it changes nothing in a run/],
    [['sweep', 'one-reader', '--seeds', '1', '--seeds', '2'], /^--seeds: given twice/],
    [['sweep', 'one-reader', '--param', 'hz=1,250'], /^hz: "1": a whole number from 24/],
    [['sweep', 'one-reader', '--param', 'hz=100', '--param', 'hz=250'], /given twice/],
    [['sweep', 'one-reader', '--seeds', '0'], /^--seeds: 0: a whole number from 1/],
    [['sweep', 'one-reader', '--jobs', 'x'], /^--jobs: x: a whole number from 1 to 64/],
    [['sweep', 'one-reader', '--param', 'seed=1,2', '--seeds', '100000'], /^200000 runs: at most/],
  ])('bad input: %j', async (words, message) => {
    const { status, out, errors } = await cli(words);
    expect([status, out, errors]).toEqual([2, '', [expect.stringMatching(message)]]);
  });
});

describe('lists', () => {
  it('scenarios: id, variants, title, what each shows', async () => {
    const { scenarios } = await json(['scenarios', '--json']);
    const storm = scenarios.find(({ id }: { id: string }) => id === 'boot-storm');
    expect(storm.variants[0]).toMatchObject({
      id: 'row-100',
      reported: [{ reported: 30.053, fitted: true }],
    });
    for (const { title, shows, variants } of scenarios) {
      expect(title.length > 0 && shows.length > 20 && variants.length > 1).toBe(true);
    }
    expect((await cli(['scenarios'])).out).toContain('boot-storm:row-200');
  });

  it('profiles: all of them, with rules', async () => {
    const { profiles, rules } = await json(['profiles', '--json']);
    expect(profiles).toHaveLength(21);
    expect(profiles.find(({ id }: { id: string }) => id === 'v4.19')).toMatchObject({
      note: 'scheduler, SRCU and Tree RCU as in v5.10',
    });
    expect(rules.map(({ id }: { id: string }) => id)).toContain('timer.migration');
  });

  const builds = JSON.parse(readFileSync('test-data/oracle/default-params.json', 'utf8'));
  it.each(Object.keys(builds))('params: as read on the real kernel, build %s', async (build) => {
    const kernel = build.startsWith('k61-') ? 'v6.1' : 'v6.12';
    const hz = /\d+$/.exec(build)?.[0] ?? '';
    const { params } = await json(['params', '--kernel', kernel, '--hz', hz, '--json']);
    const effective = Object.fromEntries(
      params.map((param: { name: string; effective: unknown }) => [param.name, String(param.effective)]),
    );
    expect(effective).toMatchObject(builds[build]);
    // the measured kernels are built without offloading
    const others = Object.keys(effective).filter((name) => builds[build][name] === undefined);
    const read = others.filter((name) => !/nocb|enable_rcu_lazy|^rcupdate/.test(name));
    expect(read).toEqual([]);
  });

  it('params: of a kernel without most of them, and on a big machine', async () => {
    const early = await json(['params', '--kernel', 'v5.18', '--json']);
    const names = early.params.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name.startsWith('srcutree.'))).toEqual([
      'srcutree.exp_holdoff',
      'srcutree.counter_wrap_check',
    ]);
    const { out } = await cli(['params', '--cpus', '128']);
    expect(out).toMatch(/srcutree\.convert_to_big +3 +1 /);
    const late = await json(['params', '--kernel', 'v6.17', '--json']);
    expect(late.params.find(({ name }: { name: string }) => /wake_from_gp/.test(name))).toMatchObject({
      default: -1,
      effective: 1,
    });
  });

  it.each([
    [['params', '--kernel', 'v9'], /^--kernel: v9: v4\.17/],
    [['params', '--hz', '1e3'], /^--hz: 1e3: a whole number from 24 to 1200/],
    [['params', '--hz', '5', '--cpus', '0'], /^--hz: 5: .*\n--cpus: 0: a whole number from 1 to 4096$/],
    [['machine', 'x'], /^x: this command takes options only/],
  ])('bad input: %j', async (words, message) => {
    const { status, out, err } = await cli(words);
    expect([status, out, err.trim()]).toEqual([2, '', expect.stringMatching(message)]);
  });

  it('machine: every entry in every preset', async () => {
    const { entries, presets } = await json(['machine', '--json']);
    expect(presets).toEqual(['plain', 'virtual-1gips', 'typical']);
    for (const { name, meaning, values } of entries) {
      expect([name, meaning.length > 5, Object.keys(values)]).toEqual([name, true, presets]);
    }
    const { out } = await cli(['machine']);
    expect(out).toContain('passNs sets passLoopNs');
    expect(out).toContain('machine.switchNs=900ns..2us');
  });

  it('help says what there is', async () => {
    for (const words of [[], ['--help'], ['run', '-h']]) {
      const { out, status } = await cli(words);
      expect([status, out.includes('run-many')]).toEqual([0, true]);
    }
  });
});

it('leaves nothing behind in the working folder', () => {
  expect(existsSync('log.jsonl')).toBe(false);
});
