/** The table of grace periods and the figures of docs/configuration.md `srcu`, in one pass over the log (spec srcu 13). */
import { KIND, TIMER_FN } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { PASS_OUTCOME } from '../engine/core/passCode.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { CallBuilder } from './calls.ts';
import type { GrowingGps } from './gpColumns.ts';
import { OffCpuTimes } from './offCpu.ts';
import { type PassShape, PassShapes } from './passChecks.ts';
import { perDomain, ScanState } from './scanState.ts';
import type { CallTable, GpTable, SrcuFigures } from './types.ts';

interface PendingRequest {
  readonly ns: number;
  readonly row: number;
  readonly thread: number;
  readonly target: number;
  readonly call: number;
  readonly callback: number;
  /** The credit form says that this call meets itself (CR3). */
  readonly credit: boolean;
}

/** A reader left the scanned index while no failed check of this scan was known yet. */
interface Leave {
  readonly gp: number;
  readonly scan: number;
  readonly ns: number;
  readonly row: number;
  readonly thread: number;
  readonly own: boolean;
  readonly sinceNs: number;
}

/** One domain while the log is read. */
class DomainPeriods {
  readonly scan = new ScanState();
  /** Index of the running grace period, -1 idle; of the one that ended last. */
  gp = -1;
  ended = -1;
  neededExp = 0;
  readonly pending: PendingRequest[] = [];
  /** Since the last srcu_pass row: a single pass is logged at its end, after what happened during it. */
  readonly leaves: Leave[] = [];
  /** Time of the first failed check of SCAN1 and SCAN2 in this grace period, as far as logged; NaN none. */
  readonly firstFailNs: [number, number] = [Number.NaN, Number.NaN];
  /** Sum of finished sleeps, start of the running one. */
  sleptNs = 0;
  sleepStartNs = Number.NaN;
  /** `slept()` at the moment at which index 0, 1 became empty. */
  readonly sleptAtLeave: [number, number] = [Number.NaN, Number.NaN];

  slept(timeNs: number): number {
    return Number.isNaN(this.sleepStartNs) ? this.sleptNs : this.sleptNs + timeNs - this.sleepStartNs;
  }
}

/** Builds the table row by row. */
export class GpBuilder {
  readonly totals = {
    polls: 0,
    passes: 0,
    sleeps: 0,
    sleptJiffies: 0,
    pollNs: 0,
    overshootNs: 0,
    requesterHits: 0,
  };
  readonly #table: GrowingGps;
  readonly #shapes: PassShapes;
  readonly #domains: (DomainPeriods | undefined)[];
  readonly #calls: CallBuilder;
  readonly #off: OffCpuTimes;
  /** By thread: when it entered its section; credit flag. */
  readonly #sinceNs: Float64Array;
  readonly #credit: Uint8Array;

  constructor(info: RunInfo, calls: CallBuilder, table: GrowingGps) {
    this.#table = table;
    this.#shapes = new PassShapes(info.srcu);
    this.#calls = calls;
    this.#domains = perDomain(info, () => new DomainPeriods());
    this.#off = new OffCpuTimes(info);
    this.#sinceNs = new Float64Array(info.tracks.length);
    this.#credit = new Uint8Array(info.tracks.length);
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    switch (event.kind) {
      case KIND.srcu_pass:
        this.#pass(event);
        break;
      case KIND.srcu_lock:
        this.#lock(event);
        break;
      case KIND.srcu_unlock:
        this.#unlock(event, row);
        break;
      case KIND.srcu_check:
        this.#check(event);
        break;
      case KIND.srcu_request:
        this.#request(event, row);
        break;
      case KIND.srcu_gp_start:
        this.#start(event, row);
        break;
      case KIND.srcu_flip:
        this.#domains[event.track]?.scan.flip(event.a);
        break;
      case KIND.srcu_gp_end:
        this.#end(event, row);
        break;
      case KIND.timer_start:
        if (event.a === TIMER_FN.delayed_work_timer_fn) this.#sleep(event);
        break;
      case KIND.timer_expire_entry:
        if (event.a === TIMER_FN.delayed_work_timer_fn) this.#wake(event);
        break;
      case KIND.sched_switch:
        this.#off.switched(event);
        break;
      case KIND.srcu_credit:
        this.#credit[event.track] = event.b > 0 ? 1 : 0;
        break;
      default:
    }
  }

