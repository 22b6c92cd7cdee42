/** Statistics of a time window [t0, t1): what returned, what ended, what it cost. */
import type { EventLog } from '../engine/core/eventLog.ts';
import { seriesSummary } from './latency.ts';
import type { LatencySeries, RunIndex, SelectionStats } from './types.ts';

/** Series by time of return, grace periods by time of end. Empty windows give zeros and no series. */
export function selectionStats(log: EventLog, index: RunIndex, t0Ns: number, t1Ns: number): SelectionStats {
  const { gps } = index;
  const durations: number[] = [];
  const slept: number[] = [];
  const srcu = {
    polls: 0,
    passes: 0,
    sleeps: 0,
    sleptJiffies: 0,
    pollNs: 0,
    overshootNs: 0,
    requesterHits: 0,
  };
  for (let gp = 0; gp < gps.length; gp++) {
    const endNs = gps.endNs[gp] as number;
    // Also false for NaN: unfinished ones are in no window.
    if (!(endNs >= t0Ns && endNs < t1Ns)) continue;
    durations.push(endNs - (gps.startNs[gp] as number));
    slept.push((gps.sleeps[gp] as number) > 0 ? 1 : 0);
    srcu.polls += gps.polls[gp] as number;
    srcu.passes += gps.passes[gp] as number;
    srcu.sleeps += gps.sleeps[gp] as number;
    srcu.sleptJiffies += gps.sleptJiffies[gp] as number;
    srcu.pollNs += gps.pollNs[gp] as number;
    srcu.overshootNs += gps.overshootNs[gp] as number;
    srcu.requesterHits += gps.requesterHit[gp] as number;
  }
  const values = Float64Array.from(durations);
  return {
    t0Ns,
    t1Ns,
    rows: log.lowerBound(t1Ns) - log.lowerBound(t0Ns),
    gracePeriods: values.length,
    gpDuration:
      values.length === 0 ? undefined : seriesSummary('grace period', values, Uint8Array.from(slept)),
    series: index.series.map((series) => within(series, t0Ns, t1Ns)).filter(({ stats }) => stats.n > 0),
    srcu,
  };
}

function within(series: LatencySeries, t0Ns: number, t1Ns: number) {
  const isIn = (_: number, i: number) => {
    const atNs = series.atNs[i] as number;
    return atNs >= t0Ns && atNs < t1Ns;
  };
  return seriesSummary(series.name, series.values.filter(isIn), series.slept.filter(isIn));
}
