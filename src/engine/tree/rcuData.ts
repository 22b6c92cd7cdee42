/** What RCU knows of a CPU (struct rcu_data, tree R1.12, R1.13). */
import { CallbackList } from './callbackList.ts';
import type { RcucKthread } from './rcucKthread.ts';
import type { RcuNode } from './rcuNode.ts';

/** State of a CPU. */
export class RcuData {
  readonly cpu: number;
  readonly leaf: RcuNode;
  /** Its bit in the leaf. */
  readonly bit: number;
  /** Grace period it knows of. */
  gpSeq: number;
  /** No quiescent state noted yet for it (cpu_no_qs.norm, .exp). */
  noQs = false;
  noQsExp = false;
  /** RCU wants a quiescent state from it. */
  coreNeedsQs = false;
  urgentQs = false;
  needHeavyQs = false;
  /** A tick found it inside a long section: the end of the section is a quiescent state (R2.18). */
  needQsAtUnlock = false;
  /** First scan of this grace period, ns (watching_snap). */
  snapNs = 0;
  /** jiffies at the last reschedule interrupt from a scan. */
  lastFqsResched = 0;
  readonly callbacks = new CallbackList();
  /** Offloaded (rcu_nocbs): callbacks are invoked by its rcuop. */
  isOffloaded = false;
  /** nohz_full: user mode is an extended quiescent state. */
  isNohzFull = false;
  blimit = 0;
  qlenLastFqsCheck = 0;
  nForceQsSnap = 0;
  /** Row that its next tick or rcu_core follows from. */
  cause = -1;
  /** Slots: its tick (edge, then handler), rcu_core. */
  tickSlot = -1;
  coreSlot = -1;
  /** Runs rcu_core() in place of the softirq. */
  rcuc: RcucKthread | undefined;
  /** A batch of callbacks is under way (rcu_do_batch()). */
  invokes = false;
  /** Where rcu_core() goes on when it waits for the lock or for its time. */
  coreStep = 0;
  /** Its next tick is simulated. */
  waitsForTick = false;
  /** RCU wants something of its next tick, or of the one whose handler is on its way. */
  isTickWanted = false;
  /** The tick that it waits for, ns; number of the last tick that it has taken. */
  edgeNs = 0;
  lastTick = -1;

  /** The extended quiescent state that began last, ns; it may begin later than now. */
  #eqsFromNs = 0;
  /** Its end, or Infinity. */
  #eqsToNs = Number.POSITIVE_INFINITY;
  /** End of the one before. */
  #eqsBeforeToNs = -1;

  constructor(cpu: number, leaf: RcuNode, gpSeq: number) {
    this.cpu = cpu;
    this.leaf = leaf;
    this.bit = cpu - leaf.shape.grplo;
    this.gpSeq = gpSeq;
  }

  /** An extended quiescent state begins at a time, now or soon. */
  enterEqs(fromNs: number): void {
    if (this.#eqsToNs > this.#eqsFromNs) this.#eqsBeforeToNs = Math.min(this.#eqsToNs, fromNs);
    this.#eqsFromNs = fromNs;
    this.#eqsToNs = Number.POSITIVE_INFINITY;
  }

  /** RCU watches from now on. */
  exitEqs(nowNs: number): void {
    if (this.#eqsToNs === Number.POSITIVE_INFINITY) this.#eqsToNs = Math.max(nowNs, this.#eqsFromNs);
  }

  /** A momentary extended quiescent state (rcu_momentary_eqs()). */
  momentaryEqs(nowNs: number): void {
    this.#eqsBeforeToNs = nowNs;
  }

  /** In an extended quiescent state at this time? */
  isInEqs(nowNs: number): boolean {
    return this.#eqsFromNs <= nowNs && this.#eqsToNs === Number.POSITIVE_INFINITY;
  }

  /** Was it in one at any time since then? One that ended at this very instant was over when somebody looked. */
  wasInEqsSince(sinceNs: number, nowNs: number): boolean {
    if (this.#eqsFromNs <= nowNs && this.#eqsToNs > this.#eqsFromNs && this.#eqsToNs > sinceNs) return true;
    return this.#eqsBeforeToNs > sinceNs;
  }
}
