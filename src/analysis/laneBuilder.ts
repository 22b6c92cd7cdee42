/** Collects the spans and marks of one lane in the order of the log. */
import { GrowingTable } from './growingTable.ts';
import type { Marks, Spans } from './laneTypes.ts';

/** The columns of Spans. */
export const SPAN_COLUMNS = {
  startNs: 'f64',
  endNs: 'f64',
  cls: 'u8',
  depth: 'u8',
  row: 'i32',
  track: 'i32',
  value: 'f64',
} as const;
const MARK_COLUMNS = { timeNs: 'f64', cls: 'u8', row: 'i32' } as const;

/** A machine may have thousands of lanes with next to nothing on them. */
const FIRST_CAPACITY = 4;

/** Deepest sub-row; what would need a deeper one joins the span that is there. */
const LAST_DEPTH = 3;

/** What a span says beside its times. */
export interface SpanInfo {
  readonly cls: number;
  readonly row: number;
  readonly track: number;
  readonly value: number;
}

/** One lane under construction. Handles are span numbers. */
export class LaneBuilder {
  readonly #spans = new GrowingTable(SPAN_COLUMNS, FIRST_CAPACITY);
  readonly #marks = new GrowingTable(MARK_COLUMNS, FIRST_CAPACITY);
  /** By depth: end of its last span (Infinity while open), how many hold that span open, which span. */
  readonly #busyUntilNs = new Float64Array(LAST_DEPTH + 1).fill(Number.NEGATIVE_INFINITY);
  readonly #holders = new Int32Array(LAST_DEPTH + 1);
  readonly #last = new Int32Array(LAST_DEPTH + 1).fill(-1);
  #isSorted = true;
  #lastStartNs = Number.NEGATIVE_INFINITY;

  /** Opens a span on the lowest free sub-row from `minDepth` on. */
  open(startNs: number, span: SpanInfo, minDepth = 0): number {
    return this.#place(startNs, Number.POSITIVE_INFINITY, span, minDepth);
  }

  /** Ends an open span. Of a span that several opened the last one counts. */
  close(handle: number, endNs: number): void {
    const depth = this.#spans.columns.depth[handle] as number;
    const holders = (this.#holders[depth] as number) - 1;
    this.#holders[depth] = holders;
    if (holders > 0) return;
    this.#busyUntilNs[depth] = endNs;
    this.#spans.columns.endNs[handle] = endNs;
  }

  /** Adds a span whose end is known. */
  add(startNs: number, endNs: number, span: SpanInfo, minDepth = 0): number {
    return this.#place(startNs, endNs, span, minDepth);
  }

  /** Turns an open span into another one from `timeNs` on: the same one if it began at this very instant. */
  change(handle: number, timeNs: number, span: SpanInfo): number {
    const c = this.#spans.columns;
    if (handle >= 0 && c.startNs[handle] === timeNs) {
      c.cls[handle] = span.cls;
      c.row[handle] = span.row;
      c.value[handle] = span.value;
      return handle;
    }
    if (handle >= 0) this.close(handle, timeNs);
    return this.open(timeNs, span);
  }

  /** Ends everything on the main sub-row at `timeNs` at the latest. */
  cut(timeNs: number): void {
    const { endNs, depth } = this.#spans.columns;
    for (let i = this.#spans.length - 1; i >= 0; i--) {
      if (depth[i] !== 0) continue;
      if ((endNs[i] as number) <= timeNs) break;
      endNs[i] = timeNs;
    }
    this.#busyUntilNs[0] = timeNs;
  }

  /** Start of a span. */
  startNs(handle: number): number {
    return this.#spans.columns.startNs[handle] as number;
  }

  mark(timeNs: number, cls: number, row: number): void {
    const n = this.#marks.add();
    this.#marks.columns.timeNs[n] = timeNs;
    this.#marks.columns.cls[n] = cls;
    this.#marks.columns.row[n] = row;
  }

  /** The lane's data; what is still open ends at `endNs`, spans of no length are left out. */
  finish(endNs: number): { spans: Spans; marks: Marks } {
    const spans = this.#spans.finish();
    let kept = 0;
    const numbers = new Int32Array(spans.length);
    for (let i = 0; i < spans.length; i++) {
      if ((spans.endNs[i] as number) > endNs) spans.endNs[i] = endNs;
      // In `plain` most waits last no time.
      if ((spans.endNs[i] as number) > (spans.startNs[i] as number)) numbers[kept++] = i;
    }
    const visible = kept === spans.length ? spans : takeSpans(spans, numbers.subarray(0, kept));
    return { spans: this.#isSorted ? visible : sortByStart(visible), marks: this.#marks.finish() };
  }

  #place(startNs: number, endNs: number, span: SpanInfo, minDepth: number): number {
    let depth = minDepth;
    while (depth < LAST_DEPTH && (this.#busyUntilNs[depth] as number) > startNs) depth++;
    if ((this.#busyUntilNs[depth] as number) > startNs) return this.#join(depth, endNs);
    const n = this.#spans.add();
    const c = this.#spans.columns;
    c.startNs[n] = startNs;
    c.endNs[n] = endNs;
    c.cls[n] = span.cls;
    c.depth[n] = depth;
    c.row[n] = span.row;
    c.track[n] = span.track;
    c.value[n] = span.value;
    this.#busyUntilNs[depth] = endNs;
    this.#holders[depth] = endNs === Number.POSITIVE_INFINITY ? 1 : 0;
    this.#last[depth] = n;
    if (startNs < this.#lastStartNs) this.#isSorted = false;
    this.#lastStartNs = startNs;
    return n;
  }

  #join(depth: number, endNs: number): number {
    const n = this.#last[depth] as number;
    if (endNs === Number.POSITIVE_INFINITY) this.#holders[depth] = (this.#holders[depth] as number) + 1;
    const until = Math.max(this.#busyUntilNs[depth] as number, endNs);
    this.#busyUntilNs[depth] = until;
    this.#spans.columns.endNs[n] = until;
    return n;
  }
}

/** Spans in order of start. */
export function sortByStart(spans: Spans): Spans {
  const order = Int32Array.from({ length: spans.length }, (_, i) => i);
  order.sort((x, y) => (spans.startNs[x] as number) - (spans.startNs[y] as number) || x - y);
  return takeSpans(spans, order);
}

/** The spans with these numbers, in this order. */
export function takeSpans(spans: Spans, numbers: Int32Array): Spans {
  const take = <A extends Float64Array | Int32Array | Uint8Array>(column: A, result: A): A => {
    for (let i = 0; i < numbers.length; i++) result[i] = column[numbers[i] as number] as number;
    return result;
  };
  const { length } = numbers;
  return {
    length,
    startNs: take(spans.startNs, new Float64Array(length)),
    endNs: take(spans.endNs, new Float64Array(length)),
    cls: take(spans.cls, new Uint8Array(length)),
    depth: take(spans.depth, new Uint8Array(length)),
    row: take(spans.row, new Int32Array(length)),
    track: take(spans.track, new Int32Array(length)),
    value: take(spans.value, new Float64Array(length)),
  };
}
