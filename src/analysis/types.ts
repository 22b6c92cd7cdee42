/**
 * Rows, cursor and the tables of a run: what analysis hands to panels, timeline, command line and worker. Plain data: columns of typed arrays
 * with a `length`, indexes in place of pointers, times in ns, `row` an index in the log (-1: none), `track` a
 * Track.id (-1: none), NaN for what is not known or did not happen before the run ended.
 */

import type { RunInfo } from '../engine/core/info.ts';
import type { RowData } from '../engine/core/rows.ts';
import type { KvfreeIndex } from './kvfreeTypes.ts';

/** A copy of the rows [first, first + length) of a log, to be read with rowWindow.ts. Transferable. */
export interface RowWindow extends RowData {
  /** Index in the log of the window's first row. */
  readonly first: number;
  readonly length: number;
  /** Rows in the whole log. */
  readonly total: number;
}

/** One comparison inside the burst of passes `row`: pass 0..count-1, check 0..checks-1 of that pass. */
export interface PollNumber {
  readonly row: number;
  readonly pass: number;
  readonly check: number;
}

/**
 * A place in a run: after row `row` has happened (-1: before the first) and at `timeNs`, which is at least that row's
 * time and less than the next row's (or equal to it, when rows share their instant). `poll` is present while
 * stepping poll by poll inside a burst; `timeNs` is then the time of that check.
 */
export interface Cursor {
  readonly timeNs: number;
  readonly row: number;
  readonly poll?: PollNumber;
}

/**
 * Whose grace period it is, codes of GpTable.flavor: SRCU's, Tree RCU's normal and expedited ones, those of the
 * flavours of RCU Tasks.
 */
export const GP_FLAVOR = { srcu: 0, rcu: 1, exp: 2, tasks: 3, tasksRude: 4, tasksTrace: 5 } as const;

/** What queued a callback: call_srcu(), call_rcu(), call_rcu_tasks(), call_rcu_tasks_trace(). */
export const CALLBACK_FAMILY = { srcu: 0, rcu: 1, tasks: 2, tasksTrace: 3 } as const;

/** What ended the waiting, codes of GpTable.lastHow: nothing yet, a CPU's own report, a scan, a reader. */
export const LAST_REPORT = { none: 0, self: 1, scan: 2, reader: 3 } as const;

/** One entry per grace period of any domain, in order of start. Unfinished ones have endNs NaN and endRow -1. */
export interface GpTable {
  readonly length: number;
  /** Domain, the track of Tree RCU, or the kthread of RCU Tasks. */
  readonly track: Uint16Array;
  /** GP_FLAVOR. */
  readonly flavor: Uint8Array;
  /**
   * SRCU, k: srcu_gp_seq is 4k-3 at its start and 4k at its end; the rows' own number. Tree RCU: gp_seq >> 2 (or
   * expedited_sequence >> 2) while it runs. RCU Tasks: counted from 1.
   */
  readonly number: Float64Array;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly startRow: Int32Array;
  readonly endRow: Int32Array;
  /** The first request that this grace period serves, and the thread that made it. */
  readonly requestNs: Float64Array;
  readonly requestRow: Int32Array;
  readonly requester: Int32Array;
  /** 1: expedited at its end (while it runs: so far). */
  readonly expedited: Uint8Array;
  /** Executions of process_srcu; the one that ends this and starts the next counts here. */
  readonly passes: Float64Array;
  /** Failed checks. */
  readonly polls: Float64Array;
  /** Delays of 1 jiffy and more armed for process_srcu, the first-pass delay included, and their sum. */
  readonly sleeps: Float64Array;
  readonly sleptJiffies: Float64Array;
  /** When the first of these delays was armed; NaN: it never slept. */
  readonly firstSleepNs: Float64Array;
  /** CPU time of passes with at least one failed check. */
  readonly pollNs: Float64Array;
  /**
   * Last reader it waited for (among those counted on the scanned index): thread, srcu_unlock row and time. RCU Tasks:
   * the holdout that was taken off last, and when it was released.
   */
  readonly lastReader: Int32Array;
  readonly lastReaderRow: Int32Array;
  readonly lastReaderLeaveNs: Float64Array;
  /** Time slept after the last reader it was waiting for had left, both scans. */
  readonly overshootNs: Float64Array;
  /** 1: a check failed while the requester's own section was counted on the scanned index (spec srcu 13). */
  readonly requesterHit: Uint8Array;
  /** The call with the longest latency among those it served; -1 if none has returned. Index in the CallTable. */
  readonly call: Int32Array;
  readonly callLatencyNs: Float64Array;
  /** Tree RCU and RCU Tasks: scans; end of rcu_gp_init(), of the selection of CPUs, of the scan of the task list. */
  readonly scans: Float64Array;
  readonly initEndNs: Float64Array;
  /** Tree RCU: the report that emptied the root (LAST_REPORT), the CPU it is about, its row and time; a reader is in `lastReader`. */
  readonly lastHow: Uint8Array;
  readonly lastCpu: Int32Array;
  readonly lastReportRow: Int32Array;
  readonly lastReportNs: Float64Array;
  /** Tree RCU: rcu_gp_cleanup() has reached the root. */
  readonly cleanupNs: Float64Array;
}

