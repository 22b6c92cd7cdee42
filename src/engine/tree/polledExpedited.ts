/** start_poll_synchronize_rcu_expedited(): work that makes expedited grace periods until a cookie is true (tree R6.3). */
import { KIND, RCU_FUNC, WORK_FN } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import { callRcu } from './callRcu.ts';
import { ExpeditedSync } from './expeditedSync.ts';
import { COMPLETED_COOKIE } from './polledSeq.ts';
import type { RcuNode } from './rcuNode.ts';
import type { TreeRcu } from './treeRcu.ts';

const PHASE = { idle: 0, take: 1, poll: 2, inCall: 3, inNormal: 4 } as const;

/** sync_rcu_do_polled_gp() of a leaf, on the kworker of the CPU that queued it. */
class PolledWork extends Task {
  override readonly bySteps = true;
  readonly #rcu: TreeRcu;
  readonly #sync: ExpeditedSync;
  #phase: number = PHASE.idle;
  #isQueued = false;
  #cookie = COMPLETED_COOKIE;
  /** exp_seq_poll_rq. */
  #requested = COMPLETED_COOKIE;
  #normalIsDone = false;

  constructor(rcu: TreeRcu, leaf: RcuNode) {
    const { index, grplo } = leaf.shape;
    super(rcu.sim.addTrack('kthread', `kworker/polled/${index}`, -1), grplo);
    this.#rcu = rcu;
    this.#sync = new ExpeditedSync(rcu, this, () => {});
    rcu.executor.add(this, PRIORITY.kthreads + this.track);
  }

  /** queue_work() from a task on a CPU of the leaf. */
  queue(cookie: number, fromCpu: number): void {
    this.#requested = cookie;
    const effective = this.#isQueued ? 0 : 1;
    const { sim, executor, track } = this.#rcu;
    sim.emit(KIND.workqueue_queue_work, this.track, WORK_FN.sync_rcu_do_polled_gp, track, effective);
    this.#isQueued = true;
    if (this.#phase !== PHASE.idle || !this.blocked) return;
    // a task whose dequeue is delayed is still on the run queue of its CPU
    if (!this.se.delayed) this.se.cpu = fromCpu;
    executor.wake(this, fromCpu, false);
  }

  step(): void {
    switch (this.#phase) {
      case PHASE.idle:
        this.#beginItem();
        return;
      case PHASE.take:
        this.#cookie = this.#requested;
        this.#requested = COMPLETED_COOKIE;
        this.#poll();
        return;
      case PHASE.inCall:
        if (!this.#sync.step()) this.#poll();
        return;
      case PHASE.inNormal:
        if (this.#normalIsDone) this.#poll();
        else this.block();
    }
  }

  #beginItem(): void {
    if (!this.#isQueued) {
      this.block();
      return;
    }
    const { workerWakeNs, wakeNs, switchNs } = this.#rcu.sim.machine;
    this.#isQueued = false;
    this.#phase = PHASE.take;
    this.work(Math.max(0, workerWakeNs - wakeNs - switchNs));
  }

  #poll(): void {
    const { polled, constants } = this.#rcu;
    if (polled.isDone(this.#cookie)) {
      if (polled.isDone(this.#requested)) this.#requested = COMPLETED_COOKIE;
      this.#phase = PHASE.idle;
      this.work(0);
    } else if (constants.normal) this.#waitNormal();
    else {
      this.#phase = PHASE.inCall;
      this.#sync.begin();
      this.#sync.step();
    }
  }

  /** With rcu_normal what it calls waits for a normal grace period (R4.1). */
  #waitNormal(): void {
    const rcu = this.#rcu;
    this.#phase = PHASE.inNormal;
    this.#normalIsDone = false;
    const invoke = (onCpu: number, fromInterrupt: boolean) => {
      this.#normalIsDone = true;
      rcu.executor.wake(this, onCpu, fromInterrupt);
    };
    callRcu(rcu, this, { id: rcu.nextCallbackId(), func: RCU_FUNC.wakeme_after_rcu, invoke, isLazy: false });
    this.work(rcu.sim.machine.blockNs);
  }
}

/** The work items, one a leaf. */
export class PolledExpedited {
  readonly #rcu: TreeRcu;
  readonly #works = new Map<RcuNode, PolledWork>();

  constructor(rcu: TreeRcu) {
    this.#rcu = rcu;
  }

  /** Makes sure that somebody makes expedited grace periods until this cookie is true, from a task on a CPU. */
  request(cookie: number, fromCpu: number): void {
    const rcu = this.#rcu;
    if (rcu.polled.isDone(cookie)) return;
    const { leaf } = rcu.data(fromCpu);
    let work = this.#works.get(leaf);
    if (work === undefined) {
      work = new PolledWork(rcu, leaf);
      this.#works.set(leaf, work);
    }
    work.queue(cookie, fromCpu);
  }
}
