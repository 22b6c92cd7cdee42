/**
 * Expedited grace periods: the funnel of their callers, who is waited for, who reports (tree §5). Made of
 * expeditedSync.ts (a caller), expeditedWorker.ts (who makes the grace period), expeditedSelect.ts (CPUs of a leaf).
 */
import { KIND, RCU_EXP } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import type { Task } from '../core/task.ts';
import type { TimerHost } from '../core/timers.ts';
import { ExpWorker } from './expeditedWorker.ts';
import { seqCtr, seqDone, seqEnd, seqSnap, seqStart } from './gpSeq.ts';
import { bitHi, bitLo } from './nodeMask.ts';
import type { RcuData } from './rcuData.ts';
import type { RcuNode } from './rcuNode.ts';
import type { TreeRcu } from './treeRcu.ts';

/** Wait queues of a node (exp_wq[4]), by the counter of the grace period. */
const WAIT_QUEUES = 4;
/** Interrupts between CPUs come behind those of the scheduler, at equal times. */
const IPI_PRIORITY = PRIORITY.interrupt + 10_000;
/** `a` of rcu_exp_funnel_lock rows. */
const FUNNEL_LOCK = { nxtlvl: 0, wait: 1 } as const;
/** `a` of rcu_exp_handler rows. */
const HANDLER = { reports: 0, mustReschedule: 1, inSection: 2 } as const;

/** What becomes of a caller in the funnel: it must make the grace period, waits for one or for exp_mutex, or is done. */
export type FunnelResult = 'start' | 'wait' | 'mutex' | 'done';

/** A caller that waits for the end of a grace period. */
export interface ExpWaiter {
  /** expedited_sequence at the end of that grace period. */
  readonly s: number;
  /** Wakes it, from code on a CPU. */
  wake(onCpu: number): void;
}

/** State and reports. */
export class Expedited {
  readonly #rcu: TreeRcu;
  readonly #host: TimerHost;
  /** expedited_sequence. */
  seq = 0;
  /** Who holds exp_mutex, and who waits for it, first come first. */
  #owner: Task | undefined;
  readonly #mutexWaiters: Task[] = [];
  /** exp_wq by node and queue; the newest first. */
  readonly #waiters = new Map<number, ExpWaiter[]>();
  /** rcu_exp_gp_kworker, or by CPU the kworker of that CPU (tree.expWorkers). */
  readonly #workers = new Map<number, ExpWorker>();
  /** Who makes the grace period that runs. */
  #worker: ExpWorker | undefined;
  /** By CPU: slot of the interrupt on its way, and the row it follows from. */
  readonly #ipiSlots = new Map<number, number>();
  readonly #ipiCauses = new Map<number, number>();

  constructor(rcu: TreeRcu, host: TimerHost) {
    this.#rcu = rcu;
    this.#host = host;
  }

  /** Writes a rcu_exp_grace_period row on a CPU; all of them have the end value. */
  trace(onCpu: number, what: keyof typeof RCU_EXP, s: number): void {
    this.#rcu.sim.emit(KIND.rcu_exp_grace_period, onCpu, RCU_EXP[what], s);
  }

  /** rcu_exp_gp_seq_snap(). */
  snap(onCpu: number): number {
    const s = seqSnap(this.seq);
    this.trace(onCpu, 'snap', s);
    return s;
  }

  /** sync_exp_work_done(). */
  isDone(onCpu: number, s: number): boolean {
    if (!seqDone(this.seq, s)) return false;
    this.trace(onCpu, 'done', s);
    return true;
  }

