/** One node of the tree (struct rcu_node, tree R1.11). */
import type { Task } from '../core/task.ts';
import type { NodeShape } from './geometry.ts';
import { NodeMask } from './nodeMask.ts';

/** A reader that was preempted inside its section, on the list of its leaf (blkd_tasks, R2.21). */
export interface BlockedReader {
  readonly task: Task;
  readonly leaf: RcuNode;
  /** It blocks the normal grace period that runs. */
  normal: boolean;
  /** It blocks the expedited one that runs. */
  expedited: boolean;
}

/** State of a node. */
export class RcuNode {
  readonly shape: NodeShape;
  readonly parent: RcuNode | undefined;
  gpSeq: number;
  /** Furthest grace period asked for here. */
  gpSeqNeeded: number;
  /** Children, or CPUs of a leaf, that still owe a quiescent state, and who they are at the start. */
  readonly qsmask = new NodeMask();
  readonly qsmaskinit = new NodeMask();
  readonly expmask = new NodeMask();
  /** Furthest expedited grace period asked for here. */
  expSeqRq = 0;
  /** Preempted readers of the CPUs of a leaf. */
  readonly blocked: BlockedReader[] = [];
  /** Those of them that block the normal grace period (gp_tasks is not null while there are any). */
  normalBlockers = 0;
  /** Those that block the expedited one (exp_tasks). */
  expBlockers = 0;
  /** CPUs of the leaf with qovld callbacks or more (R2.13). */
  readonly cbovldmask = new NodeMask();
  /** The lock is held up to here, ns (R2.16b). */
  lockedUntilNs = 0;

  constructor(shape: NodeShape, parent: RcuNode | undefined, gpSeq: number) {
    this.shape = shape;
    this.parent = parent;
    this.gpSeq = gpSeq;
    this.gpSeqNeeded = gpSeq;
    this.qsmaskinit.fill(shape.children);
  }

  /** Nothing and nobody here holds the normal grace period up. */
  get isQuiet(): boolean {
    return this.qsmask.isEmpty && this.normalBlockers === 0;
  }

  /** Takes the lock for so long, waiting for it if need be; returns when it was got. */
  lock(nowNs: number, holdNs: number): number {
    const gotNs = Math.max(nowNs, this.lockedUntilNs);
    this.lockedUntilNs = gotNs + holdNs;
    return gotNs;
  }

  /** raw_spin_trylock_rcu_node(). */
  trylock(nowNs: number, holdNs: number): boolean {
    if (nowNs < this.lockedUntilNs) return false;
    this.lockedUntilNs = nowNs + holdNs;
    return true;
  }
}
