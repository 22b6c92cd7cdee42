/** When kfree_rcu_monitor() of a CPU ran, for the explanation of what it was to take. */
import { KIND, TIMER_FN, WORK_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';

/** A run of kfree_rcu_monitor(). */
export interface MonitorRun {
  readonly startRow: number;
  /** -1: it has not ended up to the row in question. */
  endRow: number;
  /** Its timer: delay in jiffies; NaN where it was queued without one in sight. */
  readonly delay: number;
  readonly queueRow: number;
}

/** Rows before the first one in which the timer that is armed then is looked for. */
const LOOK_BACK = 65_536;

/** Runs of the monitor of a CPU that begin behind a row, up to another row. */
export function monitorRunsOf(log: EventLog, cpu: number, afterRow: number, toRow: number): MonitorRun[] {
  const runs: MonitorRun[] = [];
  let delay = Number.NaN;
  let queueRow = -1;
  // the timer may have been armed before
  for (let row = armedBefore(log, cpu, afterRow); row <= toRow; row++) {
    switch (log.kind(row)) {
      case KIND.timer_start: {
        const { a, b, d } = log.row(row);
        if (a === TIMER_FN.kfree_rcu_monitor && d === cpu) delay = b;
        break;
      }
      case KIND.workqueue_queue_work:
        if (isOfMonitor(log, row, cpu)) queueRow = row;
        break;
      case KIND.workqueue_execute_start:
        if (!isOfMonitor(log, row, cpu)) break;
        if (row > afterRow) runs.push({ startRow: row, endRow: -1, delay, queueRow: Math.max(queueRow, 0) });
        delay = Number.NaN;
        break;
      case KIND.workqueue_execute_end: {
        const last = runs.at(-1);
        if (last !== undefined && isOfMonitor(log, row, cpu)) last.endRow = row;
        break;
      }
      default:
    }
  }
  return runs;
}

function isOfMonitor(log: EventLog, row: number, cpu: number): boolean {
  const { a, b } = log.row(row);
  return a === WORK_FN.kfree_rcu_monitor && b === cpu;
}

/** The row of the timer that was armed at a row, or that row. */
function armedBefore(log: EventLog, cpu: number, atRow: number): number {
  for (let row = atRow - 1; row >= Math.max(0, atRow - LOOK_BACK); row--) {
    const kind = log.kind(row);
    if (kind !== KIND.timer_start && kind !== KIND.timer_expire_entry) continue;
    const { a, d } = log.row(row);
    if (a === TIMER_FN.kfree_rcu_monitor && d === cpu) return row;
  }
  return atRow;
}
