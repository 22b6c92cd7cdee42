/** Random configurations of Tree RCU: trees, kernels, parameters, readers, loads and every call, in small doses. */
import fc from 'fast-check';
import {
  type LoadActor,
  RCU_APIS,
  type RcuApi,
  type RcuGp,
  type ReaderActor,
  type SimConfig,
  type UpdaterActor,
} from '../config.ts';
import { type JiffyRace, type Machine, PRESET_IDS, type PresetId } from '../machine/presets.ts';
import { buildOf, kernelHasParam } from '../profiles/kernelParams.ts';
import { PROFILES, RULE_IDS, type RuleSet, resolveRules } from '../profiles/profiles.ts';
import { RCU_PARAMS } from '../tree/params.ts';
import { dist, ruleValues, start } from './randomConfig.testkit.ts';
import { load, reader, simConfig, updater } from './simConfig.testkit.ts';

/** Values worth trying, by parameter. Small limits of callbacks, so that floods and overload come about. */
const PARAM_VALUES: Readonly<Record<string, readonly (number | string)[]>> = {
  'rcutree.jiffies_till_first_fqs': [0, 1, 2, 3, 5, 10],
  'rcutree.jiffies_till_next_fqs': [1, 2, 3, 5, 10],
  'rcutree.jiffies_till_sched_qs': [0, 3, 8, 100],
  'rcutree.rcu_normal_wake_from_gp': [0, 1, 1],
  'rcupdate.rcu_expedited': [0, 0, 1],
  'rcupdate.rcu_normal': [0, 0, 0, 1],
  'rcutree.blimit': [1, 10, 1000],
  'rcutree.qhimark': [0, 5, 40, 10_000],
  'rcutree.qlowmark': [0, 100],
  'rcutree.qovld': [-1, 0, 8, 60],
  'rcutree.rcu_divisor': [0, 3, 7],
  'rcutree.rcu_fanout_leaf': [2, 3, 16, 64],
  'rcutree.rcu_fanout_exact': [0, 1],
  'rcutree.rcu_nocb_gp_stride': [1, 2, 5],
  'rcutree.nocb_nobypass_lim_per_jiffy': [0, 1, 4, 16],
  'rcupdate.rcu_cpu_stall_timeout': [3, 21],
};

const everyActor = {
  cpu: fc.nat(70),
  count: fc.constantFrom(1, 1, 1, 2, 3, 7),
  start,
  stagger: fc.constantFrom(0, 0, 28_000, 1_000_000),
};
const mode = fc.constantFrom('spin', 'sleep');

const readers: fc.Arbitrary<ReaderActor> = fc
  .record({
    ...everyActor,
    hold: dist(0, 60_000_000),
    // a loop must take time, and not fill the log
    idle: dist(20_000, 20_000_000),
    idleMode: mode,
    times: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  })
  .map(({ times, ...rest }) => {
    return reader({ domain: 'rcu', ...(times === undefined ? rest : { ...rest, times }) });
  });

const updaters = fc
  .record({
    ...everyActor,
    api: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom<RcuApi[]>('synchronize_rcu', 'call_rcu') },
      { weight: 3, arbitrary: fc.constantFrom(...RCU_APIS) },
    ),
    calls: fc.integer({ min: 1, max: 8 }),
    gap: dist(0, 20_000_000),
    gapMode: mode,
    gapFrom: fc.constantFrom('return', 'return', 'call'),
    batch: fc.constantFrom(1, 2, 16, 90),
    wait: fc.constantFrom('barrier', 'none'),
    cookie: fc.constantFrom('compressed', 'full'),
  })
  .map((drawn) => updater({ domain: 'rcu', ...drawn }));

const loads: fc.Arbitrary<LoadActor> = fc
  .record({
    ...everyActor,
    mode: fc.constantFrom('kernel', 'user'),
    spin: dist(20_000, 20_000_000),
    idle: fc.oneof(fc.constant(0), dist(20_000, 20_000_000)),
  })
  .map(load);

/** Some of SRCU beside it. */
const others = fc.constantFrom(
  [],
  [],
  [],
  [updater({ cpu: 1, api: 'synchronize_srcu', calls: 3, gap: 1_000_000 })],
  [reader({ cpu: 2, hold: 3_000_000, times: 9 }), updater({ calls: 2, gap: 5_000_000 })],
);

const machine = fc.record<Partial<Omit<Machine, 'preset'>>, never>(
  {
    jiffyRace: fc.oneof(
      fc.constantFrom<JiffyRace[]>('none', 'offsets', 0.011, 0.5, 1),
      fc.uniqueArray(fc.nat(3), { minLength: 1 }).map((cpus) => ({ cpus })),
    ),
    idleTick: fc.constantFrom('retain-one', 'immediate', 'governor'),
    sharedLlc: fc.boolean(),
    requester: fc.constantFrom('unseen', 'scheduler'),
    tickJitterNs: fc.constantFrom(0, 1000),
    rcuCbNs: fc.constantFrom(0, 150, 40_000),
  },
  { requiredKeys: [] },
);

