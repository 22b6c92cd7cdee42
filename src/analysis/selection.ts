/** Statistics of a time window: what returned, what ended, what it cost. */
import type { EventLog } from '../engine/core/eventLog.ts';
import type { Spans } from './laneTypes.ts';
import { latencyStats, seriesSummary } from './latency.ts';
import { selectedSrcu } from './selectedSrcu.ts';
import {
  GP_FLAVOR,
  type GpTable,
  type LatencySeries,
  type RunIndex,
  type SelectedGps,
  type SelectionStats,
} from './types.ts';

/**
 * Series by time of return, grace periods by time of end, what SRCU did by its own time. `workers`: the spans of the
 * worker lane of each domain. Empty windows give zeros and no series.
 */
export function selectionStats(
  log: EventLog,
  index: RunIndex,
  workers: readonly Spans[],
  t0Ns: number,
  t1Ns: number,
): SelectionStats {
  const { gps, info } = index;
  // Nothing comes after the end, so that what happens right then belongs to whoever reaches it.
  const untilNs = t1Ns >= index.endNs ? Number.POSITIVE_INFINITY : t1Ns;
  const ended = [...gps.endNs.keys()].filter((gp) => {
    const endNs = gps.endNs[gp] as number;
    // Also false for NaN: unfinished ones are in no window.
    return endNs >= t0Ns && endNs < untilNs;
  });
  const ofFlavor = (flavor: number) => ended.filter((gp) => gps.flavor[gp] === flavor);
  return {
    t0Ns,
    t1Ns,
    rows: log.lowerBound(untilNs) - log.lowerBound(t0Ns),
    gracePeriods: Object.values(GP_FLAVOR).flatMap((flavor) => selectedGps(gps, flavor, ofFlavor(flavor))),
    series: index.series.map((series) => within(series, t0Ns, untilNs)).filter(({ stats }) => stats.n > 0),
    srcu: workers.length === 0 ? undefined : selectedSrcu(log, info.srcu, workers, t0Ns, untilNs),
  };
}

function selectedGps(gps: GpTable, flavor: number, ended: readonly number[]): SelectedGps[] {
  if (ended.length === 0) return [];
  const lengths = ended.map((gp) => (gps.endNs[gp] as number) - (gps.startNs[gp] as number));
  return [{ flavor, stats: latencyStats(Float64Array.from(lengths)), scans: sum(gps.scans, ended) }];
}

function sum(column: ArrayLike<number>, entries: readonly number[]): number {
  return entries.reduce((total, entry) => total + (column[entry] as number), 0);
}

function within(series: LatencySeries, t0Ns: number, t1Ns: number) {
  const isIn = (_: number, i: number) => {
    const atNs = series.atNs[i] as number;
    return atNs >= t0Ns && atNs < t1Ns;
  };
  return seriesSummary(series.name, series.values.filter(isIn), series.slept.filter(isIn));
}
