/**
 * The shapes that analysis hands to panels, timeline, command line and worker. All are plain data: columns of typed
 * arrays with a `length`, indexes in place of pointers. Times are ns of virtual time, `row` is an index in the log
 * (-1: none), `track` is Track.id (-1: none), NaN is "not known" or "did not happen before the run ended".
 */
import type { SrcuApi } from '../engine/config.ts';
import type { LogBlock } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';

// ------------------------------------------------------------------------------------------------- rows and cursor

/** A copy of the rows [first, first + length) of a log, as columns of exactly `length` entries. Transferable. */
export interface RowWindow extends LogBlock {
  /** Index in the log of the window's first row. */
  readonly first: number;
  /** Rows in the whole log. */
  readonly total: number;
}

/** One comparison inside a row that stands for a burst of passes: pass 0..count-1, check 0..checks-1 of that pass. */
export interface PollNumber {
  readonly pass: number;
  readonly check: number;
}

/**
 * A place in a run: after row `row` has happened (-1: before the first) and at `timeNs`, which is at least that row's
 * time and less than the next row's (or equal to it, when rows share their instant). `poll` is present while
 * stepping poll by poll inside the burst `row`; `timeNs` is then the time of that check.
 */
export interface Cursor {
  readonly timeNs: number;
  readonly row: number;
  readonly poll?: PollNumber;
}

// ------------------------------------------------------------------------------------------------- grace periods

/** One entry per grace period of any domain, in order of start. Unfinished ones have endNs NaN and endRow -1. */
export interface GpTable {
  readonly length: number;
  /** Domain. */
  readonly track: Uint16Array;
  /** k: srcu_gp_seq is 4k-3 at its start and 4k at its end; the rows' own number. */
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
  /** Last reader it waited for (among those counted on the scanned index): thread, srcu_unlock row and time. */
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
}

/** One entry per update-side call, in order of srcu_call rows. */
export interface CallTable {
  readonly length: number;
  /** Calling thread, domain, index in SRCU_APIS, call number as in the rows. */
  readonly thread: Uint16Array;
  readonly domain: Uint16Array;
  readonly api: Uint8Array;
  readonly number: Float64Array;
  readonly callNs: Float64Array;
  readonly callRow: Int32Array;
  /** NaN and -1 while it waits. */
  readonly returnNs: Float64Array;
  readonly returnRow: Int32Array;
  /** Latency as the engine measured it (srcu_return c). */
  readonly latencyNs: Float64Array;
  /** Its first srcu_request row, callback id and the row that invoked it; -1: none. */
  readonly requestRow: Int32Array;
  readonly callback: Float64Array;
  readonly invokeRow: Int32Array;
  /** The grace period that it waits for, index in the GpTable; -1: none or not started. */
  readonly gp: Int32Array;
}

// ------------------------------------------------------------------------------------------------- latency

/** The latencies of one api, or of one of the three series of call_srcu, in the order of contract §7. */
export interface LatencySeries {
  /** Contract §3: the api's name; for call_srcu NAME, NAME.enqueue, NAME.callback. */
  readonly name: string;
  readonly values: Float64Array;
  /** When each value became known (return, or invocation of the callback), and the row. */
  readonly atNs: Float64Array;
  readonly row: Int32Array;
}

/** Statistics of contract §7; percentiles are nearest rank, index floor(p (n - 1) / 100), mean is floored. ns. */
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
}

/** Bin i counts the values lo[i] <= v < hi[i], in ns. Bins are without gaps, first and last are not empty. */
export interface Histogram {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  readonly count: Float64Array;
}

/** A series as shown: statistics and two histograms. */
export interface SeriesSummary {
  readonly name: string;
  readonly stats: LatencyStats;
  /** Buckets [2^k, 2^(k+1)) us as funclatency prints them ("2^k -> 2^(k+1)-1"); the first is [0, 2) us. */
  readonly log2: Histogram;
  readonly linear: Histogram;
}

// ------------------------------------------------------------------------------------------------- lanes

