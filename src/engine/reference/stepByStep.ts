/**
 * The slow, obvious model: process_srcu takes one pass at a time, every check looks at the counters at its own
 * instant, every pass has a row. The engine's closed forms (spec srcu 4.8) must give the same log.
 */
import type { SimConfig } from '../config.ts';
import { createReferenceRun, type Run, type RunLimits } from '../run.ts';

/** A run without closed forms. Compare its log after coalesce(). */
export function createStepByStepRun(config: SimConfig, limits: RunLimits = {}): Run {
  return createReferenceRun(config, limits, { plan: () => 0 });
}
