/** What happened in one grace period of Tree RCU, as far as it explains its length. */
import { KIND, RCU_GP, RCU_UTILIZATION, TIMER_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { LAST_REPORT, type RunIndex } from './types.ts';

/** A row and its time. */
export interface Instant {
  readonly ns: number;
  readonly row: number;
}

/** A wait before a scan. `dueNs`: the tick at which its timer was to fire; `lateTicks`: how many later it did (R1.15b). */
export interface WaitFact {
  readonly start: Instant;
  readonly delay: number;
  dueNs: number;
  lateTicks: number;
  /** The scan that followed; undefined: the grace period could end. */
  scan: Instant | undefined;
  scanEndNs: number;
}

/** The facts. */
export interface RcuGpFacts {
  readonly startNs: number;
  /** End of the grace period, or of the run. */
  readonly endNs: number;
  readonly finished: boolean;
  readonly startRow: number;
  readonly initEndNs: number;
  readonly cleanupNs: number;
  /** The report that let it end; NaN: none yet. */
  readonly lastNs: number;
  readonly lastRow: number;
  /** LAST_REPORT. */
  readonly how: number;
  readonly cpu: number;
  readonly reader: number;
  readonly waits: readonly WaitFact[];
  readonly scans: number;
  /** CPU that the kthread started on. */
  readonly kthreadCpu: number;
  /** Of the last CPU: learned, noted; rcu_core() runs before it learned, which found the lock of its leaf taken (R2.16b). */
  readonly learned: Instant | undefined;
  readonly noted: Instant | undefined;
  readonly lostTrylocks: number;
  /** Of the last reader: preempted in this grace period, and by whom (-1: not known). */
  readonly preempted: Instant | undefined;
  readonly preemptedBy: number;
  /** Last report by a CPU itself, or by a reader, before `lastNs`: a scan earlier than this would have found that one missing. */
  readonly lastSelfNs: number;
}

/** Rows of one grace period read once. */
export function rcuGpFacts(log: EventLog, index: RunIndex, gp: number): RcuGpFacts {
  const { gps, info, endNs: runEndNs } = index;
  const startRow = gps.startRow[gp] as number;
  const finished = gps.endRow[gp] !== -1;
  const endRow = finished ? (gps.endRow[gp] as number) : log.length - 1;
  const cpu = gps.lastCpu[gp] as number;
  const reader = gps.lastReader[gp] as number;
  const lastRow = gps.lastReportRow[gp] as number;
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const waits: WaitFact[] = [];
  let learned: Instant | undefined;
  let noted: Instant | undefined;
  let preempted: Instant | undefined;
  let preemptedBy = -1;
  let cores = 0;
  let lostTrylocks = 0;
  let scanRow = -1;
  let lastSelfNs = Number.NEGATIVE_INFINITY;
  log.forEach(
    (event, row) => {
      const at = () => ({ ns: event.timeNs, row });
      const wait = waits.at(-1);
      switch (event.kind) {
        case KIND.rcu_grace_period:
          if (event.track === cpu && event.a === RCU_GP.cpustart) {
            learned ??= at();
            lostTrylocks = cores - 1;
          } else if (event.track === cpu && event.a === RCU_GP.cpuqs) noted = at();
          else if (event.a === RCU_GP.fqswait)
            waits.push({
              start: at(),
              ...{ delay: 0, dueNs: Number.NaN, lateTicks: 0, scan: undefined, scanEndNs: Number.NaN },
            });
          else if (event.a === RCU_GP.fqsstart && wait !== undefined) wait.scan = at();
          else if (event.a === RCU_GP.fqsend && wait !== undefined) wait.scanEndNs = event.timeNs;
          break;
        case KIND.timer_start:
          if (event.a === TIMER_FN.process_timeout && wait !== undefined && Number.isNaN(wait.dueNs)) {
            wait.dueNs = ticks.timeOfJiffyNs(event.c);
            Object.assign(wait, { delay: event.b });
          }
          break;
        case KIND.timer_expire_entry:
          if (event.a === TIMER_FN.process_timeout && wait !== undefined && wait.scan === undefined)
            wait.lateTicks = event.b - event.c;
          break;
        case KIND.rcu_utilization:
          if (event.track === cpu && event.a === RCU_UTILIZATION['Start RCU core']) cores++;
          break;
        case KIND.rcu_fqs:
          scanRow = row;
          break;
        case KIND.rcu_quiescent_state_report:
          if (event.cause !== scanRow && row < lastRow) lastSelfNs = event.timeNs;
          break;
        case KIND.rcu_preempt_task:
          if (event.b === reader) preempted = at();
          break;
        case KIND.sched_switch:
          if (preempted !== undefined && event.b === reader && event.timeNs === preempted.ns)
            preemptedBy = event.a;
          break;
        default:
      }
    },
    startRow,
    endRow + 1,
  );
  const endNs = finished ? (gps.endNs[gp] as number) : runEndNs;
  return {
    startNs: gps.startNs[gp] as number,
    endNs,
    finished,
    startRow,
    initEndNs: gps.initEndNs[gp] as number,
    cleanupNs: gps.cleanupNs[gp] as number,
    ...(finished
      ? { lastNs: gps.lastReportNs[gp] as number, lastRow, how: gps.lastHow[gp] as number }
      : { lastNs: Number.NaN, lastRow: -1, how: LAST_REPORT.none }),
    cpu,
    reader,
    waits,
    scans: gps.scans[gp] as number,
    kthreadCpu: log.row(startRow).track,
    learned,
    noted,
    lostTrylocks: Math.max(0, lostTrylocks),
    preempted,
    preemptedBy,
    lastSelfNs,
  };
}
