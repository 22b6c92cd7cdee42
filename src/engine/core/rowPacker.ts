/**
 * A block of rows in little memory, for logs of many millions of rows: most words of a row are near those of the row of
 * the same kind before it. A row of a flood takes 8 bytes in place of 48.
 *
 * A row is its kind (1 byte), the widths of seven words (2 bits each, 2 bytes), and of each word how far it is from what
 * was expected, in as many bytes as its width says: 0, 1 or 2, or the word itself in 8. A time is expected to be that of
 * the row before, a cause to be the row before; track and payload to be those of the row of this kind before it in the
 * block.
 *
 * What is unpacked equals what was packed, but for the sign of a zero.
 */
import { BLOCK_ROWS } from './logMemory.ts';
import { CAUSE_UNIT, ORIGIN, ROW_WORDS, type RowData, TRACK_UNIT } from './rows.ts';

const WORD_BYTES = 8;
/** Kind and widths. */
const HEAD_BYTES = 3;
/** Track, a, b, c and d. */
const BY_KIND = 5;
/** Time, cause and these. */
const WORDS = 2 + BY_KIND;
const WIDTH_BITS = 2;
const WIDTH_MASK = 3;
/** The largest number of one byte, and of two. */
const MOST_BYTE = 2 ** 8 - 1;
const MOST_SHORT = 2 ** 16 - 1;
/** The width that stands for a whole word. */
const WHOLE = 3;

/** Bytes of a word of this width. */
function bytesOf(width: number): number {
  return width === WHOLE ? WORD_BYTES : width;
}

/** Packs and unpacks blocks. */
export class RowPacker {
  /** Room for any block. */
  readonly #bytes = new Uint8Array(BLOCK_ROWS * (HEAD_BYTES + WORDS * WORD_BYTES));
  /** By kind, the words of its last row. */
  readonly #expected = new Float64Array(TRACK_UNIT * BY_KIND);
  readonly #word = new Float64Array(1);
  readonly #wordBytes = new Uint8Array(this.#word.buffer);

