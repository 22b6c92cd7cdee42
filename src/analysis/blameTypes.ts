/** The shapes of "why did it take so long". Conventions of types.ts. */

import type { ObjectLife } from './kvfreeLife.ts';

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
  | 'return'
  /** Tree RCU: rcu_gp_init(). */
  | 'gpInit'
  /** A CPU has not learned of the grace period yet (tree R2.15, R2.16b). */
  | 'learn'
  /** It has, and has passed no quiescent state yet (R2.18). */
  | 'note'
  /** It has passed one, and reports at its next rcu_core(). */
  | 'report'
  /** The kthread waits before a scan (R2.8); its timer is a tick late (R1.15b). */
  | 'fqsWait'
  | 'timerLate'
  | 'fqsScan'
  /** A reader that was preempted inside its section (R2.21). */
  | 'blockedReader'
  /** The grace period can end: the kthread is on its way. */
  | 'gpWake'
  | 'cleanup'
  /** The callback has no number yet (R3.5). */
  | 'numbering'
  /** An earlier grace period has to end, or the kthread has to start: up to the start of the one that counts. */
  | 'residual'
  /** rcu_barrier() waits for callbacks. */
  | 'barrier'
  /** Expedited (R5.7): funnel, worker on its way, choosing CPUs and sending IPIs, the slowest CPU, a reader. */
  | 'funnel'
  | 'expWorker'
  | 'expSelect'
  | 'expCpu'
  | 'expReader'
  /** kvfree_rcu(): a block or run takes objects; the monitor has not come; both batches are taken (kvfree K7 to K10). */
  | 'filling'
  | 'monitor'
  | 'batchWait'
  /** Its work is queued, and a worker has not begun it; other units are freed before it; it is freed (K11, K13). */
  | 'workWake'
  | 'freeing'
  | 'ownFree'
  /** RCU Tasks (spec tasks 3): gp_sleep; laziness; the kthread's own synchronize_rcu(); the scan of the task list; tasks that exit. */
  | 'tasksSleep'
  | 'tasksLazy'
  | 'tasksInner'
  | 'tasksScan'
  | 'tasksExit'
  /** A holdout keeps running; it is none any more, and no scan has come (4.1, 4.2); work items of Rude. */
  | 'tasksHeld'
  | 'tasksScanWait'
  | 'tasksRude';

/** What would have avoided a segment, computed from the log. */
export interface Remedy {
  readonly text: string;
  readonly savesNs: number;
  /** Set where one kernel parameter does it alone. */
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
  readonly of: 'gp' | 'call' | 'unit';
  /** Index in the GpTable, CallTable or KvfreeUnitTable. */
  readonly index: number;
  /** "Why did grace period 7 of srcu take 5.87 ms?" */
  readonly title: string;
  readonly startNs: number;
  readonly endNs: number;
  /** False: cut by the end of the run; endNs is then that end. */
  readonly finished: boolean;
  readonly segments: readonly BlameSegment[];
  /** Of a unit: the life of its first object for debug objects. */
  readonly life?: ObjectLife;
}

/** What is asked to be explained. Indexes are those of the GpTable and CallTable; `row` finds what it belongs to. */
export type BlameTarget =
  | { readonly of: 'gp'; readonly index: number }
  | {
      readonly of: 'gpNumber';
      readonly domain: number;
      readonly number: number;
      /** Tree RCU: an expedited one; they have numbers of their own. */
      readonly isExpedited?: boolean;
    }
  | { readonly of: 'call'; readonly index: number }
  /** A block or a run of kvfree_rcu(): why it is, or was, still there. */
  | { readonly of: 'unit'; readonly index: number }
  | { readonly of: 'row'; readonly row: number };
