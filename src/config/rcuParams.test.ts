/** Configurations of Tree RCU: parameters, actors, initial state. What says that it has no effect: noEffect.test.ts. */
import { describe, expect, it } from 'vitest';
import { RCU_APIS } from '../engine/config.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { firstUpdateNs } from '../engine/machine/initial.ts';
import { RCU_PARAMS } from '../engine/tree/params.ts';
import { describeParam } from './describeParam.ts';
import { INERT_PARAMS } from './inertParams.ts';
import { mostTicksAgo } from './initialGp.ts';
import { decodeLink } from './link/decodeLink.ts';
import { encodeLink } from './link/encodeLink.ts';
import { CALL, configOf, messagesOf } from './parseConfig.testkit.ts';

const SYNC = { kind: 'updater', api: 'synchronize_rcu', calls: 1 } as const;

describe('parameters of Tree RCU', () => {
  it('are complete, by kernel, HZ and CPUs', () => {
    const { params } = configOf({ hz: 1000, cpus: 512, actors: [SYNC] });
    expect(params).toMatchObject({
      'rcutree.jiffies_till_first_fqs': 5,
      'rcutree.jiffies_till_next_fqs': 5,
      'rcutree.jiffies_till_sched_qs': '18446744073709551615',
      'rcutree.rcu_nocb_gp_stride': 23,
      'rcutree.use_softirq': 1,
      'rcupdate.rcu_cpu_stall_timeout': 21,
    });
    const names = RCU_PARAMS.map(({ name }) => name).filter((name) => params[name] === undefined);
    expect(names).toEqual([]);
    expect(INERT_PARAMS.some(({ name }) => params[name] !== undefined)).toBe(false);
    // a complete configuration may be read again
    const again = configOf({ hz: 1000, cpus: 512, actors: [SYNC] });
    expect(configOf(JSON.parse(JSON.stringify(again)))).toEqual(again);
  });

  it('are those of the kernel and of the rules in force', () => {
    const has = (name: string, json: object) =>
      configOf({ actors: [SYNC], ...json }).params[`rcutree.${name}`] !== undefined;
    expect(has('rcu_normal_wake_from_gp', { kernel: 'v6.6' })).toBe(false);
    expect(has('rcu_normal_wake_from_gp', { kernel: 'v6.10' })).toBe(true);
    expect(has('rcu_normal_wake_from_gp', { kernel: 'v6.1', rules: { 'tree.srNormal': 'v6.12' } })).toBe(
      true,
    );
    expect(has('rcu_normal_wake_from_gp', { rules: { 'tree.srNormal': 'v6.1' } })).toBe(false);
    expect([has('qovld', { kernel: 'v5.6' }), has('qovld', { kernel: 'v5.7' })]).toEqual([false, true]);
    expect(configOf({ kernel: 'v6.17', actors: [SYNC] }).params['rcutree.rcu_normal_wake_from_gp']).toBe(1);
  });

  it('rcu_normal_wake_from_gp=-1 is what 6.17 makes of it, and unknown before', () => {
    const name = 'rcutree.rcu_normal_wake_from_gp';
    const json = { kernel: 'v6.17', actors: [SYNC], params: { [name]: -1 } } as const;
    expect(configOf(json).params[name]).toBe(1);
    expect(configOf({ ...json, cpus: 17 }).params[name]).toBe(0);
    expect(configOf({ ...json, params: { [name]: '-1' } }).params[name]).toBe(1);
    const again = configOf(json);
    expect(configOf(JSON.parse(JSON.stringify(again)))).toEqual(again);
    expect(messagesOf({ ...json, kernel: 'v6.12' })).toEqual([
      `params.${name}: -1: a whole number from 0 to 1; the kernel makes it 1`,
    ]);
    expect(messagesOf({ ...json, params: { [name]: -2 } })).toEqual([
      expect.stringMatching(/-2: .*makes it 1$/),
    ]);
    const scenarios = { names: ['one'], find: () => ({ actors: [SYNC] }), variantsOf: () => [] };
    const { input, notices } = decodeLink(`sc=one&k=v6.17&${name}=-1`, scenarios, 'one');
    expect([input.params, notices]).toEqual([{ [name]: -1 }, []]);
    expect(encodeLink(input, {}, scenarios)).toMatchObject({ hash: `v=1&sc=one&k=v6.17&${name}=-1` });
  });

  it("are read in the kernel's syntax", () => {
    const params = {
      'rcutree.use-softirq': 'n',
      'rcutree.rcu_fanout_exact': true,
      'rcutree.enable_rcu_lazy': 'Y',
      'rcutree.qovld': '-1',
      'rcutree.blimit': '0x20',
    };
    expect(configOf({ params, actors: [SYNC] }).params).toMatchObject({
      'rcutree.use_softirq': 0,
      'rcutree.rcu_fanout_exact': 1,
      'rcutree.enable_rcu_lazy': 1,
      'rcutree.qovld': -1,
      'rcutree.blimit': 32,
    });
  });

  it.each<[string, unknown, RegExp, object?]>([
    [
      'rcutree.jiffies_till_first_fqs',
      101,
      /from 0 to 100 \(jiffies\); the kernel makes it 100$/,
      { hz: 100 },
    ],
    ['rcutree.jiffies_till_next_fqs', 0, /from 1 to 250 \(jiffies\); the kernel makes it 1$/],
    ['rcutree.rcu_resched_ns', 1, /1000000 to 1000000000 \(ns\); the kernel makes it 1000000$/],
    ['rcupdate.rcu_cpu_stall_timeout', 1000, /3 to 300 \(s\); the kernel makes it 300$/],
    ['rcutree.rcu_fanout_leaf', 1, /from 2 to 64 \(CPUs\); the kernel makes it 16$/],
    ['rcutree.rcu_normal_wake_from_gp', 2, /from 0 to 1; the kernel makes it 1$/],
    ['rcutree.use_softirq', 1, /the kernel makes it 0$/, { kconfig: { PREEMPT_RT: true } }],
    ['rcutree.use_softirq', 2, /use_softirq: 2: Y or N/],
    ['rcutree.rcu_divisor', 1.5, /rcu_divisor: 1\.5: a whole number from 0 to 62$/],
    ['rcutree.jiffies_to_sched_qs', 5, /for reading only/],
    ['rcutree.rcu_nocb_gp_stride', 0, /from 1 to 2\^31-1 \(CPUs\)$/],
    [
      'rcutree.rcu_normal_wake_from_gp',
      1,
      /v6\.6 does not have it \(v6\.10 and later\)$/,
      { kernel: 'v6.6' },
    ],
    ['rcutree.enable_rcu_lazy', 1, /v6\.1 does not have it \(v6\.3 and later\)$/, { kernel: 'v6.1' }],
    ['rcutree.kthread_prio', 100, /from 0 to 99; the kernel makes it 99$/],
    ['rcutree.nothing', 1, /not known here/],
  ])('%s: %j is refused', (name, value, message, json = {}) => {
    expect(messagesOf({ actors: [SYNC], params: { [name]: value }, ...json })).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it('have a sentence each, in every kernel', () => {
    for (const kernel of ['v4.17', 'v6.1', 'v6.12', 'v6.17']) {
      const config = configOf({
        kernel,
        actors: [SYNC],
        params: { rcu_nocbs: '1' },
        kconfig: { RCU_LAZY: true },
      });
      for (const { name } of RCU_PARAMS) {
        const described = describeParam(name, config);
        expect(described?.meaning.length, name).toBeGreaterThan(10);
        expect(described?.meaning, name).not.toMatch(/NaN|undefined|Infinity/);
      }
    }
  });

  it.each<[string, object, string]>([
    ['jiffies_till_first_fqs', { hz: 250 }, 'first scan 4 ms to 8 ms after the start of a grace period'],
    [
      'jiffies_till_next_fqs',
      { hz: 100, cpus: 2000 },
      'then a scan every 90 ms; by default 7 jiffies of it for 2000 CPUs',
    ],
    [
      'jiffies_till_sched_qs',
      {},
      'not given: computed as 25; from 100 ms on busy CPUs are asked for help, from 200 ms on they are pressed',
    ],
    [
      'jiffies_till_sched_qs',
      { params: { 'rcutree.jiffies_till_sched_qs': 5 } },
      'not given it would be 25; from 20 ms on busy CPUs are asked for help, from 40 ms on they are pressed',
    ],
    ['rcu_resched_ns', {}, 'a batch of more than 100 callbacks ends after 3 ms'],
    [
      'rcu_divisor',
      { kernel: 'v6.1' },
      'a batch is 1/128 of the callbacks that are queued, and blimit at least',
    ],
    ['rcu_fanout_leaf', { cpus: 17 }, '2 leaves for 17 CPUs'],
    [
      'rcu_nocb_gp_stride',
      {},
      'no effect: no CPU is offloaded (rcu_nocbs, nohz_full or kconfig.RCU_NOCB_CPU_DEFAULT_ALL)',
    ],
    [
      'rcu_nocb_gp_stride',
      { cpus: 8, params: { rcu_nocbs: '0-5' } },
      '2 rcuog kthreads, one for every 4 CPUs by number',
    ],
  ])('%s with %j comes to: %s', (name, json, meaning) => {
    expect(describeParam(`rcutree.${name}`, configOf({ actors: [SYNC], ...json }))?.meaning).toBe(meaning);
  });

  it('a stall is reported after the timeout, and again after three times that and three jiffies', () => {
    const params = { 'rcupdate.rcu_cpu_stall_timeout': 60 };
    const meaning = (json: object) =>
      describeParam('rcupdate.rcu_cpu_stall_timeout', configOf({ actors: [SYNC], params, ...json }))?.meaning;
    expect(meaning({})).toBe('a warning at an age of 15000 jiffies, then every 180 s');
    expect(meaning({ kconfig: { PROVE_RCU: true } })).toMatch(/age of 16250 jiffies/);
  });
});

describe('actors of Tree RCU', () => {
  it('belong to the domain rcu without saying so', () => {
    for (const api of RCU_APIS) {
      expect(configOf({ actors: [{ ...SYNC, api }] }).actors[0]).toMatchObject({ api, domain: 'rcu' });
    }
    const reader = { kind: 'reader', domain: 'rcu', hold: '1ms' };
    expect(configOf({ actors: [reader, SYNC] }).actors[0]).toMatchObject({ domain: 'rcu', hold: 1_000_000 });
  });

  it.each<[string, object, RegExp]>([
    ['domain of another', { ...SYNC, domain: 'srcu' }, /domain: "srcu": "rcu" with api synchronize_rcu$/],
    [
      'srcu on rcu',
      { ...CALL, domain: 'rcu' },
      /domain: "rcu": "srcu" or "srcu:NAME" with api synchronize_srcu$/,
    ],
    [
      'a batch',
      { ...SYNC, batch: 2 },
      /batch: 2: with api call_srcu, call_rcu, call_rcu_tasks or call_rcu_tasks_trace only$/,
    ],
    [
      'a full cookie',
      { ...SYNC, cookie: 'full' },
      /cookie: "full": with api cond_synchronize_rcu, get_state/,
    ],
    [
      'a sleeping section',
      { kind: 'reader', domain: 'rcu', hold: 1, holdMode: 'sleep' },
      /holdMode: "sleep": "spin" with domain "rcu"/,
    ],
    [
      'a counter',
      { kind: 'reader', domain: 'rcu', hold: 1, incDelay: 5 },
      /incDelay: 5: 0 with domain "rcu"/,
    ],
    ['no time', { kind: 'reader', domain: 'rcu', hold: 0 }, /idle: 0: hold and idle may not both be 0/],
  ])('refuses %s', (_what, actor, message) => {
    expect(messagesOf({ actors: [actor], stop: { afterNs: 5 } })).toEqual([expect.stringMatching(message)]);
  });

  it.each<[string, object, string]>([
    ['start_poll_synchronize_rcu', { kernel: 'v5.10' }, 'kernel v5.10 does not have it (v5.18 and later)'],
    [
      'start_poll_synchronize_rcu_expedited',
      { kernel: 'v5.19' },
      'kernel v5.19 does not have it (v6.1 and later)',
    ],
  ])('%s on %j: %s', (api, json, why) => {
    expect(messagesOf({ actors: [{ ...SYNC, api }], ...json })).toEqual([`actors[0].api: "${api}": ${why}`]);
    expect(messagesOf({ actors: [{ ...SYNC, api }], ...json, rules: { 'tree.polled': 'v6.12' } })).toEqual(
      [],
    );
  });

  it('full cookies need the rule that has them', () => {
    const actor = { ...SYNC, api: 'get_state_synchronize_rcu', cookie: 'full' };
    expect(messagesOf({ kernel: 'v5.19', actors: [actor] })).toEqual([
      'actors[0].cookie: "full": kernel v5.19 does not have full cookies (v6.1 and later)',
    ]);
    expect(configOf({ kernel: 'v6.1', actors: [actor] }).actors[0]).toMatchObject({ cookie: 'full' });
  });
});

describe('initial state and machine of Tree RCU', () => {
  it.each<[unknown, boolean]>([
    ['idle', true],
    [{ startedTicksAgo: 0 }, true],
    [{ callbacksQueued: 5 }, true],
    ['busy', false],
    [{ startedTicksAgo: -1 }, false],
    [{ callbacksQueued: 0 }, false],
    [{ startedTicksAgo: 1, callbacksQueued: 1 }, false],
    [null, false],
  ])('rcuGp %j is allowed: %s', (rcuGp, isAllowed) => {
    const messages = messagesOf({ initial: { rcuGp }, actors: [SYNC] });
    expect(messages).toHaveLength(isAllowed ? 0 : 1);
    if (isAllowed) expect(configOf({ initial: { rcuGp }, actors: [SYNC] }).initial.rcuGp).toEqual(rcuGp);
    else expect(messages[0]).toMatch(/^initial\.rcuGp: .*"idle", \{"startedTicksAgo": 0 to 1000\}/);
  });

  it.each<[number, object, number]>([
    [250, { start: 0 }, 0],
    [250, { start: '11999999ns' }, 2],
    [250, { start: '12ms' }, 3],
    [1000, { start: { ticks: 21, plus: '31us' } }, 21],
  ])('a grace period may have begun at t = 0 and no earlier: HZ %i, %j', (hz, part, most) => {
    const second = { ...SYNC, start: '1s' };
    const json = (ago: number) => ({
      hz,
      actors: [second, { ...SYNC, ...part }],
      initial: { rcuGp: { startedTicksAgo: ago } },
    });
    expect(messagesOf(json(most))).toEqual([]);
    expect(messagesOf(json(most + 1))).toEqual([
      `initial.rcuGp: {"startedTicksAgo":${most + 1}}: startedTicksAgo from 0 to ${most}: the first updater starts in tick ${most}, and nothing began before t = 0`,
    ]);
  });

  it.each([24, 250, 300, 1000, 1200])('counts ticks as the engine does: HZ %i', (hz) => {
    const ticks = new Ticks(hz, 0);
    const starts = [0, 1, 3_333_333, 3_333_334, 41_666_666, 1_000_000_000, { ticks: 7, plus: 31 }];
    for (const start of starts) {
      const { actors } = configOf({ actors: [{ ...SYNC, start }] });
      expect(mostTicksAgo({ actors, hz })).toBe(ticks.numberAt(firstUpdateNs({ actors }, ticks)));
    }
    expect(mostTicksAgo({ actors: [], hz })).toBe(0);
  });

  it('an earlier one is a notice in a link', () => {
    const scenarios = { names: ['one'], find: () => ({ actors: [SYNC] }), variantsOf: () => [] };
    const { input, notices } = decodeLink('sc=one&initial.rcuGp=startedTicksAgo:1&seed=2', scenarios, 'one');
    expect(notices.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^initial\.rcuGp: "startedTicksAgo:1": startedTicksAgo from 0 to 0: /),
    ]);
    expect(input).toEqual({ scenario: 'one', seed: 2 });
  });

  it('a window of 100 ns chooses the interrupts that go with it, and nothing else', () => {
    const machineOf = (machine: object) => configOf({ machine, actors: [SYNC] }).machine;
    const { windowNs, expIpiNs, expIpiHandlerNs, ...others } = machineOf({
      preset: 'virtual-1gips',
      windowNs: 100,
    });
    expect([windowNs, expIpiNs, expIpiHandlerNs]).toEqual([100, 200, 200]);
    expect(machineOf({ preset: 'virtual-1gips' })).toMatchObject({
      ...others,
      expIpiNs: 1100,
      expIpiHandlerNs: 1200,
    });
    expect(machineOf({ preset: 'virtual-1gips', windowNs: 100, expIpiNs: 7 })).toMatchObject({ expIpiNs: 7 });
    expect(machineOf({ windowNs: 100 })).toMatchObject({ expIpiNs: [300, 1000] });
  });
});
