/** Callers of synchronize_rcu() whom the grace period itself wakes (rcu_normal_wake_from_gp, tree R4.3 to R4.5). */
import { WORK_FN } from '../core/eventKinds.ts';
import { type Worker, WorkItem, type Workqueue } from '../core/workqueue.ts';
import { startPoll } from './request.ts';
import type { GpObserver, TreeRcu } from './treeRcu.ts';

/** SR_NORMAL_GP_WAIT_HEAD_MAX. */
const DUMMIES = 5;
/** SR_MAX_USERS_WAKE_FROM_GP. */
const MAX_DIRECT_WAKES = 5;

/** A caller that waits (struct rcu_synchronize). */
export interface SrCaller {
  /** Its number in rcu_sr_normal rows. */
  readonly id: number;
  /** Wakes it, from code on a CPU. */
  readonly complete: (onCpu: number, fromInterrupt: boolean) => void;
}

/** A node of the list, newest first: a caller, or a dummy that ends a segment. */
interface SrNode {
  readonly caller: SrCaller | undefined;
  next: SrNode | undefined;
}

/** rcu_sr_normal_gp_cleanup_work(): wakes whom the kthread left, frees dummies behind the last segment. */
class CleanupWork extends WorkItem {
  readonly #list: SrNormal;
  #rest: SrNode | undefined;

  constructor(list: SrNormal, track: number) {
    super(WORK_FN.rcu_sr_normal_gp_cleanup_work, track);
    this.#list = list;
  }

  override begin(worker: Worker): void {
    this.#rest = this.#list.takeDone();
    this.#workUpToCaller(worker);
  }

  override step(worker: Worker): void {
    const caller = this.#rest?.caller;
    if (caller === undefined) {
      this.#list.cleanedUp();
      worker.done();
      return;
    }
    this.#rest = this.#rest?.next;
    caller.complete(worker.cpu, false);
    this.#workUpToCaller(worker);
  }

  #workUpToCaller(worker: Worker): void {
    while (this.#rest !== undefined && this.#rest.caller === undefined) {
      this.#list.freeDummy();
      this.#rest = this.#rest.next;
    }
    worker.work(this.#rest === undefined ? 0 : this.#list.wakeNs);
  }
}

/** The list (srs_next), its dummies, and who is woken when. */
export class SrNormal implements GpObserver {
  readonly #rcu: TreeRcu;
  readonly #workqueue: Workqueue;
  readonly #work: CleanupWork;
  /** srs_next, srs_wait_tail, srs_done_tail. */
  #newest: SrNode | undefined;
  #waitTail: SrNode | undefined;
  #doneTail: SrNode | undefined;
  #dummiesLeft = DUMMIES;
  /** srs_cleanups_pending. */
  #cleanupsPending = 0;
  /** No dummy was left for the callers of this grace period. */
  #mustRetry = false;
  /** Callers woken by the kthread in this cleanup. */
  #woken = 0;

  /** `workqueue`: sync_wq, bound to CPUs as rcu_gp is. */
  constructor(rcu: TreeRcu, workqueue: Workqueue) {
    this.#rcu = rcu;
    this.#workqueue = workqueue;
    this.#work = new CleanupWork(this, rcu.track);
  }

  /** One wake-up, ns. */
  get wakeNs(): number {
    return this.#rcu.sim.machine.wakeNs;
  }

  /** rcu_sr_normal_add_req(). */
  push(caller: SrCaller): void {
    this.#newest = { caller, next: this.#newest };
  }

  /** rcu_sr_normal_gp_init(): everybody up to the next dummy belongs to the grace period that starts (R4.4). */
  segment(): void {
    this.#mustRetry = false;
    if (this.#newest?.caller === undefined) return;
    if (this.#dummiesLeft === 0) {
      this.#mustRetry = true;
      return;
    }
    this.#dummiesLeft--;
    this.#newest = { caller: undefined, next: this.#newest };
    this.#waitTail = this.#newest;
  }

  /** The next grace period tries again for those who found no dummy (R4.4). */
  started(onCpu: number): void {
    if (this.#mustRetry) startPoll(this.#rcu, onCpu);
  }

  /** rcu_sr_normal_gp_cleanup(): the kthread itself has a caller to wake (R4.5). */
  get mayWake(): boolean {
    return this.#waitTail?.next?.caller !== undefined && this.#woken < MAX_DIRECT_WAKES;
  }

  /** Wakes the newest caller of the segment that is left. */
  wakeNext(onCpu: number): void {
    const tail = this.#waitTail;
    const next = tail?.next;
    if (tail === undefined || next === undefined) return;
    tail.next = next.next;
    this.#woken++;
    next.caller?.complete(onCpu, false);
  }

  /** The rest of rcu_sr_normal_gp_cleanup(): old dummies, and the work item, whose wake-up is in workerWakeNs. */
  woken(onCpu: number): void {
    const tail = this.#waitTail;
    if (tail === undefined) return;
    this.#waitTail = undefined;
    this.#woken = 0;
    const next = tail.next;
    const isOldDummyAlone = next !== undefined && next.caller === undefined && next.next === undefined;
    const mayFree = this.#rcu.sim.rules['tree.srDummies'] === 'kthread' && this.#cleanupsPending === 0;
    if (isOldDummyAlone && mayFree) {
      this.freeDummy();
      tail.next = undefined;
    }
    this.#doneTail = tail;
    if (tail.next === undefined) return;
    if (!this.#work.queued) this.#cleanupsPending++;
    this.#workqueue.queueWork(this.#work, onCpu, onCpu, false);
  }

  /** The work item takes what is behind the newest segment that has ended; the dummy there stays. */
  takeDone(): SrNode | undefined {
    const rest = this.#doneTail?.next;
    if (this.#doneTail !== undefined) this.#doneTail.next = undefined;
    return rest;
  }

  /** rcu_sr_put_wait_head(). */
  freeDummy(): void {
    this.#dummiesLeft++;
  }

  /** The work item is through. */
  cleanedUp(): void {
    this.#cleanupsPending--;
  }
}
