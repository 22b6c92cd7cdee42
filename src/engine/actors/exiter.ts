/** Tasks that end one after the other on one thread (spec tasks 2.1): gap, exit, tail, the last schedule. */
import type { ExiterActor } from '../config.ts';
import { createSampler, type Sampler } from '../core/distributions.ts';
import { type Place, Thread, type World } from './thread.ts';

const PHASE = { born: 0, exit: 1, finish: 2, gone: 3 } as const;

/** One of them at a time; there is always a next one. */
export class Exiter extends Thread {
  override readonly bySteps = true;
  /** preempt_disable() from exit_tasks_rcu_finish() on. */
  override bhDisabled = false;
  readonly #gap: Sampler;
  readonly #exit: Sampler;
  readonly #tail: Sampler;
  #phase: number = PHASE.born;
  /** Index on which it counts in the SRCU domain, -1. */
  #idx = -1;

  constructor(world: World, place: Place, actor: ExiterActor, name: string) {
    super(world, place, name);
    const owner = this.drawOwner();
    this.#gap = createSampler(actor.gap, owner, 'gap');
    this.#exit = createSampler(actor.exit, owner, 'exit');
    this.#tail = createSampler(actor.tail, owner, 'tail');
  }

  step(): void {
    const { tasks } = this.world;
    switch (this.#phase) {
      case PHASE.born:
        this.bhDisabled = false;
        this.#phase = PHASE.exit;
        this.sleepUntil(this.sim.nowNs + this.#gap());
        return;
      case PHASE.exit:
        this.bhDisabled = false;
        this.#idx = tasks.exitStart(this);
        this.#phase = PHASE.finish;
        this.work(this.#exit());
        return;
      case PHASE.finish:
        tasks.exitFinish(this, this.#idx);
        this.bhDisabled = true;
        this.#phase = PHASE.gone;
        this.work(this.#tail());
        return;
      default:
        tasks.exitGone(this);
        this.#phase = PHASE.exit;
        this.sleepUntil(this.sim.nowNs + this.#gap());
    }
  }
}
