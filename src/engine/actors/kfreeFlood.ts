/** The kfree test as a whole: its threads, the sampler, and the drain after the last has ended (kvfree K18 to K20). */
import type { KfreeActor } from '../config.ts';
import { KFREE_TEST, KIND } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { freeExtraNs } from '../kvfree/freeExtra.ts';
import { type SizeSums, sizeSums } from '../kvfree/sizes.ts';
import type { ApiCall } from './call.ts';
import { type FloodOwner, KfreeThread } from './kfreeThread.ts';
import { KvfreeRcuBarrier } from './kvfreeBarrier.ts';
import { RcuBarrier } from './rcuCallbackCalls.ts';
import { launchThread, type Place, startNs, Thread, type World } from './thread.ts';

/** A thread that reads the memory available every `sampleNs` (contract, K13). */
class Sampler extends Thread {
  readonly #sampleNs: number;
  #isAwake = false;
  hasEnded = false;

  constructor(world: World, place: Place, sampleNs: number, name: string) {
    super(world, place, name);
    this.#sampleNs = sampleNs;
  }

  step(): void {
    const { sim, world } = this;
    if (this.hasEnded) {
      this.exit();
      return;
    }
    if (!this.#isAwake) {
      this.#isAwake = true;
      this.work(sim.machine.kvfreeSampleNs);
      return;
    }
    this.#isAwake = false;
    world.kvfree.settle();
    const { memory } = world.kvfree;
    sim.emit(KIND.kvfree_memory, this.track, memory.freeBytes, -1, memory.heldBytes, memory.blockBytes);
    this.sleepUntil(sim.nowNs + this.#sampleNs);
  }
}

const DRAIN = { kvfree: 0, wait: 1, rcu: 2, end: 3 } as const;

/** kvfree_rcu_barrier() and rcu_barrier() on CPU 0; kernels without the first wait until all is freed (K16). */
class Drain extends Thread {
  readonly #beganNs: number;
  readonly #drained: () => void;
  readonly #calls: readonly ApiCall[];
  #phase: number;

  constructor(world: World, place: Place, name: string, drained: () => void) {
    super(world, place, name);
    this.#drained = drained;
    this.#beganNs = world.sim.nowNs;
    const { hasBarrier } = world.kvfree.constants;
    this.#calls = [new KvfreeRcuBarrier({ world }, this), new RcuBarrier({ world }, this)];
    this.#phase = hasBarrier ? DRAIN.kvfree : DRAIN.wait;
    for (const call of this.#calls) call.begin(0);
  }

  step(): void {
    const { sim, world } = this;
    if (this.#phase === DRAIN.wait) {
      this.#phase = DRAIN.rcu;
      const wake = () => world.executor.wake(this, this.cpu, false);
      if (!world.kvfree.areAllFreed(wake)) {
        this.block();
        return;
      }
    }
    if (this.#phase === DRAIN.kvfree) {
      if (this.#calls[0]?.step()) return;
      this.#phase = DRAIN.rcu;
    }
    if (this.#phase === DRAIN.rcu) {
      if (this.#calls[1]?.step()) return;
      this.#phase = DRAIN.end;
    }
    const { gpSeq } = world.rcu;
    sim.emit(KIND.kfree_test, this.track, KFREE_TEST.drained, gpSeq, sim.nowNs - this.#beganNs);
    this.#drained();
    this.exit();
  }
}

/** One kfree actor. */
export class KfreeFlood implements FloodOwner {
  readonly actor: KfreeActor;
  readonly sums: SizeSums;
  readonly mostAtOnce: number;
  readonly #world: World;
  readonly #actorIndex: number;
  /** Number of its first thread in its name. */
  readonly #firstNumber: number;
  #running: number;
  #sampler: Sampler | undefined;

  constructor(world: World, actorIndex: number, actor: KfreeActor, firstNumber: number, mostAtOnce: number) {
    const { machine } = world.sim;
    this.#world = world;
    this.#actorIndex = actorIndex;
    this.actor = actor;
    this.#firstNumber = firstNumber;
    this.mostAtOnce = mostAtOnce;
    const { records } = world.kvfree.constants;
    this.sums = sizeSums(actor.sizes, actor.form, machine, (classes) =>
      freeExtraNs(classes, records, machine),
    );
    this.#running = actor.count;
  }

  /** Lets all threads begin. */
  launch(): void {
    const { actor } = this;
    const world = this.#world;
    const { ticks, config, machine } = world.sim;
    const atNs = startNs(actor.start, ticks);
    world.kvfree.floodBegins();
    for (let number = 0; number < actor.count; number++) {
      const place = { actor: this.#actorIndex, number, cpu: (actor.cpu + number) % config.cpus };
      if (number < machine.kfreeStuckCpus) world.kvfree.krc(place.cpu).isStuck = true;
      const thread = new KfreeThread(world, place, this, `kfree/${this.#firstNumber + number}`);
      launchThread(world, thread, atNs + number * actor.stagger);
    }
    if (actor.sampleNs === 0) return;
    const place = { actor: this.#actorIndex, number: -1, cpu: config.cpus - 1 };
    this.#sampler = new Sampler(world, place, actor.sampleNs, `kfree-sampler/${this.#firstNumber}`);
    launchThread(world, this.#sampler, atNs);
  }

  threadEnded(thread: KfreeThread): void {
    const world = this.#world;
    const { sim } = world;
    this.#running--;
    if (this.#running > 0) return;
    const { cause } = sim;
    sim.emit(KIND.kfree_test, thread.track, KFREE_TEST.last, world.rcu.gpSeq, sim.nowNs - thread.beganNs);
    world.kvfree.floodEnds();
    const place = { actor: this.#actorIndex, number: -1, cpu: 0 };
    const drain = new Drain(world, place, `kfree-drain/${this.#firstNumber}`, () => this.#end());
    world.executor.add(drain, PRIORITY.thread + drain.track);
    world.executor.start(drain);
    sim.cause = cause;
  }

  #end(): void {
    if (this.#sampler !== undefined) this.#sampler.hasEnded = true;
    this.#world.finished();
  }
}
