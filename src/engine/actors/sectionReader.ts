/** Readers that take a section at a time: lock, hold, unlock, idle, cond_resched(). */
import type { ReaderActor } from '../config.ts';
import { createHoldAndIdle, type Sampler } from '../core/distributions.ts';
import { KIND } from '../core/eventKinds.ts';
import { type Place, Thread, type World } from './thread.ts';

const PHASE = { lock: 0, held: 1, unlock: 2, idle: 3, resched: 4 } as const;

/** One reader thread; subclasses say what entering and leaving a section does. */
export abstract class SectionReader extends Thread {
  override readonly bySteps = true;
  readonly #actor: ReaderActor;
  readonly #hold: Sampler;
  readonly #idle: Sampler;
  #left: number;
  #phase: number = PHASE.lock;
  #idleNs = 0;

  constructor(world: World, place: Place, actor: ReaderActor, name: string) {
    super(world, place, name);
    const { hold, idle } = createHoldAndIdle(actor.hold, actor.idle, this.drawOwner());
    this.#actor = actor;
    this.#hold = hold;
    this.#idle = idle;
    this.#left = actor.times ?? Number.POSITIVE_INFINITY;
  }

  protected abstract enterSection(): void;

  protected abstract leaveSection(): void;

  step(): void {
    const { machine } = this.sim;
    switch (this.#phase) {
      case PHASE.lock:
        this.#lock();
        return;
      case PHASE.held:
        this.#phase = PHASE.unlock;
        this.work(machine.rlockUnlockNs);
        return;
      case PHASE.unlock:
        this.leaveSection();
        this.#phase = PHASE.idle;
        this.#pass(this.#idleNs, this.#actor.idleMode);
        return;
      case PHASE.idle:
        this.#phase = PHASE.resched;
        this.work(machine.readerGapNs);
        return;
      default:
        this.yields = true;
        this.#phase = PHASE.lock;
        this.work(0);
    }
  }

  #lock(): void {
    if (this.#left-- <= 0) {
      this.sim.emit(KIND.thread_done, this.track);
      this.exit();
      return;
    }
    const holdNs = this.#hold();
    this.#idleNs = this.#idle();
    this.enterSection();
    this.#phase = PHASE.held;
    this.#pass(holdNs, this.#actor.holdMode);
  }

  /** Spins or sleeps for a duration; 0 does neither. */
  #pass(ns: number, mode: 'spin' | 'sleep'): void {
    const untilNs = this.sim.nowNs + ns;
    if (ns > 0 && mode === 'sleep') this.sleepUntil(untilNs);
    else this.spinUntil(untilNs);
  }
}
