/** The headline figures above the timeline. */
import { APIS } from '../engine/config.ts';
import { latencyStats } from './latency.ts';
import { rcuTrack } from './rcuGeometry.ts';
import { gpDurations } from './runResult.ts';
import {
  GP_FLAVOR,
  type GpTable,
  type Headline,
  type RcuHeadline,
  type RunIndex,
  type TasksHeadline,
} from './types.ts';

const NS_PER_SEC = 1e9;

/** Of a series of parts that is shown where no call waits: from call_rcu() or call_srcu() to its callback. */
const UNTIL_CALLBACK = '.callback';

/** The figures of a run. Latency is that of the series with the most values; shares are of the run's length. */
export function headlineOf(index: RunIndex): Headline {
  const { gps, figures, endNs } = index;
  const whole = index.series.filter((series) => !series.name.includes('.'));
  const until = index.series.filter((series) => series.name.endsWith(UNTIL_CALLBACK));
  const main = (whole.length > 0 ? whole : until).reduce<(typeof whole)[number] | undefined>(
    (most, series) => (most === undefined || series.values.length > most.values.length ? series : most),
    undefined,
  );
  const stats = main === undefined ? undefined : latencyStats(main.values);
  let finished = 0;
  for (const end of gps.endNs) if (!Number.isNaN(end)) finished++;
  // every normal grace period of Tree RCU goes to sleep before its first scan; those of RCU Tasks wait for such a one
  const sleeping = gps.firstSleepNs.findIndex(
    (ns, gp) =>
      !Number.isNaN(ns) || gps.flavor[gp] === GP_FLAVOR.rcu || (gps.flavor[gp] as number) >= GP_FLAVOR.tasks,
  );
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
    rcu: rcuHeadline(index),
    tasks: tasksHeadline(index),
  };
}

function rcuHeadline(index: RunIndex): RcuHeadline | undefined {
  const { gps, calls, info } = index;
  if (rcuTrack(info) < 0) return undefined;
  const periods = (flavor: number) => {
    const { n, p50, p99 } = latencyStats(gpDurations(gps, flavor));
    return { n, p50Ns: p50, p99Ns: p99 };
  };
  const normal = [...gps.endNs.keys()].filter(
    (gp) => gps.flavor[gp] === GP_FLAVOR.rcu && !Number.isNaN(gps.endNs[gp]),
  );
  const scans = normal.map((gp) => gps.scans[gp] as number);
  let outsideNs = 0;
  let insideNs = 0;
  for (let call = 0; call < calls.length; call++) {
    const latencyNs = calls.latencyNs[call] as number;
    const gp = calls.gp[call] as number;
    if (APIS[calls.api[call] as number] !== 'synchronize_rcu' || Number.isNaN(latencyNs) || gp < 0) continue;
    insideNs += lengthNs(gps, gp);
    outsideNs += latencyNs - lengthNs(gps, gp);
  }
  return {
    normal: periods(GP_FLAVOR.rcu),
    expedited: periods(GP_FLAVOR.exp),
    scansPerGp: normal.length === 0 ? Number.NaN : scans.reduce((sum, n) => sum + n, 0) / normal.length,
    manyScans: scans.filter((n) => n > 1).length,
    outsideShare: insideNs + outsideNs === 0 ? Number.NaN : outsideNs / (insideNs + outsideNs),
    outsideNs,
  };
}

/** The flavor that has ended most grace periods; classic before Rude before Trace where they are equal. */
function tasksHeadline({ gps }: RunIndex): TasksHeadline | undefined {
  const flavors = [GP_FLAVOR.tasks, GP_FLAVOR.tasksRude, GP_FLAVOR.tasksTrace];
  const ended = flavors.map((flavor) =>
    [...gps.endNs.keys()].filter((gp) => gps.flavor[gp] === flavor && !Number.isNaN(gps.endNs[gp])),
  );
  const most = ended.reduce((best, list, i) => (list.length > (ended[best]?.length ?? 0) ? i : best), 0);
  const list = ended[most] ?? [];
  if (list.length === 0) return undefined;
  const flavor = flavors[most] as number;
  const { n, p50, p99 } = latencyStats(gpDurations(gps, flavor));
  let scans = 0;
  for (const gp of list) scans += gps.scans[gp] as number;
  return { flavor, n, p50Ns: p50, p99Ns: p99, scans };
}

function lengthNs(gps: GpTable, gp: number): number {
  return (gps.endNs[gp] as number) - (gps.startNs[gp] as number);
}
