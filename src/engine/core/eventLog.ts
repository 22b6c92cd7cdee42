/**
 * The event log: rows in blocks, appended to in time order (logWriter.ts), never reordered. A producer may go back to a row
 * it opened (`patch`) while the run is under way: a burst of passes is one row whose count grows.
 *
 * The blocks of a long log are packed (rowPacker.ts), and unpacked where somebody reads.
 */
import { BLOCK_BITS, BLOCK_MASK, BLOCK_ROWS, LogMemory } from './logMemory.ts';
import { type OpenBlock, PackedBlocks } from './packedBlocks.ts';
import { createRows, type EventRow, kindOf, ORIGIN, ROW_WORDS, type RowData, RowReader } from './rows.ts';

/** Blocks at the beginning of a log that stay as they are, 24 MiB or half a million rows: most logs have no others. */
const PLAIN_BLOCKS = 256;

/** The first of the numbers [from, to) that `holds`, which all after it do, too; `to` if there is none. */
function firstFrom(from: number, to: number, holds: (i: number) => boolean): number {
  let lo = from;
  let hi = to;
  while (lo < hi) {
    const mid = Math.floor((lo + hi) / 2);
    if (holds(mid)) hi = mid;
    else lo = mid + 1;
  }
  return lo;
}

/** An append-only log of rows: what is in it. A LogWriter appends. */
export class EventLog {
  /** Memory of the rows, all but the last block full; null: the block is packed. */
  readonly blocks: (RowData | null)[] = [];
  /** Rows in all. */
  length = 0;
  /** Where its blocks come from. */
  readonly memory: LogMemory;
  #packed: PackedBlocks | undefined;

  constructor(memory = new LogMemory()) {
    this.memory = memory;
  }

  /** Forgets all rows and their memory: the log is over, nobody writes to it any more. */
  clear(): void {
    this.blocks.length = 0;
    this.length = 0;
    this.#packed = undefined;
  }

  /** The last block is full: packs the one before it if the log is long. */
  packBefore(): void {
    const block = this.blocks.length - 2;
    const rows = this.blocks[block];
    if (block < PLAIN_BLOCKS || !rows) return;
    this.#packed ??= new PackedBlocks(this.memory);
    this.#packed.pack(block, rows);
    this.blocks[block] = null;
  }

  #open(block: number): OpenBlock {
    return (this.#packed as PackedBlocks).open(block);
  }

  #rows(index: number): RowData {
    const block = index >> BLOCK_BITS;
    const rows = this.blocks[block];
    if (rows === undefined || index < 0 || index >= this.length) throw new Error(`no log row ${index}`);
    return rows ?? this.#open(block).rows;
  }

  /** Row `index` as an object. */
  row(index: number): EventRow {
    const row = new RowReader(this.#rows(index));
    row.moveTo(index & BLOCK_MASK);
    return row.copy();
  }

  /** Time of row `index` in ns. */
  timeNs(index: number): number {
    return this.#rows(index).floats[(index & BLOCK_MASK) * ROW_WORDS] as number;
  }

  /** Kind of row `index`. */
  kind(index: number): number {
    return kindOf(this.#rows(index).floats[(index & BLOCK_MASK) * ROW_WORDS + ORIGIN] as number);
  }

  /** Overwrites the payload of a row that its producer still has open; nobody reads the log meanwhile. A packed block stays unpacked then. */
  patch(index: number, a: number, b: number, c: number, d: number): void {
    const block = index >> BLOCK_BITS;
    if (this.blocks[block] === null) this.blocks[block] = (this.#packed as PackedBlocks).unpack(block);
    const { floats } = this.#rows(index);
    const at = (index & BLOCK_MASK) * ROW_WORDS;
    floats[at + 1] = a;
    floats[at + 2] = b;
    floats[at + 3] = c;
    floats[at + 4] = d;
  }

  /** Time of the first row of a block that has rows, ns. */
  #firstNs(block: number): number {
    const rows = this.blocks[block];
    return rows ? (rows.floats[0] as number) : (this.#packed as PackedBlocks).firstNs(block);
  }

  /** First row with time >= timeNs (binary search); `length` when there is none. */
  lowerBound(timeNs: number): number {
    const blocks = Math.ceil(this.length / BLOCK_ROWS);
    const block = firstFrom(0, blocks, (i) => this.#firstNs(i) >= timeNs) - 1;
    const end = Math.min(this.length, (block + 1) * BLOCK_ROWS);
    return firstFrom(Math.max(0, block * BLOCK_ROWS), end, (i) => this.timeNs(i) >= timeNs);
  }

  /** Calls `visit` for the rows [from, to) in order, with a row that is read in place. */
  forEach(visit: (row: EventRow, index: number) => void, from = 0, to = this.length): void {
    const end = Math.min(to, this.length);
    for (let index = from; index < end; ) {
      const stop = Math.min(end, (index | BLOCK_MASK) + 1);
      const open = this.blocks[index >> BLOCK_BITS] === null ? this.#open(index >> BLOCK_BITS) : undefined;
      // visitors may read other rows: the memory of this block stays its own
      if (open !== undefined) open.readers++;
      try {
        const row = new RowReader(open?.rows ?? this.#rows(index));
        for (; index < stop; index++) {
          row.moveTo(index & BLOCK_MASK);
          visit(row, index);
        }
      } finally {
        if (open !== undefined) open.readers--;
      }
    }
  }

  /** A copy of the rows [from, to). */
  copy(from: number, to: number): RowData {
    const rows = createRows(to - from);
    for (let index = from; index < to; ) {
      const stop = Math.min(to, (index | BLOCK_MASK) + 1);
      const first = (index & BLOCK_MASK) * ROW_WORDS;
      const words = this.#rows(index).floats.subarray(first, first + (stop - index) * ROW_WORDS);
      rows.floats.set(words, (index - from) * ROW_WORDS);
      index = stop;
    }
    return rows;
  }
}
