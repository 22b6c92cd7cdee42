/** A quiescent state in three steps: learn of the grace period, note, report (tree R2.15 to R2.20). */
import { KIND } from '../core/eventKinds.ts';
import { accelerate, advance } from './callbacks.ts';
import { completedGp, newGp } from './gpSeq.ts';
import { bitHi, bitLo } from './nodeMask.ts';
import type { RcuData } from './rcuData.ts';
import type { RcuNode } from './rcuNode.ts';
import { wakeKthread } from './request.ts';
import { GP_FLAG, type TreeRcu } from './treeRcu.ts';

/** __note_gp_changes(), under the lock of the leaf; true: the kthread must be woken. */
export function learn(rcu: TreeRcu, data: RcuData, onCpu = data.cpu): boolean {
  const { leaf } = data;
  if (data.gpSeq === leaf.gpSeq) return false;
  let mustWake = false;
  if (completedGp(data.gpSeq, leaf.gpSeq)) {
    if (!data.isOffloaded) mustWake = advance(rcu, data, onCpu);
    data.coreNeedsQs = false;
    rcu.traceGp(data.cpu, 'cpuend', data.gpSeq);
  } else {
    if (!data.isOffloaded) mustWake = accelerate(rcu, data, onCpu);
    if (data.coreNeedsQs) data.coreNeedsQs = leaf.qsmask.has(data.bit);
  }
  if (newGp(data.gpSeq, leaf.gpSeq)) {
    rcu.traceGp(data.cpu, 'cpustart', leaf.gpSeq);
    data.noQs = leaf.qsmask.has(data.bit);
    data.coreNeedsQs = data.noQs;
  }
  data.gpSeq = leaf.gpSeq;
  return mustWake;
}

/** rcu_qs(): a quiescent state of this CPU, for the normal and the expedited grace period that it knows of. */
export function noteQs(rcu: TreeRcu, data: RcuData): void {
  if (data.noQs) {
    rcu.traceGp(data.cpu, 'cpuqs', data.gpSeq);
    data.noQs = false;
    rcu.ticks.consider(data);
  }
  if (data.noQsExp) rcu.expedited.quiescent(data);
}

/** rcu_report_qs_rdp(), under the lock of the leaf. */
export function reportSelf(rcu: TreeRcu, data: RcuData): void {
  const { leaf } = data;
  if (data.noQs || data.gpSeq !== leaf.gpSeq) {
    data.noQs = true;
    return;
  }
  data.coreNeedsQs = false;
  if (!leaf.qsmask.has(data.bit)) return;
  const mustWake = !data.isOffloaded && accelerate(rcu, data, data.cpu);
  data.urgentQs = false;
  data.needHeavyQs = false;
  reportUp(rcu, data.cpu, leaf, bitLo(data.bit), bitHi(data.bit), true);
  if (mustWake) wakeKthread(rcu, data.cpu, true);
}

/** rcu_report_qs_rnp(): clears bits of a node, and so on towards the root (R2.20). */
export function reportUp(
  rcu: TreeRcu,
  onCpu: number,
  from: RcuNode,
  maskLo: number,
  maskHi: number,
  fromInterrupt: boolean,
): void {
  let lo = maskLo;
  let hi = maskHi;
  for (let node: RcuNode | undefined = from; node !== undefined; node = node.parent) {
    const { qsmask } = node;
    if (node.gpSeq !== rcu.gpSeq || ((qsmask.lo & lo) === 0 && (qsmask.hi & hi) === 0)) return;
    qsmask.deleteAll(lo, hi);
    const isBlocked = node.normalBlockers > 0;
    const code = 2 * node.shape.index + (isBlocked ? 1 : 0);
    rcu.sim.emit(KIND.rcu_quiescent_state_report, onCpu, node.gpSeq, code, lo, hi);
    if (!qsmask.isEmpty || isBlocked) return;
    lo = bitLo(node.shape.grpnum);
    hi = bitHi(node.shape.grpnum);
  }
  reportRoot(rcu, onCpu, fromInterrupt);
}

/** rcu_report_qs_rsp(): the root is clear, the grace period can end. */
export function reportRoot(rcu: TreeRcu, onCpu: number, fromInterrupt: boolean): void {
  rcu.gpFlags |= GP_FLAG.fqs;
  wakeKthread(rcu, onCpu, fromInterrupt);
}
