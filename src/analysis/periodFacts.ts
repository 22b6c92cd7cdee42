/** What happened during one grace period: passes, sleeps, who was waited for. The raw material of blame.ts. */
import { APIS } from '../engine/config.ts';
import { KIND, TIMER_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { PASS_OUTCOME, type PassInfo, unpackPass } from '../engine/core/passCode.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { findRow } from './cursor.ts';
import { passChecks } from './passChecks.ts';
import { workerOfCpu } from './scanState.ts';
import type { GpTable, RunIndex } from './types.ts';

/** Rows after the end among which the pass that ended it finds its row. */
const LOOK_AHEAD = 4096;

/** A row of passes. */
export interface PassFact {
  readonly row: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly count: number;
  readonly lengthNs: number;
  readonly info: PassInfo;
}

/** A timer of process_srcu from arming to firing. */
export interface SleepFact {
  readonly row: number;
  readonly startNs: number;
  endNs: number;
  readonly delay: number;
  /** Before any pass: the first-pass delay. */
  readonly isFirst: boolean;
}

/** The reader that left a scanned index last, or has not left. */
export interface Holder {
  readonly thread: number;
  readonly cpu: number;
  /** Infinity: not before the end of the log. */
  readonly leaveNs: number;
  /** Its srcu_unlock row; if there is none the srcu_lock row. */
  readonly row: number;
  readonly enteredNs: number;
  readonly own: boolean;
}

/** A section that a scan waited for. */
export interface Waited {
  /** CPU of its thread. */
  readonly cpu: number;
  readonly leaveNs: number;
  /** Of a requester: not left while the worker polls on its CPU (spec srcu 5.6). */
  readonly own: boolean;
}

/** One of the two scans. */
export interface ScanFact {
  readonly scan: 1 | 2;
  readonly startNs: number;
  readonly endNs: number;
  readonly idx: number;
  /** First failed check; NaN: none. */
  firstFailNs: number;
  /** Among those that were counted at a failed check. */
  holder: Holder | undefined;
  /** Readers besides the holder that left after the first failed check. */
  others: number;
  /** All that were waited for, the holder among them; left at Infinity: not before the end of the log. */
  waited: readonly Waited[];
}

/** From `timeNs` on `track` (-1 nobody) has the CPU. Contended runs only. */
export interface SwitchFact {
  readonly timeNs: number;
  readonly row: number;
  readonly cpu: number;
  readonly track: number;
}

/** Everything about one grace period, in order of time. */
export interface PeriodFacts {
  readonly gp: number;
  readonly domain: number;
  readonly number: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly finished: boolean;
  readonly expedited: boolean;
  readonly passes: readonly PassFact[];
  readonly sleeps: readonly SleepFact[];
  readonly switches: readonly SwitchFact[];
  /** Worker of each CPU. */
  readonly workers: Int32Array;
  readonly scans: readonly ScanFact[];
  /** Of a grace period that is not expedited: sections that were open as it started, and when they were left. */
  readonly openAtStart: readonly OpenSection[];
  /** Does a synchronize_srcu() wait for it, which could have been an expedited call? */
  readonly couldBeExpedited: boolean;
}

/** A section that was open at some time; left at Infinity: not before the end of the grace period. */
export interface OpenSection {
  readonly own: boolean;
  readonly leaveNs: number;
}

interface Leave {
  readonly thread: number;
  readonly cpu: number;
  readonly ns: number;
  readonly row: number;
  readonly idx: number;
  readonly own: boolean;
}

/** Reads the rows of grace period `gp` of the table. */
export function periodFacts(log: EventLog, index: RunIndex, gp: number): PeriodFacts {
  const { gps, info } = index;
  const domain = gps.track[gp] as number;
  const startNs = gps.startNs[gp] as number;
  const finished = gps.endRow[gp] !== -1;
  const endNs = finished ? (gps.endNs[gp] as number) : index.endNs;
  const collector = new Collector(domain, startNs, endNs);
  const startRow = gps.startRow[gp] as number;
  const endRow = finished ? (gps.endRow[gp] as number) : log.length - 1;
  log.forEach(
    (event, row) => {
      collector.row(event, row);
    },
    startRow,
    endRow + 1,
  );
  if (finished) collector.lastPass(log, endRow + 1);
  collector.finish();
  const scans = scansOf(log, index, gp, collector, startNs, endNs);
  for (const scan of scans) findHolder(log, index, collector, scan, domain, finished);
  return {
    gp,
    domain,
    number: gps.number[gp] as number,
    startNs,
    endNs,
    finished,
    expedited: gps.expedited[gp] === 1,
    passes: collector.passes,
    sleeps: collector.sleeps,
    switches: [...switchesBefore(log, collector.passes, startRow, info), ...collector.switches],
    workers: workerOfCpu(info),
    scans,
    openAtStart: gps.expedited[gp] === 1 ? [] : openAt(log, startRow, endRow, domain),
    couldBeExpedited: index.calls.gp.some(
      (of, call) => of === gp && APIS[index.calls.api[call] as number] === 'synchronize_srcu',
    ),
  };
}

/** Rows before a start that are searched for sections. */
const LOOK_BACK = 2 ** 17;

/** Sections of a domain that are open at row `row`. */
function openAt(log: EventLog, row: number, toRow: number, domain: number): OpenSection[] {
  const seen = new Set<number>();
  const open = new Map<number, { own: boolean; leaveNs: number }>();
  for (let at = row; at >= Math.max(0, row - LOOK_BACK); at--) {
    const kind = log.kind(at);
    if (kind !== KIND.srcu_lock && kind !== KIND.srcu_unlock) continue;
    const { track, a, d } = log.row(at);
    if (a !== domain || seen.has(track)) continue;
    seen.add(track);
    if (kind === KIND.srcu_lock) open.set(track, { own: d === 1, leaveNs: Number.POSITIVE_INFINITY });
  }
  for (let at = row + 1; at <= toRow; at++) {
    if (log.kind(at) !== KIND.srcu_unlock) continue;
    const { track, a, timeNs } = log.row(at);
    const section = a === domain ? open.get(track) : undefined;
    if (section !== undefined) section.leaveNs = Math.min(section.leaveNs, timeNs);
  }
  return [...open.values()];
}

class Collector {
  readonly passes: PassFact[] = [];
  readonly sleeps: SleepFact[] = [];
  readonly switches: SwitchFact[] = [];
  readonly leaves: Leave[] = [];
  flipNs = Number.NaN;
  flipIdx = Number.NaN;
  readonly #domain: number;
  readonly #startNs: number;
  readonly #endNs: number;

  constructor(domain: number, startNs: number, endNs: number) {
    this.#domain = domain;
    this.#startNs = startNs;
    this.#endNs = endNs;
  }

  row(event: EventRow, row: number): void {
    const { timeNs } = event;
    switch (event.kind) {
      case KIND.srcu_pass:
        if (event.track === this.#domain) this.#pass(event, row, PASS_OUTCOME.again);
        break;
      case KIND.srcu_flip:
        if (event.track !== this.#domain) break;
        this.flipNs = timeNs;
        this.flipIdx = event.a & 1;
        break;
      case KIND.timer_start:
      case KIND.timer_expire_entry:
        if (event.a === TIMER_FN.delayed_work_timer_fn && event.d === this.#domain) this.#timer(event, row);
        break;
      case KIND.srcu_unlock:
        if (event.a !== this.#domain) break;
        this.leaves.push({
          thread: event.track,
          cpu: event.c,
          ns: timeNs,
          row,
          idx: event.b,
          own: event.d === 1,
        });
        break;
      case KIND.sched_switch:
        this.switches.push({ timeNs, row, cpu: event.track, track: event.a });
        break;
      default:
    }
  }

  /** The pass that ended the grace period is logged after its end. */
  lastPass(log: EventLog, from: number): void {
    for (let row = from; row < Math.min(log.length, from + LOOK_AHEAD); row++) {
      if (log.kind(row) !== KIND.srcu_pass || log.row(row).track !== this.#domain) continue;
      log.forEach(
        (event) => {
          if (event.b >= this.#endNs) return;
          this.#pass(event, row, unpackPass(event.c).outcome);
        },
        row,
        row + 1,
      );
      return;
    }
  }

  finish(): void {
    for (const sleep of this.sleeps) sleep.endNs = Math.min(sleep.endNs, this.#endNs);
  }

  #pass(event: EventRow, row: number, outcome: number): void {
    const info = unpackPass(event.c);
    // A pass with another outcome ended the grace period before this one.
    if (info.outcome !== outcome || event.a === 0) return;
    const { b: startNs, d: lengthNs, a: count } = event;
    const endNs = Math.min(startNs + count * lengthNs, this.#endNs);
    this.passes.push({ row, startNs: Math.max(startNs, this.#startNs), endNs, count, lengthNs, info });
  }

  #timer(event: EventRow, row: number): void {
    const { timeNs } = event;
    if (event.kind === KIND.timer_expire_entry) {
      const open = this.sleeps.at(-1);
      if (open !== undefined && open.endNs === Number.POSITIVE_INFINITY) open.endNs = timeNs;
      return;
    }
    const isFirst = this.passes.length === 0;
    const { b: delay } = event;
    this.sleeps.push({ row, startNs: timeNs, endNs: Number.POSITIVE_INFINITY, delay, isFirst });
  }
}

/** Who has the CPUs of the passes when the grace period starts. */
function switchesBefore(
  log: EventLog,
  passes: readonly PassFact[],
  row: number,
  info: RunInfo,
): SwitchFact[] {
  if (!info.contended) return [];
  return [...new Set(passes.map((pass) => pass.info.cpu))].flatMap((cpu) => {
    const before = findRow(log, row, -1, { kind: KIND.sched_switch, track: cpu });
    if (before < 0) return [];
    return [{ timeNs: log.timeNs(before), row: before, cpu, track: log.row(before).a }];
  });
}

function scansOf(
  log: EventLog,
  index: RunIndex,
  gp: number,
  collector: Collector,
  startNs: number,
  endNs: number,
): ScanFact[] {
  const none = {
    firstFailNs: Number.NaN,
    holder: undefined,
    others: 0,
    waited: [],
  };
  if (Number.isNaN(collector.flipNs)) {
    const idx = 1 - idxBefore(log, index.gps, gp);
    return withFailures([{ scan: 1, startNs, endNs, idx, ...none }], collector, index.info);
  }
  const { flipNs, flipIdx } = collector;
  const scans: ScanFact[] = [
    { scan: 1, startNs, endNs: flipNs, idx: flipIdx, ...none },
    { scan: 2, startNs: flipNs, endNs, idx: 1 - flipIdx, ...none },
  ];
  return withFailures(scans, collector, index.info);
}

/** srcu_idx & 1 at the start of a grace period. */
function idxBefore(log: EventLog, gps: GpTable, gp: number): number {
  const where = { track: gps.track[gp] as number, kind: KIND.srcu_flip };
  const row = findRow(log, gps.startRow[gp] as number, -1, where);
  return row < 0 ? 0 : log.row(row).a & 1;
}

function withFailures(scans: ScanFact[], collector: Collector, info: RunInfo): ScanFact[] {
  for (const pass of collector.passes) {
    for (const check of passChecks(pass.info, info.srcu)) {
      const scan = scans[check.scan - 1];
      if (!check.failed || scan === undefined || !Number.isNaN(scan.firstFailNs)) continue;
      scan.firstFailNs = pass.startNs + check.offsetNs;
    }
  }
  return scans;
}

/** Fills in who was waited for. */
function findHolder(
  log: EventLog,
  index: RunIndex,
  collector: Collector,
  scan: ScanFact,
  domain: number,
  finished: boolean,
): void {
  if (Number.isNaN(scan.firstFailNs)) return;
  const waited = collector.leaves.filter(
    (leave) => leave.idx === scan.idx && leave.ns > scan.firstFailNs && leave.ns <= scan.endNs,
  );
  const open = finished || !isLast(scan, collector) ? [] : openSections(log, domain, scan.idx);
  const last = open[0] ?? waited.at(-1);
  if (last === undefined) return;
  scan.others = new Set([...waited, ...open].map((leave) => leave.thread)).size - 1;
  const sectionOf = ({ thread, cpu, own }: Leave, leaveNs: number): Waited => ({
    cpu: index.info.tracks[thread]?.cpu ?? cpu,
    leaveNs,
    own,
  });
  scan.waited = [
    ...waited.map((leave) => sectionOf(leave, leave.ns)),
    ...open.map((leave) => sectionOf(leave, Number.POSITIVE_INFINITY)),
  ];
  const entered = findRow(log, last.row, -1, { track: last.thread, kind: KIND.srcu_lock });
  const isOpen = open.length > 0;
  scan.holder = {
    thread: last.thread,
    cpu: index.info.tracks[last.thread]?.cpu ?? last.cpu,
    leaveNs: isOpen ? Number.POSITIVE_INFINITY : last.ns,
    row: last.row,
    enteredNs: isOpen ? last.ns : entered < 0 ? Number.NaN : log.timeNs(entered),
    own: last.own,
  };
}

function isLast(scan: ScanFact, collector: Collector): boolean {
  return scan.scan === 2 || Number.isNaN(collector.flipNs);
}

/** Sections of a domain on an index that are open at the end of the log; `ns` is when they were entered. */
function openSections(log: EventLog, domain: number, idx: number): Leave[] {
  const open = new Map<number, Leave>();
  log.forEach((event, row) => {
    const { kind } = event;
    if ((kind !== KIND.srcu_lock && kind !== KIND.srcu_unlock) || event.a !== domain) return;
    const { track: thread } = event;
    if (kind === KIND.srcu_unlock) open.delete(thread);
    else if (event.b === idx) {
      const { timeNs, c, d }: EventRow = log.row(row);
      open.set(thread, { thread, cpu: c, ns: timeNs, row, idx, own: d === 1 });
    }
  });
  return [...open.values()];
}
