/** Random valid configurations and views, for tests of links. */
import fc from 'fast-check';
import { KVFREE_APIS, RCU_APIS } from '../../engine/config.ts';
import { MACHINE_ENTRY_IDS } from '../../engine/machine/presets.ts';
import type { ParamInfo } from '../../engine/profiles/kernelParams.ts';
import { KVFREE_PARAMS } from '../../engine/profiles/kvfreeParams.ts';
import { PROFILES, RULE_IDS } from '../../engine/profiles/profiles.ts';
import { TASKS_PARAMS } from '../../engine/profiles/tasksParams.ts';
import { SRCU_PARAMS } from '../../engine/srcu/params.ts';
import { RCU_PARAMS } from '../../engine/tree/params.ts';
import type { ActorInput, ConfigInput, ScenarioSource } from '../configInput.ts';
import { parseConfig } from '../parseConfig.ts';
import { KCONFIG_NAMES } from '../schema.ts';
import type { LinkView } from './linkView.ts';

/** Two small scenarios, so that these tests do not depend on the shipped ones. */
const SMALL: Readonly<Record<string, ConfigInput>> = {
  storm: {
    kernel: 'v5.19-fix4',
    cpus: 8,
    params: { 'srcutree.srcu_max_nodelay_phase': 200 },
    rules: { 'srcu.cbdelay': 'v5.19-640a' },
    machine: { preset: 'plain', passNs: '9.1us', requester: 'credit' },
    actors: [{ kind: 'updater', api: 'synchronize_srcu_expedited', calls: 5, gap: '160us', gapMode: 'spin' }],
  },
  pair: {
    machine: { preset: 'virtual-1gips', jiffyRace: { cpus: [1] } },
    initial: { workerLagNs: [50_000, 1_000_000] },
    stop: { whenDone: true, afterNs: '1s' },
    actors: [
      { kind: 'reader', cpu: 1, hold: { uniform: [0, '3ms'] }, start: { ticks: 3, plus: '31us' } },
      { kind: 'updater', api: 'call_srcu', calls: 3, batch: 16 },
    ],
  },
};

export const smallScenarios: ScenarioSource = {
  names: Object.keys(SMALL),
  find: (name) => (Object.hasOwn(SMALL, name) ? SMALL[name] : undefined),
  variantsOf: (id) => (Object.hasOwn(SMALL, id) ? [] : undefined),
};

const ns = fc.oneof(fc.nat(5_000_000_000), fc.constantFrom(0, 1, 1000, 1_500_000));
const seed = fc.nat(Number.MAX_SAFE_INTEGER);
const range = fc.tuple(ns, ns).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const dist = fc.oneof(
  ns,
  range.map((uniform) => ({ uniform })),
  ns.map((exp) => ({ exp })),
  fc.array(ns, { minLength: 1, maxLength: 5 }).map((list) => ({ list })),
  fc.tuple(seed, fc.nat(1e6), range).map(([s, stream, [lo, hi]]) => ({ lcg: { seed: s, stream, lo, hi } })),
);
const start = fc.oneof(ns, fc.record({ ticks: fc.nat(1e6), plus: ns }));
const base = { cpu: fc.nat(4095), count: fc.integer({ min: 1, max: 50 }), start, stagger: ns };