  /** exp_funnel_lock() (R5.1); with `wait` the caller is on a wait queue, with `mutex` it waits for exp_mutex. */
  funnel(task: Task, waiter: ExpWaiter): FunnelResult {
    const rcu = this.#rcu;
    const { s } = waiter;
    const { leaf } = rcu.data(task.cpu);
    if (leaf.expSeqRq < s && rcu.root.expSeqRq < s && this.#owner === undefined) return this.#locked(task, s);
    for (let node: RcuNode | undefined = leaf; node !== undefined; node = node.parent) {
      if (this.isDone(task.cpu, s)) return 'done';
      const { index } = node.shape;
      if (node.expSeqRq >= s) {
        rcu.sim.emit(KIND.rcu_exp_funnel_lock, task.cpu, FUNNEL_LOCK.wait, index, s);
        this.#waitOn(node, waiter);
        return 'wait';
      }
      node.expSeqRq = s;
      rcu.sim.emit(KIND.rcu_exp_funnel_lock, task.cpu, FUNNEL_LOCK.nxtlvl, index, s);
    }
    if (this.#owner === undefined) return this.#locked(task, s);
    this.#mutexWaiters.push(task);
    return 'mutex';
  }

  /** The caller that waits for exp_mutex looks again. */
  relock(task: Task, s: number): FunnelResult {
    if (this.#owner !== undefined) return 'mutex';
    this.#mutexWaiters.splice(this.#mutexWaiters.indexOf(task), 1);
    return this.#locked(task, s);
  }

  /** exp_mutex is taken: the grace period starts, unless it is over already (R5.2). */
  #locked(task: Task, s: number): FunnelResult {
    this.#owner = task;
    if (this.isDone(task.cpu, s)) return 'done';
    this.seq = seqStart(this.seq);
    this.trace(task.cpu, 'start', s);
    this.#rcu.polled.expStarted(task.cpu);
    return 'start';
  }

  /** Does this caller hold exp_mutex? */
  isOwner(task: Task): boolean {
    return this.#owner === task;
  }

  /** Releases exp_mutex; true if somebody had to be woken for it. */
  unlock(task: Task): boolean {
    this.#owner = undefined;
    const next = this.#mutexWaiters[0];
    if (next === undefined) return false;
    const { sim, executor } = this.#rcu;
    const { cause } = sim;
    executor.wake(next, task.cpu, false);
    sim.cause = cause;
    return true;
  }

  /** synchronize_rcu_expedited_queue_work(): the worker makes it, the caller waits at the root. */
  queueWork(task: Task, waiter: ExpWaiter): void {
    this.#waitOn(this.#rcu.root, waiter);
    const worker = this.#workerFor(task.cpu);
    worker.push(waiter.s);
    this.#rcu.executor.wake(worker, task.cpu, false);
  }

  #waitOn(node: RcuNode, waiter: ExpWaiter): void {
    const key = this.#queueOf(node, waiter.s);
    this.#waiters.set(key, [waiter, ...(this.#waiters.get(key) ?? [])]);
  }

  #queueOf(node: RcuNode, s: number): number {
    return node.shape.index * WAIT_QUEUES + (seqCtr(s) & (WAIT_QUEUES - 1));
  }

  /** A kthread for all, or before 6.9 without RCU_EXP_KTHREAD the kworker of the CPU (R5.2). */
  #workerFor(cpu: number): ExpWorker {
    const { rules, config } = this.#rcu.sim;
    const isRealTime = config.kconfig.RCU_EXP_KTHREAD === true;
    const isKthread = isRealTime || rules['tree.expWorkers'] === 'kthreads';
    const key = isKthread ? -1 : cpu;
    let worker = this.#workers.get(key);
    if (worker === undefined) {
      worker = new ExpWorker(this.#rcu, this, this.#host, cpu, { isKthread, isRealTime });
      this.#workers.set(key, worker);
    }
    return worker;
  }

