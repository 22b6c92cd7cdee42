/** call_rcu(): a callback joins the list of the caller's CPU (tree R3.2, R3.7). */
import { KIND, type RCU_FUNC, RCU_SEGCB } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import type { TreeRcu } from './treeRcu.ts';

/** What a callback does when it is invoked on a CPU, in softirq or in a kthread. */
export type CallbackFunction = (onCpu: number, fromInterrupt: boolean) => void;

/** Queues a callback from a task on its CPU. */
export function callRcu(
  rcu: TreeRcu,
  task: Task,
  func: (typeof RCU_FUNC)[keyof typeof RCU_FUNC],
  invoke: CallbackFunction,
): void {
  const { sim } = rcu;
  const data = rcu.data(task.cpu);
  const id = rcu.nextCallbackId();
  data.callbacks.enqueue({ id, func, queuedNs: sim.nowNs, invoke: () => invoke(data.cpu, true) });
  sim.emit(KIND.rcu_callback, task.cpu, id, func, data.callbacks.len, task.track);
  rcu.traceSegcb(task.cpu, RCU_SEGCB.SegCBQueued, data);
  const { cause } = sim;
  rcu.ticks.consider(data);
  sim.cause = cause;
}
