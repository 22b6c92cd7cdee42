/**
 * The event queue: a binary heap over event slots with a total order (time, priority, sequence).
 *
 * Whoever wants to be called allocates a slot once, with a fixed priority and handler; a slot is pending at most once.
 * Equal times pop by priority, equal priorities in the order in which they were scheduled.
 */
export type Handler = () => void;

const INITIAL_SLOTS = 256;

/** A stable priority queue of slots with cancel and reschedule in O(log pending). */
export class EventQueue {
  readonly #handlers: Handler[] = [];
  #time = new Float64Array(INITIAL_SLOTS);
  #priority = new Float64Array(INITIAL_SLOTS);
  #sequence = new Float64Array(INITIAL_SLOTS);
  /** Position of a slot in the heap, or -1. */
  #position = new Int32Array(INITIAL_SLOTS).fill(-1);
  #heap = new Int32Array(INITIAL_SLOTS);
  #size = 0;
  #nextSequence = 0;

  /** Events pending. */
  get size(): number {
    return this.#size;
  }

  /** Makes a slot. `priority` decides between equal times, lower first. */
  allocate(priority: number, handler: Handler): number {
    const slot = this.#handlers.length;
    if (slot === this.#time.length) this.#grow();
    this.#handlers.push(handler);
    this.#priority[slot] = priority;
    return slot;
  }

  #grow(): void {
    const slots = this.#time.length * 2;
    const copy = (from: Float64Array) => {
      const to = new Float64Array(slots);
      to.set(from);
      return to;
    };
    this.#time = copy(this.#time);
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
    this.#time[slot] = timeNs;
    this.#sequence[slot] = this.#nextSequence++;
    const at = this.#position[slot] as number;
    if (at < 0) {
      this.#heap[this.#size] = slot;
      this.#up(this.#size++, slot);
    } else {
      this.#up(at, slot);
      this.#down(this.#position[slot] as number, slot);
    }
  }

  /** Takes a slot out; nothing happens if it is not pending. */
  cancel(slot: number): void {
    const at = this.#position[slot] as number;
    if (at < 0) return;
    this.#position[slot] = -1;
    const last = this.#heap[--this.#size] as number;
    if (last === slot) return;
    this.#up(at, last);
    this.#down(this.#position[last] as number, last);
  }

  /** True if the slot is pending. */
  isPending(slot: number): boolean {
    return (this.#position[slot] as number) >= 0;
  }

  /** Time of the earliest pending event; Infinity if there is none. */
  nextTimeNs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#time[this.#heap[0] as number] as number);
  }

  /** Removes the earliest event and returns its slot. The queue must not be empty. */
  popMin(): number {
    const slot = this.#heap[0] as number;
    this.#position[slot] = -1;
    const last = this.#heap[--this.#size] as number;
    if (this.#size > 0) this.#down(0, last);
    return slot;
  }

  /** Calls the handler of a slot. */
  call(slot: number): void {
    (this.#handlers[slot] as Handler)();
  }

  #before(x: number, y: number): boolean {
    const dt = (this.#time[x] as number) - (this.#time[y] as number);
    if (dt !== 0) return dt < 0;
    const dp = (this.#priority[x] as number) - (this.#priority[y] as number);
    if (dp !== 0) return dp < 0;
    return (this.#sequence[x] as number) < (this.#sequence[y] as number);
  }

  #up(from: number, slot: number): void {
    const heap = this.#heap;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = heap[parent] as number;
      if (!this.#before(slot, other)) break;
      heap[at] = other;
      this.#position[other] = at;
      at = parent;
    }
    heap[at] = slot;
    this.#position[slot] = at;
  }

  #down(from: number, slot: number): void {
    const heap = this.#heap;
    const size = this.#size;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#before(heap[child + 1] as number, heap[child] as number)) child++;
      const other = heap[child] as number;
      if (!this.#before(other, slot)) break;
      heap[at] = other;
      this.#position[other] = at;
      at = child;
    }
    heap[at] = slot;
    this.#position[slot] = at;
  }
}
