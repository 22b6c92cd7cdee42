/** The cost of the engine's own event queue: schedule + popMin with a given number of events pending. */
import { EventQueue } from '../src/engine/core/queue.ts';

/** Timed in slices, as the engine is; the fastest counts. */
const SLICES = 100;
const OPERATIONS = 10_000;
const SPREAD_NS = 1000;

/** ns per schedule + popMin with `pending` events in the queue while one is popped. */
function costAt(pending: number): number {
  const queue = new EventQueue();
  for (let slot = 0; slot < pending; slot++) queue.allocate(slot, () => {});
  for (let slot = 1; slot < pending; slot++) queue.schedule(slot, (slot * 7919) % SPREAD_NS);
  let slot = 0;
  let nowNs = 0;
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let slice = 0; slice < SLICES; slice++) {
    const startedMs = performance.now();
    for (let i = 0; i < OPERATIONS; i++) {
      queue.schedule(slot, nowNs + ((i * 7919) % SPREAD_NS));
      nowNs = queue.nextTimeNs();
      slot = queue.popMin();
    }
    fastestMs = Math.min(fastestMs, performance.now() - startedMs);
  }
  return (fastestMs * 1e6) / OPERATIONS;
}

/** The same for a mean number pending that is not whole: between the two whole numbers around it. */
export function queueCostNs(meanPending: number): number {
  const low = Math.max(1, Math.floor(meanPending));
  const share = Math.max(0, meanPending - low);
  return costAt(low) * (1 - share) + costAt(low + 1) * share;
}
