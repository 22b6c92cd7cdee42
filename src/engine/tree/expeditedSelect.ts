/** Whom an expedited grace period waits for on one leaf (sync_rcu_exp_select_node_cpus(), tree R5.3). */
import { KIND } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import type { Expedited } from './expedited.ts';
import { NodeMask } from './nodeMask.ts';
import type { RcuData } from './rcuData.ts';
import type { RcuNode } from './rcuNode.ts';
import type { TreeRcu } from './treeRcu.ts';

/** A selection under way, on the CPU time of a worker. */
export class LeafSelection {
  readonly #rcu: TreeRcu;
  readonly #exp: Expedited;
  readonly #worker: Task;
  readonly #skipped = new NodeMask();
  readonly #targets: RcuData[] = [];
  #leaf!: RcuNode;
  #isSnapped = false;
  /** When the CPUs were looked at, ns (exp_watching_snap). */
  #snapNs = 0;
  /** The CPU whose interrupt is being sent. */
  #sending: RcuData | undefined;

  constructor(rcu: TreeRcu, exp: Expedited, worker: Task) {
    this.#rcu = rcu;
    this.#exp = exp;
    this.#worker = worker;
  }

  /** Begins with a leaf; returns what looking at its CPUs takes, ns. */
  begin(leaf: RcuNode): number {
    const { expCpuNs } = this.#rcu.sim.machine;
    this.#leaf = leaf;
    this.#isSnapped = false;
    const ns = leaf.shape.children * expCpuNs;
    return this.#rcu.leaves.length > 1 ? Math.floor(ns / 2) : ns;
  }

  /** What comes next; returns what it takes in ns, or -1 at the end. */
  step(): number {
    if (!this.#isSnapped) this.#snap();
    if (this.#sending !== undefined) this.#exp.sendIpi(this.#worker.cpu, this.#sending);
    this.#sending = undefined;
    const { sim } = this.#rcu;
    for (let data = this.#targets.shift(); data !== undefined; data = this.#targets.shift()) {
      if (this.#rcu.ticks.wasInEqsSince(data, this.#snapNs)) this.#skipped.add(data.bit);
      else {
        this.#sending = data;
        return sim.machine.expIpiNs;
      }
    }
    const { lo, hi } = this.#skipped;
    if (!this.#skipped.isEmpty) this.#exp.report(this.#worker.cpu, this.#leaf, lo, hi);
    return -1;
  }

  /** Sets the own CPU and those in an extended quiescent state aside; readers that were preempted are waited for. */
  #snap(): void {
    const rcu = this.#rcu;
    const leaf = this.#leaf;
    const { cpu } = this.#worker;
    this.#isSnapped = true;
    this.#snapNs = rcu.sim.nowNs;
    this.#skipped.clear();
    for (let bit = 0; bit < leaf.shape.children; bit++) {
      const data = rcu.data(leaf.shape.grplo + bit);
      if (this.#isOwn(data) || rcu.ticks.isInEqs(data)) this.#skipped.add(bit);
      else this.#targets.push(data);
    }
    rcu.blockedReaders.expInit(leaf);
    const { lo, hi } = leaf.expmask;
    rcu.sim.emit(KIND.rcu_exp_select, cpu, leaf.shape.index, lo, hi, this.#targets.length);
  }

  /** The CPU that runs this code; without contention a reader without PREEMPT_RCU may be on it at the same time. */
  #isOwn(data: RcuData): boolean {
    if (data.cpu !== this.#worker.cpu) return false;
    return this.#rcu.constants.isPreemptible || !this.#rcu.executor.running(data.cpu)?.rcuNesting;
  }
}
