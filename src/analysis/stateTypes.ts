/** The shapes of "everything at a cursor", and of the checkpoints it is computed from. Conventions of types.ts. */
import type { UpdaterApi } from '../engine/config.ts';
import type { KvfreeSnapshot } from './kvfreeSnapshot.ts';
import type { KvfreeStateAt } from './kvfreeStateTypes.ts';
import type { RcuSnapshot } from './rcuSnapshot.ts';
import type { RcuStateAt } from './rcuStateTypes.ts';
import type { TasksSnapshot } from './tasksSnapshot.ts';
import type { TasksStateAt } from './tasksStateTypes.ts';
import type { Cursor } from './types.ts';

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
  /** srcu_size_state (0 SMALL ... 8 BIG); -1 where the kernel has none (rule srcu.callbackCpu). */
  readonly sizeState: number;
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
  readonly api?: UpdaterApi;
  readonly callNumber?: number;
}

/** Everything at a cursor. */
export interface StateAt {
  readonly cursor: Cursor;
  readonly jiffies: number;
  readonly domains: readonly SrcuStateAt[];
  /** Tree RCU, in runs that have it. */
  readonly rcu: RcuStateAt | undefined;
  /** kvfree_rcu(), in runs that have it. */
  readonly kvfree: KvfreeStateAt | undefined;
  /** RCU Tasks, in runs that have it. */
  readonly tasks: TasksStateAt | undefined;
  readonly threads: readonly ThreadStateAt[];
  /** Per CPU the track that runs (-1 idle); empty in runs that are not contended. */
  readonly running: Int32Array;
}

/** Passes: a burst that is under way, or a single pass. */
export interface OpenPass {
  readonly row: number;
  readonly startNs: number;
  readonly count: number;
  readonly lengthNs: number;
  /** Packed, passCode.ts. */
  readonly code: number;
}

/** A domain as replay keeps it: the fields of srcu_struct and what is under way. Only replay.ts writes it. */
export interface DomainSnapshot {
  readonly seq: number;
  readonly needed: number;
  readonly neededExp: number;
  readonly gpNumber: number;
  readonly gpStartNs: number;
  readonly gpStartRow: number;
  readonly gpStartJiffies: number;
  readonly srcuIdx: number;
  readonly sizeState: number;
  /** Row of the last request or queueing of a callback: cause of the grace periods that start from idle. */
  readonly requestRow: number;
  /** srcu_n_exp_nodelay after the last pass that is over, or since its last reset. */
  readonly nExpNodelay: number;
  /** reschedule_count and reschedule_jiffies likewise; passes of the grace period that are over. */
  readonly rescheduleCount: number;
  readonly rescheduleJiffies: number;
  readonly gpPasses: number;
  /** The burst that is under way. */
  readonly burst: OpenPass | undefined;
  /** Times since the last pass was logged of checks that found no reader: those of a pass under way. */
  readonly zeroNs: readonly number[];
  readonly timer:
    | { readonly row: number; readonly sinceNs: number; readonly delay: number; readonly jiffy: number }
    | undefined;
  readonly queued: { readonly row: number; readonly sinceNs: number } | undefined;
  /** Counters as in SrcuStateAt. */
  readonly lock: Float64Array;
  readonly unlock: Float64Array;
  readonly readers: readonly Omit<ActiveReader, 'waitedFor'>[];
  readonly callbacks: readonly Omit<PendingCallback, 'ready'>[];
}

/** The state before row `row`: replaying from here gives what replaying from row 0 gives. Structured-cloneable. */
export interface Checkpoint {
  readonly row: number;
  /** In the order of their tracks. */
  readonly domains: readonly DomainSnapshot[];
  /** Tree RCU, in runs that have it. */
  readonly rcu: RcuSnapshot | undefined;
  /** kvfree_rcu(), in runs that have it. */
  readonly kvfree: KvfreeSnapshot | undefined;
  /** RCU Tasks, in runs that have it. */
  readonly tasks: TasksSnapshot | undefined;
  /** By Track.id: state (order of ThreadStateAt.state), since when, row, api index (-1), call number. */
  readonly threadState: Uint8Array;
  readonly threadSinceNs: Float64Array;
  readonly threadRow: Int32Array;
  readonly threadApi: Int8Array;
  readonly threadCall: Float64Array;
  /** By CPU: the track that runs, -1 idle; empty in runs that are not contended. */
  readonly running: Int32Array;
}