/** One entry per update-side call, in order of api_call rows. */
export interface CallTable {
  readonly length: number;
  /** Calling thread, domain (or the track of Tree RCU), index in APIS, call number as in the rows. */
  readonly thread: Uint16Array;
  readonly domain: Uint16Array;
  readonly api: Uint8Array;
  readonly number: Float64Array;
  readonly callNs: Float64Array;
  readonly callRow: Int32Array;
  /** NaN and -1 while it waits. */
  readonly returnNs: Float64Array;
  readonly returnRow: Int32Array;
  /** Latency as the engine measured it (api_return c). */
  readonly latencyNs: Float64Array;
  /**
   * Its first srcu_request row, callback id and the row that invoked it; -1: none. Tree RCU: the row that queued its
   * callback, put it on the sr_normal list, took a cookie, or entered the funnel; callbacks there have negative ids.
   */
  readonly requestRow: Int32Array;
  readonly requestNs: Float64Array;
  readonly callback: Float64Array;
  readonly invokeRow: Int32Array;
  /** Tree RCU: the row that numbered its callback, -1: none. */
  readonly numberedRow: Int32Array;
  /** The grace period that it waits for, index in the GpTable; -1: none or not started. */
  readonly gp: Int32Array;
}

/** The latencies of one api, or of one of the three series of call_srcu and call_rcu, in the order of docs/configuration.md. */
export interface LatencySeries {
  /** docs/configuration.md: the api's name; for call_* NAME, NAME.enqueue, NAME.callback. */
  readonly name: string;
  readonly values: Float64Array;
  /** When each value became known (return, or invocation of the callback), and the row. */
  readonly atNs: Float64Array;
  readonly row: Int32Array;
  /** 1: the grace period that it waited for slept at least once. */
  readonly slept: Uint8Array;
}

/** Statistics of docs/configuration.md; percentiles are nearest rank, index floor(p (n - 1) / 100), mean is floored. ns. */
export interface LatencyStats {
  readonly n: number;
  readonly mean: number;
  readonly p0: number;
  readonly p10: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p99: number;
  readonly p100: number;
  /** Calls by power of two: under "22" those of at least 2^22 and less than 2^23 ns; empty ones are absent. */
  readonly log2Ns: Readonly<Record<string, number>>;
}

/** Bin i counts the values lo[i] <= v < hi[i], in ns. Bins are without gaps, first and last are not empty. */
export interface Histogram {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  readonly count: Float64Array;
  /** How many of these waited for a grace period that slept. */
  readonly slept: Float64Array;
}

/** A series as shown: statistics and two histograms. */
export interface SeriesSummary {
  readonly name: string;
  readonly stats: LatencyStats;
  /** Buckets [2^k, 2^(k+1)) us as funclatency prints them ("2^k -> 2^(k+1)-1"); the first is [0, 2) us. */
  readonly log2: Histogram;
  readonly linear: Histogram;
}

