/** The headline figures above the timeline. */
import { latencyStats } from './latency.ts';
import type { Headline, RunIndex } from './types.ts';

const NS_PER_SEC = 1e9;

/** The figures of a run. Latency is that of the series with the most values; shares are of the run's length. */
export function headlineOf(index: RunIndex): Headline {
  const { gps, figures, endNs } = index;
  const whole = index.series.filter((series) => !series.name.includes('.'));
  const main = whole.reduce<(typeof whole)[number] | undefined>(
    (most, series) => (most === undefined || series.values.length > most.values.length ? series : most),
    undefined,
  );
  const stats = main === undefined ? undefined : latencyStats(main.values);
  let finished = 0;
  for (const end of gps.endNs) if (!Number.isNaN(end)) finished++;
  const sleeping = gps.firstSleepNs.findIndex((ns) => !Number.isNaN(ns));
  const share = (ns: number) => (endNs === 0 ? 0 : ns / endNs);
  return {
    latencyOf: main?.name,
    n: stats?.n ?? 0,
    p50Ns: stats?.p50 ?? Number.NaN,
    p99Ns: stats?.p99 ?? Number.NaN,
    runNs: endNs,
    overshootNs: figures.overshootNs,
    overshootShare: share(figures.overshootNs),
    pollNs: figures.pollNs,
    pollShare: share(figures.pollNs),
    gracePeriods: finished,
    gracePeriodsPerSec: endNs === 0 ? 0 : (finished / endNs) * NS_PER_SEC,
    firstSleepingGp: sleeping,
    firstSleepingRow: gps.startRow[sleeping] ?? -1,
    firstSleepingNs: gps.startNs[sleeping] ?? Number.NaN,
  };
}
