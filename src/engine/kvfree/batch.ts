/** One of the two batches of a CPU (struct kfree_rcu_cpu_work): waits for a grace period, then frees (kvfree K10 to K13). */
import { KIND, KVFREE_CHANNEL, RCU_FUNC, WORK_FN } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import { type Worker, WorkItem } from '../core/workqueue.ts';
import { callRcu } from '../tree/callRcu.ts';
import type { Krc } from './krc.ts';
import type { Steps } from './kvfree.ts';
import { Reclaim } from './reclaim.ts';
import { type Channel, snapshotWord, type Unit } from './unit.ts';

const PHASE = { start: 0, wait: 1, free: 2, end: 3 } as const;

/** kfree_rcu_work(). */
export class KfreeRcuWork extends WorkItem {
  readonly #krc: Krc;
  readonly #index: number;
  /** Units by channel, oldest first; it may take others when all are empty. */
  readonly channels: Unit[][] = [[], [], []];
  /** Its rcu_work waits for a grace period, or its work is queued and has not begun. */
  isPending = false;
  /** Number of the batch that waits, one series per run, and of the one that runs. */
  #number = -1;
  #running = -1;
  /** gp_snap of kernels that poll. */
  #snapshot = 0;
  /** What this execution frees, and the snapshot that it has waited for. */
  #lists: Unit[][] = [];
  #awaited = 0;
  #phase: number = PHASE.start;
  #reclaim: Reclaim | undefined;
  #synchronize: Steps | undefined;
  #waiters: (() => void)[] = [];

  constructor(krc: Krc, index: number) {
    super(WORK_FN.kfree_rcu_work, krc.cpu);
    this.#krc = krc;
    this.#index = index;
  }

  /** True if nothing waits here nor is being freed. */
  get isThrough(): boolean {
    return !this.isPending && this.worker === null;
  }

  /** flush_work(): false if it is not through, and `done` is called when it is. */
  flush(done: () => void): boolean {
    if (this.isThrough) return true;
    this.#waiters.push(done);
    return false;
  }

  /** These channels have just been filled by a task: wait for a grace period, if it does not wait already. */
  attached(task: Task, moved: readonly Channel[], objects: number): void {
    const krc = this.#krc;
    const { sim, rcu, constants, workqueue } = krc.kvfree;
    const { cause } = sim;
    const isPolled = constants.wait === 'polled-2022';
    if (isPolled) this.#snapshot = rcu.polled.takeWord();
    if (!this.isPending) this.#number = krc.kvfree.nextBatch();
    const mask = moved.reduce<number>((sum, channel) => sum + (1 << channel), 0);
    const snapshot = isPolled ? this.#snapshot : this.#noteHeadSnapshot(moved);
    sim.emit(KIND.kvfree_attach, krc.cpu, this.#index + 2 * mask, objects, this.#number, snapshot);
    if (!this.isPending) {
      this.isPending = true;
      if (isPolled || constants.wait === 'per-block') workqueue.queueWork(this, task.cpu, task.cpu, false);
      else this.#callRcu(task);
    }
    sim.cause = cause;
  }

  /** head_free_gp_snap of 6.5 and later: what the runs of the head channel are checked against. Its word, or -1. */
  #noteHeadSnapshot(moved: readonly Channel[]): number {
    const { rcu, constants } = this.#krc.kvfree;
    if (!constants.checksAtFree || !moved.includes(KVFREE_CHANNEL.head)) return -1;
    const snapshot = rcu.polled.take(true);
    for (const run of this.channels[KVFREE_CHANNEL.head] as Unit[]) run.snapshot = snapshot;
    return snapshotWord(snapshot);
  }

  /** queue_rcu_work(): call_rcu_hurry(), then the work on the CPU that invokes the callback (K13). */
  #callRcu(task: Task): void {
    const { rcu, workqueue } = this.#krc.kvfree;
    callRcu(rcu, task, {
      id: rcu.nextCallbackId(),
      func: RCU_FUNC.rcu_work_rcufn,
      invoke: (onCpu, fromInterrupt) => workqueue.queueWork(this, onCpu, onCpu, fromInterrupt),
      isLazy: false,
    });
  }

  begin(worker: Worker): void {
    const { sim } = this.#krc.kvfree;
    sim.cause = this.cause;
    this.isPending = false;
    this.#running = this.#number;
    this.#awaited = this.#snapshot;
    // moved to lists of its own first: the batch can take others (K10)
    this.#lists = this.channels.splice(0, this.channels.length, [], [], []);
    sim.emit(KIND.workqueue_execute_start, worker.track, this.fn, this.#krc.cpu, this.#running);
    this.#phase = PHASE.start;
    worker.work(sim.machine.kvfreeWorkStartNs);
  }

  step(worker: Worker): void {
    const { sim } = this.#krc.kvfree;
    switch (this.#phase) {
      case PHASE.start:
        if (this.#krc.isStuck && this.#krc.kvfree.waitForFloods(worker)) return;
        this.#start(worker);
        return;
      case PHASE.wait:
        this.#wait(worker);
        return;
      case PHASE.free:
        this.#free(worker);
        return;
      default:
        sim.emit(KIND.workqueue_execute_end, worker.track, this.fn, this.#krc.cpu, this.#running);
        worker.done();
        if (this.isPending) return;
        this.#wakeWaiters();
    }
  }

  #wakeWaiters(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const done of waiters) done();
  }

  /** Frees what is ready, and then the rest if it must wait for that here. */
  #start(worker: Worker): void {
    const { kvfree } = this.#krc;
    const lists = this.#lists;
    const { wait } = kvfree.constants;
    let ready = lists;
    if (wait === 'polled-2022' && !kvfree.isDone(this.#awaited)) {
      ready = [];
      this.#rest = lists;
    } else if (wait === 'per-block') {
      // what is ready oldest first
      ready = lists.map((units) => units.filter(({ snapshot }) => kvfree.isDone(snapshot)).reverse());
      this.#rest = lists.map((units) => units.filter(({ snapshot }) => !kvfree.isDone(snapshot)));
    }
    this.#reclaim = new Reclaim(this.#krc, ready);
    this.#free(worker);
  }

  /** What waits for a grace period in the worker itself. */
  #rest: Unit[][] = [];

  #free(worker: Worker): void {
    this.#phase = PHASE.free;
    if (this.#reclaim?.step(worker)) return;
    if (this.#rest.some((units) => units.length > 0)) {
      this.#synchronize = this.#krc.kvfree.synchronize(worker);
      this.#wait(worker);
      return;
    }
    this.#phase = PHASE.end;
    worker.work(this.#krc.kvfree.sim.machine.kvfreeWorkEndNs);
  }

  /** synchronize_rcu() in the worker (K12). */
  #wait(worker: Worker): void {
    this.#phase = PHASE.wait;
    if (this.#synchronize?.step()) return;
    this.#synchronize = undefined;
    this.#reclaim = new Reclaim(this.#krc, this.#rest);
    this.#rest = [];
    this.#free(worker);
  }
}
