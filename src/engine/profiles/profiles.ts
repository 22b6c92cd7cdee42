/**
 * Kernel profiles: one row of rule values per release or posted patch (docs/model/srcu.md §6, tree.md §8). The engine asks
 * for rule values only, never for a release.
 */
import {
  KVFREE_BULK_2019,
  KVFREE_POLLED_2022,
  KVFREE_RULE_VALUES,
  KVFREE_V54,
  KVFREE_V56,
  KVFREE_V57,
  KVFREE_V61,
  KVFREE_V63,
  KVFREE_V66,
  KVFREE_V510,
  KVFREE_V518,
  KVFREE_V612,
} from './kvfreeRules.ts';
import {
  TASKS_RULE_VALUES,
  TASKS_SEED_V2,
  TASKS_V54,
  TASKS_V66,
  TASKS_V417,
  TASKS_V419,
  TASKS_V518,
  TASKS_V610,
} from './tasksRules.ts';

/** Values that each rule can take, in the order in which kernels got them. */
export const RULE_VALUES = {
  /** srcu_get_delay(), spec srcu 3.1: expedited flag only; age counts from 1 jiffy; age counts from 2 jiffies. */
  'srcu.delay': ['exp-only', 'age-1', 'age-2'],
  /** How often try_check_zero() asks srcu_get_delay(), spec srcu 3.2. */
  'srcu.tryCheck': ['per-check', 'once'],
  /** Delay of the callbacks at the end of a grace period, spec srcu 2.6 step 1. */
  'srcu.cbdelay': ['get-delay', 'squashed', 'by-exp'],
  /** Default of srcu_max_nodelay_phase, spec srcu 3.3. */
  'srcu.phaseLimit': ['none', '1', '3', 'by-hz'],
  /** Default of srcu_max_nodelay, spec srcu 3.3. */
  'srcu.jiffyLimit': ['none', '100', 'max-100-phase'],
  /** CPU whose list a callback joins, spec srcu 1.5. */
  'srcu.callbackCpu': ['caller', 'size-state'],
  /**
   * Polled grace periods, spec tree 6: get_state and cond only; cookies from gp_seq; from gp_seq_polled, so that
   * expedited grace periods count, and full cookies.
   */
  'tree.polled': ['get-cond', 'gp-seq', 'gp-seq-polled'],
  /** synchronize_rcu() with one CPU online and non-preemptible RCU, spec tree R4.1: returns at once; a grace period. */
  'tree.oneCpu': ['no-gp', 'gp'],
  /** Lazy callbacks, spec tree R3.11: no; yes, with CONFIG_RCU_LAZY. */
  'tree.lazy': ['none', 'lazy'],
  /** Who selects the CPUs of an expedited grace period, spec tree R5.2. */
  'tree.expWorkers': ['workqueue', 'kthreads'],
  /** synchronize_rcu(), spec tree R4.4: always a callback; the sr_normal list with rcu_normal_wake_from_gp. */
  'tree.srNormal': ['callback', 'list'],
  /** Old dummies of the list, spec tree R4.5: freed by the kworker; by the kthread too. */
  'tree.srDummies': ['kworker', 'kthread'],
  /** When gp_init takes the callers of the list, spec tree R2.4, and the guard of done_exact(), R1.4. */
  'tree.srOrder': ['after-start', 'before-start'],
  /** Default of rcu_normal_wake_from_gp, spec tree 1.5: 0; 1 with at most 16 possible CPUs. */
  'tree.wakeDefault': ['off', 'by-cpus'],
  /** When the kthread's own CPU reports, spec tree R2.7: with a tick; at the end of gp_init. No profile has "next". */
  'tree.earlyReport': ['tick', 'next'],
  /** Limit of a batch of callbacks, spec tree R3.6: from all callbacks of the CPU; from those that are ready. */
  'tree.batchLimit': ['total', 'ready'],
  /** Trace event of extended quiescent states, spec tree 9; their strings have opposite meanings. */
  'tree.watchEvent': ['rcu_dyntick', 'rcu_watching'],
  ...KVFREE_RULE_VALUES,
  ...TASKS_RULE_VALUES,
  /** Scheduler, spec srcu 8.6. */
  sched: ['cfs', 'eevdf-nodelay', 'eevdf'],
  /** Who expires the timers of a CPU whose tick is stopped, spec srcu 3.8. */
  'timer.migration': ['none', 'hier'],
} as const;