function actor(
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>>,
) {
  return fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required) },
  ) as fc.Arbitrary<unknown>;
}
const SPIN = fc.constantFrom('spin', 'sleep');
const DOMAIN = fc.constantFrom('srcu', 'srcu:kvm', 'srcu:a-b_c.d', 'rcu');
const actors = fc.array(
  fc.oneof(
    actor(
      { kind: fc.constant('reader'), hold: dist },
      {
        ...base,
        domain: DOMAIN,
        holdMode: SPIN,
        idle: dist,
        idleMode: SPIN,
        times: fc.integer({ min: 1, max: 9 }),
        incDelay: dist,
      },
    ),
    actor(
      {
        kind: fc.constant('updater'),
        api: fc.constantFrom('synchronize_srcu', 'call_srcu', 'srcu_barrier'),
        calls: fc.integer({ min: 1, max: 1e6 }),
      },
      {
        ...base,
        domain: DOMAIN,
        gap: dist,
        gapMode: SPIN,
        gapFrom: fc.constantFrom('return', 'call'),
      },
    ),
    actor(
      {
        kind: fc.constant('updater'),
        api: fc.constantFrom(...RCU_APIS, ...KVFREE_APIS),
        calls: fc.constant(2),
      },
      { domain: fc.constant('rcu'), cookie: fc.constantFrom('compressed', 'full') },
    ),
    actor(
      { kind: fc.constant('updater'), api: fc.constantFrom('call_srcu', 'call_rcu'), calls: fc.constant(3) },
      { batch: fc.constantFrom(1, 9), wait: fc.constantFrom('barrier', 'none') },
    ),
    actor(
      {
        kind: fc.constant('kfree'),
        loops: fc.integer({ min: 1, max: 9 }),
        allocs: fc.nat(1e9).map((n) => n + 1),
      },
      {
        ...base,
        sizes: fc.constantFrom([32], [32, 64, 96, 128], [8192, 1]),
        form: fc.constantFrom('double', 'single', 'mixed'),
        resched: fc.boolean(),
        nice: fc.integer({ min: -20, max: 19 }),
        sampleNs: ns,
      },
    ),
    actor({ kind: fc.constant('holdout'), spin: ns.map((value) => value + 1), sleep: dist }, base),
    actor(
      { kind: fc.constant('exiter'), gap: ns.map((value) => value + 1) },
      { ...base, exit: dist, tail: dist },
    ),
    actor(
      { kind: fc.constant('load'), spin: ns.map((value) => value + 1) },
      { ...base, mode: fc.constantFrom('kernel', 'user'), idle: dist },
    ),
  ) as fc.Arbitrary<ActorInput>,
  { minLength: 1, maxLength: 4 },
);

function subset(entries: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(entries, { requiredKeys: [] });
}
const BOOT_VALUES = new Map<string, fc.Arbitrary<unknown>>([
  ['rcu_nocbs', fc.constantFrom('1-3', 'all', '', '0-N:1/2', '2')],
  ['rcu_nocb_poll', fc.constantFrom(true, 1, '')],
  ['nohz_full', fc.constantFrom('1-3', '2', '1,3')],
  ['isolcpus', fc.constantFrom('1-3', 'nohz,domain,1')],
  ['skew_tick', fc.constantFrom(0, 1, '1')],
]);
function paramValue({ type, min, max }: ParamInfo): fc.Arbitrary<unknown> {
  if (type === 'bool') return fc.constantFrom(0, 1, true, 'N', 'y');
  return fc.integer({ min, max: max === 'HZ' ? 100 : max });
}
const bySize = fc.constantFrom<unknown>(7, '1us', { '32': 238, '256': '1.5us' }, { '4096': 0, '8': 3 });
const KVFREE_VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  kfreeAllocQueueNs: bySize,
  kfreeFreeNs: bySize,
  kfreeRemoteFactor: fc.constantFrom(1, 1.25, 1000),
  kfreeRetention: fc.constantFrom(1, 3.8),
  kfreeStuckCpus: fc.nat(4096),
  memoryBytes: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  pageSize: fc.constantFrom(4096, 16384, 65536),
  allocator: fc.constantFrom('slub', 'slab'),
};
function machineValue(entry: string): fc.Arbitrary<unknown> {
  if (entry === 'sharedLlc') return fc.boolean();
  if (entry === 'windowNs') return fc.constantFrom(100, 1000);
  if (entry === 'jiffyRace') {
    const cpus = fc.uniqueArray(fc.nat(3), { minLength: 1 }).map((list) => ({ cpus: list }));
    return fc.oneof(fc.constantFrom('none', 'offsets', 0.011, 0, 1), cpus);
  }
  if (entry === 'idleTick') return fc.constantFrom('retain-one', 'immediate', 'governor');
  if (entry === 'requester') return fc.constantFrom('unseen', 'scheduler', 'credit');
  const other = KVFREE_VALUES[entry];
  if (other !== undefined) return other;
  if (entry === 'timerSelfExpire') return fc.constantFrom(0, 0.25, 1);
  if (entry === 'udelayPerUsNs') return fc.constantFrom(991.8, 1000, 0.5, [900, 1000]);
  return fc.oneof({ weight: 2, arbitrary: ns as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: range });
}

