/** Statistics of a time window [t0, t1): what returned, what ended, what it cost. */
import type { EventLog } from '../engine/core/eventLog.ts';
import { latencyStats, seriesSummary } from './latency.ts';
import {
  GP_FLAVOR,
  type GpTable,
  type LatencySeries,
  type RunIndex,
  type SelectedGps,
  type SelectionStats,
  type SrcuFigures,
} from './types.ts';

/** Series by time of return, grace periods by time of end. Empty windows give zeros and no series. */
export function selectionStats(log: EventLog, index: RunIndex, t0Ns: number, t1Ns: number): SelectionStats {
  const { gps, info } = index;
  const ended = [...gps.endNs.keys()].filter((gp) => {
    const endNs = gps.endNs[gp] as number;
    // Also false for NaN: unfinished ones are in no window.
    return endNs >= t0Ns && endNs < t1Ns;
  });
  const ofFlavor = (flavor: number) => ended.filter((gp) => gps.flavor[gp] === flavor);
  const hasSrcu = info.tracks.some(({ kind }) => kind === 'srcu');
  return {
    t0Ns,
    t1Ns,
    rows: log.lowerBound(t1Ns) - log.lowerBound(t0Ns),
    gracePeriods: Object.values(GP_FLAVOR).flatMap((flavor) => selectedGps(gps, flavor, ofFlavor(flavor))),
    series: index.series.map((series) => within(series, t0Ns, t1Ns)).filter(({ stats }) => stats.n > 0),
    srcu: hasSrcu ? srcuFigures(gps, ofFlavor(GP_FLAVOR.srcu)) : undefined,
  };
}

function selectedGps(gps: GpTable, flavor: number, ended: readonly number[]): SelectedGps[] {
  if (ended.length === 0) return [];
  const lengths = ended.map((gp) => (gps.endNs[gp] as number) - (gps.startNs[gp] as number));
  return [{ flavor, stats: latencyStats(Float64Array.from(lengths)), scans: sum(gps.scans, ended) }];
}

function srcuFigures(gps: GpTable, ended: readonly number[]): SrcuFigures {
  return {
    polls: sum(gps.polls, ended),
    passes: sum(gps.passes, ended),
    sleeps: sum(gps.sleeps, ended),
    sleptJiffies: sum(gps.sleptJiffies, ended),
    pollNs: sum(gps.pollNs, ended),
    overshootNs: sum(gps.overshootNs, ended),
    requesterHits: sum(gps.requesterHit, ended),
  };
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
