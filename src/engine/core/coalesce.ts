/**
 * The canonical form of a log, in which logs of the fast and of the step-by-step model are compared: maximal runs of
 * passes with equal outcome are one burst, and a burst stands at its start.
 *
 * A run is a sequence of srcu_pass rows of one domain, each beginning where the one before ended, that found a reader
 * and decided no delay, alike in everything but srcu_n_exp_nodelay. Its row takes the time of its start and goes
 * behind all rows up to that time. Rows that hold no pass (planned bursts that none completed) go away.
 */
import { KIND, type Kind } from './eventKinds.ts';
import { EventLog } from './eventLog.ts';
import { LogWriter } from './logWriter.ts';
import { isBurstShape, shapeOf } from './passCode.ts';
import type { EventRow } from './rows.ts';

interface Item {
  readonly row: EventRow;
  /** Place in the given log; new places of causes are looked up by it. */
  readonly index: number;
}

function sameRun(open: EventRow, next: EventRow): boolean {
  return next.b === open.b + open.a * open.d && next.d === open.d && shapeOf(next.c) === shapeOf(open.c);
}

/** Bursts merged, in the order of the log, and everything else. */
function mergeRuns(log: EventLog): { bursts: Item[]; others: Item[] } {
  const bursts: Item[] = [];
  const others: Item[] = [];
  const open = new Map<number, number>();
  for (let index = 0; index < log.length; index++) {
    const row = log.row(index);
    if (row.kind !== KIND.srcu_pass) {
      others.push({ row, index });
      continue;
    }
    if (row.a === 0) continue;
    if (!isBurstShape(shapeOf(row.c))) {
      open.delete(row.track);
      others.push({ row, index });
      continue;
    }
    const at = open.get(row.track);
    const last = at === undefined ? undefined : (bursts[at] as Item);
    if (at !== undefined && last !== undefined && sameRun(last.row, row)) {
      bursts[at] = { ...last, row: { ...last.row, a: last.row.a + row.a, c: row.c } };
    } else {
      open.set(row.track, bursts.length);
      bursts.push({ row: { ...row, timeNs: row.b }, index });
    }
  }
  bursts.sort((x, y) => x.row.timeNs - y.row.timeNs || x.row.track - y.row.track);
  return { bursts, others };
}

/** A new log in canonical form, causes renumbered. */
export function coalesce(log: EventLog): EventLog {
  const { bursts, others } = mergeRuns(log);
  const order: Item[] = [];
  let next = 0;
  for (const item of others) {
    while (next < bursts.length && (bursts[next] as Item).row.timeNs < item.row.timeNs) {
      order.push(bursts[next++] as Item);
    }
    order.push(item);
  }
  order.push(...bursts.slice(next));
  const place = new Map<number, number>();
  for (const [i, item] of order.entries()) place.set(item.index, i);
  const writer = new LogWriter(new EventLog());
  for (const { row } of order) {
    writer.nowNs = row.timeNs;
    writer.cause = row.cause < 0 ? -1 : (place.get(row.cause) ?? -1);
    writer.emit(row.kind as Kind, row.track, row.a, row.b, row.c, row.d);
  }
  return writer.log;
}
