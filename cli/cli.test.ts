import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, json, PLAIN } from './cli.testkit.ts';
import { runCli } from './cli.ts';
import type { Io } from './io.ts';

const folder = mkdtempSync(join(tmpdir(), 'rcuscope-'));
const ownFile = join(folder, 'own.json');
writeFileSync(ownFile, JSON.stringify(PLAIN));

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
    expect(rows.filter((row) => row.kind === 'api_return').map((row) => row.c)).toEqual([
      10_000, 10_000, 10_000,
    ]);
    expect(rows.at(-1)).toMatchObject({ kind: 'run_end', i: rows.length - 1 });
  });

  it('writes RCU trace events with their strings and places besides', async () => {
    const words = ['run', 'first-grace-period', '--events', 'log.jsonl'];
    const rows = ((await cli(words)).files.get('log.jsonl') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const first = (kind: string) => rows.find((row) => row.kind === kind);
    const seq = { rcuname: 'rcu_preempt', gp_seq: -1200 };
    expect(first('rcu_grace_period')).toMatchObject({
      a: 0,
      b: -1200,
      payload: { ...seq, gpevent: 'newreq' },
    });
    expect(first('rcu_future_grace_period').payload).toEqual({
      ...{ ...seq, gp_seq_req: -1196, level: 0, grplo: 0, grphi: 3, gpevent: 'Startleaf' },
    });
    expect(first('rcu_grace_period_init').payload.qsmask).toBe('f');
    expect(Object.keys(first('api_call'))).toEqual(['i', 't', 'kind', 'track', 'cause', 'a', 'b', 'c', 'd']);
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
    const { errors, out } = await cli(['run', 'one-reader', 'k=v4.19', 'hz=100', 'hz=300', '--json']);
    expect(errors).toEqual([
      'notice: hz: "100": given twice; the last one counts',
      'notice: kernel v4.19: scheduler, SRCU and Tree RCU as in v5.10, the nearest one that is known',
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
      'notice: params.rcu_nocbs: "0-1": no effect: no actor uses Tree RCU',
      'notice: params.skew_tick: 1: no effect: no actor uses Tree RCU',
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
      checkWritable: () => {},
      isSame: () => false,
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
    ['command to come', ['export', 'x'], '', [/^export: this command is not there yet/]],
    [
      'events that cannot be written, before anything else is looked at',
      ['run', '-', '--events', '/nowhere/x'],
      '{"hz":1,"actors":[]}',
      [/^--events: "\/nowhere\/x": cannot be written: no such folder/],
    ],
    ['events to stdout', ['run', '-', '--events', '-'], JSON.stringify(PLAIN), [/^--events: "-": a file; /]],
    ['events nowhere', ['run', '-', '--events', ''], JSON.stringify(PLAIN), [/^--events: "": a file; /]],
    [
      'events over the configuration',
      ['run', ownFile, '--events', ownFile],
      '',
      [/: another file than the one/],
    ],
    ['option twice', ['run', '-', '--events', 'a', '--events', 'b'], '', [/^--events: given twice$/]],
    ['no object', ['run', '-'], '[]', [/^-: \[\]: an object with the keys of a configuration$/]],
    ['command', ['rnu'], '', [/^rnu: unknown command; there are run, /]],
  ])('bad input: %s', async (_what, words, stdin, messages) => {
    const { status, out, errors } = await cli(words, stdin);
    expect([status, out]).toEqual([2, '']);
    expect(errors).toEqual(messages.map((message) => expect.stringMatching(message)));
  });
});
