/** Copies of a stretch of a log, and finding one's way in them. */
import type { EventLog, EventRow, LogBlock } from '../engine/core/eventLog.ts';
import type { RowWindow } from './types.ts';

type Column = 'timeNs' | 'kind' | 'track' | 'cause' | 'a' | 'b' | 'c' | 'd';
const COLUMNS: readonly Column[] = ['timeNs', 'kind', 'track', 'cause', 'a', 'b', 'c', 'd'];

/** A copy of the rows [from, to) of a log; bounds outside the log are brought inside. */
export function sliceRows(log: EventLog, from: number, to: number): RowWindow {
  const first = Math.max(0, Math.min(from, log.length));
  const end = Math.max(first, Math.min(to, log.length));
  const length = end - first;
  const window = {
    first,
    total: log.length,
    length,
    timeNs: new Float64Array(length),
    kind: new Uint8Array(length),
    track: new Uint16Array(length),
    cause: new Int32Array(length),
    a: new Float64Array(length),
    b: new Float64Array(length),
    c: new Float64Array(length),
    d: new Float64Array(length),
  };
  for (let row = first; row < end; ) {
    const block = log.block(row);
    const { start, stop } = blockRange(log, block, row, end);
    for (const name of COLUMNS) window[name].set(block[name].subarray(start, stop), row - first);
    row += stop - start;
  }
  return window;
}

/** Where row `row` is in its block, and up to where [row, end) goes on in it. */
function blockRange(
  log: EventLog,
  block: LogBlock,
  row: number,
  end: number,
): { start: number; stop: number } {
  let before = 0;
  for (const other of log.blocks) {
    if (other === block) break;
    before += other.length;
  }
  return { start: row - before, stop: Math.min(block.length, end - before) };
}

/** Row `row` of the log as an object, or undefined where the window does not have it. */
export function rowOf(window: RowWindow, row: number): EventRow | undefined {
  const i = row - window.first;
  if (i < 0 || i >= window.length) return undefined;
  return {
    timeNs: window.timeNs[i] as number,
    kind: window.kind[i] as number,
    track: window.track[i] as number,
    cause: window.cause[i] as number,
    a: window.a[i] as number,
    b: window.b[i] as number,
    c: window.c[i] as number,
    d: window.d[i] as number,
  };
}

/** Number of rows of the window with time <= timeNs. */
export function rowsUpTo(window: RowWindow, timeNs: number): number {
  let lo = 0;
  let hi = window.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if ((window.timeNs[mid] as number) <= timeNs) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/** True if the state at `timeNs` can be told from the window: it holds the last row up to then and the next one. */
export function coversTime(window: RowWindow, timeNs: number): boolean {
  const count = rowsUpTo(window, timeNs);
  return (
    (count > 0 || window.first === 0) &&
    (count < window.length || window.first + window.length === window.total)
  );
}

/** All arrays of a window, to be transferred. */
export function windowBuffers(window: RowWindow): ArrayBufferLike[] {
  return COLUMNS.map((name) => window[name].buffer);
}
