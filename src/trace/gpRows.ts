/**
 * What a grace period looks like from outside: the rows of four events, from a trace of a kernel or from the log of a
 * run. Both give the same rows, so that they can be compared (gpPattern.ts).
 */
import { KIND, RCU_GP } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { GP_EVENTS, type GpPayload, LogPayloads } from './logPayloads.ts';
import type { TraceEvent } from './parseTrace.ts';

/** One row. `byKthread`: written by the grace-period kthread itself, not by an interrupt on its CPU or another task. */
export type GpRow = { readonly cpu: number; readonly byKthread: boolean } & GpPayload;

const KTHREAD = /^rcu_(preempt|sched)$/;
/** Third of the flags: s softirq, h hardirq, H hardirq in a softirq. */
const IN_INTERRUPT = /^..[shH]/;

/** The rows of a trace, in its order. */
export function traceGpRows(events: readonly TraceEvent[]): GpRow[] {
  return events.flatMap((row) =>
    GP_EVENTS.some((name) => name === row.event)
      ? [{ ...row, byKthread: KTHREAD.test(row.comm) && !IN_INTERRUPT.test(row.flags) } as GpRow]
      : [],
  );
}

/** Strings between which the kthread initialises, scans and cleans up: rows of its CPU are its own there. */
const OPENS = new Set<number>([RCU_GP.start, RCU_GP.fqsstart]);
const CLOSES = new Set<number>([RCU_GP.fqswait, RCU_GP.fqsend]);
const OWN = new Set<number>([
  ...[RCU_GP.start, RCU_GP.reqwait, RCU_GP.reqwaitsig, RCU_GP.end],
  ...[RCU_GP.fqswait, RCU_GP.fqsstart, RCU_GP.fqsend, RCU_GP.fqswaitsig],
]);

/** Follows the kthread, row by row. */
class LogReader {
  readonly #payloads: LogPayloads;
  /** CPU on which the kthread is inside its own code, -1. */
  #busyCpu = -1;

  constructor(info: RunInfo) {
    this.#payloads = new LogPayloads(info);
  }

  row(event: EventRow): GpRow | undefined {
    const { kind, track: cpu, a } = event;
    const payload = this.#payloads.gp(event);
    if (payload === undefined) return undefined;
    const isString = kind === KIND.rcu_grace_period;
    if (isString && OPENS.has(a)) this.#busyCpu = cpu;
    else if (isString && CLOSES.has(a)) this.#busyCpu = -1;
    const byKthread = (isString && OWN.has(a)) || cpu === this.#busyCpu;
    return { cpu, byKthread, ...payload };
  }
}

/** The rows of a run's log, in its order. */
export function logGpRows(log: EventLog, info: RunInfo): GpRow[] {
  const reader = new LogReader(info);
  const rows: GpRow[] = [];
  log.forEach((event) => {
    const row = reader.row(event);
    if (row !== undefined) rows.push(row);
  });
  return rows;
}
