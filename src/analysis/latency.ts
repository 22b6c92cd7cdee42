/** Latencies of update-side calls: series, percentiles, histograms (docs/configuration.md). */
import { APIS, type UpdaterActor, type UpdaterApi } from '../engine/config.ts';
import type { RunInfo, Track } from '../engine/core/info.ts';
import type { CallbackTable } from './calls.ts';
import type { CallTable, GpTable, Histogram, LatencySeries, LatencyStats, SeriesSummary } from './types.ts';

const NS_PER_US = 1000;
/** Bins of the linear histogram at most. */
const LINEAR_BINS = 40;

interface Value {
  readonly thread: number;
  /** Call number, or order of queueing. */
  readonly number: number;
  readonly latencyNs: number;
  readonly atNs: number;
  readonly row: number;
  /** Index in the GpTable, -1. */
  readonly gp: number;
}

/** The barrier that waits for the callbacks of a call_*. */
const BARRIER_OF: ReadonlyMap<UpdaterApi, UpdaterApi> = new Map([
  ['call_srcu', 'srcu_barrier'],
  ['call_rcu', 'rcu_barrier'],
  ['call_rcu_tasks', 'rcu_barrier_tasks'],
  ['call_rcu_tasks_trace', 'rcu_barrier_tasks'],
]);

/**
 * All series that have a value, in the order of APIS. Values in the order of docs/configuration.md: number 0's calls, then
 * number 1's, and so on. call_* has up to three series: the batch up to the return of its barrier, the time to
 * queue the batch, and each callback from queueing to invocation.
 */
export function latencySeries(
  calls: CallTable,
  callbacks: CallbackTable,
  gps: GpTable,
  info: RunInfo,
): LatencySeries[] {
  const lists = new Map<string, Value[]>();
  const list = (name: string) => {
    let values = lists.get(name);
    if (values === undefined) {
      values = [];
      lists.set(name, values);
    }
    return values;
  };
  for (const api of APIS) {
    list(api);
    if (!BARRIER_OF.has(api)) continue;
    list(`${api}.enqueue`);
    list(`${api}.callback`);
  }
  // By thread: its last call_*.
  const batch = new Int32Array(info.tracks.length).fill(-1);
  for (let n = 0; n < calls.length; n++) {
    const thread = calls.thread[n] as number;
    const api = APIS[calls.api[n] as number] as UpdaterApi;
    const own = actorOf(info.tracks[thread], info)?.api;
    const ofBatch = own !== undefined && BARRIER_OF.get(own) === api;
    if (BARRIER_OF.has(api)) batch[thread] = n;
    const atNs = calls.returnNs[n] as number;
    if (Number.isNaN(atNs)) continue;
    const first = ofBatch ? (batch[thread] as number) : n;
    if (first < 0) continue;
    const latencyNs = ofBatch ? atNs - (calls.callNs[first] as number) : (calls.latencyNs[n] as number);
    const base = ofBatch ? own : api;
    list(BARRIER_OF.has(api) ? `${base}.enqueue` : base).push({
      thread,
      number: calls.number[n] as number,
      latencyNs,
      atNs,
      row: calls.returnRow[n] as number,
      gp: calls.gp[first] as number,
    });
  }
  // in the order of CALLBACK_FAMILY
  const ofCallbacks = ['call_srcu', 'call_rcu', 'call_rcu_tasks', 'call_rcu_tasks_trace'].map((api) =>
    list(`${api}.callback`),
  );
  for (let n = 0; n < callbacks.length; n++) {
    const atNs = callbacks.invokedNs[n] as number;
    if (Number.isNaN(atNs)) continue;
    const latencyNs = atNs - (callbacks.queuedNs[n] as number);
    const thread = callbacks.thread[n] as number;
    ofCallbacks[callbacks.family[n] as number]?.push({
      thread,
      number: n,
      latencyNs,
      atNs,
      row: callbacks.invokeRow[n] as number,
      gp: callbacks.gp[n] as number,
    });
  }
  return [...lists]
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => toSeries(name, values, gps, info));
}

/** The updater that a track is a thread of. */
export function actorOf(track: Track | undefined, info: RunInfo): UpdaterActor | undefined {
  const actor = track === undefined ? undefined : info.config.actors[track.actor];
  return actor?.kind === 'updater' ? actor : undefined;
}

