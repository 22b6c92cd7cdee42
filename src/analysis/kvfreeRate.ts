/** How fast a thread of a kfree actor queues objects when nothing disturbs it. */
import type { RunInfo } from '../engine/core/info.ts';
import { sizeSums } from '../engine/kvfree/sizes.ts';
import { drawnCosts } from '../engine/machine/costs.ts';

/** Means over the cycle of its sizes. */
export interface KfreeRate {
  readonly perObjectNs: number;
  readonly bytesPerObject: number;
}

const UNKNOWN: KfreeRate = { perObjectNs: Number.POSITIVE_INFINITY, bytesPerObject: 0 };

/** The rate of a thread by its track. */
export function kfreeRate({ config, tracks }: RunInfo, thread: number): KfreeRate {
  const actor = config.actors[tracks[thread]?.actor ?? -1];
  if (actor?.kind !== 'kfree') return UNKNOWN;
  const { bytes, queueNs } = sizeSums(
    actor.sizes,
    actor.form,
    drawnCosts(config.machine, config.seed),
    () => 0,
  );
  // every cycle of either divides twice the number of sizes
  const objects = 2 * actor.sizes.length;
  return { perObjectNs: queueNs.upTo(objects) / objects, bytesPerObject: bytes.upTo(objects) / objects };
}
