/** synchronize_rcu() as a machine of steps on the CPU time of any task: which grace period it waits for (tree R4.1). */
import type { Task } from '../core/task.ts';
import { ExpeditedSync } from './expeditedSync.ts';
import { NormalSync } from './normalSync.ts';
import type { TreeRcu } from './treeRcu.ts';

/** A call under way. */
export interface SyncSteps {
  /** A call begins: the next step is its first. */
  begin(): void;
  /** Asks the task for one thing and returns true, or returns false: the call is over. */
  step(): boolean;
}

/** rcu_blocking_is_gp(): one CPU and non-preemptible RCU, before 6.0: being called is a grace period (tree.oneCpu). */
export function blockingIsGp(rcu: TreeRcu): boolean {
  const { config, rules } = rcu.sim;
  return config.cpus === 1 && !rcu.constants.isPreemptible && rules['tree.oneCpu'] === 'no-gp';
}

/** True if a synchronous call is to be expedited: asked for by name or by rcu_expedited, and not forbidden by rcu_normal. */
export function isExpedited(rcu: TreeRcu, byName: boolean): boolean {
  const { expedited, normal } = rcu.constants;
  return (byName || expedited) && !normal && !blockingIsGp(rcu);
}

/** synchronize_rcu() made by a task that is no updater. */
export function createSynchronizeRcu(rcu: TreeRcu, task: Task): SyncSteps {
  if (blockingIsGp(rcu)) return { begin: () => {}, step: () => false };
  return isExpedited(rcu, false) ? new ExpeditedSync(rcu, task, () => {}) : new NormalSync(rcu, task);
}
