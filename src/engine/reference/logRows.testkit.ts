/** What tests read off a log. */
import { KIND, type Kind, TIMER_FN } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { type PassInfo, unpackPass } from '../core/passCode.ts';
import type { EventRow } from '../core/rows.ts';

/** All rows of a kind, in order. */
export function rowsOf(log: EventLog, kind: Kind): EventRow[] {
  const rows: EventRow[] = [];
  log.forEach((event, index) => {
    if (event.kind === kind) rows.push(log.row(index));
  });
  return rows;
}

/** Latencies of the calls that returned, in order of return, ns. */
export function latenciesNs(log: EventLog): number[] {
  return rowsOf(log, KIND.api_return).map((row) => row.c);
}

/** A row of passes, drawn apart. */
export interface PassRow extends PassInfo {
  readonly count: number;
  readonly startNs: number;
  /** Of one pass. */
  readonly lengthNs: number;
  /** End of the last one. */
  readonly endNs: number;
}

/** Rows of passes that hold at least one. */
export function passRows(log: EventLog): PassRow[] {
  return rowsOf(log, KIND.srcu_pass)
    .filter(({ a }) => a > 0)
    .map(({ a, b, c, d }) => ({ ...unpackPass(c), count: a, startNs: b, lengthNs: d, endNs: b + a * d }));
}

/** Executions of process_srcu. */
export function passCount(log: EventLog): number {
  return passRows(log).reduce((sum, { count }) => sum + count, 0);
}

/** Checks of the counters, those that found nobody included. */
export function checkCount(log: EventLog): number {
  return passRows(log).reduce((sum, { count, checks }) => sum + count * checks, 0);
}

/** Delays armed for process_srcu, in jiffies, in order: the "sleeps" of docs/model §7 and §13. */
export function sleepsOf(log: EventLog): number[] {
  return rowsOf(log, KIND.timer_start)
    .filter(({ a }) => a === TIMER_FN.delayed_work_timer_fn)
    .map(({ b }) => b);
}