  /** The tables, after the last row. */
  finish(calls: CallTable): { gps: GpTable; figures: SrcuFigures } {
    const gps = this.#table.finish();
    for (const domain of this.#domains) {
      if (domain === undefined || domain.gp < 0) continue;
      gps.expedited[domain.gp] = domain.neededExp > domain.scan.seq ? 1 : 0;
      if (domain.scan.own[domain.scan.scanned] > 0 && this.#failed(domain)) gps.requesterHit[domain.gp] = 1;
    }
    for (let n = 0; n < calls.length; n++) {
      const gp = calls.gp[n] as number;
      const latencyNs = calls.latencyNs[n] as number;
      if (gp < 0 || Number.isNaN(latencyNs) || latencyNs <= (gps.callLatencyNs[gp] as number)) continue;
      gps.call[gp] = n;
      gps.callLatencyNs[gp] = latencyNs;
    }
    for (let gp = 0; gp < gps.length; gp++) {
      if (!Number.isNaN(gps.endNs[gp])) this.totals.requesterHits += gps.requesterHit[gp] as number;
    }
    return { gps, figures: this.totals };
  }

  /** True once a check of the present scan has failed. */
  #failed(domain: DomainPeriods): boolean {
    const phase = domain.scan.phase;
    return phase !== 0 && !Number.isNaN(domain.firstFailNs[phase - 1] as number);
  }

