/** The rows of the visible window for the table, and single rows of a RowWindow. */
import type { RowWindow } from '../analysis/types.ts';
import type { EventRow } from '../engine/core/eventLog.ts';
import type { Viewport } from './viewport.ts';

/** Row `index` of the log; undefined where it is not loaded. */
export function rowOf(rows: RowWindow | undefined, index: number): EventRow | undefined {
  const i = rows === undefined ? -1 : index - rows.first;
  if (rows === undefined || i < 0 || i >= rows.length) return undefined;
  return {
    timeNs: rows.timeNs[i] ?? 0,
    kind: rows.kind[i] ?? 0,
    track: rows.track[i] ?? 0,
    cause: rows.cause[i] ?? -1,
    a: rows.a[i] ?? 0,
    b: rows.b[i] ?? 0,
    c: rows.c[i] ?? 0,
    d: rows.d[i] ?? 0,
  };
}

/** The loaded rows of a window of time: log rows [first, end). */
export interface RowRange {
  readonly first: number;
  readonly end: number;
  /** True if the window has rows before or after these that are not loaded. */
  readonly missesBefore: boolean;
  readonly missesAfter: boolean;
}

/** The loaded rows with fromNs <= time <= toNs. */
export function rowsInWindow(rows: RowWindow, viewport: Viewport): RowRange {
  const from = lowerBound(rows, viewport.fromNs);
  const to = lowerBound(rows, Math.floor(viewport.toNs) + 1);
  return {
    first: rows.first + from,
    end: rows.first + to,
    missesBefore: from === 0 && rows.first > 0,
    missesAfter: to === rows.length && rows.first + rows.length < rows.total,
  };
}

/** Index in the window of the first row at or after a time. */
function lowerBound(rows: RowWindow, timeNs: number): number {
  let lo = 0;
  let hi = rows.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if ((rows.timeNs[mid] ?? 0) < timeNs) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