export type RuleId = keyof typeof RULE_VALUES;
/** One value for every rule. */
export type RuleSet = { readonly [R in RuleId]: (typeof RULE_VALUES)[R][number] };

/** All rule ids, in table order. */
export const RULE_IDS = Object.keys(RULE_VALUES) as RuleId[];
/** Words that `rules` may have for a rule, beside profile ids (docs/configuration.md). */
export function ruleWords(id: RuleId): readonly string[] {
  if (id === 'sched' || id === 'timer.migration') return RULE_VALUES[id];
  if (id === 'kvfree.wait') return ['per-block'];
  return id === 'tree.earlyReport' ? ['next'] : [];
}

/** A profile: what a kernel does, rule by rule. */
export interface Profile {
  readonly id: string;
  /** One line: which tree or patch. */
  readonly title: string;
  readonly rules: RuleSet;
  /**
   * Row that stands in for this one in what is not known of it: scheduler, timers, SRCU and Tree RCU of an early
   * release; all that a posted patch leaves alone.
   */
  readonly runsAs?: string;
}

const V518: RuleSet = {
  'srcu.delay': 'exp-only',
  'srcu.tryCheck': 'per-check',
  'srcu.cbdelay': 'get-delay',
  'srcu.phaseLimit': 'none',
  'srcu.jiffyLimit': 'none',
  'srcu.callbackCpu': 'caller',
  'tree.polled': 'gp-seq',
  'tree.oneCpu': 'no-gp',
  'tree.lazy': 'none',
  'tree.expWorkers': 'workqueue',
  'tree.srNormal': 'callback',
  'tree.srDummies': 'kworker',
  'tree.srOrder': 'after-start',
  'tree.wakeDefault': 'off',
  'tree.earlyReport': 'tick',
  'tree.batchLimit': 'total',
  'tree.watchEvent': 'rcu_dyntick',
  ...KVFREE_V518,
  ...TASKS_V518,
  sched: 'cfs',
  'timer.migration': 'none',
};
/** Before polled cookies of Tree RCU, which came with 5.13. */
const V510: RuleSet = { ...V518, 'tree.polled': 'get-cond', ...KVFREE_V510, ...TASKS_V54 };
const V54: RuleSet = { ...V510, ...KVFREE_V54 };
const V419: RuleSet = { ...V54, ...TASKS_V419 };
const V417: RuleSet = { ...V419, ...TASKS_V417 };
const V56: RuleSet = { ...V510, ...KVFREE_V56 };
const V57: RuleSet = { ...V510, ...KVFREE_V57 };
const RC1: RuleSet = {
  ...V518,
  'srcu.delay': 'age-1',
  'srcu.cbdelay': 'squashed',
  'srcu.phaseLimit': '1',
  'srcu.jiffyLimit': '100',
  'srcu.callbackCpu': 'size-state',
};
const R640A: RuleSet = { ...RC1, 'srcu.delay': 'age-2', 'srcu.phaseLimit': '3' };
const FIX4: RuleSet = { ...R640A, 'srcu.cbdelay': 'by-exp' };
const PATCH_V1: RuleSet = { ...FIX4, 'srcu.tryCheck': 'once', 'srcu.phaseLimit': 'by-hz' };
const V519: RuleSet = { ...PATCH_V1, 'srcu.jiffyLimit': 'max-100-phase' };
const V61: RuleSet = { ...V519, 'tree.polled': 'gp-seq-polled', 'tree.oneCpu': 'gp', ...KVFREE_V61 };
const V63: RuleSet = { ...V61, 'tree.lazy': 'lazy', ...KVFREE_V63 };
const V66: RuleSet = { ...V63, ...KVFREE_V66, ...TASKS_V66, sched: 'eevdf-nodelay' };
const V610: RuleSet = {
  ...V66,
  'tree.expWorkers': 'kthreads',
  'tree.srNormal': 'list',
  ...TASKS_V610,
  'timer.migration': 'hier',
};
const V612: RuleSet = {
  ...V610,
  'tree.srDummies': 'kthread',
  'tree.srOrder': 'before-start',
  'tree.batchLimit': 'ready',
  'tree.watchEvent': 'rcu_watching',
  ...KVFREE_V612,
  sched: 'eevdf',
};
const V617: RuleSet = { ...V612, 'tree.wakeDefault': 'by-cpus' };

