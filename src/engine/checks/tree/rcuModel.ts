/** Tree RCU as the log tells it, row by row: what the checkers V1 to V17 compare the next row with. */
import { KIND, RCU_EXP, RCU_FUTURE, RCU_GP } from '../../core/eventKinds.ts';
import type { RunInfo } from '../../core/info.ts';
import { createGeometry, type Geometry, type NodeShape } from '../../tree/geometry.ts';
import { bitHi, bitLo } from '../../tree/nodeMask.ts';
import type { Row } from '../checker.ts';
import { endOf, idleOf } from './gpNumbers.ts';

/** rcu_state.gp_seq at boot (R1.7). */
const INITIAL_SEQ = -1200;
const FANOUT_LEAF = 16;

/** One rcu_node. Masks in two unsigned halves. */
export class NodeModel {
  readonly shape: NodeShape;
  /** By bit. Empty in a leaf. */
  readonly children: NodeModel[] = [];
  gpSeq = INITIAL_SEQ;
  /** Furthest grace period asked for here. */
  needed = INITIAL_SEQ;
  /** qsmask. */
  lo = 0;
  hi = 0;
  /** Readers that block the normal grace period, and the expedited one. */
  blockers = 0;
  expBlockers = 0;
  /** expmask. */
  expLo = 0;
  expHi = 0;
  /** Row of the start of the last grace period that has ended here. */
  endedStart = -1;

  constructor(shape: NodeShape) {
    this.shape = shape;
  }

  /** Every bit that is in use: qsmaskinit where all CPUs are online. */
  get all(): readonly [lo: number, hi: number] {
    let [lo, hi] = [0, 0];
    for (let bit = 0; bit < this.shape.children; bit++) {
      lo = (lo | bitLo(bit)) >>> 0;
      hi = (hi | bitHi(bit)) >>> 0;
    }
    return [lo, hi];
  }

  /** Nothing and nobody here holds the expedited grace period up. */
  get isExpQuiet(): boolean {
    return this.expLo === 0 && this.expHi === 0 && this.expBlockers === 0;
  }

  /** Nothing and nobody here holds the normal grace period up. */
  get isQuiet(): boolean {
    return this.lo === 0 && this.hi === 0 && this.blockers === 0;
  }
}

/** One CPU. */
export interface CpuModel {
  readonly leaf: NodeModel;
  /** Grace period that it knows of. */
  gpSeq: number;
  /** Grace period for which it noted a quiescent state last. */
  notedSeq: number;
  /** Nothing runs here. */
  isIdle: boolean;
  /** When idle began and ended last, ns; -1: never. */
  idleFromNs: number;
  idleToNs: number;
}

/** A reader that was preempted in its section. */
export interface BlockedModel {
  readonly leaf: NodeModel;
  normal: boolean;
  exp: boolean;
}

/** struct rcu_state, its nodes and CPUs, rebuilt from rows. */
export class RcuModel {
  readonly geometry: Geometry;
  readonly nodes: readonly NodeModel[];
  readonly root: NodeModel;
  gpSeq = INITIAL_SEQ;
  /** Row and time of the start of the last grace period. */
  startIndex = -1;
  startNs = 0;
  /** Nodes that rcu_gp_init() and rcu_gp_cleanup() have passed in this grace period. */
  initialized = 0;
  cleaned = 0;
  /** Since when nothing holds the grace period up that runs, ns; -1: something does. */
  quietNs = -1;
  /** Scans begun in this grace period, and the time of the first. */
  scans = 0;
  firstScanNs = 0;
  /** Row of the start of the last grace period that has ended on the root. */
  get endedStart(): number {
    return this.root.endedStart;
  }
  /** The expedited grace period: number at its end, row of its start, whether it runs; row of the start of the last ended one. */
  expSeq = 0;
  expStart = -1;
  isExpRunning = false;
  expEndedStart = -1;
  /** Readers in a section: row of its begin. The oldest comes first. */
  readonly sections = new Map<number, number>();
  readonly blocked = new Map<number, BlockedModel>();
  /** CPUs that the scan under way found quiescent and has not reported. */
  readonly found = new Set<number>();
  readonly #cpus: (CpuModel | undefined)[] = [];
  #requestLeaf: NodeModel;

