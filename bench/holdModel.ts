/** The cost of the engine's own event queue: schedule + popMin with a given number of events pending. */
import { EventQueue } from '../src/engine/core/queue.ts';

/** Timed in slices, as the engine is. */
const SLICES = 44;
const OPERATIONS = 10_000;
const SPREAD_NS = 1000;

/** Milliseconds of each slice with `pending` events in the queue while one is popped. */
function sliceMsAt(pending: number): number[] {
  const queue = new EventQueue();
  for (let slot = 0; slot < pending; slot++) queue.allocate(slot, () => {});
  for (let slot = 1; slot < pending; slot++) queue.schedule(slot, (slot * 7919) % SPREAD_NS);
  let slot = 0;
  let nowNs = 0;
  return Array.from({ length: SLICES }, () => {
    const startedMs = performance.now();
    for (let i = 0; i < OPERATIONS; i++) {
      queue.schedule(slot, nowNs + ((i * 7919) % SPREAD_NS));
      nowNs = queue.nextTimeNs();
      slot = queue.popMin();
    }
    return performance.now() - startedMs;
  });
}

/**
 * Milliseconds of each slice of one round, for a mean number pending that is not whole: between the two whole numbers
 * around it. Every slice is the same work in every round.
 */
export function queueSlices(meanPending: number): number[] {
  const low = Math.max(1, Math.floor(meanPending));
  const share = Math.max(0, meanPending - low);
  const more = sliceMsAt(low + 1);
  return sliceMsAt(low).map((ms, i) => ms * (1 - share) + (more[i] as number) * share);
}

/** Operations (schedule + popMin) in a round. */
export const QUEUE_OPERATIONS = SLICES * OPERATIONS;