  #request(event: EventRow, row: number): void {
    const domain = this.#domains[event.track];
    if (domain === undefined) return;
    const { a: target, c: thread, d: callback } = event;
    const call = this.#calls.request(thread, row, event.timeNs, callback);
    if (event.b === 1) domain.neededExp = Math.max(domain.neededExp, target);
    const credit = this.#credit[thread] === 1;
    this.#credit[thread] = 0;
    const request = { ns: event.timeNs, row, thread, target, call, callback, credit };
    if (domain.gp >= 0 && target <= domain.scan.endSeq) this.#serve(domain.gp, request);
    else domain.pending.push(request);
  }

  /** Grace period `gp` is the one that `request` waits for. */
  #serve(gp: number, request: PendingRequest): void {
    const c = this.#table.columns;
    if (c.requestRow[gp] === -1) {
      c.requestRow[gp] = request.row;
      c.requestNs[gp] = request.ns;
      c.requester[gp] = request.thread;
    }
    if (request.credit) c.requesterHit[gp] = 1;
    this.#calls.assignGp(request.call, request.callback, gp);
  }

  #start(event: EventRow, row: number): void {
    const { track } = event;
    const domain = this.#domains[track];
    if (domain === undefined) return;
    const gp = this.#table.add();
    const c = this.#table.columns;
    c.track[gp] = track;
    c.number[gp] = event.d;
    c.startNs[gp] = event.timeNs;
    c.startRow[gp] = row;
    domain.gp = gp;
    domain.scan.start(event.a);
    domain.firstFailNs.fill(Number.NaN);
    domain.sleptAtLeave.fill(Number.NaN);
    const endSeq = domain.scan.endSeq;
    let left = 0;
    for (const request of domain.pending) {
      if (request.target <= endSeq) this.#serve(gp, request);
      else domain.pending[left++] = request;
    }
    domain.pending.length = left;
  }

  #end(event: EventRow, row: number): void {
    const domain = this.#domains[event.track];
    if (domain === undefined) return;
    const { a: seq } = event;
    domain.scan.end(seq);
    domain.neededExp = Math.max(domain.neededExp, seq);
    if (domain.gp >= 0) {
      const c = this.#table.columns;
      c.endNs[domain.gp] = event.timeNs;
      c.endRow[domain.gp] = row;
      c.expedited[domain.gp] = event.c;
    }
    domain.ended = domain.gp;
    domain.gp = -1;
  }

  #pass(event: EventRow): void {
    const domain = this.#domains[event.track];
    if (domain === undefined) return;
    const shape = this.#shapes.get(event.c);
    const { a: passes, b: startNs } = event;
    const endNs = startNs + passes * event.d;
    const gp = shape.outcome === PASS_OUTCOME.again ? domain.gp : domain.ended;
    const polls = passes * shape.failedChecks;
    let pollNs = 0;
    if (polls > 0) {
      pollNs = endNs - startNs;
      for (const { fromNs, toNs } of this.#off.within(shape.cpu, startNs, endNs)) pollNs -= toNs - fromNs;
    }
    if (polls > 0) this.#noteFailures(domain, gp, shape, startNs);
    domain.leaves.length = 0;
    this.totals.passes += passes;
    this.totals.polls += polls;
    this.totals.pollNs += pollNs;
    if (gp < 0) return;
    const c = this.#table.columns;
    c.passes[gp] = (c.passes[gp] as number) + passes;
    c.polls[gp] = (c.polls[gp] as number) + polls;
    c.pollNs[gp] = (c.pollNs[gp] as number) + pollNs;
  }

  /** The first failed check of each scan, and the readers that left after it but before the pass was logged. */
  #noteFailures(domain: DomainPeriods, gp: number, shape: PassShape, startNs: number): void {
    if (shape.outcome === PASS_OUTCOME.again && this.#isFailureKnown(domain, shape)) return;
    const [scan1Ns, scan2Ns] = this.#shapes.firstFailures(shape);
    const failNs = [startNs + scan1Ns, startNs + scan2Ns];
    for (const leave of domain.leaves) {
      const ns = failNs[leave.scan - 1] as number;
      if (leave.gp === gp && leave.ns > ns) this.#waitedFor(leave, ns);
    }
    if (shape.outcome !== PASS_OUTCOME.again) return;
    for (const scan of [0, 1] as const) {
      if (Number.isNaN(domain.firstFailNs[scan])) domain.firstFailNs[scan] = failNs[scan] as number;
    }
  }

  /** True if no check of this pass can be the first to fail in its scan. */
  #isFailureKnown(domain: DomainPeriods, shape: PassShape): boolean {
    return (
      shape.scanStart === shape.scanEnd && !Number.isNaN(domain.firstFailNs[shape.scanStart - 1] as number)
    );
  }

  /** A reader that the grace period waited for has left. */
  #waitedFor(leave: Leave, failNs: number): void {
    const c = this.#table.columns;
    c.lastReader[leave.gp] = leave.thread;
    c.lastReaderRow[leave.gp] = leave.row;
    c.lastReaderLeaveNs[leave.gp] = leave.ns;
    if (leave.own && failNs >= leave.sinceNs) c.requesterHit[leave.gp] = 1;
  }

  #lock(event: EventRow): void {
    const domain = this.#domains[event.a];
    domain?.scan.count(event.b, 1, event.d === 1);
    this.#sinceNs[event.track] = event.timeNs;
  }

  #unlock(event: EventRow, row: number): void {
    const domain = this.#domains[event.a];
    if (domain === undefined) return;
    const idx = event.b === 0 ? 0 : 1;
    const { timeNs, track: thread } = event;
    const own = event.d === 1;
    domain.scan.count(idx, -1, own);
    if (domain.gp < 0 || idx !== domain.scan.scanned) return;
    const scan = domain.scan.phase;
    const leave = {
      gp: domain.gp,
      scan,
      ns: timeNs,
      row,
      thread,
      own,
      sinceNs: this.#sinceNs[thread] as number,
    };
    const failNs = domain.firstFailNs[scan - 1] as number;
    if (domain.scan.active[idx] === 0) domain.sleptAtLeave[idx] = domain.slept(timeNs);
    // A burst is logged ahead of its checks, a single pass after them.
    if (Number.isNaN(failNs)) domain.leaves.push(leave);
    else if (failNs < timeNs) this.#waitedFor(leave, failNs);
  }

  #check(event: EventRow): void {
    const domain = this.#domains[event.track];
    if (domain === undefined || domain.gp < 0) return;
    const idx = event.a === 0 ? 0 : 1;
    const atLeave = domain.sleptAtLeave[idx];
    domain.sleptAtLeave[idx] = Number.NaN;
    const failNs = domain.firstFailNs[event.d - 1];
    // Nobody was waited for, or the failure is one of this very pass: nothing was slept since.
    if (Number.isNaN(atLeave) || failNs === undefined || Number.isNaN(failNs)) return;
    const overshootNs = domain.slept(event.timeNs) - atLeave;
    const c = this.#table.columns;
    c.overshootNs[domain.gp] = (c.overshootNs[domain.gp] as number) + overshootNs;
    this.totals.overshootNs += overshootNs;
  }

  #sleep(event: EventRow): void {
    const domain = this.#domains[event.d];
    const { b: jiffies } = event;
    if (domain === undefined || jiffies < 1) return;
    this.totals.sleeps += 1;
    this.totals.sleptJiffies += jiffies;
    const { timeNs } = event;
    domain.sleepStartNs = timeNs;
    if (domain.gp < 0) return;
    const c = this.#table.columns;
    if (c.sleeps[domain.gp] === 0) c.firstSleepNs[domain.gp] = timeNs;
    c.sleeps[domain.gp] = (c.sleeps[domain.gp] as number) + 1;
    c.sleptJiffies[domain.gp] = (c.sleptJiffies[domain.gp] as number) + jiffies;
  }

  #wake(event: EventRow): void {
    const domain = this.#domains[event.d];
    if (domain === undefined) return;
    domain.sleptNs = domain.slept(event.timeNs);
    domain.sleepStartNs = Number.NaN;
  }
}
