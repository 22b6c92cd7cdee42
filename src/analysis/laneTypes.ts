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
  /** Idle, and RCU does not watch it (an extended quiescent state, tree R1.13); runs with Tree RCU have it for `idle`. */
  eqs: 20,
  /** A kthread of RCU on its CPU. */
  kthread: 21,
  /** rcu_core() in softirq, and callbacks that it invokes. */
  rcuCore: 22,
  rcuBatch: 23,
  /** The grace-period kthread: asked for and not started, rcu_gp_init(), waiting for a scan, scanning, rcu_gp_cleanup(). */
  gpRequested: 24,
  gpInit: 25,
  gpFqsWait: 26,
  gpFqsScan: 27,
  gpCleanup: 28,
  /** Expedited grace period: choosing CPUs and sending IPIs, waiting for them, waking callers. */
  expSelect: 29,
  expWait: 30,
  expWake: 31,
  /** A call of RCU: its callback has no number; an earlier grace period has to end; its own; its callback and wake-up. */
  callNumber: 32,
  callResidual: 33,
  callGp: 34,
  callCallback: 35,
  /** CPUs of a leaf that owe a quiescent state: up to a quarter, up to half, up to three quarters, more. */
  owedQuarter: 36,
  owedHalf: 37,
  owedMost: 38,
  owedAll: 39,
  /** kvfree_rcu(): a block takes objects, a run of the head channel does; a batch waits, is being freed; a worker of it. */
  kfreeFill: 40,
  kfreeHead: 41,
  kfreeWait: 42,
  kfreeFree: 43,
  kfreeWork: 44,
  /** Kthread of RCU Tasks: its own grace period of RCU (Rude: work items), a scan, waiting for the next one, callbacks and gp_sleep. */
  tasksInner: 45,
  tasksScan: 46,
  tasksWait: 47,
  tasksSleep: 48,
  /** A task on the list of holdouts; none any more, and still on the list. */
  holdout: 49,
  holdoutLeft: 50,
} as const;
export type SpanClassName = keyof typeof SPAN_CLASS;
/** Number of span classes. */
export const SPAN_CLASSES = 51;

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
  /** Who: thread or worker on CPU lanes, calling thread on calls lanes, else the domain (rcuBatch: the CPU whose list it is). */
  readonly track: Int32Array;
  /** kfreeFill, kfreeHead: number of the unit; kfreeWait, kfreeFree: of the batch, -1 the monitor; kfreeWork: WORK_FN; poll, kworker: passes; gp*, exp*: number; sleep*: delay in jiffies; call*: number; cb*, callback: callbacks; owed*: CPUs. */
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
  /** A CPU learns of a grace period, notes a quiescent state, reports it (tree R2.15); a scan found it idle. */
  rcuLearn: 9,
  rcuNote: 10,
  rcuReport: 11,
  rcuFound: 12,
  /** A reader is preempted inside its section. */
  preempted: 13,
  ipiSent: 14,
  ipi: 15,
  stall: 16,
  /** kfree_rcu_monitor() begins. */
  kfreeMonitor: 17,
  /** A scan takes a holdout off the list. */
  holdoutOff: 18,
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

export type LaneKind = 'leaf' | 'cpu' | 'gp' | 'exp' | 'worker' | 'callbacks' | 'calls' | 'memory' | 'kfree';

/** Amounts over time that a lane draws as areas, one on the other; linear between two times. */
export interface LaneChart {
  readonly timeNs: Float64Array;
  /** From the bottom up; of kvfree_rcu() bytes being freed, waiting, queued, in blocks. */
  readonly parts: readonly Float64Array[];
  /** The largest sum in the whole run. */
  readonly most: number;
}

/**
 * A lane's heading. Order: CPUs by number, on large machines with Tree RCU those of a leaf behind the leaf; then per
 * domain gp, worker (Tree RCU: exp), callbacks, calls; of kvfree_rcu() memory, then CPUs that queue. It follows from the run's tracks and configuration alone and so
 * stays the same when a slider is dragged.
 */
export interface LaneInfo {
  /** "leaf:1" (number of the node), "cpu:0", "gp:srcu", "exp:rcu", "worker:srcu", "callbacks:srcu", "calls:srcu" (with the domain's name). */
  readonly id: string;
  readonly kind: LaneKind;
  /** Track.id of the CPU (of a leaf: its first one) or domain. */
  readonly track: number;
  /** "CPU 0", "srcu:kvm", "kworker". */
  readonly name: string;
  /** What is on it: "reader/0, updater/0", "grace periods", "process_srcu". */
  readonly detail: string;
}

/** Id of the lane of what a CPU has queued with kvfree_rcu(). */
export function krcLaneId(cpu: number): string {
  return `kfree:${cpu}`;
}

/** Objects of a closed unit of kvfree_rcu(), and when it got the last of them at the latest. */
export interface UnitObjects {
  readonly objects: number;
  readonly lastNs: number;
}

/** A whole lane. */
export interface Lane extends LaneInfo {
  readonly spans: Spans;
  readonly marks: Marks;
  readonly chart?: LaneChart;
  /** Lanes of kvfree_rcu(): what a unit took that was closed at a time; undefined where it was not. */
  readonly unitOf?: (unit: number, closeNs: number) => UnitObjects | undefined;
}

/** The part of a lane that a window shows, ready to paint. */
export type LaneView = LaneInfo & {
  readonly t0Ns: number;
  readonly t1Ns: number;
  /** Marks in the window; empty with `marksOmitted` > 0 where there are more than about one per 2 pixels. */
  readonly marks: Marks;
  readonly marksOmitted: number;
} & (
    | {
        readonly mode: 'spans';
        readonly spans: Spans;
        readonly chart?: LaneChart;
        /** By span: the unit that kfreeFill and kfreeHead stand for; `objects` is 0 for others and where not known. */
        readonly units?: { readonly objects: Float64Array; readonly lastNs: Float64Array };
      }
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