  /** sync_exp_reset_tree(): everybody is waited for, until somebody looks. */
  reset(worker: ExpWorker): void {
    this.#worker = worker;
    for (const node of this.#rcu.nodes) node.expmask.copy(node.qsmaskinit);
  }

  /** sync_rcu_exp_done() at the root: nobody is waited for. */
  get isQuiet(): boolean {
    const { root } = this.#rcu;
    return root.expmask.isEmpty && root.expBlockers === 0;
  }

  /** The worker interrupts a CPU; the handler has its effect when it has used its time there (R5.4). */
  sendIpi(fromCpu: number, data: RcuData): void {
    const { sim, executor } = this.#rcu;
    const { cpu } = data;
    let slot = this.#ipiSlots.get(cpu);
    if (slot === undefined) {
      slot = sim.queue.allocate(IPI_PRIORITY + cpu, () => {
        sim.cause = this.#ipiCauses.get(cpu) ?? -1;
        this.#handle(data);
      });
      this.#ipiSlots.set(cpu, slot);
    }
    this.#ipiCauses.set(cpu, sim.emit(KIND.rcu_exp_ipi, fromCpu, cpu, seqEnd(this.seq)));
    const handlerNs = sim.machine.expIpiHandlerNs;
    executor.steal(cpu, handlerNs);
    sim.queue.schedule(slot, sim.nowNs + handlerNs);
  }

  /** rcu_exp_handler(). */
  #handle(data: RcuData): void {
    const { sim, executor, constants } = this.#rcu;
    const { cpu } = data;
    const task = executor.running(cpu);
    const isInSection = task !== null && task.rcuNesting > 0;
    const isEnabled = constants.countsPreemption && !task?.bhDisabled;
    if (task === null || (isEnabled && !isInSection)) {
      sim.emit(KIND.rcu_exp_handler, cpu, HANDLER.reports, seqEnd(this.seq));
      this.quiescent(data, true);
      return;
    }
    const what = isInSection ? HANDLER.inSection : HANDLER.mustReschedule;
    sim.emit(KIND.rcu_exp_handler, cpu, what, seqEnd(this.seq));
    data.noQsExp = true;
    if (constants.isPreemptible && isInSection) return;
    data.urgentQs = !constants.isPreemptible;
    executor.reschedule(cpu);
  }

  /** rcu_report_exp_rdp(): a quiescent state of a CPU that is waited for. */
  quiescent(data: RcuData, fromInterrupt = false): void {
    data.noQsExp = false;
    const { leaf, bit, cpu } = data;
    if (leaf.expmask.has(bit)) this.report(cpu, leaf, bitLo(bit), bitHi(bit));
    this.#wakeIfQuiet(cpu, fromInterrupt);
  }

  /** The last preempted reader that blocked it has left a leaf. */
  unblocked(leaf: RcuNode, onCpu: number): void {
    if (leaf.expmask.isEmpty) this.report(onCpu, leaf, 0, 0);
    this.#wakeIfQuiet(onCpu, false);
  }

  /** What follows on this CPU does not follow from the wake-up. */
  #wakeIfQuiet(onCpu: number, fromInterrupt: boolean): void {
    const { sim, executor } = this.#rcu;
    const worker = this.#worker;
    if (!this.isQuiet || worker === undefined) return;
    const { cause } = sim;
    if (worker.waitsForCpus) executor.wake(worker, onCpu, fromInterrupt);
    else worker.lookAgain();
    sim.cause = cause;
  }

  /** rcu_report_exp_cpu_mult(): clears bits of a leaf, and so on towards the root. */
  report(onCpu: number, leaf: RcuNode, lo: number, hi: number): void {
    let node = leaf;
    let bits = { lo, hi };
    for (;;) {
      node.expmask.deleteAll(bits.lo, bits.hi);
      const code = 2 * node.shape.index + (node.expBlockers > 0 ? 1 : 0);
      this.#rcu.sim.emit(KIND.rcu_exp_report, onCpu, seqEnd(this.seq), code, bits.lo, bits.hi);
      if (!node.expmask.isEmpty || node.expBlockers > 0 || node.parent === undefined) return;
      bits = { lo: bitLo(node.shape.grpnum), hi: bitHi(node.shape.grpnum) };
      node = node.parent;
    }
  }

  /** rcu_exp_gp_seq_end(), and everybody who waits for it, root first and newest first (R5.6). */
  end(onCpu: number, s: number): ExpWaiter[] {
    const { polled, nodes, sim } = this.#rcu;
    polled.expEnds(onCpu);
    this.seq = seqEnd(this.seq);
    this.trace(onCpu, 'end', s);
    const { cause } = sim;
    polled.look(onCpu);
    sim.cause = cause;
    const woken: ExpWaiter[] = [];
    for (const node of nodes) {
      node.expSeqRq = Math.max(node.expSeqRq, s);
      const key = this.#queueOf(node, s);
      const queue = this.#waiters.get(key);
      if (queue === undefined) continue;
      woken.push(...queue.filter((waiter) => seqDone(this.seq, waiter.s)));
      this.#waiters.set(
        key,
        queue.filter((waiter) => !seqDone(this.seq, waiter.s)),
      );
    }
    return woken;
  }
}
