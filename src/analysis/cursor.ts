/** Moving a cursor: to a time, row by row, poll by poll, along a track, from grace period to grace period. */
import { KIND } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { SrcuConstants } from '../engine/core/info.ts';
import { unpackPass } from '../engine/core/passCode.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { passChecks } from './passChecks.ts';
import { createLookUp, rowOf, rowsUpTo } from './rowWindow.ts';
import type { Cursor, GpTable, PollNumber, RowWindow } from './types.ts';

/** Rows before the cursor among which a burst that is still under way is looked for. */
const LOOK_BACK = 4096;
/** Rows after it among which a single pass that is under way finds its row. */
const LOOK_AHEAD = 256;

/** The cursor at a time: after all rows up to then. */
export function cursorAt(window: RowWindow, timeNs: number): Cursor {
  return { timeNs, row: window.first + rowsUpTo(window, timeNs) - 1 };
}

/** Time of one check of a srcu_pass row; NaN if the row has no such check. */
export function pollTimeNs(pass: EventRow, poll: PollNumber, constants: SrcuConstants): number {
  const check = passChecks(unpackPass(pass.c), constants)[poll.check];
  return check === undefined ? Number.NaN : pass.b + poll.pass * pass.d + check.offsetNs;
}

/**
 * One step from a cursor: to the next or previous row or, with `polls`, to a failed check of a burst if one comes
 * first (checks that find nobody have rows of their own). Undefined: beyond the window, or beyond the run.
 */
export function stepCursor(
  window: RowWindow,
  cursor: Cursor,
  direction: 1 | -1,
  constants: SrcuConstants,
  polls: boolean,
): Cursor | undefined {
  const here = rowOf(window, cursor.row);
  const hereNs = here === undefined ? Number.NEGATIVE_INFINITY : here.timeNs;
  if (direction === 1) {
    const next = rowOf(window, cursor.row + 1);
    const nextNs = next === undefined ? Number.POSITIVE_INFINITY : next.timeNs;
    const check = polls ? checkBetween(window, cursor.row, cursor.timeNs, nextNs, 1, constants) : undefined;
    if (check !== undefined) return check;
    return next === undefined ? undefined : { row: cursor.row + 1, timeNs: next.timeNs };
  }
  if (cursor.timeNs > hereNs) {
    const check = polls ? checkBetween(window, cursor.row, hereNs, cursor.timeNs, -1, constants) : undefined;
    if (check !== undefined) return check;
    return here === undefined ? undefined : { row: cursor.row, timeNs: here.timeNs };
  }
  const before = rowOf(window, cursor.row - 1);
  if (before === undefined) return undefined;
  const check = polls
    ? checkBetween(window, cursor.row - 1, before.timeNs, hereNs, -1, constants)
    : undefined;
  return check ?? { row: cursor.row - 1, timeNs: before.timeNs };
}

/** The first (direction 1) or last failed check strictly between two times that follow `row`. */
function checkBetween(
  window: RowWindow,
  row: number,
  fromNs: number,
  toNs: number,
  direction: 1 | -1,
  constants: SrcuConstants,
): Cursor | undefined {
  let best: Cursor | undefined;
  for (const passRow of passesBetween(window, row, fromNs, toNs)) {
    const pass = rowOf(window, passRow) as EventRow;
    const checks = passChecks(unpackPass(pass.c), constants);
    const around = Math.floor(((direction === 1 ? fromNs : toNs) - pass.b) / pass.d);
    for (const number of [around - 1, around, around + 1]) {
      if (number < 0 || number >= pass.a) continue;
      checks.forEach((check, i) => {
        const timeNs = pass.b + number * pass.d + check.offsetNs;
        if (!check.failed || timeNs <= fromNs || timeNs >= toNs) return;
        if (best === undefined || (timeNs - best.timeNs) * direction < 0) {
          best = { row, timeNs, poll: { row: passRow, pass: number, check: i } };
        }
      });
    }
  }
  return best;
}

/** srcu_pass rows whose passes overlap (fromNs, toNs): bursts are logged before, single passes soon after. */
function passesBetween(window: RowWindow, row: number, fromNs: number, toNs: number): number[] {
  const seen = new Set<number>();
  const found: number[] = [];
  const lookUp = createLookUp(window);
  const take = ({ a: count, b: startNs, d: passNs }: EventRow, other: number) => {
    if (startNs < toNs && startNs + count * passNs > fromNs) found.push(other);
  };
  for (let other = row; other >= Math.max(window.first, row - LOOK_BACK); other--) {
    const event = lookUp(other);
    if (event?.kind !== KIND.srcu_pass || seen.has(event.track)) continue;
    seen.add(event.track);
    take(event, other);
  }
  for (let other = row + 1; other < row + LOOK_AHEAD; other++) {
    const event = lookUp(other);
    if (event?.kind === KIND.srcu_pass) take(event, other);
  }
  return found;
}

/** The next row after (direction 1) or before `row`, on a track and of a kind where given; -1: none. */
export function findRow(
  log: EventLog,
  row: number,
  direction: 1 | -1,
  where: { readonly track?: number | undefined; readonly kind?: number | undefined } = {},
): number {
  for (let other = row + direction; other >= 0 && other < log.length; other += direction) {
    if (where.kind !== undefined && log.kind(other) !== where.kind) continue;
    if (where.track === undefined || log.row(other).track === where.track) return other;
  }
  return -1;
}

/** The grace period that starts next after row `row`, or last before it, of a domain where given; -1: none. */
export function findGp(gps: GpTable, row: number, direction: 1 | -1, domain?: number): number {
  const isFit = (gp: number) => domain === undefined || gps.track[gp] === domain;
  if (direction === 1) return gps.startRow.findIndex((start, gp) => start > row && isFit(gp));
  return gps.startRow.findLastIndex((start, gp) => start < row && isFit(gp));
}