/** What a span shows. One meaning each; the painter maps these to colours and patterns. */
export const SPAN_CLASS = {
  /** Nobody runs on this CPU (contended runs only; elsewhere idle is the absence of a span). */
  idle: 0,
  /** A reader inside its section, running. */
  reader: 1,
  /** A reader inside its section, not running (asleep or preempted). */
  readerOff: 2,
  /** A thread of a reader outside its section (spinning its idle time). */
  readerOut: 3,
  /** An updater on its CPU, outside a call. */
  updater: 4,
  /** An update-side call, from call to return (calls lane), or its part on the CPU (CPU lanes). */
  call: 5,
  /** A load thread. */
  load: 6,
  /** The worker on its CPU: a pass without a failed check, or other work. */
  kworker: 7,
  /** Passes with failed checks, a burst of them or one. */
  poll: 8,
  /** process_srcu waits for its timer while a reader that it waits for still holds. */
  sleepHeld: 9,
  /** process_srcu waits for its timer although nobody holds the grace period up any more (waste). */
  sleepWaste: 10,
  /** The first-pass delay of a normal grace period. */
  sleepFirst: 11,
  /** The worker is runnable (or in a pass) but off its CPU. */
  offCpu: 12,
  /** Grace period before its first pass. */
  gpWait: 13,
  /** Grace period in SRCU_STATE_SCAN1. */
  gpScan1: 14,
  /** Grace period in SRCU_STATE_SCAN2. */
  gpScan2: 15,
  /** Callbacks wait for their grace period. */
  cbWait: 16,
  /** Callbacks are ready and wait for their timer or work. */
  cbDelay: 17,
  /** Callbacks are being invoked. */
  callback: 18,
} as const;
export type SpanClassName = keyof typeof SPAN_CLASS;
export type SpanClass = (typeof SPAN_CLASS)[SpanClassName];
/** Number of span classes. */
export const SPAN_CLASSES = 19;

/** Spans [start, end) of one lane, ordered by start. Of one depth they never overlap. An open span ends at endNs. */
export interface Spans {
  readonly length: number;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  /** SPAN_CLASS. */
  readonly cls: Uint8Array;
  /** Sub-row in the lane: 0 the main one; higher ones hold what overlaps. At most 3. */
  readonly depth: Uint8Array;
  /** The row that the span begins with. */
  readonly row: Int32Array;
  /** Who: thread or worker on CPU lanes, calling thread on calls lanes, else the domain. */
  readonly track: Int32Array;
  /** poll, kworker: passes; gp*: number k; sleep*: delay in jiffies; call: number; cb*, callback: callbacks. */
  readonly value: Float64Array;
}

/** What a mark shows. */
export const MARK_CLASS = {
  tick: 0,
  timerFires: 1,
  checkZero: 2,
  flip: 3,
  cbQueued: 4,
  cbInvoked: 5,
  callReturns: 6,
  wakeup: 7,
  request: 8,
} as const;
export type MarkClassName = keyof typeof MARK_CLASS;

/** Instants of a lane, in order of time. */
export interface Marks {
  readonly length: number;
  readonly timeNs: Float64Array;
  /** MARK_CLASS. */
  readonly cls: Uint8Array;
  readonly row: Int32Array;
}

export type LaneKind = 'cpu' | 'gp' | 'worker' | 'callbacks' | 'calls';

/**
 * A lane's heading. Order: CPUs by number, then per domain gp, worker, callbacks, calls. It follows from the run's
 * tracks alone and so stays the same when a slider is dragged.
 */
export interface LaneInfo {
  /** "cpu:0", "gp:srcu", "worker:srcu", "callbacks:srcu", "calls:srcu" (with the domain's name). */
  readonly id: string;
  readonly kind: LaneKind;
  /** Track.id of the CPU or domain. */
  readonly track: number;
  /** "CPU 0", "srcu:kvm", "kworker". */
  readonly name: string;
  /** What is on it: "reader/0, updater/0", "grace periods", "process_srcu". */
  readonly detail: string;
}

/** A whole lane. */
export interface Lane extends LaneInfo {
  readonly spans: Spans;
  readonly marks: Marks;
}

/** The part of a lane that a window shows, ready to paint. */
export type LaneView = LaneInfo & {
  readonly t0Ns: number;
  readonly t1Ns: number;
  /** Marks in the window; empty with `marksOmitted` > 0 where there are more than about one per 2 pixels. */
  readonly marks: Marks;
  readonly marksOmitted: number;
} & (
    | { readonly mode: 'spans'; readonly spans: Spans }
    | {
        readonly mode: 'coverage';
        readonly widthPx: number;
        /** The SPAN_CLASS of each plane. */
        readonly classes: Uint8Array;
        /** coverage[plane * widthPx + px]: share of that pixel's time, 0..1. */
        readonly coverage: Float32Array;
        /** Spans that the coverage stands for. */
        readonly spanCount: number;
      }
  );

// ------------------------------------------------------------------------------------------------- state at a cursor

/** A section that is open at the cursor. */
export interface ActiveReader {
  readonly thread: number;
  readonly cpu: number;
  readonly idx: number;
  readonly sinceNs: number;
  readonly row: number;
  /** An update-side call's own section (spec srcu 5.6). */
  readonly own: boolean;
  /** Counted on the index that the present scan looks at. */
  readonly waitedFor: boolean;
}

/** A callback that has not run yet. */
export interface PendingCallback {
  readonly id: number;
  readonly target: number;
  readonly cpu: number;
  /** CALLBACK. */
  readonly kind: number;
  readonly queuedNs: number;
  readonly row: number;
  /** Its grace period has ended: it waits for its timer or work only. */
  readonly ready: boolean;
}

