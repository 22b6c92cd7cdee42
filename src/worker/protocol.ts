/**
 * Messages between page and worker. Every request carries an `id` chosen by the page; every answer repeats it.
 * Nothing is thrown across the border: faults are `error` messages. Typed arrays are transferred, not copied.
 */
import type { Blame, BlameTarget } from '../analysis/blameTypes.ts';
import type { KvfreeFigures } from '../analysis/kvfreeFigures.ts';
import type { LaneInfo, LaneView } from '../analysis/laneTypes.ts';
import type { Checkpoint } from '../analysis/stateTypes.ts';
import type { TasksFigures } from '../analysis/tasksFigures.ts';
import type {
  Cursor,
  Headline,
  RowWindow,
  SelectionStats,
  SeriesSummary,
  SrcuFigures,
} from '../analysis/types.ts';
import type { SimConfig } from '../engine/config.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { RunLimits } from '../engine/run.ts';

/**
 * A window of the timeline: [t0Ns, t1Ns) at `widthPx` pixels. Absent `lanes`: all, but on large machines with leaves
 * not the CPUs behind them.
 */
export interface ViewRequest {
  readonly t0Ns: number;
  readonly t1Ns: number;
  readonly widthPx: number;
  readonly lanes?: readonly string[];
}

/** Where the rows are wanted: around a time, around a row, at the first grace period that sleeps, or at the first. */
export type Place = { readonly timeNs: number } | { readonly row: number } | 'firstSleep' | 'firstGp';

/** About `rows` rows around a place (default 16 Ki), from a checkpoint on. */
export interface RowsRequest {
  readonly at: Place;
  readonly rows?: number;
}

/** Rows, the checkpoint before them, and the cursor that the place resolved to. */
export interface RowsReply {
  readonly window: RowWindow;
  readonly checkpoint: Checkpoint;
  readonly cursor: Cursor;
}

/**
 * `fit: 'run'`: the whole run at `widthPx`; 'firstSleep': around the first grace period that sleeps, or `spanNs` around
 * its start.
 */
export type FirstView =
  | ViewRequest
  | {
      readonly fit: 'run' | 'firstSleep';
      readonly widthPx: number;
      readonly spanNs?: number;
      readonly lanes?: readonly string[];
    };

/** What `why` explains. */
export type WhyTarget = BlameTarget;

/**
 * What a run explains with its answer; 'firstSleep': the first grace period that sleeps, else the first one;
 * 'firstTasks': the first one of RCU Tasks, else as 'firstSleep'.
 */
export type ExplainRequest =
  | { readonly of: Blame['of']; readonly index: number }
  | 'firstSleep'
  | 'firstTasks';

/** An explanation, with the grace period's row where it is about one. */
export interface Explained {
  readonly why: Blame;
  readonly gp: GpRow | undefined;
}

/** A stretch [t0Ns, t1Ns) of time; one that reaches the end of the run has that instant too. */
export interface TimeRange {
  readonly t0Ns: number;
  readonly t1Ns: number;
}

/** Where to go from a cursor. `track`: previous or next row of that track; `gp`: start of a grace period. */
export type Step =
  | { readonly to: 'row'; readonly direction: 1 | -1; readonly track?: number; readonly kind?: number }
  | { readonly to: 'gp'; readonly direction: 1 | -1; readonly domain?: number };

/** A grace period as a row of a table; `index` is that of the GpTable. */
export interface GpRow {
  readonly index: number;
  readonly domain: number;
  readonly number: number;
  /** GP_FLAVOR; Tree RCU has `scans`, the rest below is of SRCU. */
  readonly flavor: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly startRow: number;
  readonly endRow: number;
  readonly scans: number;
  readonly expedited: boolean;
  readonly passes: number;
  readonly polls: number;
  readonly sleeps: number;
  readonly sleptJiffies: number;
  readonly overshootNs: number;
  readonly requesterHit: boolean;
  /** Last reader waited for, -1: none. */
  readonly lastReader: number;
  readonly callLatencyNs: number;
}

/** Requests that are answered once. */
export type Request =
  | { readonly type: 'view'; readonly view: ViewRequest }
  | { readonly type: 'rows'; readonly rows: RowsRequest }
  | { readonly type: 'why'; readonly target: WhyTarget }
  | ({ readonly type: 'selection' } & TimeRange)
  /** `order`: by start (default), or finished ones only, longest first. */
  | {
      readonly type: 'gps';
      readonly first: number;
      readonly count: number;
      readonly order?: 'start' | 'slowest';
    }
  | { readonly type: 'step'; readonly from: Cursor; readonly step: Step }
  | { readonly type: 'digest' };

/** The answer to each request. */
export interface Answers {
  view: readonly LaneView[];
  rows: RowsReply;
  why: Blame;
  selection: SelectionStats;
  gps: readonly GpRow[];
  /** Undefined: there is none in that direction. */
  step: Cursor | undefined;
  digest: string;
}
export type RequestType = Request['type'];

/** What to run, and what to show of it first: all of it comes in one answer, so that a page draws once per run. */
export interface RunOrder {
  readonly config: SimConfig;
  readonly view: FirstView;
  readonly rows: RowsRequest;
  readonly explain?: ExplainRequest | undefined;
  /** A stretch of time whose statistics are wanted. */
  readonly range?: TimeRange | undefined;
  readonly limits?: RunLimits;
}

/** Page to worker. `run` cancels the run before it; all other requests are about the newest finished run. */
export type ToWorker =
  | ({ readonly type: 'run'; readonly id: number } & RunOrder)
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'ask'; readonly id: number; readonly request: Request };

/** What a finished run says of itself. */
export interface RunSummary {
  readonly info: RunInfo;
  readonly rows: number;
  readonly endNs: number;
  /** STOP_REASON. */
  readonly reason: number;
  /** Set where a limit or a stuck configuration ended the run: shown as it is. */
  readonly message?: string;
  /** Milliseconds of real time: simulating, indexing. */
  readonly simulateMs: number;
  readonly indexMs: number;
  readonly lanes: readonly LaneInfo[];
  readonly headline: Headline;
  readonly figures: SrcuFigures;
  readonly series: readonly SeriesSummary[];
  /** Undefined where nothing was given to kvfree_rcu(). */
  readonly kvfree: KvfreeFigures | undefined;
  /** Undefined without RCU Tasks. */
  readonly tasks: TasksFigures | undefined;
  /** Grace periods in the table, unfinished ones included; update-side calls. */
  readonly gps: number;
  readonly calls: number;
  /** Blocks and runs of kvfree_rcu(). */
  readonly units: number;
}

/** Worker to page. */
export type FromWorker =
  | {
      readonly type: 'ran';
      readonly id: number;
      readonly summary: RunSummary;
      readonly view: readonly LaneView[];
      readonly rows: RowsReply;
      /** Undefined: nothing was to be explained, or the run has nothing like it. */
      readonly explained: Explained | undefined;
      readonly rangeStats: SelectionStats | undefined;
    }
  | {
      readonly type: 'progress';
      readonly id: number;
      readonly rows: number;
      readonly nowNs: number;
      /** Share of the rows, 0..1, that has been read after the run has ended; absent while it is simulated. */
      readonly read?: number;
    }
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'answer'; readonly id: number; readonly request: RequestType; readonly value: unknown }
  | { readonly type: 'error'; readonly id: number; readonly message: string };
