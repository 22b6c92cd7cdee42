/** A reader of Tree RCU: rcu_read_lock(), hold, rcu_read_unlock(), idle, cond_resched(). */
import type { ReaderActor } from '../config.ts';
import { createHoldAndIdle, type Sampler } from '../core/distributions.ts';
import { KIND } from '../core/eventKinds.ts';
import { type Place, Thread, type World } from './thread.ts';

const PHASE = { lock: 0, held: 1, unlock: 2, idle: 3, resched: 4 } as const;

/** One reader thread. Its sections spin: a section of RCU must not sleep. */
export class RcuReader extends Thread {
  override readonly bySteps = true;
  readonly #idleMode: ReaderActor['idleMode'];
  readonly #hold: Sampler;
  readonly #idle: Sampler;
  #left: number;
  #phase: number = PHASE.lock;
  #idleNs = 0;

  constructor(world: World, place: Place, actor: ReaderActor, name: string) {
    super(world, place, name);
    const { hold, idle } = createHoldAndIdle(actor.hold, actor.idle, this.drawOwner());
    this.#hold = hold;
    this.#idle = idle;
    this.#idleMode = actor.idleMode;
    this.#left = actor.times ?? Number.POSITIVE_INFINITY;
  }

  step(): void {
    const { sim } = this;
    switch (this.#phase) {
      case PHASE.lock:
        this.#lock();
        return;
      case PHASE.held:
        this.#phase = PHASE.unlock;
        this.work(sim.machine.rlockUnlockNs);
        return;
      case PHASE.unlock:
        this.#unlock();
        return;
      case PHASE.idle:
        this.#phase = PHASE.resched;
        this.work(sim.machine.readerGapNs);
        return;
      default:
        this.yields = true;
        this.#phase = PHASE.lock;
        this.work(0);
    }
  }

  #lock(): void {
    const { sim } = this;
    if (this.#left-- <= 0) {
      sim.emit(KIND.thread_done, this.track);
      this.exit();
      return;
    }
    const holdNs = this.#hold();
    this.#idleNs = this.#idle();
    this.rcuNesting++;
    sim.emit(KIND.rcu_read_lock, this.track, this.cpu);
    this.#phase = PHASE.held;
    this.spinUntil(sim.nowNs + holdNs);
  }

  #unlock(): void {
    const { sim, world } = this;
    this.rcuNesting--;
    sim.emit(KIND.rcu_read_unlock, this.track, this.cpu);
    world.rcu.blockedReaders.unlock(world.rcu.data(this.cpu), this);
    this.#phase = PHASE.idle;
    const untilNs = sim.nowNs + this.#idleNs;
    if (this.#idleNs > 0 && this.#idleMode === 'sleep') this.sleepUntil(untilNs);
    else this.spinUntil(untilNs);
  }
}
