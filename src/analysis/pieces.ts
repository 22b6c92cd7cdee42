/** Long work in pieces, so that whoever does it can look at other things in between. */
import type { EventLog } from '../engine/core/eventLog.ts';
import type { EventRow } from '../engine/core/rows.ts';

/** Yields the share, 0..1, that is done; returns what it was for. */
export type Pieces<T> = Generator<number, T>;

/** Rows of a piece. */
const AT_ONCE = 2 ** 16;

/** All pieces without a stop. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** As a part of longer work, whose shares are `from` to `to`. */
export function* part<T>(work: Pieces<T>, from: number, to: number): Pieces<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    yield from + value * (to - from);
  }
}

/** Reads the rows of a log in order. */
export function* readRows(log: EventLog, read: (event: EventRow, row: number) => void): Pieces<void> {
  for (let from = 0; from < log.length; from += AT_ONCE) {
    log.forEach(read, from, from + AT_ONCE);
    yield Math.min(1, (from + AT_ONCE) / log.length);
  }
}
