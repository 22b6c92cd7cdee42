/** Wheel timers: armed in jiffies, fired on ticks, by the CPU that spec srcu 3.8 names. */
import { KIND } from './eventKinds.ts';
import type { SlotTarget } from './queue.ts';
import { PRIORITY, type Sim } from './sim.ts';
import type { Executor } from './task.ts';
import type { TickState } from './tickState.ts';
import { wheelExpiry } from './ticks.ts';

/** What a timer function is told: the CPU that handles it. */
export type TimerFunction = (cpu: number) => void;

/** The part of a CPU that timers know: jiffies at which timers armed there are due. */
export interface TimerBase {
  readonly timersDue: number[];
}

/** What wheel timers need beside the simulation. */
export interface TimerHost {
  readonly executor: Executor;
  /** Undefined where CPUs are not shared: a timer fires where it was armed, at its tick. */
  readonly tickState: TickState | undefined;
  base(cpu: number): TimerBase | undefined;
}

/** One timer (struct timer_list). */
export class WheelTimer implements SlotTarget {
  readonly #sim: Sim;
  readonly #host: TimerHost;
  readonly #tickState: TickState | undefined;
  readonly #fn: number;
  readonly #domain: number;
  readonly #call: TimerFunction;
  readonly #bySteps: boolean;
  readonly #slot: number;
  #cpu = 0;
  /** The list of the CPU that it was armed on. */
  #due: number[] | undefined;
  #dueJiffy = 0;
  #handler = -1;
  #cause = -1;

  /** `bySteps`: from the tick to the handler by the steps of tree 11.2, not by the totals of srcu 11.1. */
  constructor(sim: Sim, host: TimerHost, fn: number, domain: number, call: TimerFunction, bySteps = false) {
    this.#bySteps = bySteps;
    this.#sim = sim;
    this.#host = host;
    this.#tickState = host.tickState;
    this.#fn = fn;
    this.#domain = domain;
    this.#call = call;
    this.#slot = sim.queue.allocateFor(PRIORITY.timer + domain, this);
  }

  /** True between arming and firing. */
  get isPending(): boolean {
    return this.#sim.queue.isPending(this.#slot);
  }

  /** Arms on this CPU for `delay` jiffies; fires at the tick of spec srcu 3.6. */
  arm(cpu: number, delay: number): void {
    const sim = this.#sim;
    this.#cpu = cpu;
    this.#dueJiffy = wheelExpiry(sim.jiffies, delay);
    this.#handler = -1;
    if (this.#tickState !== undefined) {
      this.#due = this.#host.base(cpu)?.timersDue;
      this.#due?.push(this.#dueJiffy);
    }
    this.#cause = sim.emit(KIND.timer_start, cpu, this.#fn, delay, this.#dueJiffy, this.#domain);
    sim.queue.schedule(this.#slot, sim.ticks.timeOfJiffyNs(this.#dueJiffy));
  }

  /** timer_reduce(): arms for `delay` jiffies unless an earlier or equal expiry is pending (spec srcu 2.6.3). */
  reduce(cpu: number, delay: number): void {
    if (this.isPending) {
      if (this.#dueJiffy <= wheelExpiry(this.#sim.jiffies, delay)) return;
      this.#forgetDue();
    }
    this.arm(cpu, delay);
  }

  /** timer_delete(). */
  cancel(): void {
    if (!this.isPending) return;
    this.#sim.queue.cancel(this.#slot);
    this.#forgetDue();
  }

  #stepsNs(handler: number, tick: number): number {
    const { softTimerNs, wakeNs } = this.#sim.machine;
    return (this.#tickState?.tickToWorkNs(handler, tick) ?? 0) + softTimerNs + wakeNs;
  }

  #forgetDue(): void {
    const due = this.#due;
    if (due === undefined) return;
    const at = due.indexOf(this.#dueJiffy);
    if (at >= 0) due.splice(at, 1);
  }

  /** At the tick: who handles it. True if that CPU has come to its timers; it fires again where it has not. */
  #isHandled(tickState: TickState): boolean {
    const sim = this.#sim;
    const tick = sim.ticks.numberAt(sim.nowNs);
    const handler = tickState.handlerOf(this.#cpu, tick);
    const firstTry = sim.jiffies === this.#dueJiffy;
    if (firstTry && handler === this.#cpu && tickState.losesRace(handler, tick)) {
      sim.queue.schedule(this.#slot, sim.ticks.nextTickNs(sim.nowNs));
      return false;
    }
    this.#handler = handler;
    const delayNs = this.#bySteps
      ? this.#stepsNs(handler, tick)
      : this.#host.executor.tickToTimersNs(handler, tick);
    if (delayNs === 0) return true;
    sim.queue.schedule(this.#slot, sim.nowNs + delayNs);
    return false;
  }

  /** Its slot's time has come: the tick, or later the handler. */
  fire(): void {
    const sim = this.#sim;
    const tickState = this.#tickState;
    if (tickState === undefined) this.#handler = this.#cpu;
    else {
      if (this.#handler < 0 && !this.#isHandled(tickState)) return;
      this.#forgetDue();
    }
    sim.cause = this.#cause;
    sim.emit(KIND.timer_expire_entry, this.#handler, this.#fn, sim.jiffies, this.#dueJiffy, this.#domain);
    this.#call(this.#handler);
  }
}
