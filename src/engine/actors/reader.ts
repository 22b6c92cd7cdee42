/** A reader: lock, hold, unlock, idle, cond_resched() (spec srcu 5.1, 5.4). */
import type { ReaderActor } from '../config.ts';
import { createHoldAndIdle, createSampler, type Sampler } from '../core/distributions.ts';
import { KIND } from '../core/eventKinds.ts';
import type { Domain } from '../srcu/domain.ts';
import { type Place, Thread, type World } from './thread.ts';

const PHASE = { fetch: 0, lock: 1, held: 2, unlock: 3, idle: 4, resched: 5 } as const;

/** One reader thread. */
export class Reader extends Thread {
  readonly #actor: ReaderActor;
  readonly #domain: Domain;
  readonly #hold: Sampler;
  readonly #idle: Sampler;
  readonly #incDelay: Sampler;
  #left: number;
  #phase: number = PHASE.fetch;
  #idx = 0;
  #holdNs = 0;
  #idleNs = 0;

  constructor(world: World, place: Place, actor: ReaderActor, name: string) {
    super(world, place, name);
    const owner = this.drawOwner();
    const { hold, idle } = createHoldAndIdle(actor.hold, actor.idle, owner);
    this.#actor = actor;
    this.#domain = world.domain(actor.domain);
    this.#hold = hold;
    this.#idle = idle;
    this.#incDelay = createSampler(actor.incDelay, owner, 'incDelay');
    this.#left = actor.times ?? Number.POSITIVE_INFINITY;
  }

  step(): void {
    const { machine } = this.sim;
    switch (this.#phase) {
      case PHASE.fetch:
        this.#fetch();
        return;
      case PHASE.lock:
        this.#phase = PHASE.held;
        this.#domain.lock(this.track, this.cpu, this.#idx, false);
        this.#pass(this.#holdNs, this.#actor.holdMode);
        return;
      case PHASE.held:
        this.#phase = PHASE.unlock;
        this.work(machine.rlockUnlockNs);
        return;
      case PHASE.unlock:
        this.#phase = PHASE.idle;
        this.#domain.unlock(this.track, this.cpu, this.#idx, false);
        this.#pass(this.#idleNs, this.#actor.idleMode);
        return;
      case PHASE.idle:
        this.#phase = PHASE.resched;
        this.work(machine.readerGapNs);
        return;
      default:
        this.yields = true;
        this.#phase = PHASE.fetch;
        this.work(0);
    }
  }

  /** 5.1 FETCH. The increment may come later (5.4). */
  #fetch(): void {
    if (this.#left-- <= 0) {
      this.sim.emit(KIND.thread_done, this.track);
      this.exit();
      return;
    }
    this.#holdNs = this.#hold();
    this.#idleNs = this.#idle();
    const delayNs = this.#incDelay();
    this.#idx = this.#domain.srcuIdx % 2;
    this.#phase = PHASE.lock;
    if (delayNs > 0) this.sim.emit(KIND.srcu_fetch, this.track, this.#domain.track, this.#idx, this.cpu);
    this.work(delayNs);
  }

  /** Spins or sleeps for a duration; 0 does neither. */
  #pass(ns: number, mode: 'spin' | 'sleep'): void {
    const untilNs = this.sim.nowNs + ns;
    if (ns > 0 && mode === 'sleep') this.sleepUntil(untilNs);
    else this.spinUntil(untilNs);
  }
}
