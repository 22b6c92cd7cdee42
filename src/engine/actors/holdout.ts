/** A kernel thread that keeps its CPU without a voluntary context switch, then sleeps (spec tasks 4.2). */
import type { HoldoutActor } from '../config.ts';
import { createSampler, type Sampler } from '../core/distributions.ts';
import { type Place, Thread, type World } from './thread.ts';

/** One holdout. It never finishes. */
export class Holdout extends Thread {
  override readonly bySteps = true;
  readonly #spin: Sampler;
  readonly #sleep: Sampler;
  #hasSpun = false;

  constructor(world: World, place: Place, actor: HoldoutActor, name: string) {
    super(world, place, name);
    const owner = this.drawOwner();
    this.#spin = createSampler(actor.spin, owner, 'spin');
    this.#sleep = createSampler(actor.sleep, owner, 'sleep');
  }

  step(): void {
    this.#hasSpun = !this.#hasSpun;
    if (this.#hasSpun) this.spinUntil(this.sim.nowNs + this.#spin());
    else this.sleepUntil(this.sim.nowNs + this.#sleep());
  }
}
