/** Engine speed on the floods of S3: 64 CPUs, 16 threads, before the patch and after it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseConfig } from '../src/config/parseConfig.ts';
import type { SimConfig } from '../src/engine/index.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';
import { engineSpeed } from './engineSpeed.ts';

const ROUNDS = 4;
/** A tenth of all loops, enough that starting and compiling do not count. */
const LOOPS = 1000;
/** Of all loops: 13 million rows each. */
const FULL_ROUNDS = 3;

function configOf(scenario: string): SimConfig {
  const parsed = parseConfig({ v: 1, scenario }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  return parsed.config;
}

function tenthOf(config: SimConfig): SimConfig {
  const actors = config.actors.map((actor) => (actor.kind === 'kfree' ? { ...actor, loops: LOOPS } : actor));
  return { ...config, actors };
}

/** The command in a process of its own: V8 begins to compile, and the system must find the memory. */
function inNewProcess(scenario: string): void {
  const command = join(import.meta.dirname, 'main.js');
  const { stdout } = spawnSync(process.execPath, [command, 'run', scenario, '--json'], { encoding: 'utf8' });
  const { events, wallMs } = JSON.parse(stdout) as { events: number; wallMs: number };
  console.log(`  alone in a new process ${((wallMs * 1e6) / events).toFixed(1)} ns, once (${wallMs} ms)`);
}

/** Prints them. */
export function floodSpeed(): void {
  for (const variant of ['before', 'after']) {
    const scenario = `kfree-polled:${variant}-1`;
    const config = configOf(scenario);
    engineSpeed(`${scenario}, ${LOOPS} loops`, tenthOf(config), ROUNDS);
    engineSpeed(`${scenario}, all loops`, config, FULL_ROUNDS);
    inNewProcess(scenario);
  }
}
