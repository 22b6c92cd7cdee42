/** What the checkers say of a run, for tests. */
import type { SimConfig } from '../config.ts';
import type { RunInfo } from '../core/info.ts';
import { runToEnd } from '../reference/simConfig.testkit.ts';
import { checkInvariants } from './checkInvariants.ts';

/** Ids of the violations in a run of this configuration, each once, sorted. `judgedAs` replaces parts of its info. */
export function idsFound(config: SimConfig, judgedAs: Partial<RunInfo> = {}): string[] {
  const run = runToEnd(config, { maxEvents: 20_000 });
  const { violations } = checkInvariants(run.log, { ...run.info, ...judgedAs });
  return [...new Set(violations.map(({ id }) => id))].sort();
}