const GROUPS = ['params', 'rules', 'machine', 'initial', 'kconfig'];

/** Takes over from `wish` what leaves a valid configuration, value by value. */
function keepValid(wish: ConfigInput): ConfigInput {
  let input: ConfigInput =
    wish.scenario === undefined
      ? { actors: [{ kind: 'load', spin: 1 }], stop: { afterNs: 5 } }
      : { scenario: wish.scenario };
  const add = (next: object): boolean => {
    const parsed = parseConfig({ ...input, ...next }, smallScenarios);
    if (parsed.ok) input = parsed.input;
    return parsed.ok;
  };
  for (const [key, value] of Object.entries(wish)) {
    if (add({ [key]: value }) || !GROUPS.includes(key)) continue;
    for (const [name, entry] of Object.entries(value as object)) {
      add({ [key]: { ...(input[key as keyof ConfigInput] as object | undefined), [name]: entry } });
    }
  }
  return input;
}

/** Valid overlays on the small scenarios, and valid configurations of their own. */
export const inputs = fc
  .record(
    {
      scenario: fc.constantFrom('storm', 'pair'),
      kernel: fc.constantFrom(...PROFILES.map((profile) => profile.id)),
      hz: fc.integer({ min: 24, max: 1200 }),
      startJiffies: fc.nat(2 ** 40),
      cpus: fc.constantFrom(4, 8, 4096),
      preempt: fc.constantFrom('full', 'voluntary', 'none'),
      seed,
      params: subset(
        Object.fromEntries([
          ...[...SRCU_PARAMS, ...RCU_PARAMS, ...KVFREE_PARAMS, ...TASKS_PARAMS].map(
            (param) => [param.name, paramValue(param)] as const,
          ),
          ['rcutree.kthread_prio', fc.nat(99)],
          ...[...BOOT_VALUES],
        ]),
      ),
      rules: subset(
        Object.fromEntries(
          RULE_IDS.map((id) => [id, fc.constantFrom('v5.18', 'v6.12', 'next', 'per-block')]),
        ),
      ),
      machine: subset({
        preset: fc.constantFrom('plain', 'typical', 'virtual-1gips'),
        ...Object.fromEntries(MACHINE_ENTRY_IDS.map((entry) => [entry, machineValue(entry)])),
      }),
      initial: subset({
        workerLagNs: fc.oneof(
          fc.integer({ min: -1e9, max: 1e9 }),
          fc.array(fc.nat(1e9), { minLength: 1, maxLength: 4 }),
        ),
        migratorCpu: fc.nat(3),
        gpKthreadCpu: fc.nat(3),
        tasksUrgent: fc.nat(3),
        rcuGp: fc.constantFrom('idle', { startedTicksAgo: 2 }, { callbacksQueued: 1 }),
      }),
      kconfig: subset(Object.fromEntries(KCONFIG_NAMES.map((name) => [name, fc.boolean()]))),
      actors,
      stop: fc.constantFrom<ConfigInput['stop'][]>(
        { whenDone: true },
        { afterNs: 5 },
        { whenDone: true, afterNs: 7_000 },
      ),
    },
    { requiredKeys: [] },
  )
  .map((input) => keepValid(input as ConfigInput));

/** Any view that a page may have. */
export const views = fc.record(
  {
    t: range.map(([fromNs, toNs]) => ({ fromNs, toNs: toNs + 1 })),
    cur: fc.oneof(
      fc.record({ timeNs: ns }),
      fc.record({ timeNs: ns, row: fc.nat(1e9), poll: fc.record({ pass: fc.nat(1e6), check: fc.nat(2) }) }),
    ),
    sel: fc.record({ of: fc.constantFrom('gp', 'call', 'row'), index: fc.nat(1e9) }),
    panel: fc.constantFrom({ hidden: ['why', 'latency'] }, { full: 'reader-counters', hidden: [] }),
    lock: fc.boolean(),
    paused: fc.boolean(),
    theme: fc.constantFrom('dark', 'light', 'system'),
    d: fc.constantFrom('00000000', '9f3ac1d2'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<LinkView>;
