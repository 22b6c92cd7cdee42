/** call_rcu(): a callback joins the list of the caller's CPU (tree R3.2, R3.7). */
import { KIND, type RCU_FUNC, RCU_SEGCB } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import type { RcuCallback } from './callbackList.ts';
import { accelerate } from './callbacks.ts';
import { checkOverload } from './overload.ts';
import { learn } from './quiescentState.ts';
import type { RcuData } from './rcuData.ts';
import { forceQuiescentState, wakeKthread } from './request.ts';
import type { TreeRcu } from './treeRcu.ts';

/** blimit of a CPU with too many callbacks (DEFAULT_MAX_RCU_BLIMIT). */
const MAX_BLIMIT = 10_000;

/** What is queued. */
export interface CallbackRequest {
  /** From TreeRcu.nextCallbackId(). */
  readonly id: number;
  readonly func: (typeof RCU_FUNC)[keyof typeof RCU_FUNC];
  /** What it does on the CPU that invokes it, in softirq (an interrupt) or in a kthread. */
  readonly invoke: RcuCallback['invoke'];
  /** CPU time of that, ns. */
  readonly costNs?: number;
  /** call_rcu() and not call_rcu_hurry(): may wait where lazy callbacks are enabled (R3.11). */
  readonly isLazy: boolean;
}

/** Queues a callback from a task on its CPU (__call_rcu_common()). */
export function callRcu(rcu: TreeRcu, task: Task, request: CallbackRequest): void {
  const { sim } = rcu;
  const data = rcu.data(task.cpu);
  const { id, func, invoke, isLazy, costNs = 0 } = request;
  const callback: RcuCallback = { id, func, queuedNs: sim.nowNs, invoke, costNs };
  checkOverload(rcu, data);
  if (data.isOffloaded && rcu.nocb !== undefined) rcu.nocb.enqueue(data, callback, task, isLazy);
  else callRcuCore(rcu, data, callback, task);
}

/** rcutree_enqueue(): into NEXT of the list, with its rows. */
export function enqueueCallback(rcu: TreeRcu, data: RcuData, callback: RcuCallback, task: Task): void {
  const { callbacks, cpu } = data;
  callbacks.enqueue(callback);
  rcu.sim.emit(KIND.rcu_callback, cpu, callback.id, callback.func, callbacks.len, task.track);
  rcu.traceSegcb(cpu, RCU_SEGCB.SegCBQueued, data);
}

/** call_rcu_core(). */
function callRcuCore(rcu: TreeRcu, data: RcuData, callback: RcuCallback, task: Task): void {
  enqueueCallback(rcu, data, callback, task);
  const { cause } = rcu.sim;
  if (data.callbacks.len > data.qlenLastFqsCheck + rcu.constants.qhimark) relieveFlood(rcu, data);
  rcu.ticks.consider(data);
  rcu.sim.cause = cause;
}

/** Too many callbacks wait here: start a grace period, or hurry the one that runs (R3.7). */
function relieveFlood(rcu: TreeRcu, data: RcuData): void {
  const { sim } = rcu;
  const { callbacks, leaf, cpu } = data;
  const { rcuLearnHoldNs, rcuAccelHoldNs } = sim.machine;
  const mayLearn = data.gpSeq !== leaf.gpSeq && leaf.trylock(sim.nowNs, rcuLearnHoldNs + rcuAccelHoldNs);
  if (mayLearn && learn(rcu, data)) wakeKthread(rcu, cpu, false);
  if (!rcu.isRunning) {
    leaf.lock(sim.nowNs, rcuAccelHoldNs);
    if (accelerate(rcu, data, cpu)) wakeKthread(rcu, cpu, false);
    return;
  }
  data.blimit = MAX_BLIMIT;
  // not for the first callback that waits
  if (rcu.nForceQs === data.nForceQsSnap && callbacks.pending > 1) forceQuiescentState(rcu, cpu, false);
  data.nForceQsSnap = rcu.nForceQs;
  data.qlenLastFqsCheck = callbacks.len;
}
