/** Names that the configuration language has and this engine does not simulate yet: refused with that reason. */

const NOT_YET = 'is not simulated yet';

/** Actor kinds of other mechanisms. */
export const LATER_ACTOR_KINDS: readonly string[] = ['kfree', 'holdout', 'exiter'];

/** Update-side calls of other mechanisms. */
export const LATER_APIS: readonly string[] = [
  'synchronize_rcu_tasks',
  'call_rcu_tasks',
  'rcu_barrier_tasks',
  'synchronize_rcu_tasks_rude',
  'synchronize_rcu_tasks_trace',
  'call_rcu_tasks_trace',
  'kvfree_rcu_barrier',
];

const LATER_KEYS: readonly string[] = ['initial.tasksUrgent'];

/** Rules of these mechanisms. */
const LATER_RULES = /^rules\.tasks\./;

/** "is not simulated yet; ..." for a key of a later mechanism, undefined for any other unknown key. */
export function whyKeyIsRefused(path: string): string | undefined {
  const isLater = LATER_KEYS.includes(path) || LATER_RULES.test(path);
  return isLater ? `${NOT_YET} (it belongs to other mechanisms than SRCU and Tree RCU)` : undefined;
}

/** The same for a value of `kind` or `api`. */
export function whyWordIsRefused(word: unknown, later: readonly string[], allowed: string): string {
  return typeof word === 'string' && later.includes(word) ? `${NOT_YET}; ${allowed}` : allowed;
}
