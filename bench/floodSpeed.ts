/** Engine speed on the floods of S3, a hundredth of their loops: 64 CPUs, 16 threads, before the patch and after it. */
import { parseConfig } from '../src/config/parseConfig.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';
import { engineSpeed } from './engineSpeed.ts';

const ROUNDS = 12;

/** Prints them. */
export function floodSpeed(): void {
  for (const variant of ['before-short', 'after-short']) {
    const parsed = parseConfig({ v: 1, scenario: `kfree-polled:${variant}` }, scenarioSource);
    if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
    engineSpeed(`kfree-polled:${variant}`, parsed.config, ROUNDS);
  }
}
