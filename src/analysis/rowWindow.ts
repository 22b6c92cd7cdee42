/** Copies of a stretch of a log, and finding one's way in them. */
import type { EventLog } from '../engine/core/eventLog.ts';
import { type EventRow, RowReader } from '../engine/core/rows.ts';
import type { RowWindow } from './types.ts';

/** A copy of the rows [from, to) of a log; bounds outside the log are brought inside. */
export function sliceRows(log: EventLog, from: number, to: number): RowWindow {
  const first = Math.max(0, Math.min(from, log.length));
  const end = Math.max(first, Math.min(to, log.length));
  return { first, length: end - first, total: log.length, ...log.copy(first, end) };
}

/**
 * Looks rows up in a window by their index in the log; undefined where the window does not have them. What comes back
 * is the same object every time, which stands for the row looked up last: keep its values and not itself.
 */
export function createLookUp(window: RowWindow): (row: number) => RowReader | undefined {
  const reader = new RowReader(window);
  return (row) => {
    const i = row - window.first;
    if (i < 0 || i >= window.length) return undefined;
    reader.moveTo(i);
    return reader;
  };
}

/** Row `row` of the log as an object, or undefined where the window does not have it. */
export function rowOf(window: RowWindow, row: number): EventRow | undefined {
  return createLookUp(window)(row)?.copy();
}

/** Number of rows of the window with time <= timeNs. */
export function rowsUpTo(window: RowWindow, timeNs: number): number {
  const reader = new RowReader(window);
  let lo = 0;
  let hi = window.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    reader.moveTo(mid);
    if (reader.timeNs <= timeNs) lo = mid + 1;
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

/** The memory of a window, to be transferred. */
export function windowBuffers(window: RowWindow): ArrayBufferLike[] {
  return [window.floats.buffer];
}
