/** The shapes of the timeline: lanes as data, and the part of a lane that a window shows. Conventions of types.ts. */

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
  /** A reader that has read srcu_idx and has not counted itself yet. */
  readerFetched: 19,
} as const;
export type SpanClassName = keyof typeof SPAN_CLASS;
/** Number of span classes. */
export const SPAN_CLASSES = 20;

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
