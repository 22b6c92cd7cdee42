/** Rules of RCU Tasks: values and what each release has (docs/model/tasks.md, spec tasks 8). */

/** Values that each rule can take, in the order in which kernels got them. */
export const TASKS_RULE_VALUES = {
  /**
   * Sleeps between two scans for holdouts, spec tasks 4.1: HZ; HZ/10 once, unconditionally, then HZ; HZ/10, HZ/9 up to
   * HZ; HZ/10 jiffies, one more each time.
   */
  'tasks.backoff': ['hz', 'seed-v2', 'fract', 'jiffies'],
  /** Whether a callback that nobody waits for is in no hurry, spec tasks 3.1. */
  'tasks.lazy': ['no', 'lazy'],
  /** How tasks that exit are waited for, spec tasks 3 step 4: an SRCU domain; lists of them, per CPU. */
  'tasks.exit': ['srcu', 'lists'],
  /** Messages about old grace periods before the stall timeout, spec tasks 6.2. */
  'tasks.info': ['no', 'yes'],
  /** The two grace periods inside, spec tasks 3: synchronize_sched() or synchronize_rcu(); both take the same here. */
  'tasks.innerGp': ['sched', 'rcu'],
} as const;

/** One value for every rule of RCU Tasks. */
export type TasksRules = {
  readonly [R in keyof typeof TASKS_RULE_VALUES]: (typeof TASKS_RULE_VALUES)[R][number];
};

export const TASKS_V417: TasksRules = {
  'tasks.backoff': 'hz',
  'tasks.lazy': 'no',
  'tasks.exit': 'srcu',
  'tasks.info': 'no',
  'tasks.innerGp': 'sched',
};
/** As posted on 20 May 2018. */
export const TASKS_SEED_V2: TasksRules = { ...TASKS_V417, 'tasks.backoff': 'seed-v2' };
export const TASKS_V419: TasksRules = { ...TASKS_V417, 'tasks.backoff': 'fract' };
/** From 5.0 on. */
export const TASKS_V54: TasksRules = { ...TASKS_V419, 'tasks.innerGp': 'rcu' };
/** From 5.11 on; messages from 5.18 on. */
export const TASKS_V518: TasksRules = { ...TASKS_V54, 'tasks.backoff': 'jiffies', 'tasks.info': 'yes' };
/** From 6.5 on. */
export const TASKS_V66: TasksRules = { ...TASKS_V518, 'tasks.lazy': 'lazy' };
/** From 6.9 on. */
export const TASKS_V610: TasksRules = { ...TASKS_V66, 'tasks.exit': 'lists' };
