/** Initial state that nothing names (spec tree 11.1). */
import type { SimConfig } from '../config.ts';
import { createStream, uniformNs } from '../core/random.ts';

/** CPU of the grace-period kthread at t = 0: as given, else 0; on the machine `typical` drawn from the seed. */
export function gpKthreadCpuOf({ initial, machine, seed, cpus }: SimConfig): number {
  if (initial.gpKthreadCpu !== undefined) return initial.gpKthreadCpu;
  if (machine.preset !== 'typical') return 0;
  return uniformNs(createStream(seed, -1, 0, 'gpKthreadCpu')(), 0, cpus - 1);
}
