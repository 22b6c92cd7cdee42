/**
 * The obvious model of the kfree test: each object is an event of its own. The engine takes as many at once as are
 * certain to go to the same unit (kvfree K19); the logs must be equal.
 */
import type { SimConfig } from '../config.ts';
import { createReferenceRun, type Run, type RunLimits } from '../run.ts';

/** A run in which every object is queued by itself. */
export function createEveryObjectRun(config: SimConfig, limits: RunLimits = {}): Run {
  return createReferenceRun(config, limits, { objectsAtOnce: 1 });
}
