/** Random configurations: everything that a run can be made of, in small doses. */
import fc from 'fast-check';
import {
  type Dist,
  type LoadActor,
  type ReaderActor,
  type SimConfig,
  SRCU_APIS,
  type Start,
} from '../config.ts';
import {
  type CostEntry,
  type CostNs,
  type JiffyRace,
  type Machine,
  PRESET_IDS,
  type PresetId,
} from '../machine/presets.ts';
import { kernelHasParam } from '../profiles/kernelParams.ts';
import { PROFILES, type ProfileId, RULE_IDS, ruleWords } from '../profiles/profiles.ts';
import { SRCU_PARAMS } from '../srcu/params.ts';
import { load, reader, simConfig, updater } from './simConfig.testkit.ts';

const HUGE = Number.MAX_SAFE_INTEGER;
const DOMAINS = ['srcu', 'srcu', 'srcu', 'srcu:a', 'srcu:b'] as const;

/** Values worth trying, by parameter. A retry delay beyond some ticks would only end the run. */
const PARAM_VALUES: Readonly<Record<string, readonly number[]>> = {
  'srcutree.srcu_max_nodelay_phase': [0, 1, 2, 3, 4, 5, 7, 20, 100, 101, 1000, 10_000, HUGE],
  'srcutree.srcu_max_nodelay': [0, 1, 2, 3, 10, 100, 1000, HUGE],
  'srcutree.srcu_retry_check_delay': [0, 1, 2, 5, 10, 100, 1000, 20_000],
  'experiment.second_retry_delay': [0, 1, 5, 100, 800, 20_000],
  'srcutree.exp_holdoff': [0, 1, 25_000, 1_000_000, HUGE],
  'srcutree.convert_to_big': [0, 1, 2, 3, 16, 17, 19],
  'srcutree.big_cpu_lim': [0, 1, 4, 128, HUGE],
};

/** Durations up to `maxNs`: round ones, odd ones, those around a tick period. */
function duration(minNs: number, maxNs: number): fc.Arbitrary<number> {
  const landmarks = [0, 1, 5000, 10_000, 14_999, 15_000, 1_000_000, 3_999_999, 4_000_000, 8_000_000].filter(
    (ns) => ns >= minNs && ns <= maxNs,
  );
  const orders = fc.integer({ min: 0, max: 7 }).chain((digits) => {
    const upTo = Math.min(maxNs, minNs + 10 ** (digits + 2));
    return fc.integer({ min: minNs, max: upTo });
  });
  return landmarks.length === 0 ? orders : fc.oneof(orders, fc.constantFrom(...landmarks));
}

/** Distributions of durations between two bounds, ns. */
export function dist(minNs: number, maxNs: number): fc.Arbitrary<Dist> {
  const one = duration(minNs, maxNs);
  const range = fc.tuple(one, one).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
  return fc.oneof(
    { weight: 3, arbitrary: one },
    { weight: 2, arbitrary: range.map((uniform) => ({ uniform })) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 1, maxLength: 4 }).map((list) => ({ list })) },
    {
      weight: 1,
      arbitrary: fc
        .record({ seed: fc.nat(9), stream: fc.nat(2), range })
        .map(({ seed, stream, range: [lo, hi] }) => ({ lcg: { seed, stream, lo, hi } })),
    },
    ...(minNs === 0 ? [{ weight: 1, arbitrary: one.map((exp) => ({ exp })) }] : []),
  );
}

/** When an actor begins: within 20 ms. */
export const start: fc.Arbitrary<Start> = fc.oneof(
  fc.constant(0),
  duration(0, 20_000_000),
  fc.record({ ticks: fc.nat(4), plus: duration(0, 4_000_000) }),
);

const everyActor = {
  cpu: fc.nat(11),
  count: fc.constantFrom(1, 1, 1, 2, 3),
  start,
  stagger: fc.constantFrom(0, 0, 28_000, 1_000_000),
};
const mode = fc.constantFrom('spin', 'sleep');

const readers: fc.Arbitrary<ReaderActor> = fc
  .record({
    ...everyActor,
    domain: fc.constantFrom(...DOMAINS),
    hold: dist(0, 60_000_000),
    holdMode: mode,
    // a loop must take time, and not fill the log
    idle: dist(20_000, 20_000_000),
    idleMode: mode,
    times: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    incDelay: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: dist(0, 20_000_000) },
    ),
  })
  .map(({ times, ...rest }) => reader(times === undefined ? rest : { ...rest, times }));

