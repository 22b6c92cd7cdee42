/** Who makes expedited grace periods: rcu_exp_gp_kworker and one kthread a leaf, or kworkers (tree R5.2 to R5.6). */
import { KIND, RCU_STALL, TIMER_FN } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import type { Expedited, ExpWaiter } from './expedited.ts';
import { LeafSelection } from './expeditedSelect.ts';
import type { RcuNode } from './rcuNode.ts';
import type { TreeRcu } from './treeRcu.ts';

/** The next warning comes after 3 timeouts and so many jiffies, as for normal grace periods. */
const AGAIN_TIMEOUTS = 3;
const AGAIN_JIFFIES = 3;

/** A kthread may move; SCHED_FIFO with RCU_EXP_KTHREAD. A kworker is bound to its CPU. */
interface WorkerKind {
  readonly isKthread: boolean;
  readonly isRealTime: boolean;
}

const LEAF_PHASE = { idle: 0, select: 1, wakeMain: 2 } as const;

/** Selects the CPUs of one leaf while others do so elsewhere. */
class LeafWorker extends Task {
  override readonly bySteps = true;
  override readonly isPinned: boolean;
  readonly #rcu: TreeRcu;
  readonly #main: ExpWorker;
  readonly #leaf: RcuNode;
  readonly #selection: LeafSelection;
  #phase: number = LEAF_PHASE.idle;
  #isQueued = false;
  #queuedNs = 0;

  constructor(rcu: TreeRcu, exp: Expedited, main: ExpWorker, leaf: RcuNode, kind: WorkerKind) {
    const { index, grplo } = leaf.shape;
    const name = kind.isKthread ? `rcu_exp_par_gp_kthread_worker/${index}` : `kworker/${grplo}:par/${index}`;
    super(rcu.sim.addTrack('kthread', name, -1), grplo);
    this.#rcu = rcu;
    this.#main = main;
    this.#leaf = leaf;
    this.#selection = new LeafSelection(rcu, exp, this);
    this.isPinned = !kind.isKthread;
    this.se.isRealTime = kind.isRealTime;
    rcu.executor.add(this, PRIORITY.kthreads + this.track);
  }

  /** Is to select now, from code on a CPU. */
  queue(fromCpu: number): void {
    this.#isQueued = true;
    this.#queuedNs = this.#rcu.sim.nowNs;
    this.#rcu.executor.wake(this, fromCpu, false);
  }

  /** What is left of expParWakeNs, which counts from its wake-up to its selection, ns. */
  get #restNs(): number {
    const { sim } = this.#rcu;
    return Math.max(0, this.#queuedNs + sim.machine.expParWakeNs - sim.nowNs);
  }

  step(): void {
    const { machine } = this.#rcu.sim;
    switch (this.#phase) {
      case LEAF_PHASE.idle:
        if (!this.#isQueued) {
          this.block();
          return;
        }
        this.#isQueued = false;
        this.#phase = LEAF_PHASE.select;
        this.work(this.#restNs + this.#selection.begin(this.#leaf));
        return;
      case LEAF_PHASE.select: {
        const ns = this.#selection.step();
        if (ns < 0) this.#phase = LEAF_PHASE.wakeMain;
        this.work(ns < 0 ? machine.wakeNs : ns);
        return;
      }
      case LEAF_PHASE.wakeMain:
        this.#phase = LEAF_PHASE.idle;
        this.#main.leafSelected(this.cpu);
        this.work(machine.blockNs);
        return;
    }
  }
}

const PHASE = {
  next: 0,
  reset: 1,
  wakeLeaf: 2,
  select: 3,
  flush: 4,
  wait: 5,
  waitBlock: 6,
  ended: 7,
  wake: 8,
} as const;

/** wait_rcu_exp_gp() and what it calls, as a machine of steps. */
export class ExpWorker extends Task {
  override readonly bySteps = true;
  override readonly isPinned: boolean;
  readonly #rcu: TreeRcu;
  readonly #exp: Expedited;
  readonly #kind: WorkerKind;
  readonly #selection: LeafSelection;
  readonly #timer: WheelTimer;
  readonly #leafWorkers: LeafWorker[] = [];
  /** Grace periods to make (their end values): the next one can be queued while this one wakes its callers. */
  readonly #queue: number[] = [];
  #phase: number = PHASE.next;
  #s = 0;
  #leaf = 0;
  /** Leaves whose workers have not selected yet. */
  #leavesLeft = 0;
  #startedJiffies = 0;
  #isStalled = false;
  #waiters: ExpWaiter[] = [];
  /** Sleeps until nobody is waited for. */
  waitsForCpus = false;