  /** Writes a whole word at `at`; returns where it ends. */
  #putWhole(at: number, word: number): number {
    this.#word[0] = word;
    for (let i = 0; i < WORD_BYTES; i++) this.#bytes[at + i] = this.#wordBytes[i] as number;
    return at + WORD_BYTES;
  }

  /**
   * A full block, whose first row is number `firstRow` of the log. Numbers of up to two bytes are written in three
   * places alike: a function for them, that V8 does not copy here, costs a quarter more.
   */
  pack({ floats }: RowData, firstRow: number): Uint8Array {
    const bytes = this.#bytes;
    const expected = this.#expected.fill(0);
    let at = 0;
    let beforeNs = 0;
    for (let i = 0; i < BLOCK_ROWS; i++) {
      const row = i * ROW_WORDS;
      const head = at;
      let widths = 0;
      at += HEAD_BYTES;
      const timeNs = floats[row] as number;
      const stepNs = (timeNs - beforeNs) | 0;
      if (beforeNs + stepNs !== timeNs || stepNs < 0 || stepNs > MOST_SHORT) {
        at = this.#putWhole(at, timeNs);
        widths = WHOLE;
      } else if (stepNs !== 0) {
        bytes[at++] = stepNs;
        if (stepNs > MOST_BYTE) bytes[at++] = stepNs >> 8;
        widths = stepNs > MOST_BYTE ? 2 : 1;
      }
      beforeNs = timeNs;
      const origin = floats[row + ORIGIN] as number;
      const cause = Math.floor(origin / CAUSE_UNIT);
      const back = firstRow + i - 1 - cause;
      if (back < 0 || back > MOST_SHORT) {
        at = this.#putWhole(at, cause);
        widths |= WHOLE << WIDTH_BITS;
      } else if (back !== 0) {
        bytes[at++] = back;
        if (back > MOST_BYTE) bytes[at++] = back >> 8;
        widths |= (back > MOST_BYTE ? 2 : 1) << WIDTH_BITS;
      }
      const low = (origin - cause * CAUSE_UNIT) | 0;
      const kind = low & (TRACK_UNIT - 1);
      // the track where other rows have their time: so that it is one of five words
      for (let k = 0; k < BY_KIND; k++) {
        const word = k === 0 ? low >> 8 : (floats[row + k] as number);
        const place = kind * BY_KIND + k;
        const last = expected[place] as number;
        if (word === last) continue;
        expected[place] = word;
        const gap = (word - last) | 0;
        const folded = (gap << 1) ^ (gap >> 31);
        const shift = (2 + k) * WIDTH_BITS;
        if (last + gap !== word || folded < 0 || folded > MOST_SHORT) {
          at = this.#putWhole(at, word);
          widths |= WHOLE << shift;
        } else {
          bytes[at++] = folded;
          if (folded > MOST_BYTE) bytes[at++] = folded >> 8;
          widths |= (folded > MOST_BYTE ? 2 : 1) << shift;
        }
      }
      bytes[head] = kind;
      bytes[head + 1] = widths;
      bytes[head + 2] = widths >> 8;
    }
    return bytes.slice(0, at);
  }

  /** The whole word at `at`. */
  #wholeAt(packed: Uint8Array, at: number): number {
    for (let i = 0; i < WORD_BYTES; i++) this.#wordBytes[i] = packed[at + i] as number;
    return this.#word[0] as number;
  }

  /** What stands at `at` in this width. */
  #numberAt(packed: Uint8Array, at: number, width: number): number {
    if (width === 0) return 0;
    if (width === WHOLE) return this.#wholeAt(packed, at);
    const low = packed[at] as number;
    return width === 1 ? low : low | ((packed[at + 1] as number) << 8);
  }

  /** Time of the first row of a packed block, ns: it is as far from 0 as it is. */
  firstNs(packed: Uint8Array): number {
    return this.#numberAt(packed, HEAD_BYTES, (packed[1] as number) & WIDTH_MASK);
  }

  /** Fills `floats` with the rows of a packed block, whose first is number `firstRow` of the log. */
  unpack(packed: Uint8Array, firstRow: number, { floats }: RowData): void {
    const expected = this.#expected.fill(0);
    let at = 0;
    let beforeNs = 0;
    for (let i = 0; i < BLOCK_ROWS; i++) {
      const row = i * ROW_WORDS;
      const kind = packed[at] as number;
      const widths = (packed[at + 1] as number) | ((packed[at + 2] as number) << 8);
      at += HEAD_BYTES;
      const timeWidth = widths & WIDTH_MASK;
      const time = this.#numberAt(packed, at, timeWidth);
      at += bytesOf(timeWidth);
      beforeNs = timeWidth === WHOLE ? time : beforeNs + time;
      const causeWidth = (widths >> WIDTH_BITS) & WIDTH_MASK;
      const back = this.#numberAt(packed, at, causeWidth);
      at += bytesOf(causeWidth);
      const cause = causeWidth === WHOLE ? back : firstRow + i - 1 - back;
      for (let k = 0; k < BY_KIND; k++) {
        const width = (widths >> ((2 + k) * WIDTH_BITS)) & WIDTH_MASK;
        const place = kind * BY_KIND + k;
        let word = expected[place] as number;
        if (width === WHOLE) {
          word = this.#wholeAt(packed, at);
          at += WORD_BYTES;
          expected[place] = word;
        } else if (width > 0) {
          let folded = packed[at++] as number;
          if (width > 1) folded |= (packed[at++] as number) << 8;
          word += (folded >>> 1) ^ -(folded & 1);
          expected[place] = word;
        }
        // the track comes first, where the time stands
        floats[row + k] = word;
      }
      const track = floats[row] as number;
      floats[row] = beforeNs;
      floats[row + ORIGIN] = cause * CAUSE_UNIT + track * TRACK_UNIT + kind;
    }
  }
}
