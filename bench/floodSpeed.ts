/** Engine speed on the floods of S3, a tenth of their loops: 64 CPUs, 16 threads, before the patch and after it. */
import { parseConfig } from '../src/config/parseConfig.ts';
import type { SimConfig } from '../src/engine/index.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';
import { engineSpeed } from './engineSpeed.ts';

const ROUNDS = 4;
/** Enough that starting and compiling do not count. */
const LOOPS = 1000;

function configOf(scenario: string): SimConfig {
  const parsed = parseConfig({ v: 1, scenario }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  const actors = parsed.config.actors.map((actor) =>
    actor.kind === 'kfree' ? { ...actor, loops: LOOPS } : actor,
  );
  return { ...parsed.config, actors };
}

/** Prints them. */
export function floodSpeed(): void {
  for (const variant of ['before-short', 'after-short']) {
    engineSpeed(`kfree-polled:${variant}, ${LOOPS} loops`, configOf(`kfree-polled:${variant}`), ROUNDS);
  }
}
