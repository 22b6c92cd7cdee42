/** The segmented callback list of a CPU (struct rcu_segcblist, tree R3.1 to R3.4). */
import { seqDone } from './gpSeq.ts';
import type { SegcbStats } from './segcbCode.ts';

/** One callback (struct rcu_head). */
export interface RcuCallback {
  /** Number of the callback, one series per run. */
  readonly id: number;
  /** RCU_FUNC. */
  readonly func: number;
  /** When it was queued, ns. */
  readonly queuedNs: number;
  /** Its function, called in softirq (an interrupt) or in a kthread. */
  readonly invoke: (onCpu: number, fromInterrupt: boolean) => void;
  /** CPU time of its function, ns; added to rcuCbNs. */
  readonly costNs?: number;
}

const DONE = 0;
const WAIT = 1;
const NEXT_READY = 2;
const NEXT = 3;

/** Callbacks in the order in which they were queued, in four segments: DONE, WAIT, NEXT_READY, NEXT. */
export class CallbackList {
  /** Callbacks waiting, oldest first; those before #head have been taken out. */
  #items: RcuCallback[] = [];
  #head = 0;
  readonly #lengths = [0, 0, 0, 0];
  readonly #seqs = [0, 0, 0, 0];
  /** rcu_segcblist_n_cbs(): callbacks here, on the bypass list, and being invoked. */
  len = 0;

  #length(segment: number): number {
    return this.#lengths[segment] as number;
  }

  /** Callbacks that are ready to be invoked. */
  get done(): number {
    return this.#length(DONE);
  }

  /** Callbacks in the four segments. */
  get segmented(): number {
    return this.#items.length - this.#head;
  }

  /** Callbacks that are not ready. */
  get pending(): number {
    return this.segmented - this.done;
  }

  /** Callbacks without a number (NEXT). */
  get unnumbered(): number {
    return this.#length(NEXT);
  }

  /** True if something stands behind WAIT (rcu_segcblist_restempty() is false). */
  get hasBehindWait(): boolean {
    return this.#length(NEXT_READY) + this.#length(NEXT) > 0;
  }

  /** gp_seq that WAIT waits for, or undefined if it is empty (rcu_segcblist_nextgp()). */
  get nextSeq(): number | undefined {
    return this.#length(WAIT) > 0 ? this.#seqs[WAIT] : undefined;
  }

  /** For rcu_segcb_stats rows. */
  get stats(): SegcbStats {
    return {
      done: this.#length(DONE),
      wait: this.#length(WAIT),
      nextReady: this.#length(NEXT_READY),
      next: this.#length(NEXT),
      waitSeq: this.#seqs[WAIT] as number,
      nextReadySeq: this.#seqs[NEXT_READY] as number,
    };
  }

  /** rcu_segcblist_enqueue() (R3.2). `counted`: `len` has it already (it comes from the bypass list). */
  enqueue(callback: RcuCallback, counted = false): void {
    this.#items.push(callback);
    this.#lengths[NEXT] = this.#length(NEXT) + 1;
    if (!counted) this.len++;
  }

  /** rcu_segcblist_entrain(): behind the last callback, in its segment; false if the list is empty (R3.2). */
  entrain(callback: RcuCallback): boolean {
    if (this.len === 0) return false;
    this.len++;
    this.#items.push(callback);
    let segment = NEXT;
    while (segment > DONE && this.#length(segment) === 0) segment--;
    this.#lengths[segment] = this.#length(segment) + 1;
    return true;
  }

  /** rcu_segcblist_advance(): what waits for `seq` or less is ready (R3.3). */
  advance(seq: number): void {
    for (const segment of [WAIT, NEXT_READY]) {
      if (this.#length(segment) === 0) continue;
      if (!seqDone(seq, this.#seqs[segment] as number)) break;
      this.#lengths[DONE] = this.done + this.#length(segment);
      this.#lengths[segment] = 0;
    }
    if (this.#length(WAIT) > 0 || this.#length(NEXT_READY) === 0) return;
    this.#lengths[WAIT] = this.#length(NEXT_READY);
    this.#seqs[WAIT] = this.#seqs[NEXT_READY] as number;
    this.#lengths[NEXT_READY] = 0;
  }

  /** rcu_segcblist_accelerate(): numbers what has no number, or a later one than `seq`; true if something was (R3.4). */
  accelerate(seq: number): boolean {
    let segment = NEXT_READY;
    while (segment > DONE && (this.#length(segment) === 0 || !((this.#seqs[segment] as number) < seq)))
      segment--;
    if (segment === NEXT_READY) return false;
    const target = segment + 1;
    let moved = 0;
    for (let from = target; from <= NEXT; from++) moved += this.#length(from);
    if (moved === 0) return false;
    for (let from = target; from <= NEXT; from++) this.#lengths[from] = 0;
    this.#lengths[target] = moved;
    this.#seqs[target] = seq;
    return true;
  }

  /** Takes the oldest ready callback out; `len` goes down when it has been invoked. */
  takeDone(): RcuCallback {
    const callback = this.#items[this.#head] as RcuCallback;
    this.#lengths[DONE] = this.done - 1;
    this.#head++;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return callback;
  }
}
