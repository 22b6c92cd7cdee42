/** A domain as the log tells it, row by row: what checkers compare the next row with. */
import { KIND } from '../core/eventKinds.ts';
import type { Ticks } from '../core/ticks.ts';
import type { Row } from './checker.ts';

/** A read-side section under way. Indices are of log rows. */
export interface Section {
  readonly track: number;
  readonly idx: number;
  readonly lockIndex: number;
  readonly fetchIndex: number;
}

/** A callback that is queued and has not run. */
export interface PendingCallback {
  readonly id: number;
  readonly target: number;
  readonly queuedIndex: number;
}

/** A list of callbacks, oldest first. They leave in order, unless the run is wrong. */
export class PendingCallbacks {
  readonly #all: PendingCallback[] = [];
  /** Those before it have left. */
  #head = 0;

  get first(): PendingCallback | undefined {
    return this.#all[this.#head];
  }

  get last(): PendingCallback | undefined {
    return this.#all.length > this.#head ? this.#all.at(-1) : undefined;
  }

  push(callback: PendingCallback): void {
    this.#all.push(callback);
  }

  /** Takes the callback of this id off, if it is there. */
  remove(id: number): void {
    const at = this.first?.id === id ? this.#head : this.#all.findIndex((callback) => callback.id === id);
    if (at < this.#head) return;
    if (at > this.#head) this.#all.splice(at, 1);
    else this.#head++;
    if (this.#head === this.#all.length) {
      this.#all.length = 0;
      this.#head = 0;
    }
  }
}

/** The last row that moved the grace period, or a check that succeeded. */
export interface Step {
  readonly kind: number;
  readonly timeNs: number;
  readonly idx: number;
  readonly scan: number;
}

/** srcu_struct, rebuilt from rows. */
export class DomainState {
  readonly track: number;
  readonly #ticks: Ticks;
  /** srcu_gp_seq; the low two bits are the state. */
  seq = 0;
  srcuIdx = 0;
  readonly locks: [number, number] = [0, 0];
  readonly unlocks: [number, number] = [0, 0];
  /** Furthest targets asked for. */
  needed = 0;
  neededExp = 0;
  /** When the grace period under way became expedited: -Infinity at its start, Infinity if it is not. */
  expeditedSinceNs = Number.POSITIVE_INFINITY;
  gpStartNs = 0;
  gpStartJiffy = 0;
  /** Row of the last flip. */
  flipIndex = -1;
  lastStep: Step = { kind: KIND.srcu_gp_end, timeNs: 0, idx: 0, scan: 0 };
  /** The last grace period ended while another one was needed, which has not begun yet. */
  owesStart = false;
  /** Sections by thread, oldest first. */
  readonly sections = new Map<number, Section>();
  /** Indices fetched by threads that have not counted themselves yet. */
  readonly fetches = new Map<number, { readonly idx: number; readonly index: number }>();
  /** Callbacks by CPU of the list. */
  readonly callbacks = new Map<number, PendingCallbacks>();

  constructor(track: number, ticks: Ticks) {
    this.track = track;
    this.#ticks = ticks;
  }

  get state(): number {
    return this.seq % 4;
  }

  get isExpedited(): boolean {
    return this.neededExp > this.seq;
  }

  /** The index that scans look at (2.5). */
  get scannedIdx(): number {
    return 1 - (this.srcuIdx % 2);
  }

  /** A of spec srcu 3.1 at a time. */
  ageAt(timeNs: number): number {
    return this.#ticks.jiffiesAt(timeNs) - this.gpStartJiffy;
  }

  /** Takes over what the row says. */
  apply(row: Row): void {
    switch (row.kind) {
      case KIND.srcu_request:
        this.#request(row);
        return;
      case KIND.srcu_gp_start:
        this.seq = row.a;
        this.gpStartNs = row.timeNs;
        this.gpStartJiffy = this.#ticks.jiffiesAt(row.timeNs);
        this.expeditedSinceNs = this.isExpedited ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
        this.owesStart = false;
        this.#step(row, -1, 0);
        return;
      case KIND.srcu_check:
        this.#step(row, row.a, row.d);
        return;
      case KIND.srcu_flip:
        this.srcuIdx = row.a;
        this.seq = this.seq - this.state + 2;
        this.flipIndex = row.index;
        this.#step(row, -1, 0);
        return;
      case KIND.srcu_gp_end:
        this.seq = row.a;
        this.neededExp = Math.max(this.neededExp, this.seq);
        this.owesStart = this.needed > this.seq;
        this.#step(row, -1, 0);
        return;
      case KIND.srcu_cb_queue:
        this.#list(row.c).push({ id: row.a, target: row.b, queuedIndex: row.index });
        return;
      case KIND.srcu_cb_invoke:
        this.#list(row.c).remove(row.a);
        return;
      default:
    }
  }

  #request(row: Row): void {
    this.needed = Math.max(this.needed, row.a);
    if (row.b !== 1) return;
    const before = this.isExpedited;
    this.neededExp = Math.max(this.neededExp, row.a);
    if (!before && this.state !== 0) this.expeditedSinceNs = row.timeNs;
  }

  #step(row: Row, idx: number, scan: number): void {
    this.lastStep = { kind: row.kind, timeNs: row.timeNs, idx, scan };
  }

  #list(cpu: number): PendingCallbacks {
    let list = this.callbacks.get(cpu);
    if (list === undefined) {
      list = new PendingCallbacks();
      this.callbacks.set(cpu, list);
    }
    return list;
  }

  /** Takes over a reader's row: fetch, lock or unlock. */
  applyReader(row: Row): void {
    const idx = row.b as 0 | 1;
    if (row.kind === KIND.srcu_fetch) {
      this.fetches.set(row.track, { idx, index: row.index });
      return;
    }
    if (row.kind === KIND.srcu_lock) {
      const fetchIndex = this.fetches.get(row.track)?.index ?? row.index;
      this.fetches.delete(row.track);
      this.sections.set(row.track, { track: row.track, idx, lockIndex: row.index, fetchIndex });
      this.locks[idx]++;
      return;
    }
    this.sections.delete(row.track);
    this.unlocks[idx]++;
  }
}