const ROWS = [
  { id: 'v4.17', title: '4.17', rules: V417, runsAs: 'v5.10' },
  { id: 'v4.19', title: '4.19', rules: V419, runsAs: 'v5.10' },
  { id: 'v5.4', title: '5.4', rules: V54, runsAs: 'v5.10' },
  { id: 'v5.6', title: '5.6', rules: V56, runsAs: 'v5.10' },
  { id: 'v5.7', title: '5.7', rules: V57, runsAs: 'v5.10' },
  { id: 'v5.10', title: '5.10', rules: V510 },
  { id: 'v5.18', title: '5.18: before commit 282d8998e997', rules: V518 },
  { id: 'v5.19-rc1', title: '5.19-rc1: commit 282d8998e997', rules: RC1 },
  { id: 'v5.19-640a', title: '5.19-rc: commit 8f870e6eb8c0 (640a7d37c3f4 in the -rcu tree)', rules: R640A },
  { id: 'v5.19-fix4', title: 'posted experiment of June 2022, never merged', rules: FIX4 },
  { id: 'v5.19-patch-v1', title: 'the tunables patch as posted on 27 June 2022', rules: PATCH_V1 },
  { id: 'v5.19', title: '5.19: commit 4f2bfd9494a0', rules: V519 },
  { id: 'v6.1', title: '6.1', rules: V61 },
  { id: 'v6.3', title: '6.3', rules: V63 },
  { id: 'v6.6', title: '6.6: EEVDF scheduler', rules: V66 },
  { id: 'v6.10', title: '6.10: timer migration hierarchy', rules: V610 },
  { id: 'v6.12', title: '6.12.117: the measured kernel', rules: V612 },
  { id: 'v6.17', title: '6.17 (SRCU as in 6.12)', rules: V617 },
  {
    id: 'tasks-2018-05-20',
    title: 'RCU Tasks patch as posted on 20 May 2018',
    rules: { ...V417, ...TASKS_SEED_V2 },
    runsAs: 'v4.17',
  },
  {
    id: 'kfree-bulk-2019-12-31',
    title: 'kfree_bulk patch of 31 Dec 2019, first version',
    rules: { ...V56, ...KVFREE_BULK_2019 },
    runsAs: 'v5.6',
  },
  {
    id: 'kvfree-polled-2022-11-02',
    title: 'polled kvfree_rcu patch of 2 Nov 2022',
    rules: { ...V61, ...KVFREE_POLLED_2022 },
    runsAs: 'v6.1',
  },
] as const satisfies readonly Profile[];

export type ProfileId = (typeof ROWS)[number]['id'];

/** What stands in for what is not known of a profile; undefined where it has rows of its own throughout. */
export function standInNote({ id, runsAs }: Pick<Profile, 'id' | 'runsAs'>): string | undefined {
  if (runsAs === undefined) return undefined;
  return /^v\d/.test(id) ? `scheduler, SRCU and Tree RCU as in ${runsAs}` : `beside the patch as ${runsAs}`;
}

/** All profiles, oldest first, posted patches last. */
export const PROFILES: readonly (Profile & { readonly id: ProfileId })[] = ROWS;
/** The profile of a configuration that names none. */
export const DEFAULT_PROFILE: ProfileId = 'v6.12';

/** The profile with this id, or undefined. */
export function findProfile(id: string): (typeof PROFILES)[number] | undefined {
  return PROFILES.find((profile) => profile.id === id);
}

/**
 * The rule values of a kernel with single rules taken from elsewhere. A value in `rules` is a profile id, or one
 * of ruleWords(). Throws on ids it does not know (the config layer has checked).
 */
export function resolveRules(kernel: ProfileId, rules: Readonly<Partial<Record<RuleId, string>>>): RuleSet {
  const own = findProfile(kernel);
  if (own === undefined) throw new Error(`unknown kernel profile ${kernel}`);
  const result: Record<string, string> = { ...own.rules };
  for (const id of RULE_IDS) {
    const value = rules[id];
    if (value === undefined) continue;
    const other = findProfile(value);
    if (other !== undefined) result[id] = other.rules[id];
    else if (ruleWords(id).includes(value)) result[id] = value;
    else throw new Error(`rule ${id}: ${value} is neither a profile nor a value of this rule`);
  }
  return result as unknown as RuleSet;
}
