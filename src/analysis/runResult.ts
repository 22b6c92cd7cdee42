/** The result of a run as `run --json` prints it (docs/configuration.md). */
import type { SimConfig } from '../engine/config.ts';
import { logDigest } from '../engine/core/digest.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { RunStatus } from '../engine/run.ts';
import { type KfreeFigures, kfreeResult, type MemoryFigures } from './kfreeResult.ts';
import { latencyStats, percentile } from './latency.ts';
import { createRunIndex } from './runIndex.ts';
import { GP_FLAVOR, type GpTable, type LatencyStats, type RunIndex, type SrcuFigures } from './types.ts';

/** Version of the engine: same configuration and same version, same events. */
export const ENGINE_VERSION = '2';

/** Finished grace periods and their lengths in ns. */
export interface GpFigures {
  readonly n: number;
  readonly p50: number;
  readonly p99: number;
}

/** docs/configuration.md. Sections about which the run has nothing to say are absent; `wallMs` is added by who measured it. */
export interface RunResult {
  readonly v: 1;
  readonly engine: typeof ENGINE_VERSION;
  readonly digest: string;
  readonly config: SimConfig;
  readonly virtualNs: number;
  /** Log rows. */
  readonly events: number;
  readonly latency?: Readonly<Record<string, LatencyStats & { readonly values?: readonly number[] }>>;
  readonly gracePeriods?: {
    readonly srcu?: GpFigures;
    /** Tree RCU: normal, expedited. */
    readonly rcu?: GpFigures;
    readonly exp?: GpFigures;
    /** RCU Tasks by flavour. */
    readonly tasks?: GpFigures;
    readonly tasksRude?: GpFigures;
    readonly tasksTrace?: GpFigures;
  };
  readonly srcu?: SrcuFigures;
  /** Floods of the kfree test, and memory of kfree_rcu(). */
  readonly kfree?: KfreeFigures;
  readonly memory?: MemoryFigures;
  /** Set where a limit or a stuck configuration ended the run. */
  readonly stopped?: string;
}

/** The result of a run that ended with `status`. `values`: every single latency too; `index`: of its log, if there is one. */
export function runResult(
  log: EventLog,
  info: RunInfo,
  status: RunStatus,
  options: { readonly values?: boolean; readonly index?: RunIndex } = {},
): RunResult {
  const index = options.index ?? createRunIndex(log, info);
  const latency = Object.fromEntries(
    index.series.map((series) => [
      series.name,
      { ...latencyStats(series.values), ...(options.values === true ? { values: [...series.values] } : {}) },
    ]),
  );
  const gracePeriods = gpFigures(index.gps);
  return {
    v: 1,
    engine: ENGINE_VERSION,
    digest: logDigest(log),
    config: info.config,
    virtualNs: index.endNs,
    events: log.length,
    ...(index.series.length > 0 ? { latency } : {}),
    ...(gracePeriods === undefined ? {} : { gracePeriods }),
    ...(info.tracks.some((track) => track.kind === 'srcu') ? { srcu: index.figures } : {}),
    ...kfreeResult(log, index),
    ...(status.state === 'ended' && status.message !== undefined ? { stopped: status.message } : {}),
  };
}

/** By flavor, as far as any have ended. */
function gpFigures(gps: GpTable): RunResult['gracePeriods'] {
  const entries = Object.entries(GP_FLAVOR).flatMap(([name, flavor]) => {
    const lengths = gpDurations(gps, flavor);
    const figures = { n: lengths.length, p50: percentile(lengths, 50), p99: percentile(lengths, 99) };
    return figures.n === 0 ? [] : [[name, figures] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Lengths of all finished grace periods of a flavor (GP_FLAVOR) in ns, ascending. */
export function gpDurations(gps: GpTable, flavor: number): Float64Array {
  return gps.endNs
    .map((endNs, gp) => (gps.flavor[gp] === flavor ? endNs - (gps.startNs[gp] as number) : Number.NaN))
    .filter((ns) => !Number.isNaN(ns))
    .sort();
}
