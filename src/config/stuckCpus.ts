/** What machine.kfreeStuckCpus comes to for a workload. */
import type { SimConfig } from '../engine/index.ts';

/** Why fewer CPUs than machine.kfreeStuckCpus are stuck: no flood has its threads on so many; undefined where one has. */
export function whyFewerAreStuck({ machine, actors, cpus }: SimConfig): string | undefined {
  const threads = actors.map(({ kind, count }) => (kind === 'kfree' ? count : 0));
  const most = Math.min(cpus, Math.max(0, ...threads));
  if (machine.kfreeStuckCpus <= most) return undefined;
  return most === 0
    ? 'no effect: no actor calls kfree_rcu()'
    : `as ${most}: no flood has threads on more CPUs`;
}
