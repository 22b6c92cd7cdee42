/** The shapes of RCU Tasks at a cursor (docs/model/tasks.md). Conventions of types.ts. */

/** What a holdout does at the cursor, as far as rows tell it. */
export type HoldoutDoing =
  /** Of a CPU's idle task (Trace). */
  | 'idle'
  | 'user'
  /** On its CPU, in the kernel. */
  | 'kernel'
  /** Runnable, another task has its CPU. */
  | 'preempted'
  | 'asleep'
  /** Between exit_tasks_rcu_start() and _finish(); from there to its last schedule. */
  | 'exiting'
  | 'exitTail';

/** A task on the list of holdouts of the running grace period, or taken off it. */
export interface TasksHoldoutAt {
  /** Thread, worker or kthread; a CPU stands for its idle task. */
  readonly track: number;
  readonly cpu: number;
  /** When the scan of the task list, or of the exit lists, put it on the list. */
  readonly addedNs: number;
  readonly row: number;
  /**
   * holdout: nothing has released it; released: the next scan takes it off; off: a scan has taken it off.
   */
  readonly state: 'holdout' | 'released' | 'off';
  /** TASKS_WHY of its release, -1 none; when it came, NaN. */
  readonly why: number;
  readonly releasedNs: number;
  /** nvcsw when it was put on the list, and now. */
  readonly snapshot: number;
  readonly nvcsw: number;
  readonly doing: HoldoutDoing;
  /** Trace: inside rcu_read_lock_trace(); the interrupt or a scan has noted that its unlock counts; an interrupt is on its way. */
  readonly isInSection: boolean;
  readonly isNoted: boolean;
  readonly hasIpi: boolean;
}

/** A sleep of the kthread on the timer wheel (spec tasks 4.1, 4.3). */
export interface TasksSleepAt {
  /** Before a scan of the holdouts, or gp_sleep. */
  readonly of: 'scan' | 'gpSleep';
  readonly sinceNs: number;
  readonly row: number;
  /** Jiffies asked for; the jiffy at which it fires, that tick's time, jiffies until then (at least 0). */
  readonly delay: number;
  readonly untilJiffy: number;
  readonly untilNs: number;
  readonly leftJiffies: number;
}

/** A scan of the holdouts of the running grace period. */
export interface TasksScanAt {
  readonly ns: number;
  readonly row: number;
  readonly before: number;
  readonly left: number;
}

/** The hold-out phase of the running grace period, or of the last one. */
export interface TasksPhaseAt {
  readonly startNs: number;
  readonly startRow: number;
  /** NaN while it lasts. */
  readonly endNs: number;
  /** Sleeps that it has begun, and the scans that are over (the newest SCANS_KEPT). */
  readonly sleeps: number;
  readonly scanCount: number;
  readonly scans: readonly TasksScanAt[];
  /** When the last holdout so far was released; NaN: none. */
  readonly lastReleaseNs: number;
}

/** A grace period of Tree RCU, or of the exit domain, that the kthread waits for inside its own. */
export interface TasksInnerAt {
  /** Before the scan of the task list, after the last scan of the holdouts, or (Trace) for tasks that exit late. */
  readonly which: 'pre' | 'post' | 'trace' | 'exit';
  readonly sinceNs: number;
  readonly row: number;
  readonly isExpedited: boolean;
  /** What of it is still to come; callback: it is over, the kthread is being woken. */
  readonly waitsFor: 'number' | 'gp' | 'callback' | 'unknown';
  /** Number of the grace period of Tree RCU; NaN: not known yet. */
  readonly gpNumber: number;
}

/** A work item of the Rude flavour on a CPU. */
export interface RudeWorkAt {
  readonly cpu: number;
  readonly state: 'queued' | 'ran';
  readonly sinceNs: number;
  readonly row: number;
}

/** Callbacks of a flavour by where they are. */
export interface TasksCallbacksAt {
  /** No grace period has taken them; the running one is for them; it is over. */
  readonly waiting: number;
  readonly taken: number;
  readonly ready: number;
  /** When the oldest of all was queued, and the row; NaN and -1 without one. */
  readonly oldestNs: number;
  readonly oldestRow: number;
}

/** One flavour. */
export interface TasksFlavorAt {
  /** TASKS_FLAVOR. */
  readonly flavor: number;
  /** Track of its kthread. */
  readonly track: number;
  /** RTGS; since when, the row that says so (-1: the start), jiffies since then. */
  readonly gpState: number;
  readonly stateNs: number;
  readonly stateRow: number;
  readonly stateJiffies: number;
  /** tasks_gp_seq; number of the running or last grace period, 0 before the first. */
  readonly gpSeq: number;
  readonly gpNumber: number;
  readonly isRunning: boolean;
  /** Of the running or last one; NaN and -1 before the first. */
  readonly gpStartNs: number;
  readonly gpStartRow: number;
  readonly ageJiffies: number;
  /** On the list first, then those taken off; in the order in which they came. */
  readonly holdouts: readonly TasksHoldoutAt[];
  readonly left: number;
  readonly phase: TasksPhaseAt | undefined;
  readonly sleep: TasksSleepAt | undefined;
  readonly inner: TasksInnerAt | undefined;
  /** Of the Rude flavour, by CPU; empty elsewhere. */
  readonly rude: readonly RudeWorkAt[];
  readonly callbacks: TasksCallbacksAt;
  /** Laziness (3.1): lazy_jiffies, 0 where the kernel has none; urgent_gp; the lazy timer while it is armed. */
  readonly lazyJiffies: number;
  readonly urgentGp: number;
  readonly lazyTimer: Pick<TasksSleepAt, 'untilJiffy' | 'untilNs' | 'leftJiffies' | 'row'> | undefined;
  /** Jiffies. */
  readonly gpSleep: number;
}

/** A task that exits. */
export interface TasksExitAt {
  readonly thread: number;
  readonly cpu: number;
  readonly sinceNs: number;
  readonly row: number;
  /** Between exit_tasks_rcu_start() and _finish(); from there to its last schedule. */
  readonly state: 'exiting' | 'tail';
  /** On the exit list of its CPU (6.9 on), or a reader of tasks_rcu_exit_srcu. */
  readonly isOnList: boolean;
}

/** RCU Tasks at a cursor. */
export interface TasksStateAt {
  readonly timeNs: number;
  readonly row: number;
  readonly jiffies: number;
  /** Those that the run uses, in the order of TASKS_FLAVOR. */
  readonly flavors: readonly TasksFlavorAt[];
  readonly exiting: readonly TasksExitAt[];
}

/** Scans of a grace period that are kept one by one. */
export const SCANS_KEPT = 32;