const rcuGp: fc.Arbitrary<RcuGp> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<RcuGp>('idle') },
  fc.record({ startedTicksAgo: fc.nat(3) }),
  fc.record({ callbacksQueued: fc.nat(12) }),
);

/** rcu_nocbs and its like as boot parameters. */
const offloading = fc.constantFrom<Record<string, number | string>[]>(
  ...[{}, {}, {}],
  ...[
    { rcu_nocbs: 'all' },
    { rcu_nocbs: '0' },
    { rcu_nocbs: '1-3,7' },
    { rcu_nocbs: 'all', rcu_nocb_poll: 1 },
  ],
);

const base = {
  kernel: fc.oneof(fc.constantFrom('v6.12', 'v6.17'), fc.constantFrom(...PROFILES.map(({ id }) => id))),
  rules: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.record(
        Object.fromEntries(
          RULE_IDS.filter(
            (rule) => rule.startsWith('tree.') || rule === 'sched' || rule.startsWith('timer.'),
          ).map((rule) => [rule, fc.constantFrom(...ruleValues(rule))]),
        ),
        { requiredKeys: [] },
      ),
    },
  ),
  hz: fc.oneof(fc.constantFrom(100, 250, 300, 1000), fc.integer({ min: 24, max: 1200 })),
  startJiffies: fc.constantFrom(0, 0, 1, 4_294_667_296),
  cpus: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 70 })),
  preempt: fc.constantFrom('full', 'full', 'voluntary', 'none'),
  seed: fc.nat(1000),
  params: fc.record(
    Object.fromEntries(
      Object.entries(PARAM_VALUES).map(([name, values]) => [name, fc.constantFrom(...values)]),
    ),
    { requiredKeys: [] },
  ),
  offloading,
  machine,
  gpKthreadCpu: fc.option(fc.nat(70), { nil: undefined }),
  timekeeperCpu: fc.option(fc.nat(70), { nil: undefined }),
  rcuGp,
  kconfig: fc.constantFrom({}, {}, { PREEMPT_DYNAMIC: true }, { RCU_LAZY: true }, { RCU_EXP_KTHREAD: true }),
  readers: fc.array(readers, { maxLength: 3 }),
  updaters: fc.array(updaters, { minLength: 1, maxLength: 3 }),
  loads: fc.array(loads, { maxLength: 2 }),
  others,
  stopTicks: fc.integer({ min: 1, max: 60 }),
  whenDone: fc.boolean(),
};

/** What a kernel with these rules has of a call: polled cookies came later. */
function fitted(actor: UpdaterActor, rules: RuleSet): UpdaterActor {
  const polled = rules['tree.polled'];
  const isPolled = actor.api.startsWith('start_poll') || actor.api.startsWith('get_state');
  const isMissing =
    (actor.api.endsWith('_expedited') && actor.api.startsWith('start_poll') && polled !== 'gp-seq-polled') ||
    (isPolled && polled === 'get-cond');
  const { cookie = 'compressed', ...rest } = actor;
  return {
    ...rest,
    api: isMissing ? 'synchronize_rcu' : actor.api,
    cookie: polled === 'gp-seq-polled' ? cookie : 'compressed',
  };
}

/** Complete configurations of Tree RCU. Each ends after at most 60 ticks; runs should be given a limit (`maxEvents`). */
export function randomRcuConfig(presets: readonly PresetId[] = PRESET_IDS): fc.Arbitrary<SimConfig> {
  return fc.record({ ...base, preset: fc.constantFrom(...presets) }).map((drawn) => {
    const { params, offloading, stopTicks, whenDone, gpKthreadCpu, timekeeperCpu, rcuGp, ...rest } = drawn;
    const { readers, updaters, loads, others, ...parts } = rest;
    const { cpus, hz, kernel, rules } = parts;
    const ruleSet = resolveRules(kernel, rules);
    const actors = [...readers, ...updaters.map((actor) => fitted(actor, ruleSet)), ...loads, ...others];
    const known = Object.entries(params).filter(([name]) =>
      RCU_PARAMS.some((param) => {
        return param.name === name && kernelHasParam(kernel, param, buildOf({ ...parts, cpus }).rules);
      }),
    );
    return simConfig({
      ...parts,
      params: { ...(Object.fromEntries(known) as Record<string, number | string>), ...offloading },
      initial: {
        workerLagNs: [0],
        rcuGp,
        ...(gpKthreadCpu === undefined ? {} : { gpKthreadCpu: gpKthreadCpu % cpus }),
        ...(timekeeperCpu === undefined ? {} : { timekeeperCpu: timekeeperCpu % cpus }),
      },
      actors: actors.map((actor) => ({ ...actor, cpu: actor.cpu % cpus })),
      stop: { afterNs: Math.floor((stopTicks * 1e9) / hz), whenDone },
    });
  });
}
