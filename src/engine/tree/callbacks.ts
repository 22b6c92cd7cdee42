/** Numbering and advancing callbacks (rcu_accelerate_cbs(), rcu_advance_cbs(), tree R3.3, R3.4). */
import { RCU_SEGCB } from '../core/eventKinds.ts';
import { seqSnap } from './gpSeq.ts';
import type { RcuData } from './rcuData.ts';
import { requestGp } from './request.ts';
import type { TreeRcu } from './treeRcu.ts';

/** Numbers the callbacks of a CPU, from code on `onCpu` under the lock of its leaf; true: the kthread must be woken. */
export function accelerate(rcu: TreeRcu, data: RcuData, onCpu: number): boolean {
  const list = data.callbacks;
  if (list.pending === 0) return false;
  rcu.traceSegcb(onCpu, RCU_SEGCB.SegCbPreAcc, data);
  const target = seqSnap(rcu.gpSeq);
  const mustWake = list.accelerate(target) && requestGp(rcu, onCpu, data.leaf, target);
  rcu.traceGp(onCpu, list.hasBehindWait ? 'AccReadyCB' : 'AccWaitCB', target, data.leaf.shape.index);
  rcu.traceSegcb(onCpu, RCU_SEGCB.SegCbPostAcc, data);
  return mustWake;
}

/** Moves what is ready to DONE, then numbers the rest. */
export function advance(rcu: TreeRcu, data: RcuData, onCpu: number): boolean {
  if (data.callbacks.pending === 0) return false;
  data.callbacks.advance(data.leaf.gpSeq);
  return accelerate(rcu, data, onCpu);
}
