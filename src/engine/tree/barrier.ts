/** rcu_barrier(): state of the barrier that runs, and the callbacks that it puts on the CPUs' lists (tree R3.13). */
import { KIND, RCU_BARRIER, RCU_FUNC } from '../core/eventKinds.ts';
import type { RcuCallback } from './callbackList.ts';
import { seqDone, seqEnd, seqSnap, seqStart } from './gpSeq.ts';
import type { TreeRcu } from './treeRcu.ts';

/** The count begins with this, so that no early callback ends the barrier. */
const INITIAL_COUNT = 2;

/** Somebody who waits, woken by code on a CPU, in an interrupt or not. */
type Waiter = (onCpu: number, fromInterrupt: boolean) => void;

/** The one barrier that can run, and the queue for its mutex. */
export class BarrierState {
  readonly #rcu: TreeRcu;
  /** barrier_sequence. */
  #sequence = 0;
  /** barrier_cpu_count. */
  #count = 0;
  #completed: Waiter | undefined;
  #isLocked = false;
  readonly #mutexWaiters: Waiter[] = [];

  constructor(rcu: TreeRcu) {
    this.#rcu = rcu;
  }

  /** rcu_barrier() is called on a CPU; returns the sequence number that tells that a whole one has passed. */
  enter(onCpu: number): number {
    const target = seqSnap(this.#sequence);
    this.#trace('Begin', onCpu, -1, target);
    return target;
  }

  /** mutex_lock(&barrier_mutex); false: `waiter` is called when it is worth another try. */
  lock(waiter: Waiter): boolean {
    if (this.#isLocked) {
      this.#mutexWaiters.push(waiter);
      return false;
    }
    this.#isLocked = true;
    return true;
  }

  /** mutex_unlock(). */
  unlock(onCpu: number): void {
    this.#isLocked = false;
    this.#mutexWaiters.shift()?.(onCpu, false);
  }

  /** With the mutex: true if somebody else made a whole barrier since `target` was taken; the mutex is given back then. */
  isDone(target: number, onCpu: number): boolean {
    if (!seqDone(this.#sequence, target)) return false;
    this.#trace('EarlyExit', onCpu);
    this.unlock(onCpu);
    return true;
  }

  /** The barrier starts; `completed` is called by the last of its callbacks. */
  start(onCpu: number, completed: Waiter): void {
    this.#sequence = seqStart(this.#sequence);
    this.#count = INITIAL_COUNT;
    this.#completed = completed;
    this.#trace('Inc1', onCpu);
  }

  /** True if a CPU has callbacks; "NQ" if it has none. */
  needs(cpu: number, onCpu: number): boolean {
    if (this.#rcu.data(cpu).callbacks.len > 0) return true;
    this.#trace('NQ', onCpu, cpu);
    return false;
  }

  /** rcu_barrier_handler() on a CPU that has, or had, callbacks. */
  handle(cpu: number): void {
    const rcu = this.#rcu;
    const data = rcu.data(cpu);
    this.#trace('IRQ', cpu);
    const callback: RcuCallback = {
      id: rcu.nextCallbackId(),
      func: RCU_FUNC.rcu_barrier_callback,
      queuedNs: rcu.sim.nowNs,
      invoke: (onCpu, fromInterrupt) => this.#invoked(onCpu, fromInterrupt),
    };
    const isEntrained =
      data.isOffloaded && rcu.nocb !== undefined
        ? rcu.nocb.entrain(data, callback)
        : data.callbacks.entrain(callback);
    if (isEntrained) this.#count++;
    else this.#trace('IRQNQ', cpu);
  }

  /** The handler has returned. */
  handled(cpu: number, onCpu: number): void {
    this.#trace('OnlineQ', onCpu, cpu);
  }

  /** All CPUs have been asked; true if nothing is left to wait for. */
  allAsked(): boolean {
    this.#count -= INITIAL_COUNT;
    return this.#count === 0;
  }

  /** The barrier ends: "Inc2", and the mutex goes on. */
  end(onCpu: number): void {
    this.#trace('Inc2', onCpu);
    this.#completed = undefined;
    this.#sequence = seqEnd(this.#sequence);
    this.unlock(onCpu);
  }

  /** rcu_barrier_callback(). */
  #invoked(onCpu: number, fromInterrupt: boolean): void {
    this.#count--;
    this.#trace(this.#count === 0 ? 'LastCB' : 'CB', onCpu);
    if (this.#count === 0) this.#completed?.(onCpu, fromInterrupt);
  }

  #trace(what: keyof typeof RCU_BARRIER, onCpu: number, cpu = -1, done = this.#sequence): void {
    this.#rcu.sim.emit(KIND.rcu_barrier, onCpu, RCU_BARRIER[what], cpu, this.#count, done);
  }
}
