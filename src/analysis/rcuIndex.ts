/** Tree RCU in the tables of a run: its grace periods, and which of them each call and callback waits for. */
import { KIND, RCU_EXP, RCU_FUTURE, RCU_GP } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { GP_STEP, seqCtr } from '../engine/tree/gpSeq.ts';
import type { CallBuilder } from './calls.ts';
import type { GrowingGps } from './gpColumns.ts';
import { RcuCallQueue } from './rcuCallQueue.ts';
import { rcuTrack } from './rcuGeometry.ts';
import { GP_FLAVOR, LAST_REPORT } from './types.ts';

/** Who a report is about. */
interface Reported {
  readonly row: number;
  readonly how: number;
  readonly cpu: number;
  readonly thread: number;
}

const NOBODY: Reported = { row: -1, how: LAST_REPORT.none, cpu: -1, thread: -1 };

/** Reads rows in order; grace periods go to the table that it shares with other builders. */
export class RcuIndex {
  readonly #track: number;
  readonly #table: GrowingGps;
  readonly #calls: CallBuilder;
  readonly #queue: RcuCallQueue;
  readonly #hasSrList: boolean;
  /**
   * After `finish`: callbacks with a number that are of no call (of batches of kvfree_rcu()), by id: the grace period that
   * each waits for (index in the GpTable, -1: not started) and the row that gave it the number.
   */
  readonly others = new Map<number, { readonly gp: number; readonly row: number }>();
  /** Index of the running grace period and of the one that ended last, -1 none. */
  #running = -1;
  #runningExp = -1;
  #ended = -1;
  #endedAny = -1;
  /** Index by number. */
  readonly #normal = new Map<number, number>();
  readonly #expedited = new Map<number, number>();
  /** The newest rows that a report may follow from. */
  #scanned = NOBODY;
  #unlocked = NOBODY;
  #reported = NOBODY;
  #expReported = NOBODY;
  /** Callers on the sr_normal list, by thread: the call, and whose end had come when they were woken. */
  readonly #onList = new Map<number, { readonly call: number; readonly row: number; gp: number }>();
  /** Calls that wait for an expedited grace period, with its s. */
  readonly #expCalls: { readonly call: number; readonly s: number }[] = [];

  constructor(info: RunInfo, calls: CallBuilder, table: GrowingGps) {
    this.#track = rcuTrack(info);
    this.#table = table;
    this.#calls = calls;
    this.#queue = new RcuCallQueue(info, calls);
    this.#hasSrList = treeConstants(info.config, info.rules).wakeFromGp;
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    switch (event.kind) {
      case KIND.rcu_grace_period:
        this.#gracePeriod(event, row);
        break;
      case KIND.rcu_future_grace_period:
        this.#cleanup(event);
        break;
      case KIND.rcu_fqs:
        this.#scanned = { row, how: LAST_REPORT.scan, cpu: event.b, thread: -1 };
        break;
      case KIND.rcu_unlock_preempted_task:
        this.#unlocked = { row, how: LAST_REPORT.reader, cpu: event.track, thread: event.b };
        break;
      case KIND.rcu_quiescent_state_report:
        this.#reported = this.#who(event, row, this.#reported);
        if (event.b >> 1 === 0) this.#atRoot(this.#running, this.#reported, event.timeNs);
        break;
      case KIND.rcu_exp_report:
        this.#expReported = this.#who(event, row, this.#expReported);
        if (event.b >> 1 === 0) this.#atRoot(this.#runningExp, this.#expReported, event.timeNs);
        break;
      case KIND.rcu_exp_grace_period:
        this.#expPhase(event, row);
        break;
      case KIND.rcu_sr_normal:
        this.#srNormal(event, row);
        break;
      case KIND.sched_waking: {
        const caller = this.#onList.get(event.track);
        if (caller !== undefined) caller.gp = this.#ended;
        break;
      }
      case KIND.rcu_poll:
        this.#poll(event, row);
        break;
      default:
        this.#queue.row(event, row);
    }
  }

  /** After the last row: calls find their grace periods. */
  finish(): void {
    const { call, entry, target, callback, row: rows, length } = this.#queue.targets.finish();
    for (let n = 0; n < length; n++) {
      const gp = this.#normal.get((target[n] as number) / GP_STEP - 1);
      if (gp !== undefined) this.#serve(call[n] as number, entry[n] as number, gp);
      if (call[n] === -1 && entry[n] === -1)
        this.others.set(callback[n] as number, { gp: gp ?? -1, row: rows[n] as number });
    }
    for (const { call, s } of this.#expCalls) {
      const gp = this.#expedited.get(s / GP_STEP - 1);
      if (gp !== undefined) this.#serve(call, -1, gp);
    }
    // still on the list: the first one that started after they joined it
    const { startRow } = this.#table.columns;
    const numbers = [...this.#normal.values()];
    for (const { call, row } of this.#onList.values()) {
      const gp = numbers.find((normal) => (startRow[normal] as number) > row);
      if (gp !== undefined) this.#serve(call, -1, gp);
    }
  }

  #serve(call: number, entry: number, gp: number): void {
    this.#calls.assign(call, entry, gp);
    const request = this.#calls.requestOf(call);
    if (request === undefined) return;
    const c = this.#table.columns;
    const known = c.requestRow[gp] as number;
    if (known >= 0 && known <= request.row) return;
    c.requestRow[gp] = request.row;
    c.requester[gp] = request.thread;
    c.requestNs[gp] = request.ns;
  }

