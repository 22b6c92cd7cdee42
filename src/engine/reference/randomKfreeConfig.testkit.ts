/** Random configurations of kfree_rcu(): floods of every form on every kernel, small memories, offloading, mixed rules. */
import fc from 'fast-check';
import type { Actor, KfreeActor, SimConfig } from '../config.ts';
import { type JiffyRace, type Machine, PRESET_IDS, type PresetId } from '../machine/presets.ts';
import { buildOf, kernelHasParam } from '../profiles/kernelParams.ts';
import { KVFREE_PARAMS } from '../profiles/kvfreeParams.ts';
import { PROFILES, RULE_IDS, type RuleSet } from '../profiles/profiles.ts';
import { ruleValues, start } from './randomConfig.testkit.ts';
import { load, reader, simConfig, updater } from './simConfig.testkit.ts';

const MIB = 2 ** 20;

/** A flood on CPU 0: one thread that queues a block and a bit of objects of 32 bytes, with two arguments. */
export function kfree(part: Partial<Omit<KfreeActor, 'kind'>> = {}): KfreeActor {
  return {
    ...{ kind: 'kfree', cpu: 0, count: 1, start: 0, stagger: 0, loops: 4, allocs: 150, sizes: [32] },
    ...{ form: 'double', resched: true, nice: 19, sampleNs: 0 },
    ...part,
  };
}

const floods: fc.Arbitrary<KfreeActor> = fc
  .record({
    cpu: fc.nat(7),
    count: fc.constantFrom(1, 1, 2, 3, 4, 8),
    start,
    stagger: fc.constantFrom(0, 0, 28_000, 1_000_000),
    loops: fc.constantFrom(1, 3, 4, 10, 64),
    // around a block, and far from it
    allocs: fc.oneof(fc.constantFrom(1, 506, 507, 508, 510, 2043), fc.integer({ min: 1, max: 3000 })),
    sizes: fc.oneof(
      fc.constantFrom([32], [256], [4096], [32, 64, 96, 128]),
      fc.array(fc.integer({ min: 16, max: 8192 }), { minLength: 1, maxLength: 4 }),
    ),
    form: fc.constantFrom<KfreeActor['form'][]>('double', 'double', 'single', 'mixed'),
    resched: fc.boolean(),
    nice: fc.constantFrom(0, 19, 19, -5),
    sampleNs: fc.constantFrom(0, 0, 1_000_000, 5_000_000),
  })
  .map(kfree);

/** What else goes on: grace periods of others, and CPUs that hold them up. */
const others = fc.constantFrom<Actor[][]>(
  [],
  [],
  [],
  [updater({ cpu: 1, count: 2, api: 'kvfree_rcu_barrier', domain: 'rcu', calls: 4, gap: 1_000_000 })],
  [updater({ cpu: 3, api: 'kvfree_rcu_barrier', domain: 'rcu', start: 7_000_000, calls: 2 })],
  [updater({ api: 'synchronize_rcu', domain: 'rcu', calls: 4, gap: 3_000_000 })],
  [updater({ cpu: 1, api: 'synchronize_rcu_expedited', domain: 'rcu', calls: 5, gap: 2_000_000 })],
  [reader({ cpu: 1, domain: 'rcu', hold: 9_000_000, idle: 300_000, times: 9 })],
  [load({ cpu: 2, mode: 'user', spin: 3_000_000 })],
  [load({ cpu: 0, spin: 400_000, idle: 200_000 })],
);

/** Preset `plain` queues an object a nanosecond: so cheap a flood is over before anything else happens. */
const machine = fc.record<Partial<Omit<Machine, 'preset'>>, never>(
  {
    kfreeAllocQueueNs: fc.constantFrom(1, 55, 238, 5000, { '32': 238, '4096': 400 }),
    kfreeFreeNs: fc.constantFrom(0, 45, 2000),
    kfreeFreeListNs: fc.constantFrom(0, 85),
    kfreeRemoteFactor: fc.constantFrom(1, 1.25),
    kfreeRetention: fc.constantFrom(1, 3),
    kfreeStuckCpus: fc.constantFrom(0, 0, 0, 1),
    kvfreeFillNs: fc.constantFrom(0, 2600, 90_000),
    kvfreeWorkStartNs: fc.constantFrom(0, 700, 90_000),
    memoryBytes: fc.constantFrom(64, 8, 2, 1).map((mib) => mib * MIB),
    pageSize: fc.constantFrom<Machine['pageSize'][]>(4096, 4096, 4096, 16384, 65536),
    allocator: fc.constantFrom<Machine['allocator'][]>('slub', 'slab'),
    jiffyRace: fc.constantFrom<JiffyRace[]>('none', 'offsets', 0.5),
    idleTick: fc.constantFrom('retain-one', 'immediate', 'governor'),
    sharedLlc: fc.boolean(),
    tickJitterNs: fc.constantFrom(0, 1000),
  },
  { requiredKeys: [] },
);