const updaters = fc
  .record({
    ...everyActor,
    api: fc.constantFrom(...SRCU_APIS),
    domain: fc.constantFrom(...DOMAINS),
    calls: fc.integer({ min: 1, max: 8 }),
    gap: dist(0, 20_000_000),
    gapMode: mode,
    gapFrom: fc.constantFrom('return', 'return', 'call'),
    batch: fc.constantFrom(1, 2, 16),
    wait: fc.constantFrom('barrier', 'none'),
  })
  .map(({ batch, wait, ...rest }) => updater(rest.api === 'call_srcu' ? { ...rest, batch, wait } : rest));

const loads: fc.Arbitrary<LoadActor> = fc
  .record({
    ...everyActor,
    mode: fc.constantFrom('kernel', 'user'),
    spin: fc.option(dist(20_000, 20_000_000), { nil: undefined }),
    idle: fc.oneof(fc.constant(0), dist(20_000, 20_000_000)),
  })
  .map(({ spin, ...rest }) => {
    const { spin: _default, ...base } = load(rest);
    return spin === undefined ? base : { ...base, spin };
  });

const jiffyRace: fc.Arbitrary<JiffyRace> = fc.oneof(
  fc.constantFrom<JiffyRace[]>('none', 'offsets', 0.011, 0.5, 1),
  fc.uniqueArray(fc.nat(3), { minLength: 1 }).map((cpus) => ({ cpus })),
);

/** Overrides that make sense with every preset; each one is mostly absent. */
const machine = fc.record<Partial<Omit<Machine, 'preset'>>, never>(
  {
    jiffyRace,
    timerSelfExpire: fc.constantFrom(0, 0.5, 1),
    idleTick: fc.constantFrom('retain-one', 'immediate', 'governor'),
    requester: fc.constantFrom('unseen', 'scheduler', 'credit'),
    passLoopNs: fc.constantFrom(5000, 9100, 20_000),
    checkNs: fc.constantFrom(0, 152, 1000),
    gpEndNs: fc.constantFrom(0, 350),
    cbWorkNs: fc.constantFrom(0, 5000, 100_000),
    creditStartNs: fc.constantFrom(4_000_000, 12_000_000),
  },
  { requiredKeys: [] },
);

/** Costs beside those that decide how long a pass takes: with a range there, no run has closed forms. */
const COST_RANGES: Readonly<Partial<Record<CostEntry, CostNs>>> = {
  gpEndNs: [0, 700],
  cbWorkNs: [300, 100_000],
  cbNs: [0, 200],
  cbWakeNs: [0, 1000],
  cbWorkTailNs: [100, 5000],
  callSrcuFirstNs: [0, 1000],
  callSrcuNs: [0, 500],
  syncToQueueNs: [0, 1000],
  syncQueueToUnlockNs: [0, 1000],
  syncUnlockToBlockNs: [0, 1000],
  syncReturnNs: [100, 400],
  rlockUnlockNs: [50, 150],
  readerGapNs: [0, 200],
  switchNs: [900, 2000],
  workerWakeNs: [0, 3000],
  wakeIdleNs: [1000, 4000],
  ipiNs: [0, 2000],
  hrtimerBusyNs: [0, 3000],
  idleExitNs: [0, 50_000],
  idleExitJitterNs: [0, 20_000],
  busyToTimersNs: [2000, 7000],
  idleToTimersNs: [1000, 5000],
  tickEntryNs: [0, 2000],
  tickJitterNs: [0, 5000],
  creditGNs: [3_000_000, 5_000_000],
};
const PASS_RANGES: typeof COST_RANGES = {
  udelayBaseNs: [0, 200],
  udelayPerUsNs: [900, 1100],
  checkNs: [0, 300],
  passLoopNs: [5000, 9100],
  passFirstCheckNs: [0, 1000],
};

function someOf(ranges: typeof COST_RANGES): fc.Arbitrary<Partial<Machine>> {
  return fc.record(
    Object.fromEntries(Object.entries(ranges).map(([entry, cost]) => [entry, fc.constant(cost)])),
    { requiredKeys: [] },
  );
}