  constructor({ config }: RunInfo) {
    const { params, cpus } = config;
    const fanoutLeaf = Number(params['rcutree.rcu_fanout_leaf'] ?? FANOUT_LEAF);
    const isExact = Number(params['rcutree.rcu_fanout_exact'] ?? 0) !== 0;
    this.geometry = createGeometry(cpus, fanoutLeaf, isExact);
    this.nodes = this.geometry.nodes.map((shape) => new NodeModel(shape));
    for (const node of this.nodes) {
      const { parent, grpnum } = node.shape;
      if (parent >= 0) this.node(parent).children[grpnum] = node;
    }
    this.root = this.node(0);
    this.#requestLeaf = this.root;
  }

  /** A node by its number; the root for a number that no node has. */
  node(index: number): NodeModel {
    return this.nodes[index] ?? (this.nodes[0] as NodeModel);
  }

  /** The leaf of a CPU. */
  leafOf(cpu: number): NodeModel {
    return this.node(this.geometry.firstLeaf + Math.floor(cpu / this.geometry.leafSpan));
  }

  cpu(id: number): CpuModel {
    let cpu = this.#cpus[id];
    if (cpu === undefined) {
      const leaf = this.leafOf(id);
      const from = { idleFromNs: 0, idleToNs: -1 };
      cpu = { leaf, gpSeq: INITIAL_SEQ, notedSeq: INITIAL_SEQ, isIdle: true, ...from };
      this.#cpus[id] = cpu;
    }
    return cpu;
  }

  get isRunning(): boolean {
    return this.gpSeq !== idleOf(this.gpSeq);
  }

  /** The parent, or undefined. */
  parentOf(node: NodeModel): NodeModel | undefined {
    return node.shape.parent < 0 ? undefined : this.node(node.shape.parent);
  }

  /** The kthread is about to pass this leaf in its init, or in its cleanup: its own CPU learns just before that row. */
  isNextInit(leaf: NodeModel): boolean {
    return this.isRunning && this.initialized === leaf.shape.index;
  }

  isNextCleanup(leaf: NodeModel): boolean {
    return this.isRunning && this.cleaned === leaf.shape.index && this.root.isQuiet;
  }

  /** Takes over what the row says. */
  apply(row: Row): void {
    switch (row.kind) {
      case KIND.rcu_grace_period:
        this.#gracePeriod(row);
        return;
      case KIND.rcu_grace_period_init: {
        const node = this.node(row.b);
        node.gpSeq = row.a;
        node.lo = row.c;
        node.hi = row.d;
        this.initialized = row.b + 1;
        return;
      }
      case KIND.rcu_future_grace_period:
        this.#future(row);
        return;
      case KIND.rcu_quiescent_state_report:
        this.#report(row);
        this.#lookAtRoot(row);
        return;
      case KIND.rcu_fqs:
        this.found.add(row.b);
        return;
      case KIND.rcu_watching:
        this.#watching(row);
        return;
      case KIND.rcu_read_lock:
        this.sections.set(row.track, row.index);
        return;
      case KIND.rcu_read_unlock:
        this.sections.delete(row.track);
        return;
      case KIND.rcu_preempt_task:
        this.#preempted(row);
        return;
      case KIND.rcu_unlock_preempted_task:
        this.#unblocked(row);
        this.#lookAtRoot(row);
        return;
      case KIND.rcu_exp_grace_period:
        this.#expedited(row);
        return;
      case KIND.rcu_exp_select:
        this.#blockExp(this.node(row.a));
        return;
      case KIND.rcu_exp_report: {
        const node = this.node(row.b >> 1);
        node.expLo = (node.expLo & ~row.c) >>> 0;
        node.expHi = (node.expHi & ~row.d) >>> 0;
        return;
      }
      default:
    }
  }