/** Rules of kfree_rcu() mixed at will. */
const rules = fc.record(
  Object.fromEntries(
    RULE_IDS.filter((rule) => rule.startsWith('kvfree.')).map((rule) => [
      rule,
      fc.constantFrom(...ruleValues(rule)),
    ]),
  ),
  { requiredKeys: [] },
);

const base = {
  kernel: fc.oneof(fc.constantFrom('v6.12', 'v6.17'), fc.constantFrom(...PROFILES.map(({ id }) => id))),
  rules: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: rules }),
  hz: fc.oneof(fc.constantFrom(100, 250, 300, 1000), fc.integer({ min: 24, max: 1200 })),
  startJiffies: fc.constantFrom(0, 0, 1, 4_294_667_296),
  cpus: fc.integer({ min: 1, max: 8 }),
  preempt: fc.constantFrom('full', 'full', 'voluntary', 'none'),
  seed: fc.nat(1000),
  params: fc.record(
    {
      'rcutree.rcu_min_cached_objs': fc.constantFrom(0, 1, 5, 5, 50),
      'rcutree.rcu_delay_page_cache_fill_msec': fc.constantFrom(0, 10, 5000),
    },
    { requiredKeys: [] },
  ),
  offloading: fc.constantFrom<Record<string, number | string>[]>(
    ...[{}, {}, {}],
    ...[{ rcu_nocbs: 'all' }, { rcu_nocbs: '0' }, { rcu_nocbs: '1-3,7' }],
  ),
  machine,
  kconfig: fc.constantFrom({}, {}, { DEBUG_OBJECTS_RCU_HEAD: true }, { RCU_LAZY: true }),
  floods: fc.array(floods, { minLength: 1, maxLength: 2 }),
  others,
  stopTicks: fc.integer({ min: 5, max: 200 }),
};

/** What a kernel with these rules has of a flood: the one-argument form came later. */
function fitted(flood: KfreeActor, ruleSet: RuleSet): KfreeActor {
  return ruleSet['kvfree.oneArg'] === 'yes' ? flood : { ...flood, form: 'double' };
}

/** And of what else goes on: kvfree_rcu_barrier() came later still. */
function isKnown(actor: Actor, ruleSet: RuleSet): boolean {
  const isBarrier = actor.kind === 'updater' && actor.api === 'kvfree_rcu_barrier';
  return !isBarrier || ruleSet['kvfree.barrier'] === 'yes';
}

/** Complete configurations with a flood. Each ends after at most 200 ticks; runs should be given a limit (`maxEvents`). */
export function randomKfreeConfig(presets: readonly PresetId[] = PRESET_IDS): fc.Arbitrary<SimConfig> {
  return fc.record({ ...base, preset: fc.constantFrom(...presets) }).map((drawn) => {
    const { params, offloading, stopTicks, floods, others, ...parts } = drawn;
    const { cpus, hz, kernel } = parts;
    const build = buildOf(parts);
    const known = others.filter((actor) => isKnown(actor, build.rules));
    const actors = [...floods.map((flood) => fitted(flood, build.rules)), ...known];
    const ofKernel = Object.entries(params).filter(([name]) =>
      KVFREE_PARAMS.some((param) => param.name === name && kernelHasParam(kernel, param, build.rules)),
    );
    return simConfig({
      ...parts,
      params: { ...Object.fromEntries(ofKernel), ...offloading },
      actors: actors.map((actor) => ({ ...actor, cpu: actor.cpu % cpus })),
      stop: { afterNs: Math.floor((stopTicks * 1e9) / hz), whenDone: true },
    });
  });
}
