/** kfree_rcu_monitor(): drains what is ready, attaches the rest to a batch, comes again (kvfree K7, K9). */
import { KIND, KVFREE_CHANNEL, TIMER_FN, WORK_FN } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import { WheelTimer } from '../core/timers.ts';
import { type Worker, WorkItem } from '../core/workqueue.ts';
import type { Krc } from './krc.ts';
import { Reclaim } from './reclaim.ts';
import type { Channel, Unit } from './unit.ts';

const ALL_CHANNELS: readonly Channel[] = [KVFREE_CHANNEL.bulk, KVFREE_CHANNEL.vmalloc, KVFREE_CHANNEL.head];
/** Delay once a block is full, jiffies. */
const FULL_DELAY = 1;

function objectsIn(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + unit.count, 0);
}

/** The delayed work of one CPU. */
export class KfreeRcuMonitor extends WorkItem {
  readonly #krc: Krc;
  readonly #timer: WheelTimer;
  /** Jiffy at which the armed timer is due, not rounded. */
  #expires = 0;
  #run: MonitorRun | undefined;
  #waiters: (() => void)[] = [];

  constructor(krc: Krc) {
    super(WORK_FN.kfree_rcu_monitor, krc.cpu);
    this.#krc = krc;
    const { kvfree } = krc;
    const fn = TIMER_FN.kfree_rcu_monitor;
    this.#timer = new WheelTimer(kvfree.sim, kvfree.host, fn, krc.cpu, (cpu) =>
      kvfree.workqueue.queueWork(this, cpu, cpu, true),
    );
  }

  /** delayed_work_pending(): armed, or queued and not begun. */
  get isPending(): boolean {
    return this.#timer.isPending || this.queued;
  }

  /** It runs. */
  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** schedule_delayed_monitor_work() from code on a CPU (K7). */
  arm(cpu: number): void {
    const { kvfree, count } = this.#krc;
    const { sim, constants } = kvfree;
    const isFull = constants.isAdaptive && count >= constants.records;
    const delay = isFull ? FULL_DELAY : constants.drainJiffies;
    const { cause, jiffies } = sim;
    if (this.isPending) {
      if (!constants.isAdaptive || !this.#timer.isPending || delay >= this.#expires - jiffies) return;
      this.#timer.cancel();
    }
    this.#expires = jiffies + delay;
    this.#timer.arm(cpu, delay);
    sim.cause = cause;
  }

  /** cancel_delayed_work_sync(): false if it runs, and `done` is called when it has ended. */
  cancel(done: () => void): boolean {
    this.#timer.cancel();
    this.dequeue();
    // whoever queues its next object arms it again
    this.#krc.cut();
    if (!this.isRunning) return true;
    this.#waiters.push(done);
    return false;
  }

  begin(worker: Worker): void {
    const krc = this.#krc;
    const { sim } = krc.kvfree;
    sim.cause = this.cause;
    krc.settle();
    sim.emit(KIND.workqueue_execute_start, worker.track, this.fn, krc.cpu, krc.count);
    // not pending any more: whoever queues its next object arms the timer
    krc.cut();
    worker.work(sim.machine.kvfreeMonitorNs);
  }

  step(worker: Worker): void {
    const krc = this.#krc;
    const { sim } = krc.kvfree;
    this.#run ??= this.run();
    if (this.#run.step(worker)) return;
    this.#run = undefined;
    sim.emit(KIND.workqueue_execute_end, worker.track, this.fn, krc.cpu);
    worker.done();
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const done of waiters) done();
  }

  /** What it does, in steps of any task: the shrinker runs it, too (K15). */
  run(): MonitorRun {
    return new MonitorRun(this.#krc);
  }

  /** kvfree_rcu_drain_ready(): the oldest units whose grace period has passed, by channel (K9a). */
  drainReady(): Unit[][] {
    const krc = this.#krc;
    const { kvfree } = krc;
    const ready = [KVFREE_CHANNEL.bulk, KVFREE_CHANNEL.vmalloc].map((channel) => {
      const units = krc.channels[channel] as Unit[];
      const notReady = units.findIndex((unit) => !kvfree.isDone(unit.snapshot));
      const taken = units.splice(0, notReady < 0 ? units.length : notReady);
      krc.objects[channel] = krc.objectsOn(channel) - objectsIn(taken);
      return taken;
    });
    const blocks = ready.reduce((sum, units) => sum + units.length, 0);
    const newestRun = krc.channels[KVFREE_CHANNEL.head]?.at(-1);
    const runs = kvfree.isDone(newestRun?.snapshot) ? krc.takeChannel(KVFREE_CHANNEL.head) : [];
    if (blocks + runs.length === 0) return [];
    ready.push(runs);
    for (const units of ready) for (const unit of units) krc.close(unit);
    const objects = objectsIn(ready.flat());
    krc.count -= objects;
    const { cause } = kvfree.sim;
    kvfree.sim.emit(KIND.kvfree_drain_ready, krc.cpu, objects, blocks, objectsIn(runs));
    krc.cut();
    kvfree.sim.cause = cause;
    return ready;
  }

  /** kvfree_rcu_queue_batch() from a task (K9b); true if a batch took something. */
  attach(task: Task): boolean {
    const krc = this.#krc;
    const { constants } = krc.kvfree;
    let attached = false;
    for (const batch of krc.batches) {
      if (!krc.needsOffload) break;
      const free = ALL_CHANNELS.filter((channel) => batch.channels[channel]?.length === 0);
      if (constants.attachesEmptyOnly && free.length < ALL_CHANNELS.length) continue;
      const moved = free.filter((channel) => (krc.channels[channel] as Unit[]).length > 0);
      if (moved.length === 0) continue;
      attached = true;
      const objects = moved.reduce<number>((sum, channel) => sum + krc.objectsOn(channel), 0);
      for (const channel of moved) batch.channels[channel] = krc.takeChannel(channel);
      krc.count = constants.countsByChannel ? krc.count - objects : 0;
      batch.attached(task, moved, objects);
      krc.cut();
      if (constants.attachesEmptyOnly) break;
    }
    return attached;
  }
}

/** One run of the monitor: frees what is ready, attaches the rest, comes again if anything is left (K9). */
class MonitorRun {
  readonly #krc: Krc;
  readonly #reclaim: Reclaim;

  constructor(krc: Krc) {
    const { constants } = krc.kvfree;
    this.#krc = krc;
    krc.settle();
    this.#reclaim = new Reclaim(krc, constants.wait === 'ready-by-monitor' ? krc.monitor.drainReady() : []);
  }

  /** Asks the task for CPU time; false: it is through. */
  step(task: Task): boolean {
    if (this.#reclaim.step(task)) return true;
    const krc = this.#krc;
    krc.settle();
    const attached = krc.monitor.attach(task);
    const mayRearm = krc.kvfree.constants.rearmsIfAnyLeft || !attached;
    if (krc.needsOffload && mayRearm) krc.monitor.arm(task.cpu);
    return false;
  }
}
