/** Readers that were preempted inside their section (tree R2.21, PREEMPT_RCU). */
import { KIND } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import { seqSnap } from './gpSeq.ts';
import { bitHi, bitLo } from './nodeMask.ts';
import { noteQs, reportRoot, reportUp } from './quiescentState.ts';
import type { RcuData } from './rcuData.ts';
import type { BlockedReader, RcuNode } from './rcuNode.ts';
import type { TreeRcu } from './treeRcu.ts';

/** Who is on which list, and what follows when they leave it. */
export class BlockedReaders {
  readonly #rcu: TreeRcu;
  readonly #of = new Map<Task, BlockedReader>();

  constructor(rcu: TreeRcu) {
    this.#rcu = rcu;
  }

  /** True if the task is on a list. */
  has(task: Task): boolean {
    return this.#of.has(task);
  }

  /** rcu_preempt_ctxt_queue(): the task loses its CPU inside a section. */
  queue(data: RcuData, task: Task): void {
    if (this.#of.has(task)) return;
    const { leaf } = data;
    const reader: BlockedReader = {
      task,
      leaf,
      normal: leaf.qsmask.has(data.bit),
      expedited: leaf.expmask.has(data.bit),
    };
    this.#of.set(task, reader);
    leaf.blocked.push(reader);
    if (reader.normal) leaf.normalBlockers++;
    if (reader.expedited) leaf.expBlockers++;
    const seq = reader.normal ? leaf.gpSeq : seqSnap(leaf.gpSeq);
    const blocks = (reader.normal ? 1 : 0) + (reader.expedited ? 2 : 0);
    this.#rcu.sim.emit(KIND.rcu_preempt_task, data.cpu, seq, task.track, blocks);
  }

  /** rcu_gp_init(): whoever is on the list of a leaf now blocks the grace period that starts. */
  gpInit(leaf: RcuNode, onCpu: number, gpSeq: number): void {
    for (const reader of leaf.blocked) {
      reader.normal = true;
      this.#rcu.sim.emit(KIND.rcu_unlock_preempted_task, onCpu, gpSeq, reader.task.track, 1);
    }
    leaf.normalBlockers = leaf.blocked.length;
  }

  /** The same for an expedited grace period. */
  expInit(leaf: RcuNode): void {
    for (const reader of leaf.blocked) reader.expedited = true;
    leaf.expBlockers = leaf.blocked.length;
  }

  /** rcu_read_unlock_special(): the outermost section of the task ends on this CPU. */
  unlock(data: RcuData, task: Task): void {
    const rcu = this.#rcu;
    this.#noteEnd(data);
    const reader = this.#of.get(task);
    if (reader === undefined) return;
    this.#of.delete(task);
    const { leaf } = reader;
    leaf.blocked.splice(leaf.blocked.indexOf(reader), 1);
    rcu.sim.emit(KIND.rcu_unlock_preempted_task, data.cpu, leaf.gpSeq, task.track, 0);
    if (reader.normal && --leaf.normalBlockers === 0) this.#lastLeft(data, leaf);
    if (reader.expedited && --leaf.expBlockers === 0) rcu.expedited.unblocked(leaf, data.cpu);
  }

  /** The end of a section is a quiescent state for who asked for one; in preset plain others may go on here. */
  #noteEnd(data: RcuData): void {
    const rcu = this.#rcu;
    if (rcu.executor.running(data.cpu)?.rcuNesting) return;
    if (data.needQsAtUnlock) {
      data.needQsAtUnlock = false;
      noteQs(rcu, data);
    } else if (data.noQsExp && rcu.constants.isPreemptible) rcu.expedited.quiescent(data);
  }

  /** rcu_report_unblock_qs_rnp(). */
  #lastLeft(data: RcuData, leaf: RcuNode): void {
    const rcu = this.#rcu;
    const { parent, shape } = leaf;
    rcu.sim.emit(KIND.rcu_quiescent_state_report, data.cpu, leaf.gpSeq, 2 * shape.index, 0, 0);
    if (!leaf.qsmask.isEmpty) return;
    if (parent === undefined) {
      reportRoot(rcu, data.cpu, false);
      return;
    }
    reportUp(rcu, data.cpu, parent, bitLo(shape.grpnum), bitHi(shape.grpnum), false);
  }
}
