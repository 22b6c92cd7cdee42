/** Engine speed on the boot storm of 5.19-rc1, log on, against the engine's own queue in the same run. */
import { parseConfig } from '../src/config/parseConfig.ts';
import { createRun, LogMemory, type SimConfig } from '../src/engine/index.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';
import { QUEUE_OPERATIONS, queueSlices } from './holdModel.ts';
import { keepFastest, nsEach } from './slices.ts';

const ROUNDS = 25;
/**
 * A run is timed in slices of so many engine events. The engine is deterministic, so slice i does the same work in
 * every round; its fastest time is what it costs when nothing else disturbs it.
 */
const SLICE_EVENTS = 2000;

interface Round {
  readonly sliceMs: number[];
  readonly rows: number;
  readonly events: number;
  readonly meanPending: number;
}

function runOnce(config: SimConfig, memory: LogMemory): Round {
  const sliceMs: number[] = [];
  let startedMs = performance.now();
  const run = createRun(config, { memory });
  for (;;) {
    const ended = run.advance(SLICE_EVENTS).state === 'ended';
    const nowMs = performance.now();
    sliceMs.push(nowMs - startedMs);
    startedMs = nowMs;
    if (ended) break;
  }
  const rows = run.log.length;
  memory.recycle(run.log);
  return { sliceMs, rows, events: run.eventCount, meanPending: run.meanPending };
}

/** Runs both in turn and prints them with their ratio. */
export function bootStormSpeed(): void {
  const parsed = parseConfig({ v: 1, scenario: 'boot-storm:v5.19-rc1' }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  const memory = new LogMemory();
  const { rows, events, meanPending, sliceMs: engineMs } = runOnce(parsed.config, memory);
  const freshMs: number[] = [];
  const queueMs = queueSlices(meanPending);
  for (let round = 1; round < ROUNDS; round++) {
    keepFastest(engineMs, runOnce(parsed.config, memory).sliceMs);
    keepFastest(freshMs, runOnce(parsed.config, new LogMemory()).sliceMs);
    keepFastest(queueMs, queueSlices(meanPending));
  }
  const rowNs = nsEach(engineMs, rows);
  const queueNs = nsEach(queueMs, QUEUE_OPERATIONS);
  console.log(
    `boot-storm:v5.19-rc1: ${rows} rows, ${events} events, ${meanPending.toFixed(2)} pending on average`,
  );
  console.log(`  a log row             ${rowNs.toFixed(1)} ns (each slice the fastest of ${ROUNDS} rounds)`);
  console.log(
    `  with memory all new   ${nsEach(freshMs, rows).toFixed(1)} ns, as the first run of a page has it`,
  );
  console.log(
    `  schedule + popMin     ${queueNs.toFixed(1)} ns (each slice the fastest of ${ROUNDS} rounds)`,
  );
  console.log(`  ratio                 ${(rowNs / queueNs).toFixed(2)} (at most 4)`);
}
