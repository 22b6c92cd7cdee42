/** The table of grace periods and the figures of contract §7 `srcu`, in one pass over the log (spec srcu 13). */
import { KIND, TIMER_FN } from '../engine/core/eventKinds.ts';
import type { LogBlock } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { PassInfo } from '../engine/core/passCode.ts';
import type { CallBuilder } from './calls.ts';
import { GrowingTable } from './growingTable.ts';
import { PassCodes, passChecks } from './passChecks.ts';
import { perDomain, ScanState, workerOfCpu } from './scanState.ts';
import type { CallTable, GpTable, SrcuFigures } from './types.ts';

const GP_COLUMNS = {
  track: 'u16',
  number: 'f64',
  startNs: 'f64',
  endNs: 'f64',
  startRow: 'i32',
  endRow: 'i32',
  requestNs: 'f64',
  requestRow: 'i32',
  requester: 'i32',
  expedited: 'u8',
  passes: 'f64',
  polls: 'f64',
  sleeps: 'f64',
  sleptJiffies: 'f64',
  firstSleepNs: 'f64',
  pollNs: 'f64',
  lastReader: 'i32',
  lastReaderRow: 'i32',
  lastReaderLeaveNs: 'f64',
  overshootNs: 'f64',
  requesterHit: 'u8',
  call: 'i32',
  callLatencyNs: 'f64',
} as const;

/** Columns that start as NaN, and as -1. */
const UNKNOWN = ['endNs', 'requestNs', 'firstSleepNs', 'lastReaderLeaveNs', 'callLatencyNs'] as const;
const NONE = ['endRow', 'requestRow', 'requester', 'lastReader', 'lastReaderRow', 'call'] as const;

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

/** Passes that were logged before the start of the grace period that they begin (2.5 step 1). */
interface Orphan {
  readonly endNs: number;
  readonly passes: number;
  readonly polls: number;
  readonly pollNs: number;
}

/** One domain while the log is read. */
class DomainPeriods {
  readonly scan = new ScanState();
  /** Index of the running grace period, -1 idle. */
  gp = -1;
  neededExp = 0;
  pending: PendingRequest[] = [];
  orphan: Orphan | undefined;
  /** Time of the first failed check of SCAN1 and SCAN2 in this grace period; NaN none. */
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

/** A burst that a CPU's worker executes, and the time it was off the CPU so far. */
interface OpenBurst {
  readonly gp: number;
  readonly startNs: number;
  readonly endNs: number;
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
  readonly #table = new GrowingTable(GP_COLUMNS);
  readonly #codes = new PassCodes();
  readonly #domains: (DomainPeriods | undefined)[];
  readonly #info: RunInfo;
  readonly #calls: CallBuilder;
  readonly #workers: Int32Array;
  readonly #bursts: (OpenBurst | undefined)[] = [];
  /** By CPU: since when its worker is off the CPU, NaN if on. By thread: when it entered its section; credit flag. */
  readonly #offSinceNs: Float64Array;
  readonly #sinceNs: Float64Array;
  readonly #credit: Uint8Array;

  constructor(info: RunInfo, calls: CallBuilder) {
    this.#info = info;
    this.#calls = calls;
    this.#domains = perDomain(info, () => new DomainPeriods());
    this.#workers = workerOfCpu(info);
    this.#offSinceNs = new Float64Array(info.config.cpus).fill(Number.NaN);
    this.#sinceNs = new Float64Array(info.tracks.length);
    this.#credit = new Uint8Array(info.tracks.length);
  }

  /** Takes a row of any kind. */
  row(block: LogBlock, i: number, row: number): void {
    switch (block.kind[i]) {
      case KIND.srcu_pass:
        this.#pass(block, i);
        break;
      case KIND.srcu_lock:
        this.#lock(block, i);
        break;
      case KIND.srcu_unlock:
        this.#unlock(block, i, row);
        break;
      case KIND.srcu_check:
        this.#check(block, i);
        break;
      case KIND.srcu_request:
        this.#request(block, i, row);
        break;
      case KIND.srcu_gp_start:
        this.#start(block, i, row);
        break;
      case KIND.srcu_flip:
        this.#domains[block.track[i] as number]?.scan.flip(block.a[i] as number);
        break;
      case KIND.srcu_gp_end:
        this.#end(block, i, row);
        break;
      case KIND.timer_start:
        if (block.a[i] === TIMER_FN.delayed_work_timer_fn) this.#sleep(block, i);
        break;
      case KIND.timer_expire_entry:
        if (block.a[i] === TIMER_FN.delayed_work_timer_fn) this.#wake(block, i);
        break;
      case KIND.sched_switch:
        this.#switch(block, i);
        break;
      case KIND.srcu_credit:
        this.#credit[block.track[i] as number] = (block.b[i] as number) > 0 ? 1 : 0;
        break;
      default:
    }
  }