/** What process_srcu does at the cursor. */
export type WorkerState =
  | { readonly state: 'idle' }
  /** Queued, not started. */
  | { readonly state: 'queued'; readonly sinceNs: number; readonly row: number }
  | {
      readonly state: 'running';
      readonly row: number;
      readonly cpu: number;
      /** Pass of this grace period, from 1; pass of this burst, from 0; passes of the burst. */
      readonly pass: number;
      readonly burstPass: number;
      readonly burstPasses: number;
      /** Checks made in this pass so far and failed ones among them; when the next one comes (NaN: none). */
      readonly checksDone: number;
      readonly checksFailed: number;
      readonly checksInPass: number;
      readonly nextCheckNs: number;
      readonly passStartNs: number;
      readonly passEndNs: number;
      /** False while another task has its CPU. */
      readonly onCpu: boolean;
    }
  | {
      readonly state: 'sleeping';
      readonly sinceNs: number;
      readonly row: number;
      /** Delay d in jiffies, the jiffy at which the timer fires and that tick's time (spec srcu 3.6). */
      readonly delay: number;
      readonly untilJiffy: number;
      readonly untilNs: number;
    };

export type SrcuPhase = 'IDLE' | 'SCAN1' | 'SCAN2';

/** A domain at a cursor, in the kernel's own words. */
export interface SrcuStateAt {
  readonly timeNs: number;
  readonly row: number;
  readonly domain: number;
  readonly jiffies: number;
  readonly phase: SrcuPhase;
  readonly gpSeq: number;
  readonly gpSeqNeeded: number;
  readonly gpSeqNeededExp: number;
  /** Number k of the running grace period, or of the last one; 0 before the first. */
  readonly gpNumber: number;
  readonly gpStartNs: number;
  readonly gpStartRow: number;
  readonly gpStartJiffies: number;
  /** E of spec srcu 3.1. */
  readonly expedited: boolean;
  /** srcu_idx (full counter) and the index that the present scan looks at (-1 when idle). */
  readonly srcuIdx: number;
  readonly scannedIdx: number;
  readonly nExpNodelay: number;
  /** srcu_max_nodelay_phase; Infinity: no limit. */
  readonly phaseLimit: number;
  readonly rescheduleCount: number;
  readonly rescheduleJiffies: number;
  /** srcu_max_nodelay; Infinity: no limit. */
  readonly jiffyLimit: number;
  /** jiffies - srcu_gp_start; 0 when idle. */
  readonly ageJiffies: number;
  /** What srcu_get_delay() would answer now, in jiffies (spec srcu 3.1). */
  readonly nextDelay: number;
  readonly worker: WorkerState;
  /** Counters per CPU: lock[2 * cpu + idx]. Only entries of CPUs in `counterCpus` are ever non-zero. */
  readonly lock: Float64Array;
  readonly unlock: Float64Array;
  /** Sums over CPUs, by index. */
  readonly lockSum: readonly [number, number];
  readonly unlockSum: readonly [number, number];
  readonly readers: readonly ActiveReader[];
  readonly callbacks: readonly PendingCallback[];
}

/** What a thread does at the cursor. */
export interface ThreadStateAt {
  readonly thread: number;
  readonly state: 'notStarted' | 'inSection' | 'outside' | 'inCall' | 'gap' | 'load' | 'done';
  readonly sinceNs: number;
  readonly row: number;
  /** The api in a call. */
  readonly api?: SrcuApi;
  readonly callNumber?: number;
}

/** Everything at a cursor. */
export interface StateAt {
  readonly cursor: Cursor;
  readonly jiffies: number;
  readonly domains: readonly SrcuStateAt[];
  readonly threads: readonly ThreadStateAt[];
  /** Per CPU the track that runs (-1 idle); empty in runs that are not contended. */
  readonly running: Int32Array;
}

/** A row of passes that is being executed, or was the last one. */
export interface OpenPass {
  readonly row: number;
  readonly startNs: number;
  readonly count: number;
  readonly lengthNs: number;
  /** Packed, passCode.ts. */
  readonly code: number;
  /** srcu_n_exp_nodelay before its first pass, reschedule_count and reschedule_jiffies likewise. */
  readonly nBefore: number;
  readonly nAfter: number;
  readonly countBefore: number;
  readonly jiffiesBefore: number;
  /** Passes of the grace period before it. */
  readonly passesBefore: number;
  /** Times of the checks that found no reader, as logged. */
  readonly zeroNs: readonly number[];
}

