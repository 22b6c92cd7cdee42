/** Callbacks of one flavour and when they are in a hurry (call_rcu_tasks_generic(), rcu_tasks_need_gpcb(), spec tasks 3.1). */
import { CALLBACK, KIND, TASKS_LAZY, TIMER_FN } from '../core/eventKinds.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import type { TasksFlavor } from './flavor.ts';

/** One callback. */
export interface TasksCallback {
  /** One series per run. */
  readonly id: number;
  /** CALLBACK. */
  readonly kind: number;
  readonly queuedNs: number;
  /** Its function; called by the kthread. */
  readonly invoke: () => void;
}

/** urgent_gp after an urgent enqueue: so many looks of the kthread are not lazy. */
const URGENT_LOOKS = 3;

/** What a look of the kthread comes to. */
export interface Look {
  /** Callbacks wait for a grace period that may start now. */
  readonly needsGp: boolean;
  /** Callbacks are ready. */
  readonly hasReady: boolean;
}

/** Two segments as one; either may hold any number of callbacks. */
function joined(first: TasksCallback[], second: TasksCallback[]): TasksCallback[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : first.concat(second);
}

/** The list; its segments are: without a number, for the grace period under way, ready. */
export class CallbackQueue {
  readonly #flavor: TasksFlavor;
  readonly #wake: (cpu: number, fromInterrupt: boolean) => void;
  readonly #lazyTimer: WheelTimer;
  #waiting: TasksCallback[] = [];
  #numbered: TasksCallback[] = [];
  #ready: TasksCallback[] = [];
  /** rcu_segcblist_n_cbs(): those being invoked included. */
  #length = 0;
  urgentGp = 0;

  /** `wake`: the kthread, if it waits for callbacks; from code on a CPU, in an interrupt or not. */
  constructor(flavor: TasksFlavor, host: TimerHost, wake: (cpu: number, fromInterrupt: boolean) => void) {
    this.#flavor = flavor;
    this.#wake = wake;
    const fired = (cpu: number) => this.#timerFired(cpu);
    const fn = TIMER_FN.call_rcu_tasks_generic_timer;
    this.#lazyTimer = new WheelTimer(flavor.sim, host, fn, flavor.track, fired, true);
  }

  get #isEmpty(): boolean {
    return this.#waiting.length + this.#numbered.length + this.#ready.length === 0;
  }

  /** Queues a callback from a task on a CPU; true: the lazy timer was armed or the kthread woken. */
  enqueue(callback: TasksCallback, track: number, cpu: number): boolean {
    const { sim, flavor, constants } = this.#flavor;
    const { lazyJiffies, lazyLim } = constants;
    const isLazy = lazyJiffies > 0;
    sim.emit(KIND.rcu_tasks_callback, track, callback.id, flavor, callback.kind, this.#length);
    const { cause } = sim;
    const isHurried = callback.kind === CALLBACK.wakeme || this.#length === lazyLim;
    const isUrgent = (this.#hasLaziness && isHurried) || (!isLazy && this.#isEmpty);
    const arms = isLazy && !isUrgent && !this.#lazyTimer.isPending;
    if (arms) {
      this.#trace(TASKS_LAZY.armed, lazyJiffies);
      this.#lazyTimer.arm(cpu, lazyJiffies);
    }
    if (isUrgent && this.#hasLaziness) {
      this.urgentGp = URGENT_LOOKS;
      this.#trace(TASKS_LAZY.urgent);
    }
    this.#length++;
    this.#waiting.push(callback);
    if (isUrgent) this.#wake(cpu, true);
    sim.cause = cause;
    return arms || isUrgent;
  }

  /** The kernel has urgent_gp. */
  get #hasLaziness(): boolean {
    return this.#flavor.sim.rules['tasks.lazy'] === 'lazy';
  }

  #trace(what: number, delay = 0): void {
    const { sim, track, flavor } = this.#flavor;
    sim.emit(KIND.rcu_tasks_lazy, track, what, flavor, this.urgentGp, delay);
  }

  /** call_rcu_tasks_generic_timer(). */
  #timerFired(cpu: number): void {
    if (this.#isEmpty) {
      this.#trace(TASKS_LAZY.empty);
      return;
    }
    const { lazyJiffies } = this.#flavor.constants;
    this.urgentGp = Math.max(this.urgentGp, 1);
    this.#trace(TASKS_LAZY.fired, lazyJiffies);
    const { sim } = this.#flavor;
    const { cause } = sim;
    this.#lazyTimer.arm(cpu, lazyJiffies);
    sim.cause = cause;
    this.#wake(cpu, true);
  }

  /** rcu_segcblist_entrain(): a barrier's callback behind the last one; false if there are none. */
  entrain(callback: TasksCallback, track: number): boolean {
    if (this.#length === 0) return false;
    const { sim, flavor } = this.#flavor;
    sim.emit(KIND.rcu_tasks_callback, track, callback.id, flavor, callback.kind, this.#length);
    this.#length++;
    const last = [this.#waiting, this.#numbered].find((segment) => segment.length > 0) ?? this.#ready;
    last.push(callback);
    return true;
  }

  /** rcu_tasks_need_gpcb(): what the kthread has to do; callbacks without a number are for the next grace period. */
  look(): Look {
    this.#numbered = joined(this.#numbered, this.#waiting);
    this.#waiting = [];
    const isPending = this.#numbered.length > 0;
    const needsGp = isPending && (!this.#hasLaziness || this.urgentGp > 0);
    if (needsGp && this.#flavor.constants.lazyJiffies > 0) {
      this.urgentGp--;
      this.#trace(TASKS_LAZY.look);
    }
    return { needsGp, hasReady: this.#ready.length > 0 };
  }

  /** A grace period has ended: its callbacks are ready. */
  advance(): void {
    this.#ready = joined(this.#ready, this.#numbered);
    this.#numbered = [];
  }

  /** Takes the ready callbacks out; they count until invoked() is called. */
  takeReady(): TasksCallback[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** So many callbacks have been invoked. */
  invoked(count: number): void {
    this.#length -= count;
  }
}
