import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from './cli.ts';
import type { Io } from './io.ts';

const folder = mkdtempSync(join(tmpdir(), 'rcuscope-'));
const CALLS = { kind: 'updater', api: 'synchronize_srcu_expedited', calls: 3 };
const PLAIN = { machine: { preset: 'plain' }, actors: [CALLS] };

/** Runs a command with `stdin` and gives what it wrote. */
async function cli(words: readonly string[], stdin = '') {
  const written = { out: '', err: '' };
  const files = new Map<string, string>();
  const io: Io = {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    read: (path) => (path === '-' ? stdin : readFileSync(path, 'utf8')),
    create: (path) => {
      if (path.startsWith('/nowhere')) throw new Error('no such folder');
      return {
        write: (text) => files.set(path, (files.get(path) ?? '') + text),
        close: () => {},
      };
    },
  };
  const status = await runCli(words, io, new URL(import.meta.url));
  return { ...written, status, files, errors: written.err.trim().split('\n') };
}
const json = async (words: readonly string[], stdin = '') => JSON.parse((await cli(words, stdin)).out);

describe('run', () => {
  it('takes a file, stdin, a scenario and a link, and gives the same run for the same configuration', async () => {
    const path = join(folder, 'plain.json');
    writeFileSync(path, JSON.stringify({ scenario: 'one-reader:hold-2ms' }));
    const digests = await Promise.all([
      json(['run', path, '--json']),
      json(['run', '-', '--json'], readFileSync(path, 'utf8')),
      json(['run', 'one-reader:hold-2ms', '--json']),
      json(['run', '#v=1&sc=one-reader:hold-2ms', '--json']),
      json(['run', 'https://example.org/#v=1&sc=one-reader:hold-2ms&t=1ms..2ms', '--json']),
    ]).then((results) => results.map((result) => result.digest));
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).toMatch(/^[0-9a-f]{8}$/);
  });

  it('prints one object with the complete configuration and nothing else', async () => {
    const { out, err, status } = await cli(['run', '-', '--json'], JSON.stringify(PLAIN));
    expect([status, err, out.split('\n').length]).toEqual([0, '', 2]);
    const result = JSON.parse(out);
    expect(result).toMatchObject({ v: 1, config: { kernel: 'v6.12', hz: 250, actors: [{ gap: 0 }] } });
    expect(result.latency.synchronize_srcu_expedited).toMatchObject({ n: 3, p50: 10_000, p100: 10_000 });
    expect(result.latency.synchronize_srcu_expedited.values).toBeUndefined();
    const again = await json(['run', '-', '--json'], JSON.stringify(result.config));
    expect({ ...again, wallMs: 0 }).toEqual({ ...result, wallMs: 0 });
  });

  it('adds every latency with --values', async () => {
    const result = await json(['run', '-', '--json', '--values'], JSON.stringify(PLAIN));
    expect(result.latency.synchronize_srcu_expedited.values).toEqual([10_000, 10_000, 10_000]);
  });

  it('lays key=value on what it runs', async () => {
    const words = [
      'run',
      'one-reader',
      'k=v5.18',
      'hz=1000',
      'a0.hold=1ms',
      'srcutree.exp-holdoff=0x10',
      '--json',
    ];
    const { config } = await json(words);
    expect(config).toMatchObject({ kernel: 'v5.18', hz: 1000, params: { 'srcutree.exp_holdoff': 16 } });
    expect(config.actors[0].hold).toBe(1_000_000);
  });

  it('draws costs that are ranges, the same ones every time', async () => {
    const words = ['run', 'one-reader:hold-12ms', 'machine=typical', 'machine.switchNs=900ns..20us'];
    const first = await json([...words, '--json', '--check']);
    expect(first.config.machine.switchNs).toEqual([900, 20_000]);
    expect(first.invariants.violations).toEqual([]);
    const again = await json([...words, 'machine.passLoopNs=5us', '--json']);
    const asFile = await json(['run', '-', '--json'], JSON.stringify(first.config));
    expect([again.digest, asFile.digest]).toEqual([first.digest, first.digest]);
    expect((await json([...words, 'seed=2', '--json'])).digest).not.toBe(first.digest);
    expect((await json([...words.slice(0, 3), '--json'])).digest).not.toBe(first.digest);
  });

  it('shows reported figures beside simulated ones', async () => {
    const result = await json(['run', 'boot-storm:v5.19-rc1', 'a0.calls=10', '--json']);
    expect(result.reported).toMatchObject([
      { what: 'run time', unit: 's', reported: 161.433, fitted: true, simulated: result.virtualNs / 1e9 },
    ]);
    const { out } = await cli(['run', 'boot-storm:row-150', 'a0.calls=10']);
    expect(out).toMatch(/run time +\d+\.\d{3} s simulated, 25\.151 s reported \(-\d+\.\d %, predicted;/);
  });

  it('writes the log as JSON lines, kinds and tracks by name', async () => {
    const { files, out } = await cli(['run', '-', '--json', '--events', 'log.jsonl'], JSON.stringify(PLAIN));
    const rows = (files.get('log.jsonl') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(JSON.parse(out).events);
    expect(Object.keys(rows[0])).toEqual(['i', 't', 'kind', 'track', 'cause', 'a', 'b', 'c', 'd']);
    expect(rows.filter((row) => row.kind === 'srcu_return').map((row) => row.c)).toEqual([
      10_000, 10_000, 10_000,
    ]);
    expect(rows.at(-1)).toMatchObject({ kind: 'run_end', i: rows.length - 1 });
  });

  it('checks the invariants with --check', async () => {
    const result = await json(['run', '-', '--json', '--check'], JSON.stringify(PLAIN));
    expect(result.invariants).toEqual({ checked: expect.any(Number), violations: [] });
    expect(result.invariants.checked).toBeGreaterThan(20);
    expect((await cli(['run', 'one-reader', '--check'])).out).toMatch(
      /invariants +\d+ judgements, 0 violations/,
    );
  });

  it('tells whether a link still gives the run that its sender saw', async () => {
    const { digest } = await json(['run', 'one-reader', '--json']);
    expect((await cli(['run', `#v=1&sc=one-reader&d=${digest}`])).err).toBe('notice: identical run\n');
    expect((await cli(['run', '#v=1&sc=one-reader&d=00000000'])).err).toMatch(/the model has changed/);
  });

  it('takes d= and v= as in a link', async () => {
    const { digest } = await json(['run', 'one-reader', '--json']);
    expect((await cli(['run', 'one-reader', 'v=1', `d=${digest}`])).err).toBe('notice: identical run\n');
    expect((await cli(['run', 'one-reader', 'd=00000000'])).err).toMatch(/the model has changed/);
  });

  it('says which kernel stands in, and which pair counts', async () => {
    const { errors, out } = await cli(['run', 'one-reader', 'k=v6.17', 'hz=100', 'hz=300', '--json']);
    expect(errors).toEqual([
      'notice: hz: "100": given twice; the last one counts',
      'notice: kernel v6.17 runs as v6.12, the nearest one that is known',
    ]);
    expect(JSON.parse(out).config.hz).toBe(300);
  });

  it('takes boot parameters that change nothing, as the kernel would cut them, but not so in JSON', async () => {
    const { digest } = await json(['run', 'one-reader', '--json']);
    const { errors, out, status } = await cli([
      'run',
      'one-reader',
      'rcu_nocbs=0-7',
      'skew_tick=1',
      '--json',
    ]);
    const result = JSON.parse(out);
    expect([status, result.digest, result.config.params.rcu_nocbs]).toEqual([0, digest, '0-1']);
    expect(errors).toEqual([
      'notice: rcu_nocbs: "0-7": CPUs from 0 to 1 (cpus is 2); the kernel makes it 0-1',
      'notice: params.rcu_nocbs: "0-1": no effect on a run of SRCU',
      'notice: params.skew_tick: 1: no effect on a run of SRCU',
    ]);
    const file = JSON.stringify({ scenario: 'one-reader', params: { rcu_nocbs: '0-7' } });
    expect(await cli(['run', '-', '--json'], file)).toMatchObject({ status: 2, out: '' });
  });

  it('shows the single latencies in the table too', async () => {
    const { out } = await cli(['run', '-', '--values'], `\ufeff${JSON.stringify(PLAIN)}`);
    expect(out).toContain('synchronize_srcu_expedited (ns): 10000 10000 10000\n');
  });

  it('tells a fault of its own from bad input', async () => {
    const io: Io = {
      out: () => {
        throw new Error('no more room');
      },
      err: (text) => expect(text).toMatch(/^rcuscope failed: Error: no more room/),
      read: () => JSON.stringify(PLAIN),
      create: () => ({ write: () => {}, close: () => {} }),
    };
    expect(await runCli(['run', '-'], io, new URL(import.meta.url))).toBe(3);
  });

  it('applies the rest of a link that has unknown or invalid keys, with a notice each', async () => {
    const { status, errors, out } = await cli(['run', '#v=1&sc=one-reader&foo=1&hz=7', '--json']);
    expect([status, errors.length, JSON.parse(out).config.hz]).toEqual([0, 2, 250]);
  });

  it.each<[string, readonly string[], string, RegExp[]]>([
    ['nothing to run', ['run'], '', [/^what to run is missing/]],
    [
      'no such thing',
      ['run', 'nowhere.json'],
      '',
      [/^nowhere\.json: neither a file nor a scenario nor a link/],
    ],
    [
      'no such variant',
      ['run', 'one-reader:x'],
      '',
      [/^one-reader:x: unknown variant; one-reader has hold-0ms, /],
    ],
    ['no JSON', ['run', '-'], '{', [/^-: not JSON: /]],
    ['two faults', ['run', '-'], '{"hz":1,"cpus":0,"actors":[]}', [/^hz: 1: /, /^cpus: 0: /]],
    ['no pair', ['run', 'one-reader', 'hz'], '', [/^hz: key=value is expected/]],
    ['view key', ['run', 'one-reader', 't=1ms..2ms'], '', [/^t: it belongs to links/]],
    [
      'several pairs',
      ['run', 'one-reader', 'hz', 'lock=1', 'd=xyz', 'v=9'],
      '',
      [/^hz: key=value/, /^lock: it belongs/, /^d: "xyz": .*8 hex/, /^v: "9": 1/],
    ],
    [
      'bad pairs',
      ['run', 'one-reader', 'hz=1', 'x=2'],
      '',
      [/^x: "2": unknown key/, /^hz: "1": a whole number/],
    ],
    [
      'absent parameter',
      ['run', 'one-reader', 'k=v5.18', 'srcutree.srcu_max_nodelay=1'],
      '',
      [/v5\.19-patch-v1 and later/],
    ],
    [
      'absent parameter in a link',
      ['run', '#sc=one-reader&k=v5.18&srcutree.srcu_max_nodelay=1'],
      '',
      [/v5\.19-patch-v1 and later/],
    ],
    ['option', ['run', 'one-reader', '--jsno'], '', [/--jsno/]],
    ['bad file and good pairs', ['run', '-', 'seed=3', 'cpus=8'], '{"hz":1,"actors":[]}', [/^hz: 1: /]],
    ['bad file and bad pair', ['run', '-', 'seed=x'], '{"hz":1,"actors":[]}', [/^hz: 1: /, /^seed: "x": /]],
    ['notices and a fault', ['run', '#sc=one-reader&foo=1', 'hz=1'], '', [/^hz: "1": /]],
    ['command to come', ['import', 'x'], '', [/^import: this command is not there yet/]],
    [
      'events',
      ['run', 'one-reader', '--events', '/nowhere/x'],
      '',
      [/^\/nowhere\/x: cannot be written: no such folder/],
    ],
    ['command', ['rnu'], '', [/^rnu: unknown command; there are run, /]],
  ])('bad input: %s', async (_what, words, stdin, messages) => {
    const { status, out, errors } = await cli(words, stdin);
    expect([status, out]).toEqual([2, '']);
    expect(errors).toEqual(messages.map((message) => expect.stringMatching(message)));
  });
});

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
      'notice: params.rcu_nocbs: "1": no effect on a run of SRCU',
      expect.stringMatching(/^notice: a1\.start=7100s seed=1: the run was stopped at /),
    ]);
  });

  it('prints a table', async () => {
    const { out } = await cli(['sweep', 'one-reader', '--param', 'hz=100,250']);
    expect(out.split('\n').map((line) => line.trim().split(/ {2,}/)[0])).toEqual(['hz', '100', '250', '']);
  });

  it.each([
    [['sweep', 'one-reader', '--param', 'hz'], /NAME=v1,v2/],
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
    expect(profiles.find(({ id }: { id: string }) => id === 'v6.17')).toMatchObject({
      note: 'runs as v6.12',
    });
    expect(rules.map(({ id }: { id: string }) => id)).toContain('timer.migration');
  });

  const builds = JSON.parse(readFileSync('test-data/oracle/default-params.json', 'utf8'));
  it.each(Object.keys(builds))('params: as read on the real kernel, build %s', async (build) => {
    const kernel = build.startsWith('k61') ? 'v6.1' : 'v6.12';
    const hz = /\d+$/.exec(build)?.[0] ?? '';
    const { params } = await json(['params', '--kernel', kernel, '--hz', hz, '--json']);
    const effective = Object.fromEntries(
      params.map((param: { name: string; effective: unknown }) => [param.name, String(param.effective)]),
    );
    expect(effective).toEqual(builds[build]);
  });

  it('params: of a kernel without most of them, and on a big machine', async () => {
    const early = await json(['params', '--kernel', 'v5.18', '--json']);
    expect(early.params.map(({ name }: { name: string }) => name)).toEqual([
      'srcutree.exp_holdoff',
      'srcutree.counter_wrap_check',
    ]);
    const { out } = await cli(['params', '--cpus', '128']);
    expect(out).toMatch(/srcutree\.convert_to_big +3 +1 /);
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