/** The five headline figures, with what they are made of. */
export interface Headline {
  /** The series that p50 and p99 are of; undefined when no call has returned. */
  readonly latencyOf: string | undefined;
  readonly n: number;
  readonly p50Ns: number;
  readonly p99Ns: number;
  readonly runNs: number;
  readonly overshootNs: number;
  /** Share of the run, 0..1. */
  readonly overshootShare: number;
  readonly pollNs: number;
  /** Share of one CPU, 0..1. */
  readonly pollShare: number;
  /** Finished grace periods, and per second of virtual time. */
  readonly gracePeriods: number;
  readonly gracePeriodsPerSec: number;
  /** First grace period that sleeps, of Tree RCU and RCU Tasks the first one (index in the GpTable, start row and time); the page opens there. -1: none. */
  readonly firstSleepingGp: number;
  readonly firstSleepingRow: number;
  readonly firstSleepingNs: number;
  /** Undefined in runs without Tree RCU. */
  readonly rcu: RcuHeadline | undefined;
  /** The flavor of RCU Tasks with the most grace periods; undefined where none has ended. */
  readonly tasks: TasksHeadline | undefined;
}

/** What the figures above the timeline say of Tree RCU. */
export interface RcuHeadline {
  /** Finished grace periods: how many, how long. */
  readonly normal: { readonly n: number; readonly p50Ns: number; readonly p99Ns: number };
  readonly expedited: { readonly n: number; readonly p50Ns: number; readonly p99Ns: number };
  /** Scans per normal grace period, and how many needed more than one. */
  readonly scansPerGp: number;
  readonly manyScans: number;
  /**
   * What synchronize_rcu() calls took beside the grace period that ended their wait (numbering, the rest of one that
   * was running, callback, wake-up): in all, and as a share of their latency, 0..1.
   */
  readonly outsideNs: number;
  readonly outsideShare: number;
}

/** What the figures above the timeline say of RCU Tasks. */
export interface TasksHeadline {
  /** GP_FLAVOR. */
  readonly flavor: number;
  /** Finished grace periods: how many, how long. */
  readonly n: number;
  readonly p50Ns: number;
  readonly p99Ns: number;
  /** Scans of the holdouts in all of them. */
  readonly scans: number;
}

/** Counters of docs/configuration.md `srcu`. */
export interface SrcuFigures {
  readonly polls: number;
  readonly passes: number;
  readonly sleeps: number;
  readonly sleptJiffies: number;
  readonly pollNs: number;
  readonly overshootNs: number;
  readonly requesterHits: number;
}

/**
 * What a time window [t0, t1) contains: series by return time, grace periods by end time, the rest by its own time. A
 * window that reaches the end of the run has what happens at that instant too.
 */
export interface SelectionStats {
  readonly t0Ns: number;
  readonly t1Ns: number;
  readonly rows: number;
  /** By flavour, in the order of GP_FLAVOR; flavours of which none has ended are absent. */
  readonly gracePeriods: readonly SelectedGps[];
  readonly series: readonly SeriesSummary[];
  /** Undefined in runs without SRCU. */
  readonly srcu: SelectedSrcu | undefined;
}

/** What process_srcu did in a time window, all domains together. */
export interface SelectedSrcu {
  /** Failed checks, and the CPU time of passes that have some. */
  readonly polls: number;
  readonly pollNs: number;
  /** Sleeps of which a part lies inside, and these parts; of them those in which nobody held any more. */
  readonly sleeps: number;
  readonly sleptNs: number;
  readonly wastedNs: number;
}

/** The grace periods of a flavour that ended in a time window. */
export interface SelectedGps {
  /** GP_FLAVOR. */
  readonly flavor: number;
  /** Of their lengths. */
  readonly stats: LatencyStats;
  /** Scans in all of them: by the kthread of Tree RCU, or of the holdouts by one of RCU Tasks. */
  readonly scans: number;
}

/** Everything that is built once per finished run. */
export interface RunIndex {
  readonly info: RunInfo;
  readonly rows: number;
  /** Virtual time reached. */
  readonly endNs: number;
  readonly gps: GpTable;
  readonly calls: CallTable;
  readonly series: readonly LatencySeries[];
  readonly figures: SrcuFigures;
  /** kvfree_rcu(), in runs that have it. */
  readonly kvfree: KvfreeIndex | undefined;
}
