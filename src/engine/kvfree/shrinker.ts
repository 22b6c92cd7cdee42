/** The shrinker "rcu-kfree" under memory pressure, called by kswapd (kvfree K15). */
import { KIND } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import type { Krc } from './krc.ts';
import type { Kvfree } from './kvfree.ts';

/** kswapd looks again so often while memory is short, per second. */
const ROUNDS_PER_SECOND = 10;

const PHASE = { count: 0, scan: 1, rest: 2 } as const;

/** kswapd as far as it calls the shrinker: counts, scans a CPU a step, sleeps while memory stays short. */
class Kswapd extends Task {
  override readonly isPinned = false;
  override readonly bySteps = true;
  readonly #kvfree: Kvfree;
  #phase: number = PHASE.count;
  #krcs: Krc[] = [];
  #left = 0;
  /** The monitor, run here. */
  #run: ReturnType<Krc['monitor']['run']> | undefined;
  /** Sleeps until somebody wakes it. */
  isResting = true;

  constructor(kvfree: Kvfree) {
    super(kvfree.sim.addTrack('kthread', 'kswapd0', -1), 0);
    this.#kvfree = kvfree;
    kvfree.host.executor.add(this, PRIORITY.thread + this.track);
  }

  step(): void {
    const { sim } = this.#kvfree;
    switch (this.#phase) {
      case PHASE.count:
        this.isResting = false;
        this.#count();
        this.#phase = PHASE.scan;
        this.work(sim.machine.kvfreeMonitorNs);
        return;
      case PHASE.scan: {
        if (this.#run?.step(this)) return;
        this.#run = undefined;
        const krc = this.#krcs.shift();
        if (krc === undefined || this.#left === 0) this.#phase = PHASE.rest;
        else this.#scan(krc);
        this.work(sim.machine.kvfreeMonitorNs);
        return;
      }
      default:
        this.#phase = PHASE.count;
        this.#rest();
    }
  }

  #rest(): void {
    const { sim, memory } = this.#kvfree;
    this.#kvfree.settle();
    if (memory.isShort) {
      this.sleepUntil(sim.nowNs + Math.floor(1e9 / ROUNDS_PER_SECOND));
      return;
    }
    this.isResting = true;
    this.block();
  }

  /** kfree_rcu_shrink_count(): what could be freed; every CPU backs off. */
  #count(): void {
    const { krcs } = this.#kvfree;
    this.#krcs = [...krcs.values()];
    this.#left = 0;
    for (const krc of this.#krcs) {
      krc.settle();
      this.#left += krc.count + krc.cache.count;
      krc.cache.backOff();
    }
  }

  /** kfree_rcu_shrink_scan() on one CPU: cached blocks go, the monitor runs here. */
  #scan(krc: Krc): void {
    const { sim, memory } = this.#kvfree;
    krc.settle();
    const { count } = krc;
    const blocks = krc.cache.drain();
    for (let i = 0; i < blocks; i++) memory.givePage();
    this.#left = Math.max(0, this.#left - count - blocks);
    const { cause } = sim;
    sim.emit(KIND.kvfree_shrink, krc.cpu, count, blocks, this.#left);
    this.#run = krc.monitor.run();
    sim.cause = cause;
  }
}

/** Wakes kswapd when memory is short; there is no kswapd before. */
export class Shrinker {
  readonly #kvfree: Kvfree;
  #kswapd: Kswapd | undefined;

  constructor(kvfree: Kvfree) {
    this.#kvfree = kvfree;
  }

  /** Memory is short: code on some CPU wakes kswapd. */
  wake(): void {
    this.#kswapd ??= new Kswapd(this.#kvfree);
    const { sim, host } = this.#kvfree;
    const { cause } = sim;
    if (this.#kswapd.isResting) host.executor.wake(this.#kswapd, this.#kswapd.cpu, false);
    sim.cause = cause;
  }
}
