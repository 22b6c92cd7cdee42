import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { presetMachine } from '../engine/machine/presets.ts';
import { CALL, configOf, messagesOf, scenarios } from './parseConfig.testkit.ts';
import { parseConfig } from './parseConfig.ts';

describe('a complete configuration', () => {
  it('has the defaults of docs/configuration.md', () => {
    expect(
      configOf({ actors: [CALL, { kind: 'reader', hold: '1.5ms' }, { kind: 'load', spin: 5 }] }),
    ).toMatchObject({
      v: 1,
      kernel: 'v6.12',
      hz: 250,
      startJiffies: 0,
      cpus: 4,
      preempt: 'full',
      seed: 1,
      machine: presetMachine('typical'),
      stop: { whenDone: true },
      actors: [
        {
          kind: 'updater',
          cpu: 0,
          count: 1,
          start: 0,
          stagger: 0,
          domain: 'srcu',
          gap: 0,
          gapMode: 'sleep',
          gapFrom: 'return',
          batch: 1,
          wait: 'barrier',
        },
        { kind: 'reader', hold: 1_500_000, holdMode: 'spin', idle: 0, idleMode: 'spin', incDelay: 0 },
        { kind: 'load', mode: 'kernel', spin: 5, idle: 0 },
      ],
    });
  });

  it('holds every parameter of its kernel and no other', () => {
    const { params } = configOf({ kernel: 'v5.18', actors: [CALL] });
    expect(Object.keys(params).filter((name) => name.startsWith('srcutree.'))).toEqual([
      'srcutree.exp_holdoff',
      'srcutree.counter_wrap_check',
    ]);
    expect(configOf({ kernel: 'v5.19-patch-v1', hz: 1000, actors: [CALL] }).params).toMatchObject({
      'srcutree.srcu_max_nodelay_phase': 400,
      'srcutree.srcu_max_nodelay': 100,
    });
  });

  it("reads parameters in the kernel's own syntax", () => {
    const params = { 'srcutree.exp-holdoff': '0x10', 'srcutree.big_cpu_lim': '010', rcu_nocb_poll: '' };
    expect(configOf({ params, actors: [CALL] }).params).toMatchObject({
      'srcutree.exp_holdoff': 16,
      'srcutree.big_cpu_lim': 8,
      rcu_nocb_poll: 1,
    });
  });

  it('can be read again and is then the same', () => {
    const config = configOf({ scenario: 'storm', hz: 1000, initial: { workerLagNs: '50us' } });
    expect(configOf(JSON.parse(JSON.stringify(config)))).toEqual(config);
  });

  it('takes every measured configuration', () => {
    const folder = 'test-data/oracle/';
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    const lines = files.flatMap((name) =>
      readFileSync(folder + name, 'utf8')
        .trim()
        .split('\n'),
    );
    expect(lines.length).toBeGreaterThan(600);
    for (const line of lines) expect(messagesOf(JSON.parse(line).config)).toEqual([]);
  });

  it('takes the example of the contract, and says what has no effect', () => {
    const parsed = parseConfig(
      {
        v: 1,
        scenario: 'storm',
        kernel: 'v6.12',
        rules: { 'srcu.delay': 'v5.19-640a' },
        hz: 250,
        startJiffies: 0,
        cpus: 4,
        preempt: 'full',
        seed: 1,
        params: { 'srcutree.srcu_max_nodelay_phase': 200 },
        machine: { preset: 'typical' },
        initial: { gpKthreadCpu: 0 },
        kconfig: { RCU_LAZY: false },
        actors: [CALL],
        stop: { afterNs: 40_000_000 },
      },
      scenarios,
    );
    expect(parsed).toMatchObject({ ok: true, notices: [{ path: 'initial.gpKthreadCpu' }] });
  });
});

describe('a scenario and what is laid over it', () => {
  it('keeps what is not named and takes what is', () => {
    const config = configOf({ scenario: 'storm:a', cpus: 8, machine: { creditSliceNs: '3ms', cbWorkNs: 7 } });
    expect(config).toMatchObject({
      scenario: 'storm:a',
      kernel: 'v5.19-fix4',
      cpus: 8,
      actors: [{ calls: 5 }],
    });
    const { machine } = config;
    expect([machine.passLoopNs, machine.cbWorkNs, machine.creditSliceNs]).toEqual([9100, 7, 3_000_000]);
  });

  it('lets passNs override what the scenario set, and another preset replace its machine', () => {
    const passNs = configOf({ scenario: 'storm', machine: { passNs: 7000 } }).machine;
    expect([passNs.passLoopNs, passNs.cbWorkNs, passNs.requester]).toEqual([7000, 7000, 'credit']);
    expect(configOf({ scenario: 'storm', machine: { preset: 'typical' } }).machine).toEqual(
      presetMachine('typical'),
    );
  });

  it('leaves out parameters that the chosen kernel lacks, with a notice', () => {
    const parsed = parseConfig({ scenario: 'storm', kernel: 'v5.18' }, scenarios);
    expect(parsed).toMatchObject({ ok: true, notices: [{ path: 'params.srcutree.srcu_max_nodelay_phase' }] });
  });

  it('names the scenarios, or the variants, that there are', () => {
    expect(messagesOf({ scenario: 'strom' })).toEqual([
      'scenario: "strom": unknown scenario; there are storm',
    ]);
    expect(messagesOf({ scenario: 'storm:b' })).toEqual([
      'scenario: "storm:b": unknown variant; storm has a',
    ]);
  });
});