  constructor(rcu: TreeRcu, exp: Expedited, host: TimerHost, cpu: number, kind: WorkerKind) {
    const { sim } = rcu;
    super(sim.addTrack('kthread', kind.isKthread ? 'rcu_exp_gp_kworker' : `kworker/${cpu}:exp`, -1), cpu);
    this.#rcu = rcu;
    this.#exp = exp;
    this.#kind = kind;
    this.isPinned = !kind.isKthread;
    this.se.isRealTime = kind.isRealTime;
    this.#selection = new LeafSelection(rcu, exp, this);
    const timedOut = (handler: number) => {
      this.#isStalled = true;
      rcu.executor.wake(this, handler, true);
    };
    this.#timer = new WheelTimer(sim, host, TIMER_FN.process_timeout, this.track, timedOut, true);
    rcu.executor.add(this, PRIORITY.kthreads + this.track);
  }

  /** A grace period to make; whoever queues it wakes the worker. */
  push(s: number): void {
    this.#queue.push(s);
  }

  /** The worker of a leaf is through. */
  leafSelected(onCpu: number): void {
    this.#leavesLeft--;
    if (this.#leavesLeft === 0 && this.#phase === PHASE.flush) this.#rcu.executor.wake(this, onCpu, false);
  }

  step(): void {
    switch (this.#phase) {
      case PHASE.next:
        this.#next();
        return;
      case PHASE.reset:
        this.#reset();
        return;
      case PHASE.wakeLeaf:
        this.#wakeLeaf();
        return;
      case PHASE.select:
        this.#select();
        return;
      case PHASE.flush:
        this.#flush();
        return;
      case PHASE.wait:
        this.#startWait();
        return;
      case PHASE.waitBlock:
        this.#wait();
        return;
      case PHASE.ended:
        this.#waiters = this.#exp.end(this.cpu, this.#s);
        this.#phase = PHASE.wake;
        this.#nextWake();
        return;
      default:
        this.#waiters.shift()?.wake(this.cpu);
        this.#nextWake();
    }
  }

  get #machine() {
    return this.#rcu.sim.machine;
  }

  #next(): void {
    const s = this.#queue.shift();
    if (s === undefined) {
      this.block();
      return;
    }
    this.#s = s;
    this.#phase = PHASE.reset;
    this.work(this.#machine.expBaseNs);
  }

  /** sync_rcu_exp_select_cpus() begins: the other leaves get their workers, the last one is done here. */
  #reset(): void {
    this.#exp.trace(this.cpu, 'reset', this.#s);
    this.#exp.reset(this);
    this.#startedJiffies = this.#rcu.sim.jiffies;
    this.#exp.trace(this.cpu, 'select', this.#s);
    this.#leaf = 0;
    this.#leavesLeft = this.#rcu.leaves.length - 1;
    if (this.#leavesLeft > 0) {
      this.#phase = PHASE.wakeLeaf;
      this.work(this.#machine.wakeNs);
    } else this.#beginOwnLeaf();
  }

