/** Invoking ready callbacks in softirq or in rcuc (rcu_do_batch(), tree R3.6). */
import { KIND, RCU_SEGCB, RCU_UTILIZATION } from '../core/eventKinds.ts';
import type { RcuCallback } from './callbackList.ts';
import type { RcuData } from './rcuData.ts';
import type { TreeRcu } from './treeRcu.ts';

/** A batch under way on a CPU; each callback is a step of rcu_core(). */
export interface BatchRun {
  /** Begins at a time, now or later. */
  begin(atNs: number): void;
  /** The time of the next callback has come. */
  step(): void;
}

/** The time limit is looked at so often (rcu_do_batch()). */
const TIME_CHECK_EVERY = 32;
/** It holds only for limits above this. */
const TIME_LIMIT_ABOVE = 100;

/** Callbacks that a batch may have: by those that are ready, or by all. */
export function batchLimit({ sim, constants }: TreeRcu, data: RcuData): number {
  const { callbacks, blimit } = data;
  const basis = sim.rules['tree.batchLimit'] === 'total' ? callbacks.len : callbacks.done;
  return Math.max(blimit, basis >> constants.divisor);
}

/** The end of rcu_do_batch(): so many callbacks are gone, and limits that were raised for too many may fall (R3.7). */
export function countInvoked(rcu: TreeRcu, data: RcuData, count: number): void {
  const { callbacks } = data;
  const { blimit, qlowmark, qhimark } = rcu.constants;
  callbacks.len -= count;
  if (callbacks.len <= qlowmark) data.blimit = blimit;
  if (callbacks.len === 0) {
    if (data.qlenLastFqsCheck > 0) data.nForceQsSnap = rcu.nForceQs;
    data.qlenLastFqsCheck = 0;
  } else if (callbacks.len < data.qlenLastFqsCheck - qhimark) data.qlenLastFqsCheck = callbacks.len;
}

class CoreBatch implements BatchRun {
  readonly #rcu: TreeRcu;
  readonly #data: RcuData;
  #next: RcuCallback | undefined;
  #count = 0;
  #limit = 0;
  /** Callbacks taken off the list at the start that are still to be invoked. */
  #left = 0;
  #startNs = 0;

  constructor(rcu: TreeRcu, data: RcuData) {
    this.#rcu = rcu;
    this.#data = data;
  }

  /** Not in rcuc. */
  get #inSoftirq(): boolean {
    return this.#data.rcuc === undefined;
  }

  begin(atNs: number): void {
    const { sim, executor } = this.#rcu;
    const data = this.#data;
    const { callbacks, cpu } = data;
    this.#limit = batchLimit(this.#rcu, data);
    this.#startNs = atNs;
    this.#count = 0;
    this.#left = callbacks.done;
    this.#data.invokes = true;
    if (executor.isIdle(cpu)) data.exitEqs(sim.nowNs);
    if (this.#inSoftirq) executor.beginSoftirq(cpu);
    sim.emit(KIND.rcu_batch_start, cpu, callbacks.len, this.#limit, cpu);
    this.#rcu.traceSegcb(cpu, RCU_SEGCB.SegCbDequeued, data, 0);
    this.#take(atNs + sim.machine.rcuBatchNs);
  }

  #take(atNs: number): void {
    const { sim } = this.#rcu;
    const callback = this.#data.callbacks.takeDone();
    this.#next = callback;
    this.#rcu.ticks.later(this.#data, atNs + sim.machine.rcuCbNs + (callback.costNs ?? 0));
  }

  step(): void {
    const { sim } = this.#rcu;
    const data = this.#data;
    const callback = this.#next as RcuCallback;
    const { nowNs } = sim;
    const { cause } = sim;
    sim.emit(
      KIND.rcu_invoke_callback,
      data.cpu,
      callback.id,
      callback.func,
      data.cpu,
      nowNs - callback.queuedNs,
    );
    callback.invoke(data.cpu, this.#inSoftirq);
    sim.cause = cause;
    this.#count++;
    if (--this.#left > 0 && !this.#mustStop()) this.#take(nowNs);
    else this.#end();
  }

  /** Count and time limits (R3.6). */
  #mustStop(): boolean {
    const { sim, executor, constants } = this.#rcu;
    const { cpu } = this.#data;
    const isWanted = executor.needsResched(cpu) || executor.running(cpu) !== null;
    if (this.#inSoftirq && this.#count >= this.#limit && isWanted) return true;
    const looksAtTime = this.#limit > TIME_LIMIT_ABOVE && this.#count % TIME_CHECK_EVERY === 0;
    return looksAtTime && sim.nowNs - this.#startNs >= constants.reschedNs;
  }

  #end(): void {
    const { sim, executor } = this.#rcu;
    const data = this.#data;
    const { callbacks, cpu } = data;
    this.#data.invokes = false;
    this.#next = undefined;
    const flags =
      (this.#left > 0 ? 1 : 0) +
      (executor.needsResched(cpu) ? 2 : 0) +
      (executor.running(cpu) === null ? 4 : 0) +
      (this.#inSoftirq ? 0 : 8);
    sim.emit(KIND.rcu_batch_end, cpu, this.#count, flags, cpu);
    countInvoked(this.#rcu, data, this.#count);
    if (this.#inSoftirq) executor.endSoftirq(cpu);
    sim.emit(KIND.rcu_utilization, cpu, RCU_UTILIZATION['End RCU core']);
    const { ticks } = this.#rcu;
    if (callbacks.done > 0) ticks.raise(data);
    else ticks.endCore(data, sim.nowNs + sim.machine.rcuCoreExitNs);
  }
}

/** The batches of a CPU that is not offloaded. */
export function createBatchRun(rcu: TreeRcu, data: RcuData): BatchRun {
  return new CoreBatch(rcu, data);
}
