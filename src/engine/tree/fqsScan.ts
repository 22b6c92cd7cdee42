/** One scan of the force-quiescent-state loop, leaf by leaf (force_qs_rnp(), tree R2.11, R2.12). */
import { KIND } from '../core/eventKinds.ts';
import { NodeMask } from './nodeMask.ts';
import { reportUp } from './quiescentState.ts';
import type { RcuData } from './rcuData.ts';
import type { RcuNode } from './rcuNode.ts';
import type { TreeRcu } from './treeRcu.ts';

/** A scan under way. */
export class FqsScan {
  readonly #rcu: TreeRcu;
  readonly #found = new NodeMask();
  #isFirst = true;
  #next = 0;

  constructor(rcu: TreeRcu) {
    this.#rcu = rcu;
  }

  /** A scan begins; the first one of a grace period only takes snapshots of CPUs that are not idle. */
  begin(isFirst: boolean): void {
    this.#isFirst = isFirst;
    this.#next = 0;
  }

  /** Looks at the next leaf that owes anything; returns what it takes in ns, or -1 if none is left. */
  leaf(onCpu: number): number {
    const rcu = this.#rcu;
    const { sim } = rcu;
    let leaf = rcu.leaves[this.#next++];
    while (leaf?.qsmask.isEmpty) leaf = rcu.leaves[this.#next++];
    if (leaf === undefined) return -1;
    let owed = 0;
    this.#found.clear();
    for (let bit = 0; bit < leaf.shape.children; bit++) {
      if (!leaf.qsmask.has(bit)) continue;
      owed++;
      if (this.#isQuiescent(rcu.data(leaf.shape.grplo + bit), onCpu)) this.#found.add(bit);
    }
    const ns = owed * sim.machine.rcuScanCpuNs;
    leaf.lock(sim.nowNs, ns);
    if (!this.#found.isEmpty) this.#report(leaf, onCpu);
    return ns;
  }

  #report(leaf: RcuNode, onCpu: number): void {
    reportUp(this.#rcu, onCpu, leaf, this.#found.lo, this.#found.hi, false);
  }

  #isQuiescent(data: RcuData, onCpu: number): boolean {
    const rcu = this.#rcu;
    const { sim } = rcu;
    const { nowNs } = sim;
    const isFound = rcu.ticks.isInEqs(data) || (!this.#isFirst && rcu.ticks.wasInEqsSince(data, data.snapNs));
    if (isFound) {
      sim.emit(KIND.rcu_fqs, onCpu, data.gpSeq, data.cpu);
      return true;
    }
    if (this.#isFirst) data.snapNs = nowNs;
    else this.#urge(data);
    return false;
  }

  /** R2.12: a CPU that has not passed one for long. */
  #urge(data: RcuData): void {
    const rcu = this.#rcu;
    const { sim, constants } = rcu;
    const { jiffies } = sim;
    const age = jiffies - rcu.gpStart;
    if (age > constants.schedQs) data.urgentQs = true;
    if (age > 2 * constants.schedQs || jiffies > rcu.jiffiesResched || rcu.cbovld) {
      data.urgentQs = true;
      data.needHeavyQs = true;
    }
    const sinceResched = jiffies - data.lastFqsResched;
    const isLate = jiffies > rcu.jiffiesResched && sinceResched > constants.schedQs;
    const isNohzLate = data.isNohzFull && (sinceResched > 3 * constants.schedQs || rcu.cbovld);
    if (isNohzLate) data.urgentQs = true;
    if (!isLate && !isNohzLate) return;
    data.lastFqsResched = jiffies;
    rcu.executor.reschedule(data.cpu);
  }
}