  /** The tables, after the last row at `endNs`. */
  finish(calls: CallTable, endNs: number): { gps: GpTable; figures: SrcuFigures } {
    for (let cpu = 0; cpu < this.#workers.length; cpu++) this.#on(cpu, endNs);
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

  #request(block: LogBlock, i: number, row: number): void {
    const domain = this.#domains[block.track[i] as number];
    if (domain === undefined) return;
    const target = block.a[i] as number;
    const thread = block.c[i] as number;
    const callback = block.d[i] as number;
    const call = this.#calls.request(thread, row, callback);
    if (block.b[i] === 1) domain.neededExp = Math.max(domain.neededExp, target);
    const credit = this.#credit[thread] === 1;
    this.#credit[thread] = 0;
    const request = { ns: block.timeNs[i] as number, row, thread, target, call, callback, credit };
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

  #start(block: LogBlock, i: number, row: number): void {
    const track = block.track[i] as number;
    const domain = this.#domains[track];
    if (domain === undefined) return;
    const gp = this.#table.add();
    const c = this.#table.columns;
    for (const name of UNKNOWN) c[name][gp] = Number.NaN;
    for (const name of NONE) c[name][gp] = -1;
    c.track[gp] = track;
    c.number[gp] = block.d[i] as number;
    c.startNs[gp] = block.timeNs[i] as number;
    c.startRow[gp] = row;
    domain.gp = gp;
    domain.scan.start(block.a[i] as number);
    domain.firstFailNs.fill(Number.NaN);
    domain.sleptAtLeave.fill(Number.NaN);
    const endSeq = domain.scan.endSeq;
    for (const request of domain.pending) if (request.target <= endSeq) this.#serve(gp, request);
    domain.pending = domain.pending.filter((request) => request.target > endSeq);
    const orphan = domain.orphan;
    domain.orphan = undefined;
    if (orphan === undefined || orphan.endNs < (block.timeNs[i] as number)) return;
    c.passes[gp] = orphan.passes;
    c.polls[gp] = orphan.polls;
    c.pollNs[gp] = orphan.pollNs;
  }

  #end(block: LogBlock, i: number, row: number): void {
    const domain = this.#domains[block.track[i] as number];
    if (domain === undefined) return;
    const seq = block.a[i] as number;
    domain.scan.end(seq);
    domain.neededExp = Math.max(domain.neededExp, seq);
    if (domain.gp >= 0) {
      const c = this.#table.columns;
      c.endNs[domain.gp] = block.timeNs[i] as number;
      c.endRow[domain.gp] = row;
      c.expedited[domain.gp] = block.c[i] as number;
    }
    domain.gp = -1;
  }

  #pass(block: LogBlock, i: number): void {
    const domain = this.#domains[block.track[i] as number];
    if (domain === undefined) return;
    const info = this.#codes.get(block.c[i] as number);
    const startNs = block.timeNs[i] as number;
    const passes = block.a[i] as number;
    const endNs = startNs + passes * (block.b[i] as number);
    const polls = passes * info.failedChecks;
    const pollNs = polls > 0 ? endNs - startNs : 0;
    this.totals.passes += passes;
    this.totals.polls += polls;
    this.totals.pollNs += pollNs;
    if (polls > 0) {
      this.#bursts[info.cpu] = { gp: domain.gp, startNs, endNs };
      this.#noteFailures(domain, info, startNs);
    } else this.#bursts[info.cpu] = undefined;
    if (domain.gp < 0) {
      domain.orphan = { endNs, passes, polls, pollNs };
      return;
    }
    const c = this.#table.columns;
    c.passes[domain.gp] = (c.passes[domain.gp] as number) + passes;
    c.polls[domain.gp] = (c.polls[domain.gp] as number) + polls;
    c.pollNs[domain.gp] = (c.pollNs[domain.gp] as number) + pollNs;
  }

  #noteFailures(domain: DomainPeriods, info: PassInfo, startNs: number): void {
    if (!this.#failedBefore(domain, info)) {
      for (const check of passChecks(info, this.#info.srcu)) {
        const slot = check.scan - 1;
        if (!check.failed || !Number.isNaN(domain.firstFailNs[slot] as number)) continue;
        domain.firstFailNs[slot] = startNs + check.offsetNs;
      }
    }
  }

