/** Runs the configuration of a record or a trace. */
import { parseConfig } from '../../src/config/parseConfig.ts';
import { type Simulation, simulate } from '../simulate.ts';

/** A finished run of a sparse configuration. Throws, with `id`, if it is not one or does not come to its end. */
export function runConfig(id: string, config: unknown): Simulation {
  const parsed = parseConfig(config);
  if (!parsed.ok) throw new Error(`${id}: ${parsed.problems.map((problem) => problem.message).join('; ')}`);
  return simulate(parsed.config);
}
