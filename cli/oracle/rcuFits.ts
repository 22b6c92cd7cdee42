/**
 * What a measured run started from is chosen, as far as docs/model allows it: the CPU of the grace-period kthread once
 * per boot, and for several callers what RCU had under way (test-data/oracle/README.md, "Tree RCU").
 */
import { latencyStats } from '../../src/analysis/latency.ts';
import { APIS } from '../../src/engine/config.ts';
import { KIND } from '../../src/engine/core/eventKinds.ts';
import type { RcuGp } from '../../src/engine/index.ts';
import type { Simulation } from '../simulate.ts';
import type { Figures } from './judge.ts';
import type { RcuRecord } from './rcuRecords.ts';
import { loadFile } from './records.ts';
import { runConfig } from './runConfig.ts';

/** A record counts by the medians over these. */
export const SEEDS: readonly number[] = [1, 2, 3];
/** CPUs that the kthread may have been on: it was on one of these in every boot that was traced. */
const KTHREAD_CPUS = 4;

/** Start states that a record with several callers may have had, in the order in which a tie is decided. */
export const RCU_GPS: readonly RcuGp[] = [
  'idle',
  { startedTicksAgo: 0 },
  { startedTicksAgo: 1 },
  { startedTicksAgo: 2 },
];

/** What was chosen: by boot the CPU, by record id the place in RCU_GPS. What is not there is 0. */
export interface Fits {
  readonly gpKthreadCpu: Readonly<Record<string, number>>;
  readonly rcuGp: Readonly<Record<string, number>>;
}

/** The stored choice, which `--check` uses. */
export function loadFits(): Fits {
  return JSON.parse(loadFile('rcu-fits.json')) as Fits;
}

/** Latencies of a run's calls of `api`: number 0's in call order, then number 1's, and so on. */
export function callLatencies({ log, info }: Simulation, api: string): Float64Array {
  const code = (APIS as readonly string[]).indexOf(api);
  const calls: { thread: number; number: number; latencyNs: number }[] = [];
  log.forEach((event) => {
    if (event.kind !== KIND.api_return || event.a !== code) return;
    const thread = info.tracks[event.track]?.number ?? 0;
    calls.push({ thread, number: event.b, latencyNs: event.c });
  });
  calls.sort((x, y) => x.thread - y.thread || x.number - y.number);
  return Float64Array.from(calls, ({ latencyNs }) => latencyNs);
}

/** One run of a record. */
export interface RcuRun {
  readonly figures: Figures;
  /** The first call of each caller, ns. */
  readonly firstCalls: readonly number[];
}

/** The first call of each caller, of latencies in the order of callLatencies(). */
export function firstCalls(values: ArrayLike<number>, callers: number): number[] {
  const each = values.length / callers;
  return Array.from({ length: callers }, (_, caller) => values[Math.floor(caller * each)] as number);
}

/** Runs a record with a seed from a start state. */
export function runRecord(record: RcuRecord, seed: number, gpKthreadCpu: number, rcuGp: RcuGp): RcuRun {
  const { config, callers, measured } = record;
  const initial = { ...config.initial, gpKthreadCpu, rcuGp };
  const run = runConfig(record.id, { ...config, seed, initial });
  const values = callLatencies(run, measured.series);
  if (values.length !== measured.n)
    throw new Error(`${record.id}: ${values.length} calls of ${measured.series} returned`);
  return { figures: latencyStats(values), firstCalls: firstCalls(values, callers) };
}

function median(values: readonly number[]): number {
  return values.toSorted((x, y) => x - y)[Math.floor((values.length - 1) / 2)] as number;
}

/** Medians of p50, p90 and mean over runs with different seeds. */
export function medianFigures(runs: readonly Pick<RcuRun, 'figures'>[]): Figures {
  const of = (key: keyof Figures) => median(runs.map(({ figures }) => figures[key]));
  return { p50: of('p50'), p90: of('p90'), mean: of('mean') };
}

/** Sum of the relative errors of p50, p90 and mean. */
export function figureError(simulated: Figures, measured: Figures): number {
  return (['p50', 'p90', 'mean'] as const).reduce(
    (sum, key) => sum + Math.abs(simulated[key] / measured[key] - 1),
    0,
  );
}

/** The place of the smallest; the first of equal ones. */
export function smallest(errors: readonly number[]): number {
  return errors.reduce((best, error, i) => (error < (errors[best] as number) ? i : best), 0);
}

/** Records that a boot's CPU is chosen by: synchronize_rcu() with one caller on an idle machine. */
export function decidesBoot(record: RcuRecord): boolean {
  return record.kind === 'idle-1';
}

function recordError(record: RcuRecord, gpKthreadCpu: number): number {
  try {
    const runs = SEEDS.map((seed) => runRecord(record, seed, gpKthreadCpu, 'idle'));
    return figureError(medianFigures(runs), record.measured);
  } catch {
    return Number.POSITIVE_INFINITY; // Said where the record itself is judged.
  }
}

/** By CPU of the kthread: how far a boot's deciding records are off together. */
export function bootErrors(records: readonly RcuRecord[]): number[] {
  const cpus = Math.min(KTHREAD_CPUS, records[0]?.config.cpus ?? 1);
  return Array.from({ length: cpus }, (_, cpu) =>
    records.reduce((sum, record) => sum + recordError(record, cpu), 0),
  );
}

/** How far the first calls are off together, median over the runs, ns. */
export function firstCallError(runs: readonly RcuRun[], record: RcuRecord): number {
  const measured = firstCalls(record.measured.values ?? [], record.callers);
  return median(
    runs.map((run) =>
      run.firstCalls.reduce((sum, ns, caller) => sum + Math.abs(ns - (measured[caller] as number)), 0),
    ),
  );
}