  /** True if no check of this pass can be the first to fail in its scan. */
  #failedBefore(domain: DomainPeriods, info: PassInfo): boolean {
    const [scan1, scan2] = domain.firstFailNs;
    return info.scanStart === 2 ? !Number.isNaN(scan2) : info.scanEnd === 1 && !Number.isNaN(scan1);
  }

  #lock(block: LogBlock, i: number): void {
    const domain = this.#domains[block.a[i] as number];
    domain?.scan.count(block.b[i] as number, 1, block.d[i] === 1);
    this.#sinceNs[block.track[i] as number] = block.timeNs[i] as number;
  }

  #unlock(block: LogBlock, i: number, row: number): void {
    const domain = this.#domains[block.a[i] as number];
    if (domain === undefined) return;
    const idx = block.b[i] === 0 ? 0 : 1;
    const timeNs = block.timeNs[i] as number;
    const thread = block.track[i] as number;
    const own = block.d[i] === 1;
    domain.scan.count(idx, -1, own);
    if (domain.gp < 0 || idx !== domain.scan.scanned || !this.#failed(domain)) return;
    const c = this.#table.columns;
    c.lastReader[domain.gp] = thread;
    c.lastReaderRow[domain.gp] = row;
    c.lastReaderLeaveNs[domain.gp] = timeNs;
    if (domain.scan.active[idx] === 0) domain.sleptAtLeave[idx] = domain.slept(timeNs);
    const failNs = domain.firstFailNs[domain.scan.phase - 1] as number;
    if (own && failNs < timeNs && failNs >= (this.#sinceNs[thread] as number)) c.requesterHit[domain.gp] = 1;
  }

  #check(block: LogBlock, i: number): void {
    const domain = this.#domains[block.track[i] as number];
    if (domain === undefined || domain.gp < 0) return;
    const idx = block.a[i] === 0 ? 0 : 1;
    const atLeave = domain.sleptAtLeave[idx];
    domain.sleptAtLeave[idx] = Number.NaN;
    if (Number.isNaN(atLeave)) return;
    const overshootNs = domain.slept(block.timeNs[i] as number) - atLeave;
    const c = this.#table.columns;
    c.overshootNs[domain.gp] = (c.overshootNs[domain.gp] as number) + overshootNs;
    this.totals.overshootNs += overshootNs;
  }

  #sleep(block: LogBlock, i: number): void {
    const domain = this.#domains[block.d[i] as number];
    const jiffies = block.b[i] as number;
    if (domain === undefined || jiffies < 1) return;
    this.totals.sleeps += 1;
    this.totals.sleptJiffies += jiffies;
    const timeNs = block.timeNs[i] as number;
    domain.sleepStartNs = timeNs;
    if (domain.gp < 0) return;
    const c = this.#table.columns;
    if (c.sleeps[domain.gp] === 0) c.firstSleepNs[domain.gp] = timeNs;
    c.sleeps[domain.gp] = (c.sleeps[domain.gp] as number) + 1;
    c.sleptJiffies[domain.gp] = (c.sleptJiffies[domain.gp] as number) + jiffies;
  }

  #wake(block: LogBlock, i: number): void {
    const domain = this.#domains[block.d[i] as number];
    if (domain === undefined) return;
    domain.sleptNs = domain.slept(block.timeNs[i] as number);
    domain.sleepStartNs = Number.NaN;
  }

  #switch(block: LogBlock, i: number): void {
    const cpu = block.track[i] as number;
    const worker = this.#workers[cpu] ?? -1;
    if (worker < 0) return;
    if (block.b[i] === worker) this.#offSinceNs[cpu] = block.timeNs[i] as number;
    else if (block.a[i] === worker) this.#on(cpu, block.timeNs[i] as number);
  }

  /** The worker of `cpu` gets it back: what it lost is no polling time. */
  #on(cpu: number, timeNs: number): void {
    const offNs = this.#offSinceNs[cpu] as number;
    this.#offSinceNs[cpu] = Number.NaN;
    const burst = this.#bursts[cpu];
    if (burst === undefined || Number.isNaN(offNs)) return;
    const lostNs = Math.min(timeNs, burst.endNs) - Math.max(offNs, burst.startNs);
    if (lostNs <= 0) return;
    this.totals.pollNs -= lostNs;
    if (burst.gp < 0) return;
    const c = this.#table.columns;
    c.pollNs[burst.gp] = (c.pollNs[burst.gp] as number) - lostNs;
  }
}
