/**
 * The CPUs that share one rcuog kthread (R3.8), and how it is woken: at once, or later by a timer (wake_nocb_gp(),
 * wake_nocb_gp_defer(), tree R3.9). Kernels before 5.14 arm these timers a little differently; the rules here are those
 * of later ones.
 */
import { KIND, RCU_NOCB, TIMER_FN } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import type { NocbList } from './nocbList.ts';
import type { RcuNode } from './rcuNode.ts';
import type { TreeRcu } from './treeRcu.ts';

/** nocb_defer_wakeup: what the timer of a group is armed for. */
export const DEFER = { not: 0, bypass: 1, lazy: 2, wake: 3, force: 4 } as const;
type Defer = (typeof DEFER)[keyof typeof DEFER];

/** Jiffies until the timer wakes rcuog for callbacks on a bypass list that are not lazy. */
const BYPASS_JIFFIES = 2;

/** State of a group (the nocb_gp fields of the rcu_data of its first CPU). */
export class NocbGroup {
  /** Track of rcuog. */
  readonly track: number;
  /** First CPU, offloaded or not. */
  readonly cpu: number;
  /** Leaf of that CPU: rcuog waits for grace periods there. */
  readonly leaf: RcuNode;
  /** Its offloaded CPUs, ascending. */
  readonly lists: NocbList[] = [];
  /** rcuog; createNocb() sets it. */
  kthread!: Task;
  /** Nobody has woken rcuog since it last looked (nocb_gp_sleep). */
  maySleep = true;
  readonly #rcu: TreeRcu;
  readonly #timer: WheelTimer;
  readonly #lazyJiffies: number;
  #deferred: Defer = DEFER.not;

  /** `lazyJiffies`: longest wait of lazy callbacks. */
  constructor(rcu: TreeRcu, host: TimerHost, cpu: number, lazyJiffies: number) {
    this.#rcu = rcu;
    this.cpu = cpu;
    this.track = rcu.sim.addTrack('kthread', `rcuog/${cpu}`, -1);
    this.leaf = rcu.data(cpu).leaf;
    this.#lazyJiffies = lazyJiffies;
    this.#timer = new WheelTimer(
      rcu.sim,
      host,
      TIMER_FN.do_nocb_deferred_wakeup_timer,
      this.track,
      (handler) => {
        this.trace(handler, 'Timer', cpu);
        if (this.#deferred >= DEFER.bypass) this.#wakeDeferred(cpu, handler);
      },
      true,
    );
  }

  /** Writes a rcu_nocb_wake row of a CPU of the group, from code on `onCpu`. */
  trace(onCpu: number, reason: keyof typeof RCU_NOCB, cpu: number): void {
    this.#rcu.sim.emit(KIND.rcu_nocb_wake, onCpu, RCU_NOCB[reason], cpu);
  }

  /** The timer is armed. */
  get isTimerPending(): boolean {
    return this.#timer.isPending;
  }

  /** __wake_nocb_gp(): wakes rcuog for the list of a CPU, unless somebody has already; `isForced`: all the same. */
  wake(cpu: number, onCpu: number, fromInterrupt: boolean, isForced = false): void {
    this.forgetDeferred();
    if (!isForced && !this.maySleep) return;
    this.maySleep = false;
    this.trace(onCpu, 'DoWake', cpu);
    this.#rcu.executor.wake(this.kthread, onCpu, fromInterrupt);
  }

  /** wake_nocb_gp_defer(): wakes rcuog some jiffies later for the list of a CPU, from code on `onCpu`. */
  deferWake(cpu: number, onCpu: number, level: Defer, reason: keyof typeof RCU_NOCB): void {
    // the kernel looks at nocb_defer_wakeup of the CPU at hand here, which is set for the first CPU of a group only
    const isFree = cpu !== this.cpu || this.#deferred === DEFER.not;
    if (level === DEFER.lazy && isFree) {
      this.#modTimer(onCpu, this.#lazyJiffies);
      this.#deferred = level;
    } else if (level === DEFER.bypass) {
      this.#modTimer(onCpu, BYPASS_JIFFIES);
      this.#deferred = level;
    } else {
      if (this.#deferred < DEFER.wake) this.#modTimer(onCpu, 1);
      if (this.#deferred < level) this.#deferred = level;
    }
    this.trace(onCpu, reason, cpu);
    const { sim, ticks } = this.#rcu;
    const { cause } = sim;
    ticks.consider(this.#rcu.data(this.cpu));
    sim.cause = cause;
  }

  #modTimer(onCpu: number, jiffies: number): void {
    this.#timer.cancel();
    this.#timer.arm(onCpu, jiffies);
  }

  /** Nothing is deferred any more: rcuog has been woken or has looked. */
  forgetDeferred(): void {
    if (this.#deferred === DEFER.not) return;
    this.#deferred = DEFER.not;
    this.#timer.cancel();
  }

  /** rcu_nocb_need_deferred_wakeup(): a wake-up is due at the next occasion, not only when the timer fires. */
  get needsDeferredWake(): boolean {
    return this.#deferred >= DEFER.wake;
  }

  /**
   * do_nocb_deferred_wakeup(): such an occasion is rcu_core() of a CPU of the group. The idle loop, where the kernel
   * looks too, is left to the timer here.
   */
  flushDeferred(cpu: number): void {
    if (this.needsDeferredWake) this.#wakeDeferred(cpu, cpu);
  }

  #wakeDeferred(cpu: number, onCpu: number): void {
    this.wake(cpu, onCpu, true, this.#deferred === DEFER.force);
    this.trace(onCpu, 'DeferredWake', cpu);
  }
}
