/** Timed sleeps of a kthread of RCU Tasks (schedule_timeout_idle(), spec tasks 4.1, 4.3). */
import { KIND, TIMER_FN } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import type { Task } from '../core/task.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';

/** A sleep of so many jiffies. */
export interface Sleep {
  /** Begins; the task then blocks unless it is over. */
  arm(jiffies: number): void;
  /** The time has come. */
  readonly isOver: boolean;
}

/** On the timer wheel. */
class WheelSleep implements Sleep {
  readonly #task: Task;
  readonly #timer: WheelTimer;

  constructor(rcu: TreeRcu, host: TimerHost, task: Task) {
    this.#task = task;
    const wake = (handler: number) => rcu.executor.wake(task, handler, true);
    this.#timer = new WheelTimer(rcu.sim, host, TIMER_FN.process_timeout, task.track, wake, true);
  }

  arm(jiffies: number): void {
    this.#timer.arm(this.#task.cpu, jiffies);
  }

  get isOver(): boolean {
    return !this.#timer.isPending;
  }
}

/**
 * PREEMPT_RT: an hrtimer with a slack of HZ/2 jiffies. It goes off with the first interrupt of its CPU's clock after its
 * time, which is the next tick if that runs, and at the end of the slack at the latest.
 */
class SlackSleep implements Sleep {
  readonly #rcu: TreeRcu;
  readonly #host: TimerHost;
  readonly #task: Task;
  readonly #slot: number;
  #cpu = 0;
  #latestNs = 0;
  #cause = -1;

  constructor(rcu: TreeRcu, host: TimerHost, task: Task) {
    this.#rcu = rcu;
    this.#host = host;
    this.#task = task;
    this.#slot = rcu.sim.queue.allocate(PRIORITY.timer + task.track, () => this.#interrupt());
  }

  arm(jiffies: number): void {
    const { nowNs, ticks, cause } = this.#rcu.sim;
    const { hz, periodNs } = ticks;
    this.#cpu = this.#task.cpu;
    this.#cause = cause;
    const softNs = nowNs + jiffies * periodNs;
    this.#latestNs = softNs + Math.floor(hz / 2) * periodNs;
    this.#wait(ticks.nextTickNs(softNs - 1));
  }

  get isOver(): boolean {
    return !this.#rcu.sim.queue.isPending(this.#slot);
  }

  #wait(untilNs: number): void {
    this.#rcu.sim.queue.schedule(this.#slot, Math.min(untilNs, this.#latestNs));
  }

  #interrupt(): void {
    const { sim, executor } = this.#rcu;
    const { nowNs, ticks } = sim;
    const ticksThere = this.#host.tickState?.isTicking(this.#cpu) ?? true;
    if (!ticksThere && nowNs < this.#latestNs) {
      this.#wait(ticks.nextTickNs(nowNs));
      return;
    }
    sim.cause = this.#cause;
    sim.emit(KIND.hrtimer_expire_entry, this.#cpu, this.#task.track);
    executor.wake(this.#task, this.#cpu, true);
  }
}

/** schedule_timeout_idle(). */
export function createWheelSleep(rcu: TreeRcu, host: TimerHost, task: Task): Sleep {
  return new WheelSleep(rcu, host, task);
}

/** The sleep of the hold-out loop, which is another one on PREEMPT_RT from 5.11 on. */
export function createHoldoutSleep(rcu: TreeRcu, host: TimerHost, task: Task): Sleep {
  const { config, rules } = rcu.sim;
  const hasSlack = config.kconfig.PREEMPT_RT === true && rules['tasks.backoff'] === 'jiffies';
  return hasSlack ? new SlackSleep(rcu, host, task) : new WheelSleep(rcu, host, task);
}
