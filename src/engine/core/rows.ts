/**
 * A row of the event log: six words of 8 bytes, so that writing it touches one place in memory.
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
export function kindOf(origin: number): number {
  return origin - Math.floor(origin / TRACK_UNIT) * TRACK_UNIT;
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
