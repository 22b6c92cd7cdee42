/**
 * The shapes of Tree RCU at a cursor (docs/model/tree.md). Conventions of types.ts. What a machine of 4,096 CPUs has
 * one of per CPU or node is a column of a typed array; lists hold only what is there (CPUs with callbacks, callers
 * that wait). gp_seq values are signed, as the kernel prints them.
 */
import type { UpdaterApi } from '../engine/config.ts';
import type { Geometry } from '../engine/tree/geometry.ts';

/** rcu_state.gp_state as far as rows tell it (R1.14); IDLE: before the kthread has said anything. */
export type RcuGpState = 'IDLE' | 'WAIT_GPS' | 'INIT' | 'WAIT_FQS' | 'DOING_FQS' | 'CLEANUP';

/**
 * All rcu_nodes, one entry per node, breadth-first (R1.8 to R1.11). Shapes (CPUs, parent, position in the parent, number
 * of children) are in `RcuStateAt.geometry.nodes` at the same index. Masks are two unsigned halves.
 */
export interface RcuNodesAt {
  /** gp_seq of the node: behind rcu_state's during init, ahead during cleanup (V6). */
  readonly gpSeq: Float64Array;
  /** Furthest grace period asked for here. */
  readonly gpSeqNeeded: Float64Array;
  /** qsmask: children, or CPUs of a leaf, that still owe a quiescent state; and its value at the start. */
  readonly qsmaskLo: Uint32Array;
  readonly qsmaskHi: Uint32Array;
  readonly initLo: Uint32Array;
  readonly initHi: Uint32Array;
  /** Preempted readers of the leaf that block the normal grace period: gp_tasks is not null while above 0. */
  readonly gpTasks: Uint16Array;
  /** The same for the expedited one: expmask, and exp_tasks. */
  readonly expmaskLo: Uint32Array;
  readonly expmaskHi: Uint32Array;
  readonly expTasks: Uint16Array;
}

/** How far a CPU is with the running normal grace period (R2.15), codes of RcuCpusAt.stage. */
export const RCU_STAGE = {
  /** Owes nothing: no grace period runs, or it is done with this one. */
  none: 0,
  /** Owes, and has not learned yet: next step at a tick (or the scan finds it idle). */
  owes: 1,
  /** Has learned (cpustart): a quiescent state from now on counts. */
  learned: 2,
  /** Has noted one (cpuqs): reports at its next rcu_core. */
  noted: 3,
  /** Has reported itself. */
  reported: 4,
  /** Was reported by the scan, as it was or had been idle. */
  found: 5,
} as const;
/** How far a CPU is with the running expedited grace period (R5.3, R5.4), codes of RcuCpusAt.expStage. */
export const RCU_EXP_STAGE = {
  none: 0,
  /** In expmask; no IPI sent yet (or none needed). */
  owes: 1,
  /** An IPI is on its way. */
  ipiSent: 2,
  /** The handler ran: it must reschedule first. */
  mustResched: 3,
  /** The handler ran: inside a reader section. */
  inReader: 4,
  /** Its bit is clear. */
  reported: 5,
} as const;

/** All CPUs, one entry each. */
export interface RcuCpusAt {
  /** rdp->gp_seq: the grace period it has noticed. */
  readonly gpSeq: Int32Array;
  /** RCU_STAGE. */
  readonly stage: Uint8Array;
  /** When the stage was reached (ns, NaN never) and the row (-1). */
  readonly stageNs: Float64Array;
  readonly stageRow: Int32Array;
  /** RCU_EXP_STAGE. */
  readonly expStage: Uint8Array;
  /** 1: RCU watches it; 0: in an extended quiescent state, that is idle here. */
  readonly watching: Uint8Array;
}

/** The grace-period kthread. */
export interface RcuKthreadAt {
  /** Its track, and the CPU on which it acted last (-1: it has not). */
  readonly track: number;
  readonly cpu: number;
  readonly gpState: RcuGpState;
  /** Since when, and the row that says so. */
  readonly sinceNs: number;
  readonly row: number;
  /** Scans of the running grace period that have begun. */
  readonly scans: number;
  /** The timeout it sleeps on in WAIT_FQS. */
  readonly wait: RcuFqsWaitAt | undefined;
  /** GP_FLAG_INIT: the next grace period is asked for and has not started. */
  readonly isRequested: boolean;
  /** Furthest grace period that the root has been asked for. */
  readonly gpSeqNeeded: number;
}

/** A wait before a scan (R2.8, R1.15). */
export interface RcuFqsWaitAt {
  readonly sinceNs: number;
  readonly row: number;
  /** 1: jiffies_till_first_fqs, later ones jiffies_till_next_fqs. */
  readonly number: number;
  /** j; the jiffy at which it fires; that tick's time. */
  readonly delay: number;
  readonly untilJiffy: number;
  readonly untilNs: number;
  /** Jiffies from the cursor to there, at least 0. */
  readonly leftJiffies: number;
}

/** The callback list of a CPU that has callbacks, or had a batch under way (R3.1). */
export interface RcuCallbackListAt {
  readonly cpu: number;
  readonly isOffloaded: boolean;
  /** Lengths of the four segments. */
  readonly done: number;
  readonly wait: number;
  readonly nextReady: number;
  readonly next: number;
  /** gp_seq at whose end WAIT and NEXT_READY become ready; mean something only where these are not empty. */
  readonly waitSeq: number;
  readonly nextReadySeq: number;
  /** Callbacks on the bypass list (R3.9), and those of them that are lazy (R3.11). */
  readonly bypass: number;
  readonly lazy: number;
  /** Callbacks of the batch under way that have not been invoked yet. */
  readonly invoking: number;
  /** All of the above: rcu_segcblist_n_cbs(). */
  readonly len: number;
  /** Row that the lengths come from. */
  readonly row: number;
}