  #gracePeriod(row: Row): void {
    const { a: code, b: seq } = row;
    const cpu = this.cpu(row.track);
    switch (code) {
      case RCU_GP.start:
        this.gpSeq = seq;
        this.startIndex = row.index;
        this.startNs = row.timeNs;
        this.initialized = 0;
        this.cleaned = 0;
        this.scans = 0;
        this.quietNs = -1;
        return;
      case RCU_GP.end:
        this.gpSeq = endOf(seq);
        return;
      case RCU_GP.cpustart:
        cpu.gpSeq = seq;
        return;
      case RCU_GP.cpuend:
        // one that has started since then follows as "cpustart"
        cpu.gpSeq =
          cpu.gpSeq === cpu.leaf.gpSeq && this.isNextCleanup(cpu.leaf)
            ? endOf(this.gpSeq)
            : idleOf(cpu.leaf.gpSeq);
        return;
      case RCU_GP.cpuqs:
        cpu.notedSeq = seq;
        return;
      case RCU_GP.fqsstart:
        if (this.scans++ === 0) this.firstScanNs = row.timeNs;
        return;
      default:
    }
  }

  #future({ a: code, b: seq, c: target, d: index }: Row): void {
    const node = this.node(index);
    switch (code) {
      case RCU_FUTURE.Cleanup:
      case RCU_FUTURE.CleanupMore:
        node.gpSeq = seq;
        node.endedStart = this.startIndex;
        this.cleaned = index + 1;
        return;
      case RCU_FUTURE.Startleaf:
        this.#requestLeaf = node;
        return;
      case RCU_FUTURE.Prestarted:
        // the node at which the walk ends is left as it is
        this.#raiseNeeded(target, node);
        return;
      case RCU_FUTURE.Startedleaf:
        this.#raiseNeeded(target, this.parentOf(this.#requestLeaf));
        return;
      case RCU_FUTURE.Startedleafroot:
      case RCU_FUTURE.Startedroot:
        this.#raiseNeeded(target, undefined);
        return;
      default:
    }
  }

  #raiseNeeded(target: number, upTo: NodeModel | undefined): void {
    let node: NodeModel | undefined = this.#requestLeaf;
    while (node !== undefined && node !== upTo) {
      node.needed = Math.max(node.needed, target);
      node = this.parentOf(node);
    }
  }

  #report({ b, c, d }: Row): void {
    const node = this.node(b >> 1);
    node.lo = (node.lo & ~c) >>> 0;
    node.hi = (node.hi & ~d) >>> 0;
    if (node.children.length > 0) return;
    for (const cpu of this.cpusIn(node, c, d)) this.found.delete(cpu);
  }

  #lookAtRoot(row: Row): void {
    if (this.quietNs >= 0 || !this.isRunning || this.initialized === 0) return;
    if (this.root.isQuiet) this.quietNs = row.timeNs;
  }

  /** CPUs of the bits of a mask of a leaf. */
  cpusIn(leaf: NodeModel, lo: number, hi: number): number[] {
    const cpus: number[] = [];
    const { grplo, grphi } = leaf.shape;
    for (let cpu = grplo; cpu <= grphi; cpu++) {
      const bit = cpu - grplo;
      if (((lo & bitLo(bit)) | (hi & bitHi(bit))) !== 0) cpus.push(cpu);
    }
    return cpus;
  }

  #watching(row: Row): void {
    const cpu = this.cpu(row.track);
    cpu.isIdle = row.a === 0;
    if (cpu.isIdle) cpu.idleFromNs = row.timeNs;
    else cpu.idleToNs = row.timeNs;
  }

  #preempted({ track, b: thread, c }: Row): void {
    const { leaf } = this.cpu(track);
    const blocked = { leaf, normal: (c & 1) !== 0, exp: (c & 2) !== 0 };
    this.blocked.set(thread, blocked);
    if (blocked.normal) leaf.blockers++;
    if (blocked.exp) leaf.expBlockers++;
  }

  #unblocked({ b: thread, c: isNoted }: Row): void {
    const blocked = this.blocked.get(thread);
    if (blocked === undefined) return;
    const { leaf } = blocked;
    if (isNoted === 1) {
      if (!blocked.normal) leaf.blockers++;
      blocked.normal = true;
      return;
    }
    this.blocked.delete(thread);
    if (blocked.normal) leaf.blockers--;
    if (blocked.exp) leaf.expBlockers--;
  }

  #expedited(row: Row): void {
    if (row.a === RCU_EXP.start) {
      this.isExpRunning = true;
      this.expStart = row.index;
    } else if (row.a === RCU_EXP.reset) {
      for (const node of this.nodes) [node.expLo, node.expHi] = node.all;
    } else if (row.a === RCU_EXP.end) {
      this.isExpRunning = false;
      this.expSeq = row.b;
      this.expEndedStart = this.expStart;
    }
  }

  /** Whoever was preempted on this leaf blocks the expedited grace period too. */
  #blockExp(leaf: NodeModel): void {
    leaf.expBlockers = 0;
    for (const reader of this.blocked.values()) {
      if (reader.leaf !== leaf) continue;
      reader.exp = true;
      leaf.expBlockers++;
    }
  }
}