describe('bad configurations', () => {
  const reader = { kind: 'reader', hold: 5, idle: 5 };
  it.each<[string, unknown, RegExp]>([
    ['no object', 7, /^7: an object/],
    ['no actors', {}, /^actors: missing: at least one actor/],
    ['version', { v: 2, actors: [CALL] }, /^v: 2: 1/],
    ['unknown key', { actors: [CALL], HZ: 5 }, /^HZ: 5: unknown key; allowed: v, /],
    ['hz', { hz: 23, actors: [CALL] }, /^hz: 23: a whole number from 24 to 1200/],
    ['fraction', { hz: 250.5, actors: [CALL] }, /^hz: 250.5: a whole number/],
    ['cpus', { cpus: 4097, actors: [CALL] }, /^cpus: 4097: .*1 to 4096/],
    ['seed', { seed: 2 ** 53, actors: [CALL] }, /^seed: .*0 to 2\^53-1/],
    ['kernel', { kernel: 'v6.13', actors: [CALL] }, /^kernel: "v6.13": v4.17, .* or kvfree-polled/],
    [
      'rule id',
      { rules: { 'srcu.x': 'v5.18' }, actors: [CALL] },
      /^rules\.srcu\.x: .*unknown key; allowed: srcu\.delay/,
    ],
    [
      'rule value',
      { rules: { 'srcu.delay': 'age-1' }, actors: [CALL] },
      /^rules\.srcu\.delay: "age-1": the id of a profile/,
    ],
    [
      'parameter absent',
      { kernel: 'v5.18', params: { 'srcutree.srcu_max_nodelay': 1 }, actors: [CALL] },
      /kernel v5.18 does not have it \(v5.19-patch-v1 and later\)/,
    ],
    [
      'parameter unknown',
      { params: { 'srcutree.foo': 1 }, actors: [CALL] },
      /no kernel has it; there are srcutree/,
    ],
    [
      'parameter later',
      { params: { 'kvfree_rcu.x': 10 }, actors: [CALL] },
      /^params\.kvfree_rcu\.x: 10: not simulated yet/,
    ],
    [
      'parameter text',
      { params: { 'srcutree.exp_holdoff': '5us' }, actors: [CALL] },
      /exp_holdoff: "5us": a whole number from 0 to 2\^53-1 \(ns\)/,
    ],
    [
      'parameter negative',
      { params: { 'srcutree.exp_holdoff': -1 }, actors: [CALL] },
      /exp_holdoff: -1: a whole/,
    ],
    [
      'parameter twice',
      { params: { 'srcutree.exp_holdoff': 1, 'srcutree.exp-holdoff': 2 }, actors: [CALL] },
      /given twice/,
    ],
    [
      'passNs elsewhere',
      { machine: { passNs: 1 }, actors: [CALL] },
      /^machine\.passNs: 1: with preset "plain" only, not with "typical"/,
    ],
    [
      'passNs and one of three',
      { machine: { preset: 'plain', passNs: 1, cbWorkNs: 2 }, actors: [CALL] },
      /^machine\.passNs: 1: it sets cbWorkNs/,
    ],
    [
      'machine key',
      { machine: { foo: 1 }, actors: [CALL] },
      /^machine\.foo: 1: unknown key; allowed: preset, passNs, udelayBaseNs/,
    ],
    [
      'first check',
      { machine: { passFirstCheckNs: 9999 }, actors: [CALL] },
      /^machine\.passFirstCheckNs: 9999: at most passLoopNs \(5000\)/,
    ],
    [
      'jiffyRace CPU',
      { machine: { jiffyRace: { cpus: [4] } }, actors: [CALL] },
      /^machine\.jiffyRace: 4: a CPU from 0 to 3/,
    ],
    [
      'word that is not for rules',
      { rules: { 'tree.earlyReport': 'tick' }, actors: [CALL] },
      /^rules\.tree\.earlyReport: "tick": the id of a profile .*, or next$/,
    ],
    ['window', { machine: { windowNs: 500 }, actors: [CALL] }, /^machine\.windowNs: 500: 1000 or 100/],
    [
      'kind',
      { actors: [{ kind: 'kvfree' }] },
      /^actors\[0\]\.kind: "kvfree": reader, updater, load, kfree, holdout or exiter$/,
    ],
    [
      'api',
      { actors: [{ ...CALL, api: 'call_rcu_sched' }] },
      /^actors\[0\]\.api: "call_rcu_sched": synchronize_srcu_expedited, .* or kvfree_rcu_barrier$/,
    ],
    [
      'domain',
      { actors: [{ ...CALL, domain: 'task' }] },
      /^actors\[0\]\.domain: "task": "srcu", "srcu:NAME" .*, "tasks-rude" or "tasks-trace"$/,
    ],
    ['kconfig', { kconfig: { PREEMPT_RT: 'y' }, actors: [CALL] }, /^kconfig\.PREEMPT_RT: "y": true or false/],
    [
      'key without a value',
      { actors: [{ kind: 'reader', hold: undefined, idle: undefined }], stop: { afterNs: 1 } },
      /^actors\[0\]\.hold: missing: a duration/,
    ],
    [
      'missing key',
      { actors: [{ kind: 'updater', calls: 1 }] },
      /^actors\[0\]\.api: missing: synchronize_srcu_exp/,
    ],
    [
      'draw',
      { actors: [{ ...reader, hold: { uniform: [5, 4] } }], stop: { afterNs: 1 } },
      /^actors\[0\]\.hold: .*lo <= hi/,
    ],
    [
      'draw with more',
      { actors: [{ ...reader, hold: { exp: 4, list: [1] } }], stop: { afterNs: 1 } },
      /^actors\[0\]\.hold/,
    ],
    [
      'batch',
      { actors: [{ ...CALL, batch: 2 }] },
      /^actors\[0\]\.batch: 2: with api call_srcu, call_rcu, call_rcu_tasks or call_rcu_tasks_trace only/,
    ],
    [
      'api absent',
      { kernel: 'v5.10', actors: [{ ...CALL, api: 'start_poll_synchronize_srcu' }] },
      /^actors\[0\]\.api: .*: kernel v5\.10 does not have it \(v5\.18 and later\)/,
    ],
    [
      'cookie',
      { actors: [{ ...CALL, cookie: 'full' }] },
      /^actors\[0\]\.cookie: "full": with api cond_synchronize_rcu,/,
    ],
    [
      'busy for ever',
      { actors: [{ kind: 'load', mode: 'kernel' }], stop: { afterNs: 1 } },
      /^actors\[0\]\.spin: missing: with mode kernel/,
    ],
    [
      'loop without time',
      { actors: [{ kind: 'reader', hold: 0 }], machine: { preset: 'plain' }, stop: { afterNs: 1 } },
      /^actors\[0\]\.idle: 0: hold and idle/,
    ],
    ['endless', { actors: [reader] }, /^stop: .*give afterNs/],
    ['stop never', { actors: [CALL], stop: { whenDone: false } }, /^stop: /],
    ['stop at 0', { actors: [CALL], stop: { afterNs: 0 } }, /^stop\.afterNs: 0: .*not 0/],
    [
      'credit with readers',
      { actors: [CALL, reader], machine: { preset: 'plain', requester: 'credit' } },
      /^machine\.requester: "credit": with one updater/,
    ],
    [
      'tracks',
      { cpus: 4096, actors: [{ ...CALL, count: 60_000 }] },
      /^actors: "60000 threads": at most 57342 threads with 4096 CPUs/,
    ],
  ])('%s', (_what, json, message) => {
    const messages = messagesOf(json);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(message);
  });

  it('says so also of very many', () => {
    const n = 130_000;
    const junk = Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 1]));
    expect(messagesOf({ actors: [{ ...CALL, ...junk }] })).toHaveLength(n);
    const many = { actors: Array(n).fill(CALL), initial: { rcuGp: { startedTicksAgo: 0 } } };
    expect(messagesOf(many)).toEqual([expect.stringMatching(/^actors: "130000 threads": at most/)]);
  });

  it('says everything at once', () => {
    const json = {
      hz: 1,
      kernel: 'v5.18',
      params: { 'srcutree.srcu_max_nodelay': 1 },
      actors: [{ ...CALL, calls: 0 }],
    };
    expect(messagesOf(json).map((message) => message.split(':')[0])).toEqual([
      'hz',
      'actors[0].calls',
      'params.srcutree.srcu_max_nodelay',
    ]);
  });
});
