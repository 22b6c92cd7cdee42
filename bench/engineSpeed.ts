/** Engine speed, log on, against the engine's own queue in the same run: the least that so many events could cost. */
import { createRun, LogMemory, type SimConfig } from '../src/engine/index.ts';
import { QUEUE_OPERATIONS, queueSlices } from './holdModel.ts';
import { keepFastest, nsEach } from './slices.ts';

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

/** Runs both in turn, `rounds` times, and prints what a row and an operation of the queue cost, with their ratio. */
export function engineSpeed(title: string, config: SimConfig, rounds: number): void {
  const memory = new LogMemory();
  const { rows, events, meanPending, sliceMs: engineMs } = runOnce(config, memory);
  const freshMs: number[] = [];
  const queueMs = queueSlices(meanPending);
  for (let round = 1; round < rounds; round++) {
    keepFastest(engineMs, runOnce(config, memory).sliceMs);
    keepFastest(freshMs, runOnce(config, new LogMemory()).sliceMs);
    keepFastest(queueMs, queueSlices(meanPending));
  }
  const rowNs = nsEach(engineMs, rows);
  const queueNs = nsEach(queueMs, QUEUE_OPERATIONS);
  const each = `each slice the fastest of ${rounds} rounds`;
  console.log(`${title}: ${rows} rows, ${events} events, ${meanPending.toFixed(2)} pending on average`);
  console.log(`  a log row             ${rowNs.toFixed(1)} ns (${each})`);
  console.log(
    `  with memory all new   ${nsEach(freshMs, rows).toFixed(1)} ns, as the first run of a page has it`,
  );
  console.log(`  schedule + popMin     ${queueNs.toFixed(1)} ns (${each})`);
  console.log(`  ratio                 ${(rowNs / queueNs).toFixed(2)} (at most 4)`);
}
