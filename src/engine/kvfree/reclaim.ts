/** Freeing units one after the other on the time of a task (kvfree K11). */
import { KIND, KVFREE_CHANNEL, KVFREE_DEBUG } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import type { Krc } from './krc.ts';
import type { Unit } from './unit.ts';

/** The units of one work item: list by list, each from its end. */
export class Reclaim {
  readonly #krc: Krc;
  readonly #lists: readonly Unit[][];
  #list = 0;
  #inHand: Unit | undefined;

  /** Takes the lists over. */
  constructor(krc: Krc, lists: readonly Unit[][]) {
    this.#krc = krc;
    this.#lists = lists;
  }

  #takeNext(): Unit | undefined {
    for (; this.#list < this.#lists.length; this.#list++) {
      const unit = this.#lists[this.#list]?.pop();
      if (unit !== undefined) return unit;
    }
    return undefined;
  }

  /** Asks the task for the time of the next unit; false: all are freed. */
  step(task: Task): boolean {
    this.#finish();
    for (let unit = this.#takeNext(); unit !== undefined; unit = this.#takeNext()) {
      if (this.#isLeaked(unit, task.cpu)) continue;
      this.#begin(unit, task);
      return true;
    }
    return false;
  }

  /** The check of 6.5 and later: a grace period that has not passed leaks the objects. */
  #isLeaked(unit: Unit, onCpu: number): boolean {
    const { kvfree } = this.#krc;
    const { constants, sim } = kvfree;
    if (!constants.checksAtFree || kvfree.isDone(unit.snapshot)) return false;
    const { cause } = sim;
    sim.emit(KIND.kvfree_debug, onCpu, KVFREE_DEBUG.leaked, unit.id, unit.count);
    sim.cause = cause;
    kvfree.left(unit.count);
    return true;
  }

  #begin(unit: Unit, task: Task): void {
    const { kvfree, cpu } = this.#krc;
    const { sim, constants } = kvfree;
    const isBulk = unit.channel === KVFREE_CHANNEL.bulk;
    const ns = kvfree.freeingNs(unit, task.cpu === cpu);
    const { cause } = sim;
    if (isBulk && constants.debugObjects && !constants.bulkUnqueues) {
      sim.emit(KIND.kvfree_debug, task.cpu, KVFREE_DEBUG.freeActive, unit.id, unit.count);
      sim.cause = cause;
    }
    const kind = isBulk ? KIND.rcu_invoke_kfree_bulk_callback : KIND.rcu_invoke_kvfree_callback;
    sim.emit(kind, task.cpu, unit.count, unit.id, cpu, ns);
    sim.cause = cause;
    this.#inHand = unit;
    task.work(ns);
    // cond_resched() after each block; between any two objects freed one by one
    task.yields = true;
    task.se.yieldsThroughout = !isBulk;
  }

  #finish(): void {
    const unit = this.#inHand;
    if (unit === undefined) return;
    this.#inHand = undefined;
    const { kvfree, cache } = this.#krc;
    const { channel } = unit;
    kvfree.releasedUnit(unit);
    if (channel === KVFREE_CHANNEL.head) return;
    if (cache.give()) cache.traceReturned();
    else kvfree.memory.givePage();
  }
}
