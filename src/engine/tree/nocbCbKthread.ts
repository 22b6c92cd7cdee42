/** rcuop, or rcuos without PREEMPT_RCU: invokes the callbacks of one offloaded CPU (nocb_cb_wait(), tree R3.6, R3.10). */
import { KIND, RCU_SEGCB } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import type { RcuCallback } from './callbackList.ts';
import { advance } from './callbacks.ts';
import { batchLimit, countInvoked } from './invoke.ts';
import type { NocbList } from './nocbList.ts';
import { wakeKthread } from './request.ts';
import type { TreeRcu } from './treeRcu.ts';

const PHASE = { begin: 0, invoke: 1, sleep: 2 } as const;
/** Bits of rcu_batch_end rows: need_resched, callbacks kthread. */
const NEED_RESCHED = 2;
const IS_KTHREAD = 8;

/** A batch is what was ready when it began; it has no limit, and lets others run between callbacks. */
export class NocbCbKthread extends Task {
  override readonly bySteps = true;
  override readonly notesTasksQs = true;
  override readonly isPinned = false;
  override bhDisabled = false;
  readonly #rcu: TreeRcu;
  readonly #list: NocbList;
  #phase: number = PHASE.begin;
  #batch: RcuCallback[] = [];
  #invoked = 0;

  constructor(rcu: TreeRcu, list: NocbList) {
    const { cpu } = list.data;
    super(rcu.sim.addTrack('kthread', `rcuo${rcu.constants.isPreemptible ? 'p' : 's'}/${cpu}`, -1), cpu);
    this.#rcu = rcu;
    this.#list = list;
    rcu.executor.add(this, PRIORITY.kthreads + this.track);
  }

  step(): void {
    switch (this.#phase) {
      case PHASE.begin:
        this.#begin();
        return;
      case PHASE.invoke:
        this.#invoke();
        return;
      default:
        this.#phase = PHASE.begin;
        if (this.#list.cbSleep) this.block();
        else this.work(0);
    }
  }

  /** rcu_do_batch() up to the first callback. */
  #begin(): void {
    const rcu = this.#rcu;
    const { sim } = rcu;
    const { data } = this.#list;
    const { callbacks } = data;
    // in `plain` a reader may be in its section on this CPU at the same time
    const others = rcu.executor.running(this.cpu)?.rcuNesting ?? 0;
    if (others === 0) rcu.data(this.cpu).momentaryEqs(sim.nowNs);
    sim.emit(KIND.rcu_batch_start, this.cpu, callbacks.len, batchLimit(rcu, data), data.cpu);
    this.#batch = [];
    this.#invoked = 0;
    while (callbacks.done > 0) this.#batch.push(callbacks.takeDone());
    data.qlenLastFqsCheck = callbacks.len;
    rcu.traceSegcb(this.cpu, RCU_SEGCB.SegCbDequeued, data);
    this.bhDisabled = true;
    this.#phase = PHASE.invoke;
    this.#workForNext(sim.machine.rcuBatchNs);
  }

  #workForNext(moreNs: number): void {
    const next = this.#batch[this.#invoked] as RcuCallback;
    this.work(moreNs + this.#rcu.sim.machine.rcuCbNs + (next.costNs ?? 0));
  }

  #invoke(): void {
    const { sim } = this.#rcu;
    const { id, func, queuedNs, invoke } = this.#batch[this.#invoked] as RcuCallback;
    const { cause } = sim;
    sim.emit(KIND.rcu_invoke_callback, this.cpu, id, func, this.#list.data.cpu, sim.nowNs - queuedNs);
    invoke(this.cpu, false);
    sim.cause = cause;
    this.#invoked++;
    this.yields = true;
    if (this.#invoked < this.#batch.length) this.#workForNext(0);
    else this.#end();
  }

  /** The rest of nocb_cb_wait(). */
  #end(): void {
    const rcu = this.#rcu;
    const { sim, executor } = rcu;
    const list = this.#list;
    const { data } = list;
    const flags = IS_KTHREAD + (executor.needsResched(this.cpu) ? NEED_RESCHED : 0);
    sim.emit(KIND.rcu_batch_end, this.cpu, this.#invoked, flags, data.cpu);
    countInvoked(rcu, data, this.#invoked);
    this.bhDisabled = false;
    let ns = 0;
    const { rcuAccelHoldNs } = sim.machine;
    if (list.isNextDone && data.leaf.trylock(sim.nowNs, rcuAccelHoldNs)) {
      ns += rcuAccelHoldNs;
      if (advance(rcu, data, this.cpu)) wakeKthread(rcu, this.cpu, false);
    }
    if (data.callbacks.done > 0) this.#phase = PHASE.begin;
    else {
      list.cbSleep = true;
      list.group.trace(this.cpu, 'CBSleep', data.cpu);
      this.#phase = PHASE.sleep;
      ns += sim.machine.blockNs;
    }
    this.work(ns);
  }
}
