/** The scheduling class of a run. */
import { createCfs } from './cfs.ts';
import type { Policy } from './cpu.ts';
import { createEevdf } from './eevdf.ts';
import type { Sim } from './sim.ts';

/** The one that the kernel has (rule `sched`). */
export function createPolicy(sim: Sim): Policy {
  const { sched } = sim.rules;
  const { machine } = sim;
  const { cpus } = sim.config;
  return sched === 'cfs'
    ? createCfs(machine, cpus)
    : createEevdf(machine, cpus, sim.ticks, sched === 'eevdf');
}