function toSeries(name: string, values: Value[], gps: GpTable, info: RunInfo): LatencySeries {
  // Rank of each thread: actors in their order, then numbers; helper threads of one number share its rank.
  const rank = (thread: number) => {
    const track = info.tracks[thread];
    return track === undefined ? Number.MAX_SAFE_INTEGER : track.actor * 2 ** 20 + track.number;
  };
  const order = (x: Value, y: Value) => rank(x.thread) - rank(y.thread) || x.number - y.number;
  // One updater's calls are in order already.
  if (values.some((value, i) => i > 0 && order(values[i - 1] as Value, value) > 0)) values.sort(order);
  return {
    name,
    values: Float64Array.from(values, (value) => value.latencyNs),
    atNs: Float64Array.from(values, (value) => value.atNs),
    row: Int32Array.from(values, (value) => value.row),
    slept: Uint8Array.from(values, (value) => ((gps.sleeps[value.gp] ?? 0) > 0 ? 1 : 0)),
  };
}

/** Nearest rank: the element at floor(p (n - 1) / 100) of an ascending list; NaN of an empty one. */
export function percentile(sorted: ArrayLike<number>, p: number): number {
  const value = sorted[Math.floor((p * (sorted.length - 1)) / 100)];
  return value === undefined ? Number.NaN : value;
}

/** Statistics of docs/configuration.md. Values are integers (ns); of an empty list everything but n is NaN. */
export function latencyStats(values: Float64Array): LatencyStats {
  const sorted = values.toSorted();
  let sum = 0n;
  let part = 0;
  for (const value of sorted) {
    part += value;
    // Exact: added up in floats while these are safe integers.
    if (part > 2 ** 52) {
      sum += BigInt(part);
      part = 0;
    }
  }
  sum += BigInt(part);
  const n = sorted.length;
  return {
    n,
    mean: n === 0 ? Number.NaN : Number(sum / BigInt(n)),
    p0: percentile(sorted, 0),
    p10: percentile(sorted, 10),
    p25: percentile(sorted, 25),
    p50: percentile(sorted, 50),
    p75: percentile(sorted, 75),
    p90: percentile(sorted, 90),
    p99: percentile(sorted, 99),
    p100: percentile(sorted, 100),
    log2Ns: countByLog2(sorted),
  };
}

/** How many of an ascending list are in [2^k, 2^(k+1)), by k, ascending; what is below 2 counts as k = 0. */
function countByLog2(sorted: Float64Array): Record<string, number> {
  const counts: Record<string, number> = {};
  let k = 0;
  for (const value of sorted) {
    while (value >= 2 ** (k + 1)) k++;
    counts[k] = (counts[k] ?? 0) + 1;
  }
  return counts;
}

/** Buckets of funclatency in us: 0 -> 1, 2 -> 3, 4 -> 7, ... from the first that is not empty to the last. */
export function log2Histogram(values: Float64Array, slept: Uint8Array): Histogram {
  const bucket = (value: number) => {
    let k = 0;
    while (value >= 2 ** (k + 1) * NS_PER_US) k++;
    return k;
  };
  const edge = (k: number) => (k === 0 ? 0 : 2 ** k * NS_PER_US);
  return countBins(values, slept, bucket, edge);
}

/** Bins of equal width, a round number (1, 2 or 5 times a power of ten) so that there are at most 40. */
export function linearHistogram(values: Float64Array, slept: Uint8Array): Histogram {
  const [min, max] = extent(values);
  const width = roundWidth((max - min) / (LINEAR_BINS - 1));
  return countBins(
    values,
    slept,
    (value) => Math.floor(value / width),
    (bin) => bin * width,
  );
}

/** Counts by bin, from the first bin that is not empty to the last; bin k is [edge(k), edge(k + 1)). */
function countBins(
  values: Float64Array,
  slept: Uint8Array,
  bin: (value: number) => number,
  edge: (bin: number) => number,
): Histogram {
  const [min, max] = extent(values);
  const first = values.length === 0 ? 0 : bin(min);
  const bins = values.length === 0 ? 0 : bin(max) - first + 1;
  const lo = Float64Array.from({ length: bins }, (_, i) => edge(first + i));
  const hi = Float64Array.from({ length: bins }, (_, i) => edge(first + i + 1));
  const count = new Float64Array(bins);
  const sleptCount = new Float64Array(bins);
  values.forEach((value, i) => {
    const k = bin(value) - first;
    count[k] = (count[k] as number) + 1;
    sleptCount[k] = (sleptCount[k] as number) + (slept[i] ?? 0);
  });
  return { lo, hi, count, slept: sleptCount };
}

function extent(values: Float64Array): [min: number, max: number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}

function roundWidth(atLeastNs: number): number {
  let power = 1;
  while (power * 10 < atLeastNs) power *= 10;
  for (const factor of [1, 2, 5]) if (power * factor >= atLeastNs) return power * factor;
  return power * 10;
}

/** A series as shown; `values` may be those of a selection only. */
export function seriesSummary(name: string, values: Float64Array, slept: Uint8Array): SeriesSummary {
  const log2 = log2Histogram(values, slept);
  const linear = linearHistogram(values, slept);
  return { name, stats: latencyStats(values), log2, linear };
}