/** Costs that are ranges: in most configurations none. */
const costRanges: fc.Arbitrary<Partial<Machine>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: someOf(COST_RANGES) },
  {
    weight: 1,
    arbitrary: fc
      .record({ other: someOf(COST_RANGES), pass: someOf(PASS_RANGES) })
      .map(({ other, pass }) => ({ ...other, ...pass })),
  },
);

/** Every value of a rule: words and ids of profiles. */
export function ruleValues(rule: (typeof RULE_IDS)[number]): string[] {
  const profiles: string[] = PROFILES.map(({ id }) => id);
  return [...profiles, ...ruleWords(rule)];
}

const foreignRules = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      Object.fromEntries(RULE_IDS.map((rule) => [rule, fc.constantFrom(...ruleValues(rule))])),
      { requiredKeys: [] },
    ),
  },
);

const allParams = fc.record(
  Object.fromEntries(
    Object.entries(PARAM_VALUES).map(([name, values]) => [name, fc.constantFrom(...values)]),
  ),
  { requiredKeys: [] },
);

type Params = Readonly<Record<string, number | undefined>>;

function paramsOf(kernel: ProfileId, params: Params): Record<string, number> {
  const has = (name: string) =>
    SRCU_PARAMS.some((param) => param.name === name && kernelHasParam(kernel, param));
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      value !== undefined && has(name) ? [[name, value]] : [],
    ),
  );
}

const base = {
  kernel: fc.constantFrom(...PROFILES.map(({ id }) => id)),
  rules: foreignRules,
  hz: fc.oneof(fc.constantFrom(100, 250, 300, 1000, 1000), fc.integer({ min: 24, max: 1200 })),
  startJiffies: fc.constantFrom(0, 0, 1, 4_294_667_296),
  cpus: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(8, 12, 130)),
  preempt: fc.constantFrom('full', 'full', 'voluntary', 'none'),
  seed: fc.oneof(fc.nat(100), fc.constant(HUGE)),
  params: allParams,
  machine,
  costRanges,
  workerLagNs: fc.constantFrom([0], [0, 1_000_000], [50_000, 1_000_000], [-500_000]),
  migratorCpu: fc.option(fc.nat(11), { nil: undefined }),
  timekeeperCpu: fc.option(fc.nat(11), { nil: undefined }),
  kconfig: fc.constantFrom({}, {}, {}, { PREEMPT_RT: true }),
  readers: fc.array(readers, { maxLength: 3 }),
  updaters: fc.array(updaters, { minLength: 1, maxLength: 3 }),
  loads: fc.array(loads, { maxLength: 1 }),
  stopTicks: fc.integer({ min: 1, max: 60 }),
  whenDone: fc.boolean(),
};

/**
 * Complete configurations over every kernel, rule, parameter, actor and habit. Each ends after at most 60 ticks; its
 * log may still be long, so runs should be given a limit (`maxEvents`).
 */
export function randomConfig(presets: readonly PresetId[] = PRESET_IDS): fc.Arbitrary<SimConfig> {
  return fc.record({ ...base, preset: fc.constantFrom(...presets) }).map((drawn) => {
    const { kernel, cpus, hz, rules, params, stopTicks, whenDone, migratorCpu, timekeeperCpu, ...rest } =
      drawn;
    const { preset, startJiffies, preempt, seed, workerLagNs, kconfig } = rest;
    const actors = [...rest.readers, ...rest.updaters, ...rest.loads];
    return simConfig({
      ...{ kernel, cpus, hz, rules, preset, startJiffies, preempt, seed, kconfig },
      params: paramsOf(kernel, params),
      machine: { ...rest.machine, ...rest.costRanges },
      initial: {
        workerLagNs,
        ...(migratorCpu === undefined ? {} : { migratorCpu: migratorCpu % cpus }),
        ...(timekeeperCpu === undefined ? {} : { timekeeperCpu: timekeeperCpu % cpus }),
      },
      actors: actors.map((actor) => ({ ...actor, cpu: actor.cpu % cpus })),
      stop: { afterNs: Math.floor((stopTicks * 1e9) / hz), whenDone },
    });
  });
}
