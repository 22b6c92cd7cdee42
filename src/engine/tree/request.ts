/** Asking for a grace period (rcu_start_this_gp(), tree R2.1) and waking who makes it (rcu_gp_kthread_wake()). */
import { KIND, RCU_FUTURE } from '../core/eventKinds.ts';
import { seqSnap, seqStarted, seqState } from './gpSeq.ts';
import type { RcuNode } from './rcuNode.ts';
import { GP_FLAG, type TreeRcu } from './treeRcu.ts';

/** Asks for grace period `target` from a leaf up; true: the caller must wake the kthread. */
export function requestGp(rcu: TreeRcu, cpu: number, leaf: RcuNode, target: number): boolean {
  const trace = (node: RcuNode, what: keyof typeof RCU_FUTURE) =>
    rcu.sim.emit(KIND.rcu_future_grace_period, cpu, RCU_FUTURE[what], node.gpSeq, target, node.shape.index);
  trace(leaf, 'Startleaf');
  for (let node: RcuNode | undefined = leaf; node !== undefined; node = node.parent) {
    const runsHere = seqState(node.gpSeq) !== 0;
    if (node.gpSeqNeeded >= target || seqStarted(node.gpSeq, target) || (node !== leaf && runsHere)) {
      trace(node, 'Prestarted');
      return false;
    }
    node.gpSeqNeeded = target;
    if (runsHere) {
      // the kthread sees it in its cleanup
      trace(leaf, 'Startedleaf');
      return false;
    }
  }
  if (rcu.isRunning) {
    trace(rcu.root, 'Startedleafroot');
    return false;
  }
  trace(rcu.root, 'Startedroot');
  rcu.gpFlags |= GP_FLAG.init;
  rcu.traceGp(cpu, 'newreq', rcu.gpSeq);
  return true;
}

/** Wakes the kthread from code on a CPU, if a flag is set for it. */
export function wakeKthread(rcu: TreeRcu, fromCpu: number, fromInterrupt: boolean): void {
  if (rcu.gpFlags === 0) return;
  rcu.executor.wake(rcu.kthread, fromCpu, fromInterrupt);
}

/** rcu_force_quiescent_state(): a scan as soon as the kthread can make one (R2.14). */
export function forceQuiescentState(rcu: TreeRcu, fromCpu: number, fromInterrupt: boolean): void {
  if (!rcu.isRunning || (rcu.gpFlags & GP_FLAG.fqs) !== 0) return;
  rcu.gpFlags |= GP_FLAG.fqs;
  wakeKthread(rcu, fromCpu, fromInterrupt);
}

/** start_poll_synchronize_rcu_common(): asks for a whole grace period from code on a CPU, at once (R2.2). */
export function startPoll(rcu: TreeRcu, onCpu: number): void {
  if (requestGp(rcu, onCpu, rcu.data(onCpu).leaf, seqSnap(rcu.gpSeq))) wakeKthread(rcu, onCpu, false);
}
