/** Callbacks in the order in which they were queued: a list that queues and dequeues without allocating (spec srcu 1.4). */

/** A callback. It is on one list at most. */
export interface Callback {
  /** Number in the run; a callback that is on no list may be used again, with a new one. */
  id: number;
  /** End of the grace period it waits for; set when it is queued. Never falls along a list. */
  target: number;
  /** CALLBACK. */
  readonly kind: number;
  /** Runs when it is invoked. */
  readonly invoke: () => void;
  /** The next one on its list. */
  next: Callback | undefined;
}

/** A callback that is on no list yet. `kind` of CALLBACK. */
export function createCallback(id: number, kind: number, invoke: () => void): Callback {
  return { id, target: 0, kind, invoke, next: undefined };
}

/** A first-in-first-out list. */
export class CallbackList {
  first: Callback | undefined;
  last: Callback | undefined;

  get isEmpty(): boolean {
    return this.first === undefined;
  }

  /** Appends. */
  push(callback: Callback): void {
    if (this.last === undefined) this.first = callback;
    else this.last.next = callback;
    this.last = callback;
  }

  /** Takes the first one off. */
  shift(): Callback | undefined {
    const { first } = this;
    if (first === undefined) return undefined;
    this.first = first.next;
    if (this.first === undefined) this.last = undefined;
    first.next = undefined;
    return first;
  }

  /** Moves all whose grace period has ended to the end of another list; how many. */
  moveReady(gpSeq: number, to: CallbackList): number {
    let count = 0;
    while (this.first !== undefined && this.first.target <= gpSeq) {
      to.push(this.shift() as Callback);
      count++;
    }
    return count;
  }
}