/** Where in the list of its CPU a callback is (R3.1, R3.9); invoking: in the batch under way. */
export type RcuSegment = 'invoking' | 'done' | 'wait' | 'nextReady' | 'next' | 'bypass';

/** A thread that waits in an update-side call of RCU. */
export interface RcuCallerAt {
  readonly thread: number;
  readonly api: UpdaterApi;
  /** Number of the call. */
  readonly number: number;
  readonly sinceNs: number;
  readonly row: number;
  /**
   * What it waits for now: its callback has no number yet; a grace period; its callback (the grace period is over); an
   * expedited grace period; the sr_normal list; nothing known (a barrier, a poll).
   */
  readonly waitsFor: 'number' | 'gp' | 'callback' | 'expedited' | 'srNormal' | 'other';
  /** CPU whose list its callback is on; -1: no callback. */
  readonly cpu: number;
  /** Where its callback is; undefined: none is queued, or it has been invoked. */
  readonly segment: RcuSegment | undefined;
  /** gp_seq (or, expedited, s) that ends its wait; NaN: not known yet. */
  readonly target: number;
}

/** A reader that was preempted inside its section and has not left it (blkd_tasks, R2.21). */
export interface RcuBlockedReaderAt {
  readonly thread: number;
  readonly cpu: number;
  /** Its leaf, index of a node. */
  readonly leaf: number;
  readonly sinceNs: number;
  readonly row: number;
  readonly blocksNormal: boolean;
  readonly blocksExpedited: boolean;
}

/** A reader section that is open at the cursor. */
export interface RcuReaderAt {
  readonly thread: number;
  readonly cpu: number;
  readonly sinceNs: number;
  readonly row: number;
  /** Began before the running grace period: the grace period may not end before it. */
  readonly isOlder: boolean;
  /** It was preempted: it is in `blocked` too. */
  readonly isBlocked: boolean;
}

/** The expedited grace period (R5.1 to R5.6). */
export interface RcuExpAt {
  /** expedited_sequence, and s of the running or last one (the value at its end). */
  readonly seq: number;
  readonly target: number;
  readonly phase: 'idle' | 'started' | 'selecting' | 'waiting' | 'waking';
  readonly startNs: number;
  readonly startRow: number;
  /** IPIs sent, handlers that have run, CPUs and preempted readers that still owe. */
  readonly ipis: number;
  readonly answered: number;
  readonly owing: number;
  readonly readers: number;
  /** Threads that wait in the funnel or for its end. */
  readonly waiting: number;
}

/** A caller on the sr_normal list (R4.4, R4.5). */
export interface RcuSrCallerAt {
  readonly thread: number;
  /** Number of the node. */
  readonly number: number;
  readonly sinceNs: number;
  readonly row: number;
  /** next: not taken by a grace period yet; wait: the running one is for it; done: that has ended, it is being woken. */
  readonly segment: 'next' | 'wait' | 'done';
  /** gp_seq at the start of the grace period that took it; NaN: none yet. */
  readonly gpSeq: number;
}

/** sr_normal (rcu_normal_wake_from_gp 1). */
export interface RcuSrNormalAt {
  /** False: the kernel has no list, or synchronize_rcu() waits by a callback. */
  readonly isEnabled: boolean;
  /** Newest first, as on the list. */
  readonly callers: readonly RcuSrCallerAt[];
  /** Wait heads in use, of SR_NORMAL_GP_WAIT_HEAD_MAX (5). */
  readonly dummies: number;
  /** rcu_sr_normal_gp_cleanup_work() is queued or runs. */
  readonly isWorkQueued: boolean;
}

/** Polled grace periods (R6.1 to R6.6). */
export interface RcuPolledAt {
  /** gp_seq_polled. */
  readonly seq: number;
  /** Cookies that have not become true. */
  readonly cookies: readonly {
    readonly thread: number;
    readonly cookie: number;
    readonly sinceNs: number;
    readonly row: number;
  }[];
}

/** Tree RCU at a cursor. */
export interface RcuStateAt {
  readonly timeNs: number;
  readonly row: number;
  /** Track of the flavor ("rcu"). */
  readonly track: number;
  readonly jiffies: number;
  readonly geometry: Geometry;
  /** rcu_state.gp_seq and its number (gp_seq >> 2); is a grace period running? */
  readonly gpSeq: number;
  readonly gpNumber: number;
  readonly isRunning: boolean;
  /** Start of the running grace period, or of the last one; NaN and -1 before the first. */
  readonly gpStartNs: number;
  readonly gpStartRow: number;
  readonly gpStartJiffies: number;
  /** jiffies - gp_start; 0 while none runs. */
  readonly ageJiffies: number;
  /** jiffies_to_sched_qs: from this age on scans ask CPUs to hurry (R2.12). */
  readonly schedQs: number;
  readonly kthread: RcuKthreadAt;
  readonly nodes: RcuNodesAt;
  readonly cpus: RcuCpusAt;
  /** CPUs that owe, and preempted readers that block the normal grace period. */
  readonly owing: number;
  readonly blocking: number;
  /** By CPU, ascending; only CPUs with callbacks. */
  readonly callbacks: readonly RcuCallbackListAt[];
  readonly blocked: readonly RcuBlockedReaderAt[];
  readonly readers: readonly RcuReaderAt[];
  readonly callers: readonly RcuCallerAt[];
  readonly expedited: RcuExpAt;
  readonly srNormal: RcuSrNormalAt;
  readonly polled: RcuPolledAt;
}