/** A domain as replay keeps it: the fields of srcu_struct and what is under way. Only stateAt.ts reads it. */
export interface DomainReplay {
  readonly track: number;
  seq: number;
  needed: number;
  neededExp: number;
  gpNumber: number;
  gpStartNs: number;
  gpStartRow: number;
  gpStartJiffies: number;
  srcuIdx: number;
  /** srcu_n_exp_nodelay, reschedule_count, reschedule_jiffies before the open pass. */
  nExpNodelay: number;
  rescheduleCount: number;
  rescheduleJiffies: number;
  gpPasses: number;
  readonly lock: Float64Array;
  readonly unlock: Float64Array;
  readers: readonly Omit<ActiveReader, 'waitedFor'>[];
  callbacks: readonly Omit<PendingCallback, 'ready'>[];
  pass: OpenPass | undefined;
  timer: { readonly row: number; readonly sinceNs: number; readonly delay: number; readonly jiffy: number } | undefined;
  queued: { readonly row: number; readonly sinceNs: number } | undefined;
}

/** The state before row `row`: replaying from here gives what replaying from row 0 gives. Structured-cloneable. */
export interface Checkpoint {
  readonly row: number;
  readonly domains: readonly DomainReplay[];
  /** By Track.id: state (order of ThreadStateAt.state), since when, row, api index (-1), call number. */
  readonly threadState: Uint8Array;
  readonly threadSinceNs: Float64Array;
  readonly threadRow: Int32Array;
  readonly threadApi: Int8Array;
  readonly threadCall: Float64Array;
  /** By CPU: the track that runs, -1 idle; empty in runs that are not contended. */
  readonly running: Int32Array;
}

// ------------------------------------------------------------------------------------------------- why

/** Why a stretch of a grace period or call took its time. */
export type BlameKind =
  /** The calling thread up to its request. */
  | 'entry'
  /** An earlier grace period had to end first (spec srcu 1.3: the running one does not count). */
  | 'earlierGp'
  /** The first-pass delay of a normal grace period (3.4). */
  | 'firstDelay'
  /** Queued or waking up: from made runnable to the pass. */
  | 'wake'
  /** Passes that found nobody, busy-waits included. */
  | 'scan'
  /** Polling while a reader holds. */
  | 'pollHeld'
  /** Polling while the requester itself holds: it was preempted inside its own section (5.6). */
  | 'pollRequester'
  /** The worker was off its CPU. */
  | 'offCpu'
  /** Slept while the reader still held. */
  | 'sleepHeld'
  /** Slept after the last reader had left: waste. */
  | 'sleepWaste'
  /** The callback's own timer (2.6). */
  | 'cbDelay'
  /** From the callback work to the invocation. */
  | 'callback'
  /** From the wake-up to the return. */
  | 'return';

/** What would have avoided a segment, computed from the log. */
export interface Remedy {
  readonly text: string;
  readonly savesNs: number;
  /** Set where a kernel parameter does it. */
  readonly param?: { readonly name: string; readonly value: number };
}

/** A stretch [startNs, endNs) of the explained time. */
export interface BlameSegment {
  readonly kind: BlameKind;
  readonly startNs: number;
  readonly endNs: number;
  /** Thread and CPU to blame; -1: nobody. */
  readonly thread: number;
  readonly cpu: number;
  /** Where to jump. */
  readonly row: number;
  /** One sentence, with numbers. */
  readonly text: string;
  readonly remedy?: Remedy;
}

/** Segments in order of time, without gaps: their lengths sum to endNs - startNs exactly. */
export interface Blame {
  readonly of: 'gp' | 'call';
  /** Index in the GpTable or CallTable. */
  readonly index: number;
  /** "Why did grace period 7 of srcu take 5.87 ms?" */
  readonly title: string;
  readonly startNs: number;
  readonly endNs: number;
  /** False: cut by the end of the run; endNs is then that end. */
  readonly finished: boolean;
  readonly segments: readonly BlameSegment[];
}

// ------------------------------------------------------------------------------------------------- figures

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
  /** First grace period that sleeps (index in the GpTable, start row and time); the page opens there. -1: none. */
  readonly firstSleepingGp: number;
  readonly firstSleepingRow: number;
  readonly firstSleepingNs: number;
}

/** Counters of contract §7 `srcu`. */
export interface SrcuFigures {
  readonly polls: number;
  readonly passes: number;
  readonly sleeps: number;
  readonly sleptJiffies: number;
  readonly pollNs: number;
  readonly overshootNs: number;
  readonly requesterHits: number;
}

/** What a time window contains: series by return time, grace periods by end time in [t0, t1). */
export interface SelectionStats {
  readonly t0Ns: number;
  readonly t1Ns: number;
  readonly rows: number;
  readonly gracePeriods: number;
  /** Durations of these grace periods. */
  readonly gpDuration: SeriesSummary | undefined;
  readonly series: readonly SeriesSummary[];
  /** Sums over these grace periods. */
  readonly srcu: SrcuFigures;
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
}
