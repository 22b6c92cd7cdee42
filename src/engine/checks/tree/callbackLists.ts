/** The callback lists of the CPUs as rows tell them: who is queued, how many there are, which batch runs. */
import { KIND, RCU_BARRIER, RCU_FUNC } from '../../core/eventKinds.ts';
import type { Row } from '../checker.ts';

/** A callback that has not been invoked. */
export interface QueuedCallback {
  readonly id: number;
  /** Row of its queueing. */
  readonly index: number;
}

/** The list of one CPU. */
export class ListModel {
  /** Callbacks on it, those of the batch that runs included. */
  len = 0;
  /** Callbacks that ever joined. */
  joined = 0;
  /** Invoked in the batch that runs; -1: none runs. */
  invoked = -1;
  /** CPU on which it runs. */
  batchCpu = -1;
  /** Callbacks of rcu_barrier() among them; they have no row of their own when they join. */
  barriers = 0;
  #queued: QueuedCallback[] = [];
  #head = 0;

  /** The oldest callback that is no barrier's. */
  get first(): QueuedCallback | undefined {
    return this.#queued[this.#head];
  }

  /** The callback with this number, if it is queued. */
  find(id: number): QueuedCallback | undefined {
    if (this.first?.id === id) return this.first;
    return this.#queued.find((callback, at) => at >= this.#head && callback.id === id);
  }

  push(callback: QueuedCallback): void {
    this.#queued.push(callback);
    this.joined++;
  }

  /** Takes a callback off. */
  remove(id: number): void {
    if (this.first?.id === id) this.#head++;
    else this.#queued = this.#queued.filter((callback, at) => at >= this.#head && callback.id !== id);
    if (this.#head < 1024 && this.#head < this.#queued.length) return;
    this.#queued = this.#queued.slice(this.#head);
    this.#head = 0;
  }
}

/** All lists. */
export class CallbackLists {
  readonly #lists = new Map<number, ListModel>();

  list(cpu: number): ListModel {
    let list = this.#lists.get(cpu);
    if (list === undefined) {
      list = new ListModel();
      this.#lists.set(cpu, list);
    }
    return list;
  }

  /** Takes over what the row says. */
  apply(row: Row): void {
    switch (row.kind) {
      case KIND.rcu_callback: {
        const list = this.list(row.track);
        list.push({ id: row.a, index: row.index });
        list.len = row.c;
        return;
      }
      case KIND.rcu_barrier:
        if (row.a === RCU_BARRIER.IRQ) this.#barrier(row.track, 1);
        else if (row.a === RCU_BARRIER.IRQNQ) this.#barrier(row.track, -1);
        return;
      case KIND.rcu_batch_start: {
        const list = this.list(row.c);
        list.invoked = 0;
        list.batchCpu = row.track;
        return;
      }
      case KIND.rcu_invoke_callback: {
        const list = this.list(row.c);
        list.invoked++;
        if (row.b === RCU_FUNC.rcu_barrier_callback) list.barriers--;
        else list.remove(row.a);
        return;
      }
      case KIND.rcu_batch_end: {
        const list = this.list(row.c);
        list.len -= row.a;
        list.invoked = -1;
        return;
      }
      default:
    }
  }

  #barrier(cpu: number, count: number): void {
    const list = this.list(cpu);
    list.len += count;
    list.joined += count;
    list.barriers += count;
  }
}