  #add(flavor: number, number: number, event: EventRow, row: number): number {
    const gp = this.#table.add();
    const c = this.#table.columns;
    c.track[gp] = this.#track;
    c.flavor[gp] = flavor;
    c.number[gp] = number;
    c.startNs[gp] = event.timeNs;
    c.startRow[gp] = row;
    c.expedited[gp] = flavor === GP_FLAVOR.exp ? 1 : 0;
    return gp;
  }

  #gracePeriod(event: EventRow, row: number): void {
    const c = this.#table.columns;
    const gp = this.#running;
    switch (event.a) {
      case RCU_GP.start: {
        const number = seqCtr(event.b);
        this.#running = this.#add(GP_FLAVOR.rcu, number, event, row);
        this.#normal.set(number, this.#running);
        break;
      }
      case RCU_GP.fqswait:
        if (gp >= 0 && Number.isNaN(c.initEndNs[gp])) c.initEndNs[gp] = event.timeNs;
        break;
      case RCU_GP.fqsstart:
        if (gp >= 0) c.scans[gp] = (c.scans[gp] as number) + 1;
        break;
      case RCU_GP.end:
        if (gp < 0) break;
        c.endNs[gp] = event.timeNs;
        c.endRow[gp] = row;
        this.#ended = gp;
        this.#endedAny = gp;
        this.#running = -1;
        break;
      default:
    }
  }

  #cleanup(event: EventRow): void {
    const isCleanup = event.a === RCU_FUTURE.Cleanup || event.a === RCU_FUTURE.CleanupMore;
    if (isCleanup && event.d === 0 && this.#running >= 0)
      this.#table.columns.cleanupNs[this.#running] = event.timeNs;
  }

  /** A report follows from the scan, from a reader's end, from the report one level below, or is the CPU's own. */
  #who(event: EventRow, row: number, below: Reported): Reported {
    const { cause, track: cpu } = event;
    for (const from of [below, this.#unlocked, this.#scanned])
      if (from.row === cause && cause >= 0) return { ...from, row };
    return { row, how: LAST_REPORT.self, cpu, thread: -1 };
  }

  #atRoot(gp: number, { row, how, cpu, thread }: Reported, timeNs: number): void {
    if (gp < 0) return;
    const c = this.#table.columns;
    c.lastHow[gp] = how;
    c.lastCpu[gp] = cpu;
    c.lastReader[gp] = thread;
    c.lastReportRow[gp] = row;
    c.lastReportNs[gp] = timeNs;
  }

  #expPhase(event: EventRow, row: number): void {
    const gp = this.#runningExp;
    const c = this.#table.columns;
    switch (event.a) {
      case RCU_EXP.snap: {
        const call = this.#calls.openCallOfRow(event.cause);
        this.#calls.requested(call, row, event.timeNs);
        if (call >= 0) this.#expCalls.push({ call, s: event.b });
        break;
      }
      case RCU_EXP.start: {
        const number = event.b / GP_STEP - 1;
        this.#runningExp = this.#add(GP_FLAVOR.exp, number, event, row);
        this.#expedited.set(number, this.#runningExp);
        this.#expReported = NOBODY;
        break;
      }
      case RCU_EXP.startwait:
        if (gp >= 0) c.initEndNs[gp] = event.timeNs;
        break;
      case RCU_EXP.end:
        if (gp < 0) break;
        c.endNs[gp] = event.timeNs;
        c.endRow[gp] = row;
        this.#endedAny = gp;
        this.#runningExp = -1;
        break;
      default:
    }
  }

  #srNormal(event: EventRow, row: number): void {
    const { track: thread } = event;
    const call = this.#calls.openCall(thread);
    if (event.a === 0) {
      this.#calls.requested(call, row, event.timeNs);
      if (this.#hasSrList && call >= 0) this.#onList.set(thread, { call, row, gp: -1 });
      return;
    }
    const caller = this.#onList.get(thread);
    this.#onList.delete(thread);
    if (caller !== undefined && caller.gp >= 0) this.#serve(caller.call, -1, caller.gp);
  }

  #poll(event: EventRow, row: number): void {
    const call = this.#calls.openCall(event.d);
    if ((event.a & 3) < 3) this.#calls.requested(call, row, event.timeNs);
    else if (this.#endedAny >= 0) this.#serve(call, -1, this.#endedAny);
  }
}
