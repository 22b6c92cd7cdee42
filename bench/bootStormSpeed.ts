/** Engine speed on the boot storm of 5.19-rc1, log on, against the engine's own queue in the same run. */
import { parseConfig } from '../src/config/parseConfig.ts';
import { createRun } from '../src/engine/index.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';
import { queueCostNs } from './holdModel.ts';

/** The fastest of so many is compared: whatever else the machine does only adds time. */
const ROUNDS = 20;

/** Runs both in turn and prints them with their ratio. */
export function bootStormSpeed(): void {
  const parsed = parseConfig({ v: 1, scenario: 'boot-storm:v5.19-rc1' }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  const rowNs: number[] = [];
  const queueNs: number[] = [];
  let shape = '';
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now();
    const run = createRun(parsed.config);
    while (run.advance(1_000_000).state === 'running');
    rowNs.push(((performance.now() - startedMs) * 1e6) / run.log.length);
    queueNs.push(queueCostNs(run.meanPending));
    shape = `${run.log.length} rows, ${run.eventCount} events, ${run.meanPending.toFixed(2)} pending on average`;
  }
  const [row, queue] = [Math.min(...rowNs), Math.min(...queueNs)];
  console.log(`boot-storm:v5.19-rc1: ${shape}`);
  console.log(`  a log row             ${row.toFixed(1)} ns (fastest of ${ROUNDS})`);
  console.log(`  schedule + popMin     ${queue.toFixed(1)} ns (fastest of ${ROUNDS})`);
  console.log(`  ratio                 ${(row / queue).toFixed(2)} (at most 4)`);
}
