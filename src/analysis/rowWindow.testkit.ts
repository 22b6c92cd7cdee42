/** Windows of rows for tests. */

import { addRow } from '../engine/core/eventLog.testkit.ts';
import { EventLog } from '../engine/core/eventLog.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { sliceRows } from './rowWindow.ts';
import type { RowWindow } from './types.ts';

/** A window of rows that follow each other in a log of `total`, the first one being row `first`; the rest is 0. */
export function windowOf(
  rows: readonly Partial<EventRow>[],
  first = 0,
  total = first + rows.length,
): RowWindow {
  const log = new EventLog();
  for (const { timeNs = 0, kind = 0, track = 0, cause = 0, a = 0, b = 0, c = 0, d = 0 } of rows)
    addRow(log, timeNs, kind, track, cause, a, b, c, d);
  return { ...sliceRows(log, 0, log.length), first, total };
}
