/**
 * The event log: columns in blocks of 16 Ki rows, appended to in time order, never reordered. A producer may go back
 * to a row it opened (`setB`...) while the run is under way: a burst of passes is one row whose count grows.
 *
 *   block 0                          block 1
 *   timeNs  f64 [ 16 384 ]           ...
 *   kind    u8  [ 16 384 ]
 *   track   u16 [ 16 384 ]
 *   cause   i32 [ 16 384 ]           index of the row that caused this one, or -1
 *   a b c d f64 [ 16 384 ] each      payload, see eventKinds.ts
 */
const BLOCK_BITS = 14;
const BLOCK_ROWS = 1 << BLOCK_BITS;
const BLOCK_MASK = BLOCK_ROWS - 1;
const FIRST_ROWS = 256;

/** One row, for readers that do not care for speed. */
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

/** Up to 16 Ki rows as columns. Only the first `length` entries of each column mean something. */
export interface LogBlock {
  length: number;
  readonly timeNs: Float64Array;
  readonly kind: Uint8Array;
  readonly track: Uint16Array;
  readonly cause: Int32Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly c: Float64Array;
  readonly d: Float64Array;
}

/** Bytes of one row, all columns together. */
export const ROW_BYTES = 8 + 1 + 2 + 4 + 4 * 8;

function createBlock(rows: number): LogBlock {
  return {
    length: 0,
    timeNs: new Float64Array(rows),
    kind: new Uint8Array(rows),
    track: new Uint16Array(rows),
    cause: new Int32Array(rows),
    a: new Float64Array(rows),
    b: new Float64Array(rows),
    c: new Float64Array(rows),
    d: new Float64Array(rows),
  };
}

function enlarged(block: LogBlock): LogBlock {
  const larger = createBlock(block.timeNs.length * 2);
  larger.length = block.length;
  larger.timeNs.set(block.timeNs);
  larger.kind.set(block.kind);
  larger.track.set(block.track);
  larger.cause.set(block.cause);
  larger.a.set(block.a);
  larger.b.set(block.b);
  larger.c.set(block.c);
  larger.d.set(block.d);
  return larger;
}

/** An append-only log of rows. */
export class EventLog {
  readonly blocks: LogBlock[] = [];
  /** Rows in all. */
  length = 0;
  #last: LogBlock | undefined;

  /** Appends a row and returns its index. */
  add(
    timeNs: number,
    kind: number,
    track: number,
    cause: number,
    a: number,
    b: number,
    c: number,
    d: number,
  ): number {
    let block = this.#last;
    if (block === undefined || block.length === block.timeNs.length) block = this.#room();
    const i = block.length++;
    block.timeNs[i] = timeNs;
    block.kind[i] = kind;
    block.track[i] = track;
    block.cause[i] = cause;
    block.a[i] = a;
    block.b[i] = b;
    block.c[i] = c;
    block.d[i] = d;
    return this.length++;
  }

  /** A block with room for a row. The first one begins small and doubles, as most runs are short. */
  #room(): LogBlock {
    const first = this.blocks[0];
    let block: LogBlock;
    if (first === undefined) block = createBlock(FIRST_ROWS);
    else if (first.timeNs.length < BLOCK_ROWS) {
      block = enlarged(first);
      this.blocks.pop();
    } else block = createBlock(BLOCK_ROWS);
    this.blocks.push(block);
    this.#last = block;
    return block;
  }

  /** The block of row `index`. */
  block(index: number): LogBlock {
    const block = this.blocks[index >> BLOCK_BITS];
    if (block === undefined || index < 0 || index >= this.length) throw new Error(`no log row ${index}`);
    return block;
  }

  /** Row `index` as an object. */
  row(index: number): EventRow {
    const block = this.block(index);
    const i = index & BLOCK_MASK;
    return {
      timeNs: block.timeNs[i] as number,
      kind: block.kind[i] as number,
      track: block.track[i] as number,
      cause: block.cause[i] as number,
      a: block.a[i] as number,
      b: block.b[i] as number,
      c: block.c[i] as number,
      d: block.d[i] as number,
    };
  }

  /** Time of row `index` in ns. */
  timeNs(index: number): number {
    return this.block(index).timeNs[index & BLOCK_MASK] as number;
  }

  /** Kind of row `index`. */
  kind(index: number): number {
    return this.block(index).kind[index & BLOCK_MASK] as number;
  }

  /** Overwrites the payload of a row that its producer still has open. */
  patch(index: number, a: number, b: number, c: number, d: number): void {
    const block = this.block(index);
    const i = index & BLOCK_MASK;
    block.a[i] = a;
    block.b[i] = b;
    block.c[i] = c;
    block.d[i] = d;
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

  /** Calls `visit` for the rows [from, to) in order. The columns are handed over, `i` is the row inside them. */
  forEach(visit: (block: LogBlock, i: number, index: number) => void, from = 0, to = this.length): void {
    for (let index = from; index < to; ) {
      const block = this.block(index);
      const base = index & ~BLOCK_MASK;
      const end = Math.min(block.length, to - base);
      for (let i = index - base; i < end; i++) visit(block, i, base + i);
      index = base + end;
    }
  }
}
