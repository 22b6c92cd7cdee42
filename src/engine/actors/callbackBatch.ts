/** A batch of call_srcu(), call_rcu() or call_rcu_tasks(), then the barrier, as steps on the calling thread. */
import type { Task } from '../core/task.ts';
import type { ApiCall } from './call.ts';
import type { UpdaterCalls } from './updater.ts';

/** What the mechanisms differ in. */
export interface BatchParts {
  readonly calls: UpdaterCalls;
  readonly thread: Task;
  readonly barrier: ApiCall;
  /** CPU time up to the first callback and up to each further one, ns. */
  readonly firstNs: () => number;
  readonly nextNs: () => number;
  /** Queues one callback; returns the CPU time that this took beside, ns. */
  readonly queueOne: (ran: () => void) => number;
  /** Rows of entry and return. */
  readonly enter: () => void;
  readonly leave: () => void;
}

/** The steps: `batch` callbacks one after the other, then the matching barrier if the updater waits. */
export class CallbackBatch implements ApiCall {
  readonly #parts: BatchParts;
  readonly #ran: () => void;
  #number = 0;
  #queued = -1;
  #inBarrier = false;

  constructor(parts: BatchParts) {
    this.#parts = parts;
    this.#ran = () => parts.calls.callbackRan();
  }

  begin(number: number): void {
    this.#number = number;
    this.#queued = -1;
    this.#inBarrier = false;
  }

  step(): boolean {
    const { calls, thread, barrier, firstNs, nextNs, queueOne, enter, leave } = this.#parts;
    const { batch, wait } = calls.actor;
    if (this.#inBarrier) return barrier.step();
    if (this.#queued < 0) {
      enter();
      this.#queued = 0;
      thread.work(firstNs());
      return true;
    }
    if (this.#queued < batch) {
      this.#queued++;
      calls.callbackQueued();
      const isLast = this.#queued === batch;
      const ns = queueOne(this.#ran) + (isLast ? 0 : nextNs());
      if (ns > 0 || !isLast) {
        thread.work(ns);
        return true;
      }
    }
    leave();
    if (wait === 'none') return false;
    this.#inBarrier = true;
    barrier.begin(this.#number);
    return barrier.step();
  }
}
