/**
 * The event log: rows in blocks of 2 Ki, appended to in time order (logWriter.ts), never reordered. A producer may go back to a row
 * it opened (`patch`) while the run is under way: a burst of passes is one row whose count grows.
 *
 * A row is six words of 8 bytes, so that writing it touches one place in memory:
 *
 *   word 0   timeNs  f64
 *   word 1   a b c d f64 each, payload, see eventKinds.ts
 *   word 5   cause * 2^24 + track * 2^8 + kind as one integer; cause: index of the row that caused this one, or -1
 */
export const ROW_WORDS = 6;
/** Word of a row with its cause, track and kind, and what one of a track and of a cause counts there. */
export const ORIGIN = 5;
export const TRACK_UNIT = 2 ** 8;
export const CAUSE_UNIT = 2 ** 24;
/** 96 KiB a block: what is larger than 128 KiB, C libraries fetch from the kernel page by page. */
const BLOCK_BITS = 11;
/** Rows of a block. */
export const BLOCK_ROWS = 1 << BLOCK_BITS;
/** An index masked by this is the row's place in its block. */
export const BLOCK_MASK = BLOCK_ROWS - 1;
/** Rows for which the first block has room at first. */
export const FIRST_ROWS = 256;

/** Bytes of one row. */
export const ROW_BYTES = 8 * ROW_WORDS;

/** One row. */
export interface EventRow {
  readonly timeNs: number;
  readonly kind: number;
  readonly track: number;
  readonly cause: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** Memory of rows, one after the other. Plain data, to be read with a RowReader. */
export interface RowData {
  readonly floats: Float64Array;
}

/** Memory for so many rows. */
export function createRows(count: number): RowData {
  return { floats: new Float64Array(count * ROW_WORDS) };
}

/** Kind of the row whose last word this is. */
function kindOf(origin: number): number {
  return origin - Math.floor(origin / TRACK_UNIT) * TRACK_UNIT;
}

/** Blocks of 64 MiB. */
const MAX_KEPT_BLOCKS = 2 ** 26 / (BLOCK_ROWS * ROW_BYTES);

/**
 * Memory of logs that nobody reads any more, for the logs that come next: fetching it anew is a quarter of what a run
 * costs. Keeps up to 64 MiB.
 */
export class LogMemory {
  readonly #blocks: RowData[] = [];

  /** Takes the memory of a log; the log is empty from then on. */
  recycle(log: EventLog): void {
    for (const block of log.blocks) {
      const isFull = block.floats.length === BLOCK_ROWS * ROW_WORDS;
      if (isFull && this.#blocks.length < MAX_KEPT_BLOCKS) this.#blocks.push(block);
    }
    log.clear();
  }

  /** A block of full size. */
  take(): RowData {
    return this.#blocks.pop() ?? createRows(BLOCK_ROWS);
  }
}

/** A row read in place: it is whatever row it was moved to last, so keep values of it and not itself. */
export class RowReader implements EventRow {
  readonly #floats: Float64Array;
  #at = 0;

  constructor(rows: RowData) {
    this.#floats = rows.floats;
  }

  /** Goes to entry `i`, which must be there. */
  moveTo(i: number): void {
    this.#at = i * ROW_WORDS;
  }

  /** The row as an object of its own. */
  copy(): EventRow {
    const { timeNs, kind, track, cause, a, b, c, d } = this;
    return { timeNs, kind, track, cause, a, b, c, d };
  }

  get timeNs(): number {
    return this.#floats[this.#at] as number;
  }

  get #origin(): number {
    return this.#floats[this.#at + ORIGIN] as number;
  }

  get kind(): number {
    return kindOf(this.#origin);
  }

  get track(): number {
    return Math.floor((this.#origin - this.cause * CAUSE_UNIT) / TRACK_UNIT);
  }

  get cause(): number {
    return Math.floor(this.#origin / CAUSE_UNIT);
  }

  get a(): number {
    return this.#floats[this.#at + 1] as number;
  }

  get b(): number {
    return this.#floats[this.#at + 2] as number;
  }

  get c(): number {
    return this.#floats[this.#at + 3] as number;
  }

  get d(): number {
    return this.#floats[this.#at + 4] as number;
  }
}

/** An append-only log of rows: what is in it. A LogWriter appends. */
export class EventLog {
  /** Memory of the rows, all but the last block full. */
  readonly blocks: RowData[] = [];
  /** Rows in all. */
  length = 0;
  /** Where its blocks come from. */
  readonly memory: LogMemory;

  constructor(memory = new LogMemory()) {
    this.memory = memory;
  }

  /** Forgets all rows and their memory: the log is over, nobody writes to it any more. */
  clear(): void {
    this.blocks.length = 0;
    this.length = 0;
  }

  #block(index: number): RowData {
    const block = this.blocks[index >> BLOCK_BITS];
    if (block === undefined || index < 0 || index >= this.length) throw new Error(`no log row ${index}`);
    return block;
  }

  /** Row `index` as an object. */
  row(index: number): EventRow {
    const row = new RowReader(this.#block(index));
    row.moveTo(index & BLOCK_MASK);
    return row.copy();
  }

  /** Time of row `index` in ns. */
  timeNs(index: number): number {
    return this.#block(index).floats[(index & BLOCK_MASK) * ROW_WORDS] as number;
  }

  /** Kind of row `index`. */
  kind(index: number): number {
    return kindOf(this.#block(index).floats[(index & BLOCK_MASK) * ROW_WORDS + ORIGIN] as number);
  }

  /** Overwrites the payload of a row that its producer still has open. */
  patch(index: number, a: number, b: number, c: number, d: number): void {
    const { floats } = this.#block(index);
    const at = (index & BLOCK_MASK) * ROW_WORDS;
    floats[at + 1] = a;
    floats[at + 2] = b;
    floats[at + 3] = c;
    floats[at + 4] = d;
  }

  /** First row with time >= timeNs (binary search); `length` when there is none. */
  lowerBound(timeNs: number): number {
    let lo = 0;
    let hi = this.length;
    while (lo < hi) {
      const mid = Math.floor((lo + hi) / 2);
      if (this.timeNs(mid) < timeNs) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  /** Calls `visit` for the rows [from, to) in order, with a row that is read in place. */
  forEach(visit: (row: EventRow, index: number) => void, from = 0, to = this.length): void {
    const end = Math.min(to, this.length);
    for (let index = from; index < end; ) {
      const row = new RowReader(this.#block(index));
      const stop = Math.min(end, (index | BLOCK_MASK) + 1);
      for (; index < stop; index++) {
        row.moveTo(index & BLOCK_MASK);
        visit(row, index);
      }
    }
  }

  /** A copy of the rows [from, to). */
  copy(from: number, to: number): RowData {
    const rows = createRows(to - from);
    for (let index = from; index < to; ) {
      const stop = Math.min(to, (index | BLOCK_MASK) + 1);
      const first = (index & BLOCK_MASK) * ROW_WORDS;
      const words = this.#block(index).floats.subarray(first, first + (stop - index) * ROW_WORDS);
      rows.floats.set(words, (index - from) * ROW_WORDS);
      index = stop;
    }
    return rows;
  }
}
