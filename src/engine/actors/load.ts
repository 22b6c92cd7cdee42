/** A busy thread: spins in the kernel between cond_resched() calls, or in user mode. */
import type { LoadActor } from '../config.ts';
import { createSampler, type Sampler } from '../core/distributions.ts';
import { MAX_TIME_NS } from '../core/ticks.ts';
import { type Place, Thread, type World } from './thread.ts';

/** One load thread. It never finishes. */
export class Load extends Thread {
  readonly #spin: Sampler | undefined;
  readonly #idle: Sampler;
  #isSpinning = false;

  constructor(world: World, place: Place, actor: LoadActor, name: string) {
    super(world, place, name);
    const owner = this.drawOwner();
    this.#spin = actor.spin === undefined ? undefined : createSampler(actor.spin, owner, 'spin');
    this.#idle = createSampler(actor.idle, owner, 'idle');
    this.userMode = actor.mode === 'user';
  }

  step(): void {
    if (this.#isSpinning) {
      this.#isSpinning = false;
      this.yields = true;
      const idleNs = this.#idle();
      if (idleNs > 0) {
        this.sleepUntil(this.sim.nowNs + idleNs);
        return;
      }
    }
    this.#isSpinning = true;
    this.work(this.#spin === undefined ? MAX_TIME_NS : this.#spin());
  }
}
