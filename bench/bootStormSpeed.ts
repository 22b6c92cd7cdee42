/** Engine speed on the boot storm of 5.19-rc1. */
import { parseConfig } from '../src/config/parseConfig.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';
import { engineSpeed } from './engineSpeed.ts';

const ROUNDS = 25;

/** Prints it. */
export function bootStormSpeed(): void {
  const parsed = parseConfig({ v: 1, scenario: 'boot-storm:v5.19-rc1' }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  engineSpeed('boot-storm:v5.19-rc1', parsed.config, ROUNDS);
}
