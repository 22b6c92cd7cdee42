/**
 * The event queue: a heap over event slots with a total order (time, priority, sequence).
 *
 * Whoever wants to be called allocates a slot once, with a fixed priority and handler; a slot is pending at most once.
 * Equal times pop by priority, equal priorities in the order in which they were scheduled.
 */
export type Handler<T> = (argument: T) => void;

/** An object that is called when its slot's time has come. Few classes: V8 calls up to four without looking them up. */
export interface SlotTarget {
  fire(): void;
}

const INITIAL_SLOTS = 256;
/** Children of a place in the heap: four neighbours in memory. */
const ARITY_BITS = 2;
const ARITY = 1 << ARITY_BITS;

/** A stable priority queue of slots with cancel and reschedule in O(log pending). */
export class EventQueue {
  /** Null: the slot is of an object. */
  readonly #handlers: (Handler<unknown> | null)[] = [];
  /** What each handler is called with: many slots share one handler, so that calling one touches little memory. */
  readonly #targets: unknown[] = [];
  #priority = new Float64Array(INITIAL_SLOTS);
  #sequence = new Float64Array(INITIAL_SLOTS);
  /** Position of a slot in the heap, or -1. */
  #position = new Int32Array(INITIAL_SLOTS).fill(-1);
  #heap = new Int32Array(INITIAL_SLOTS);
  /** Time of the slot at each place of the heap. */
  #heapTime = new Float64Array(INITIAL_SLOTS);
  #size = 0;
  #nextSequence = 0;

  /** Events pending. */
  get size(): number {
    return this.#size;
  }

  #called = -1;

  /** Makes a slot. `priority` decides between equal times, lower first; the handler is called with `argument`. */
  allocate(priority: number, handler: () => void): number;
  allocate<T>(priority: number, handler: Handler<T>, argument: T): number;
  allocate(priority: number, handler: Handler<never>, argument?: unknown): number {
    return this.#allocate(priority, handler as Handler<unknown>, argument);
  }

  /** Makes a slot for an object, of a class that many slots share. */
  allocateFor(priority: number, target: SlotTarget): number {
    return this.#allocate(priority, null, target);
  }

  #allocate(priority: number, handler: Handler<unknown> | null, target: unknown): number {
    const slot = this.#targets.length;
    if (slot === this.#heap.length) this.#grow();
    this.#handlers.push(handler);
    this.#targets.push(target);
    this.#priority[slot] = priority;
    return slot;
  }

  #grow(): void {
    const slots = this.#heap.length * 2;
    const copy = (from: Float64Array) => {
      const to = new Float64Array(slots);
      to.set(from);
      return to;
    };
    this.#heapTime = copy(this.#heapTime);
    this.#priority = copy(this.#priority);
    this.#sequence = copy(this.#sequence);
    const position = new Int32Array(slots).fill(-1);
    position.set(this.#position);
    this.#position = position;
    const heap = new Int32Array(slots);
    heap.set(this.#heap);
    this.#heap = heap;
  }

  /** Makes a slot pending at `timeNs`; a pending one moves there. */
  schedule(slot: number, timeNs: number): void {
    this.#sequence[slot] = this.#nextSequence++;
    const at = this.#position[slot] as number;
    if (at < 0) {
      this.#up(this.#size++, slot, timeNs);
    } else {
      this.#up(at, slot, timeNs);
      this.#down(this.#position[slot] as number, slot, timeNs);
    }
  }

  /** Takes a slot out; nothing happens if it is not pending. */
  cancel(slot: number): void {
    const at = this.#position[slot] as number;
    if (at < 0) return;
    this.#position[slot] = -1;
    const last = this.#heap[--this.#size] as number;
    if (last === slot) return;
    const lastNs = this.#heapTime[this.#size] as number;
    this.#up(at, last, lastNs);
    this.#down(this.#position[last] as number, last, lastNs);
  }

  /** True if the slot is pending. */
  isPending(slot: number): boolean {
    return (this.#position[slot] as number) >= 0;
  }

  /** Time of the earliest pending event; Infinity if there is none. */
  nextTimeNs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#heapTime[0] as number);
  }

  /** Removes the earliest event and returns its slot. The queue must not be empty. */
  popMin(): number {
    const slot = this.#heap[0] as number;
    this.#position[slot] = -1;
    const last = this.#heap[--this.#size] as number;
    if (this.#size > 0) this.#down(0, last, this.#heapTime[this.#size] as number);
    return slot;
  }

  /** Calls the handler or the object of a slot. */
  call(slot: number): void {
    this.#called = slot;
    const handler = this.#handlers[slot] as Handler<unknown> | null;
    if (handler === null) (this.#targets[slot] as SlotTarget).fire();
    else handler(this.#targets[slot]);
  }

  /** Priority of the slot that was called last: how far the present instant has come. */
  get calledPriority(): number {
    return this.#called < 0 ? 0 : (this.#priority[this.#called] as number);
  }

  /** Between two slots of one time. */
  #before(x: number, y: number): boolean {
    const dp = (this.#priority[x] as number) - (this.#priority[y] as number);
    return dp === 0 ? (this.#sequence[x] as number) < (this.#sequence[y] as number) : dp < 0;
  }

  #up(from: number, slot: number, timeNs: number): void {
    const heap = this.#heap;
    const times = this.#heapTime;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> ARITY_BITS;
      const other = heap[parent] as number;
      const otherNs = times[parent] as number;
      if (timeNs > otherNs || (timeNs === otherNs && !this.#before(slot, other))) break;
      heap[at] = other;
      times[at] = otherNs;
      this.#position[other] = at;
      at = parent;
    }
    heap[at] = slot;
    times[at] = timeNs;
    this.#position[slot] = at;
  }

  #down(from: number, slot: number, timeNs: number): void {
    const heap = this.#heap;
    const times = this.#heapTime;
    const size = this.#size;
    let at = from;
    for (;;) {
      const first = (at << ARITY_BITS) + 1;
      if (first >= size) break;
      let child = first;
      let childNs = times[first] as number;
      const end = Math.min(first + ARITY, size);
      for (let next = first + 1; next < end; next++) {
        const nextNs = times[next] as number;
        if (nextNs > childNs) continue;
        if (nextNs < childNs || this.#before(heap[next] as number, heap[child] as number)) {
          child = next;
          childNs = nextNs;
        }
      }
      const other = heap[child] as number;
      if (childNs > timeNs || (childNs === timeNs && !this.#before(other, slot))) break;
      heap[at] = other;
      times[at] = childNs;
      this.#position[other] = at;
      at = child;
    }
    heap[at] = slot;
    times[at] = timeNs;
    this.#position[slot] = at;
  }
}
