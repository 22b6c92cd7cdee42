/**
 * The obvious model of ticks: each CPU whose tick runs takes every one of them for RCU, wanted or not. The engine takes
 * only those of which RCU can want something (tree R1.18); the logs must be equal.
 */
import type { SimConfig } from '../config.ts';
import { createReferenceRun, type Run, type RunLimits } from '../run.ts';

/** A run in which no tick is skipped. */
export function createEveryTickRun(config: SimConfig, limits: RunLimits = {}): Run {
  return createReferenceRun(config, limits, { takesEveryTick: true });
}
