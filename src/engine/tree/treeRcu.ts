/** Tree RCU as a whole (struct rcu_state, tree R1.14): the nodes, the CPUs, the number of the grace period. */
import { KIND, RCU_GP } from '../core/eventKinds.ts';
import type { Sim } from '../core/sim.ts';
import type { Executor, Task } from '../core/task.ts';
import type { BarrierState } from './barrier.ts';
import type { BlockedReaders } from './blockedReaders.ts';
import type { RcuCallback } from './callbackList.ts';
import { type TreeConstants, treeConstants } from './constants.ts';
import type { CpuTicks } from './cpuTicks.ts';
import type { Expedited } from './expedited.ts';
import { createGeometry, type Geometry } from './geometry.ts';
import type { GpKthread } from './gpKthread.ts';
import { INITIAL_GP_SEQ } from './gpSeq.ts';
import type { Polled } from './polled.ts';
import type { PolledExpedited } from './polledExpedited.ts';
import { RcuData } from './rcuData.ts';
import { RcuNode } from './rcuNode.ts';
import { packSegcb } from './segcbCode.ts';
import type { SrNormal } from './srNormal.ts';

/** Bits of gp_flags. */
export const GP_FLAG = { init: 1, fqs: 2, ovld: 4 } as const;
/** gp_state. */
export const GP_STATE = {
  IDLE: 0,
  WAIT_GPS: 1,
  DONE_GPS: 2,
  ONOFF: 3,
  INIT: 4,
  WAIT_FQS: 5,
  DOING_FQS: 6,
  CLEANUP: 7,
  CLEANED: 8,
} as const;

/** Parts that are told of the start and the end of every normal grace period. */
export interface GpObserver {
  /** rcu_gp_init() takes the callers that this grace period is for, before or after gp_seq + 1 (tree.srOrder, R2.4). */
  segment?(): void;
  /** Just after gp_seq + 1; the kthread runs on this CPU. */
  started?(onCpu: number): void;
  /** rcu_gp_cleanup() begins (R2.22); the kthread runs on this CPU. */
  cleanup?(onCpu: number): void;
  /** rcu_gp_cleanup(): a node has the end value (R2.23). Returns how many wake-ups that made. */
  nodeEnded?(node: RcuNode): number;
  /** gp_seq has its end value; the kthread runs on this CPU. Returns how many wake-ups it made (R2.25). */
  ended?(cpu: number): number;
}

/** What offloading does for the rest (nocb*.ts). */
export interface NocbHooks {
  /** call_rcu_nocb(): a task on this offloaded CPU queues a callback (R3.9 to R3.11). */
  enqueue(data: RcuData, callback: RcuCallback, task: Task, isLazy: boolean): void;
  /**
   * rcu_barrier_entrain() from code on this CPU: flushes the bypass list, puts the barrier's callback behind the last
   * one, wakes rcuog if nothing but the bypass list was pending; false if there are no callbacks (R3.13).
   */
  entrain(data: RcuData, barrier: RcuCallback): boolean;
  /** rcu_nocb_need_deferred_wakeup(): the next tick of this CPU wakes its rcuog (R2.16). */
  needsDeferredWake(data: RcuData): boolean;
  /** do_nocb_deferred_wakeup(): rcu_core() of this CPU wakes its rcuog, if that was put off. */
  flushDeferredWake(data: RcuData): void;
}

/** State and parts. */
export class TreeRcu {
  readonly sim: Sim;
  readonly executor: Executor;
  readonly constants: TreeConstants;
  readonly geometry: Geometry;
  readonly nodes: readonly RcuNode[];
  readonly root: RcuNode;
  readonly leaves: readonly RcuNode[];
  readonly cpus: readonly RcuData[];
  /** Track of the flavor: "rcu". */
  readonly track: number;
  /** Parts; createTreeRcu() sets them. */
  blockedReaders!: BlockedReaders;
  ticks!: CpuTicks;
  kthread!: GpKthread;
  srNormal!: SrNormal;
  barrier!: BarrierState;
  expedited!: Expedited;
  polled!: Polled;
  polledExpedited!: PolledExpedited;
  nocb: NocbHooks | undefined;
  gpSeq = INITIAL_GP_SEQ;
  gpFlags = 0;
  gpState: number = GP_STATE.IDLE;
  /** jiffies at the start of the grace period. */
  gpStart = 0;
  jiffiesForceQs = 0;
  jiffiesStall = 0;
  jiffiesResched = 0;
  nForceQs = 0;
  cbovld = false;
  cbovldNext = false;
  readonly observers: GpObserver[] = [];
  #callbackIds = 0;

  constructor(sim: Sim, executor: Executor) {
    this.sim = sim;
    this.executor = executor;
    this.constants = treeConstants(sim.config, sim.rules);
    this.geometry = createGeometry(sim.config.cpus, this.constants.fanoutLeaf, this.constants.fanoutExact);
    const nodes: RcuNode[] = [];
    for (const shape of this.geometry.nodes)
      nodes.push(new RcuNode(shape, nodes[shape.parent], INITIAL_GP_SEQ));
    this.nodes = nodes;
    this.root = nodes[0] as RcuNode;
    this.leaves = nodes.slice(this.geometry.firstLeaf);
    this.cpus = Array.from({ length: sim.config.cpus }, (_, cpu) => {
      const leaf = this.leaves[Math.floor(cpu / this.geometry.leafSpan)] as RcuNode;
      const data = new RcuData(cpu, leaf, INITIAL_GP_SEQ);
      data.blimit = this.constants.blimit;
      return data;
    });
    this.track = sim.addTrack('rcu', 'rcu', -1);
  }

  /** A grace period runs. */
  get isRunning(): boolean {
    return this.gpSeq % 4 !== 0;
  }

  /** rcu_data of a CPU. */
  data(cpu: number): RcuData {
    return this.cpus[cpu] as RcuData;
  }

  /** Number of the next callback. */
  nextCallbackId(): number {
    return this.#callbackIds++;
  }

  /** Writes a rcu_grace_period row on a CPU. */
  traceGp(cpu: number, code: keyof typeof RCU_GP, seq: number, node = -1): void {
    this.sim.emit(KIND.rcu_grace_period, cpu, RCU_GP[code], seq, node);
  }

  /** Writes a rcu_segcb_stats row of a CPU's list, from code on `onCpu`; with so many in DONE. */
  traceSegcb(onCpu: number, context: number, data: RcuData, done = data.callbacks.done): void {
    const [b, c, d] = packSegcb({ ...data.callbacks.stats, done });
    this.sim.emit(KIND.rcu_segcb_stats, onCpu, context + 16 * data.cpu, b, c, d);
  }
}