  #wakeLeaf(): void {
    const { sim } = this.#rcu;
    const { cause } = sim;
    this.#leafWorker(this.#leaf).queue(this.cpu);
    sim.cause = cause;
    this.#leaf++;
    if (this.#leaf < this.#rcu.leaves.length - 1) this.work(this.#machine.wakeNs);
    else this.#beginOwnLeaf();
  }

  #leafWorker(place: number): LeafWorker {
    let worker = this.#leafWorkers[place];
    if (worker === undefined) {
      const leaf = this.#rcu.leaves[place] as RcuNode;
      worker = new LeafWorker(this.#rcu, this.#exp, this, leaf, this.#kind);
      this.#leafWorkers[place] = worker;
    }
    return worker;
  }

  #beginOwnLeaf(): void {
    this.#phase = PHASE.select;
    this.work(this.#selection.begin(this.#rcu.leaves.at(-1) as RcuNode));
  }

  #select(): void {
    const ns = this.#selection.step();
    if (ns >= 0) {
      this.work(ns);
      return;
    }
    this.#phase = this.#leavesLeft > 0 ? PHASE.flush : PHASE.wait;
    this.work(this.#leavesLeft > 0 ? this.#machine.blockNs : 0);
  }

  /** Waits for the workers of the other leaves. */
  #flush(): void {
    if (this.#leavesLeft > 0) {
      this.block();
      return;
    }
    this.#phase = PHASE.wait;
    this.work(0);
  }

  /** synchronize_rcu_expedited_wait() (R5.5). */
  #startWait(): void {
    this.#exp.trace(this.cpu, 'startwait', this.#s);
    if (this.#exp.isQuiet) {
      this.#end();
      return;
    }
    this.#phase = PHASE.waitBlock;
    this.work(this.#machine.blockNs);
  }

  /** The condition of the wait is looked at more than once before it sleeps: a report on its way there ends that. */
  lookAgain(): void {
    if (this.#phase === PHASE.waitBlock && !this.blocked) this.#rcu.executor.reconsider(this);
  }

  override interrupt(elapsedNs: number): void {
    super.interrupt(elapsedNs);
    if (this.#phase === PHASE.waitBlock && this.#exp.isQuiet) this.askNs = 0;
  }

  #wait(): void {
    const { stallJiffies, expStallJiffies } = this.#timeouts;
    if (this.#exp.isQuiet) {
      this.waitsForCpus = false;
      this.#timer.cancel();
      this.#isStalled = false;
      this.#end();
      return;
    }
    if (this.#isStalled) {
      this.#isStalled = false;
      this.#warn();
      this.#timer.arm(this.cpu, stallJiffies);
    } else if (!this.#timer.isPending) this.#timer.arm(this.cpu, expStallJiffies);
    this.waitsForCpus = true;
    this.block();
  }

  /** Until the first warning, and until each further one. */
  get #timeouts() {
    const { expStallJiffies } = this.#rcu.constants;
    return { expStallJiffies, stallJiffies: AGAIN_TIMEOUTS * expStallJiffies + AGAIN_JIFFIES };
  }

  #warn(): void {
    const { sim, cpus, leaves } = this.#rcu;
    const owing = cpus.filter(({ leaf, bit }) => leaf.expmask.has(bit)).length;
    const readers = leaves.reduce((sum, leaf) => sum + leaf.expBlockers, 0);
    const age = sim.jiffies - this.#startedJiffies;
    sim.emit(KIND.rcu_stall_warning, this.cpu, RCU_STALL.ExpeditedStall, age, owing, readers);
  }

  #end(): void {
    this.#phase = PHASE.ended;
    this.work(this.#machine.expEndNs);
  }

  /** One wake-up after the other, then the next grace period. */
  #nextWake(): void {
    if (this.#waiters.length > 0) {
      this.work(this.#machine.wakeNs);
      return;
    }
    this.#exp.trace(this.cpu, 'endwake', this.#s);
    this.#phase = PHASE.next;
    this.work(this.#queue.length > 0 ? 0 : this.#machine.blockNs);
  }
}
