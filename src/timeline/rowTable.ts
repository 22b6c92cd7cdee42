/** The rows of the visible window, for the table. */
import { rowsUpTo } from '../analysis/rowWindow.ts';
import type { RowWindow } from '../analysis/types.ts';
import type { Viewport } from './viewport.ts';

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
  // Times of rows are whole: "before the window" is "up to the nanosecond before it".
  const from = rowsUpTo(rows, Math.ceil(viewport.fromNs) - 1);
  const to = rowsUpTo(rows, viewport.toNs);
  return {
    first: rows.first + from,
    end: rows.first + to,
    missesBefore: from === 0 && rows.first > 0,
    missesAfter: to === rows.length && rows.first + rows.length < rows.total,
  };
}
