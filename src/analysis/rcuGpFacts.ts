/** What happened in one grace period of Tree RCU, as far as it explains its length. */
import { KIND, RCU_GP, RCU_UTILIZATION, TIMER_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { EventRow } from '../engine/core/rows.ts';
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
  delay: number;
  dueNs: number;
  lateTicks: number;
  /** The scan that followed; undefined: the grace period could end. */
  scan: Instant | undefined;
  scanEndNs: number;
}

/** A report that was not the last one: by a CPU, or a reader on it, or by a scan that ran there. */
export interface ReportFact {
  readonly ns: number;
  readonly cpu: number;
  readonly isScan: boolean;
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
  /** Reports before the last one. */
  readonly reports: readonly ReportFact[];
  /** CPUs that the last scan found in an extended quiescent state. */
  readonly foundCpus: ReadonlySet<number>;
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
  const rows = new GpRows({ cpu, reader, lastFromRow: firstOfReport(log, lastRow) }, ticks);
  log.forEach(
    (event, row) => {
      rows.row(event, row);
    },
    startRow,
    endRow + 1,
  );
  const { waits, learned, noted, preempted, preemptedBy, reports, foundCpus, lostTrylocks } = rows;
  return {
    startNs: gps.startNs[gp] as number,
    endNs: finished ? (gps.endNs[gp] as number) : runEndNs,
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
    lostTrylocks,
    preempted,
    preemptedBy,
    reports,
    foundCpus,
  };
}

/** The first row of a report that goes up the tree, node by node: each row has the one below it as its cause. */
function firstOfReport(log: EventLog, row: number): number {
  let first = row;
  while (first >= 0) {
    const { cause } = log.row(first);
    if (cause < 0 || log.kind(cause) !== KIND.rcu_quiescent_state_report) break;
    first = cause;
  }
  return first;
}

/** Who was last. */
interface Last {
  readonly cpu: number;
  readonly reader: number;
  /** Where that report begins, on its leaf. */
  readonly lastFromRow: number;
}

/** Collects the facts row by row. */
class GpRows {
  readonly waits: WaitFact[] = [];
  learned: Instant | undefined;
  noted: Instant | undefined;
  preempted: Instant | undefined;
  preemptedBy = -1;
  lostTrylocks = 0;
  readonly reports: ReportFact[] = [];
  readonly foundCpus = new Set<number>();
  readonly #last: Last;
  readonly #ticks: Ticks;
  #cores = 0;
  #scanRow = -1;
  #reportRow = -1;

  constructor(last: Last, ticks: Ticks) {
    this.#last = last;
    this.#ticks = ticks;
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    const { cpu, reader, lastFromRow } = this.#last;
    switch (event.kind) {
      case KIND.rcu_grace_period:
        this.#gracePeriod(event, row);
        break;
      case KIND.timer_start:
      case KIND.timer_expire_entry:
        if (event.a === TIMER_FN.process_timeout) this.#timer(event);
        break;
      case KIND.rcu_utilization:
        if (event.track === cpu && event.a === RCU_UTILIZATION['Start RCU core']) this.#cores++;
        break;
      case KIND.rcu_fqs:
        this.#scanRow = row;
        this.foundCpus.add(event.b);
        break;
      case KIND.rcu_quiescent_state_report:
        if (row >= lastFromRow) break;
        // a row that goes on where another ended is of the same report
        if (event.cause !== this.#reportRow)
          this.reports.push({
            ns: event.timeNs,
            cpu: event.track,
            isScan: event.cause === this.#scanRow,
          });
        this.#reportRow = row;
        break;
      case KIND.rcu_preempt_task:
        if (event.b === reader) this.preempted = { ns: event.timeNs, row };
        break;
      case KIND.sched_switch:
        if (event.b === reader && event.timeNs === this.preempted?.ns) this.preemptedBy = event.a;
        break;
      default:
    }
  }

  #gracePeriod(event: EventRow, row: number): void {
    const at = { ns: event.timeNs, row };
    const wait = this.waits.at(-1);
    const isLast = event.track === this.#last.cpu;
    switch (event.a) {
      case RCU_GP.cpustart:
        if (!isLast) break;
        this.learned ??= at;
        // the run of rcu_core() that learned is one of them
        this.lostTrylocks = Math.max(0, this.#cores - 1);
        break;
      case RCU_GP.cpuqs:
        if (isLast) this.noted = at;
        break;
      case RCU_GP.fqswait: {
        const unknown = { delay: 0, dueNs: Number.NaN, lateTicks: 0, scan: undefined, scanEndNs: Number.NaN };
        this.waits.push({ start: at, ...unknown });
        break;
      }
      case RCU_GP.fqsstart:
        this.foundCpus.clear();
        if (wait !== undefined) wait.scan = at;
        break;
      case RCU_GP.fqsend:
        if (wait !== undefined) wait.scanEndNs = event.timeNs;
        break;
      default:
    }
  }

  #timer(event: EventRow): void {
    const wait = this.waits.at(-1);
    if (wait === undefined || wait.scan !== undefined) return;
    if (event.kind === KIND.timer_expire_entry) wait.lateTicks = event.b - event.c;
    else if (Number.isNaN(wait.dueNs)) {
      wait.delay = event.b;
      wait.dueNs = this.#ticks.timeOfJiffyNs(event.c);
    }
  }
}
