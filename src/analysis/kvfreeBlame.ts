/**
 * Why is this object still there: a block or a run of kvfree_rcu() from its first object to its free (kvfree K4 to K13).
 *
 *   open |filling|monitor|both batches busy|numbering|earlier grace period|grace period|callback|worker|others|its own| freed
 */
import { KIND } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { kvfreeConstants } from '../engine/kvfree/params.ts';
import type { Blame, BlameKind, Remedy } from './blameTypes.ts';
import { Cutter } from './cutter.ts';
import { objectLife } from './kvfreeLife.ts';
import { monitorRunsOf } from './kvfreeMonitorRuns.ts';
import { type KvfreeIndex, UNIT_FATE } from './kvfreeTypes.ts';
import { unitName } from './narrateKvfree.ts';
import { count, duration, trackName } from './phrase.ts';
import { cutRcuGpAdvised } from './rcuBlameGp.ts';
import { HARDLY_NS } from './rcuRemedies.ts';
import { GP_FLAVOR, type RunIndex } from './types.ts';

const NS_PER_SEC = 1e9;

/** What a batch waits for before its own grace period: longer than a tick, and another one was in the way. */
const WAITS: ReadonlySet<BlameKind> = new Set(['batchWait', 'numbering', 'residual']);

/** Explains a unit by its number. */
export function blameUnit(log: EventLog, index: RunIndex, unit: number): Blame {
  const { kvfree } = index;
  if (kvfree === undefined) throw new Error('why: the run has no kvfree_rcu()');
  return new UnitBlame(log, index, kvfree, unit).blame();
}

/** What a call of kvfree_rcu_barrier() waits for: the work that ends last before it returns (K16). */
export function cutKvfreeBarrier(log: EventLog, index: RunIndex, call: number, cutter: Cutter): void {
  const { kvfree, calls } = index;
  if (kvfree === undefined) return;
  const { batches, units } = kvfree;
  const returnRow = calls.returnRow[call] as number;
  const callRow = calls.callRow[call] as number;
  const isBefore = (row: number) => row > callRow && (returnRow < 0 || row < returnRow);
  let last = -1;
  for (let unit = 0; unit < units.length; unit++) {
    const freeRow = units.freeRow[unit] as number;
    const batch = units.batch[unit] as number;
    if (batch < 0 || !isBefore(freeRow) || freeRow < (units.freeRow[last] ?? -1)) continue;
    if (isBefore(batches.endRow[batch] as number)) last = unit;
  }
  if (last >= 0) new UnitBlame(log, index, kvfree, last, cutter).cut();
}

class UnitBlame {
  readonly #log: EventLog;
  readonly #index: RunIndex;
  readonly #kvfree: KvfreeIndex;
  readonly #unit: number;
  readonly #cpu: number;
  readonly #openRow: number;
  readonly #closeRow: number;
  readonly #takenRow: number;
  readonly #freeRow: number;
  readonly #startNs: number;
  readonly #endNs: number;
  readonly #cutter: Cutter;

  /** `cutter`: of something longer that waits for the unit. */
  constructor(log: EventLog, index: RunIndex, kvfree: KvfreeIndex, unit: number, cutter?: Cutter) {
    const { units } = kvfree;
    this.#log = log;
    this.#index = index;
    this.#kvfree = kvfree;
    this.#unit = unit;
    this.#cpu = units.cpu[unit] as number;
    this.#openRow = units.openRow[unit] as number;
    this.#closeRow = units.closeRow[unit] as number;
    this.#takenRow = units.takenRow[unit] as number;
    this.#freeRow = units.freeRow[unit] as number;
    this.#startNs = log.timeNs(this.#openRow);
    const freed = this.#freeRow < 0 ? undefined : log.row(this.#freeRow);
    const isFreed = units.fate[unit] === UNIT_FATE.freed;
    const freedNs = freed === undefined ? index.endNs : freed.timeNs + (isFreed ? freed.d : 0);
    this.#endNs = Math.min(index.endNs, freedNs);
    this.#cutter = cutter ?? new Cutter(this.#startNs, this.#endNs, log.row(this.#openRow).c, this.#cpu);
  }

  /** Cuts from where the cutter is until the unit is free. */
  cut(): void {
    const batch = this.#kvfree.units.batch[this.#unit] as number;
    this.#cutQueueing();
    if (this.#takenRow < 0) this.#cutCallback();
    else if (batch >= 0) this.#cutBatch(batch);
    this.#cutFreeing();
  }

  blame(): Blame {
    const { units } = this.#kvfree;
    this.cut();
    const finished = this.#freeRow >= 0;
    const isLeaked = units.fate[this.#unit] === UNIT_FATE.leaked;
    const name = unitName(this.#unit, units.channel[this.#unit]);
    const verb = isLeaked ? 'leaked after' : finished ? 'there for' : 'still there after';
    return {
      ...{ of: 'unit', index: this.#unit, startNs: this.#startNs, endNs: this.#endNs, finished },
      title: `Why was ${name} of CPU ${this.#cpu} ${verb} ${duration(this.#endNs - this.#startNs)}?`,
      segments: this.#cutter.segments,
      life: objectLife(this.#log, this.#index, this.#unit, 0),
    };
  }

  #ns(row: number): number {
    return row < 0 ? Number.NaN : this.#log.timeNs(row);
  }

  /** Up to the row that takes it off its channel. */
  #cutQueueing(): void {
    const closed = this.#closeRow < 0 ? undefined : this.#log.row(this.#closeRow);
    const takenNs = this.#takenRow < 0 ? Number.NaN : this.#ns(this.#takenRow);
    const isByMove = closed === undefined || closed.timeNs === takenNs;
    const { records } = this.#constants;
    const isFull = closed !== undefined && closed.b === records;
    if (closed !== undefined && (!isByMove || isFull))
      this.#cutter.to(
        closed.timeNs,
        'filling',
        this.#closeRow,
        (ns) =>
          `It took ${count(closed.b, 'object')}, until ${isFull ? 'it was full' : 'there was a block again'}: ${duration(ns)}.`,
      );
    if (!this.#constants.isBatching) return;
    this.#cutMonitor();
  }

  get #constants() {
    const { config, rules } = this.#index.info;
    return kvfreeConstants(config, rules);
  }

  /** From there: until a monitor has come, until there was a batch to take it. */
  #cutMonitor(): void {
    const toRow = this.#takenRow < 0 ? this.#log.length - 1 : this.#takenRow;
    const toNs = this.#takenRow < 0 ? this.#index.endNs : this.#ns(toRow);
    const runs = monitorRunsOf(this.#log, this.#cpu, this.#openRow, toRow);
    const first = runs.find(({ startRow }) => this.#ns(startRow) >= this.#cutter.atNs);
    const byOther = `The monitor had not come; ${this.#taker(toRow)}`;
    if (first === undefined) {
      const text = this.#takenRow < 0 ? 'The monitor has not come' : byOther;
      this.#cutter.to(toNs, 'monitor', toRow, (ns) => `${text}: ${duration(ns)}.`);
      return;
    }
    const delay = Number.isNaN(first.delay)
      ? ''
      : ` Its timer was armed for ${count(first.delay, 'jiffy', 'jiffies')}.`;
    this.#cutter.to(
      this.#ns(first.queueRow),
      'monitor',
      first.queueRow,
      (ns) => `kfree_rcu_monitor() of CPU ${this.#cpu} was not due: ${duration(ns)}.${delay}`,
      (ns) => this.#monitorRemedy(first.delay, ns),
    );
    const { track: worker } = this.#log.row(first.startRow);
    this.#cutter.to(
      this.#ns(first.startRow),
      'workWake',
      first.startRow,
      (ns) =>
        `The monitor's work was queued; ${trackName(worker, this.#index.info)} began it after ${duration(ns)}.`,
      undefined,
      { thread: worker, cpu: -1 },
    );
    const inVain = runs.filter(({ startRow, endRow }) => startRow >= first.startRow && endRow >= 0).length;
    if (inVain === 0) {
      const text = 'The monitor ran and came to it';
      this.#cutter.to(toNs, 'monitor', toRow, (ns) => `${text} after ${duration(ns)}.`);
      return;
    }
    this.#cutter.to(
      toNs,
      'batchWait',
      first.startRow,
      (ns) =>
        `The monitor came ${count(inVain, 'time')} in vain, both batches of CPU ${this.#cpu} were taken: ${duration(ns)}.`,
      (ns) => ({
        text: `A batch is free again when its grace period is over and its work has begun: with shorter grace periods up to ${duration(ns)} less.`,
        savesNs: ns,
      }),
    );
  }

  /** Who took it, where it was no monitor. */
  #taker(row: number): string {
    const { cause } = this.#log.row(row);
    const isShrinker = cause >= 0 && this.#log.kind(cause) === KIND.kvfree_shrink;
    return isShrinker ? 'the shrinker took it' : 'kvfree_rcu_barrier() took it';
  }

  #monitorRemedy(delay: number, ns: number): Remedy | undefined {
    const { hz } = this.#index.info.config;
    const soonNs = Math.floor((2 * NS_PER_SEC) / hz);
    if (!(delay > 1) || ns <= soonNs) return undefined;
    const savesNs = ns - soonNs;
    const { isAdaptive, records } = this.#constants;
    const text = isAdaptive
      ? `With ${records} objects queued on this CPU the monitor comes within two jiffies: ${duration(savesNs)} less.`
      : `Kernels since 6.1 send the monitor within two jiffies once a block is full: ${duration(savesNs)} less.`;
    return { text, savesNs };
  }

  /** A callback of its own (up to 5.5): the last grace period that began after it was queued and ended before. */
  #cutCallback(): void {
    if (this.#constants.isBatching) return;
    const { gps } = this.#index;
    const freeNs = this.#freeRow < 0 ? this.#index.endNs : this.#ns(this.#freeRow);
    const fromNs = this.#cutter.atNs;
    const gp = gps.startNs.findIndex(
      (startNs, i) => gps.flavor[i] === GP_FLAVOR.rcu && startNs >= fromNs && startNs < freeNs,
    );
    this.#cutGracePeriod(gp, this.#closeRow);
    this.#cutter.to(
      freeNs,
      'callback',
      this.#freeRow < 0 ? this.#openRow : this.#freeRow,
      (ns) => `The grace period was over; its callback ran after ${duration(ns)}.`,
    );
  }

  #cutBatch(batch: number): void {
    const { batches } = this.#kvfree;
    const callbackRow = batches.callbackRow[batch] as number;
    const numberedRow = batches.numberedRow[batch] as number;
    const invokeRow = batches.invokeRow[batch] as number;
    const startRow = batches.startRow[batch] as number;
    if (callbackRow >= 0) {
      const cpu = this.#log.row(callbackRow).track;
      this.#cutter.to(
        numberedRow < 0 ? this.#index.endNs : this.#ns(numberedRow),
        'numbering',
        numberedRow < 0 ? callbackRow : numberedRow,
        (ns) =>
          `Batch ${batch} took it; its callback on CPU ${cpu} had no grace period yet: ${duration(ns)}.`,
        (ns) => this.#elapsedRemedy(ns),
        { thread: -1, cpu },
      );
      this.#cutGracePeriod(batches.gp[batch] as number, callbackRow);
      this.#cutter.to(
        invokeRow < 0 ? this.#index.endNs : this.#ns(invokeRow),
        'callback',
        invokeRow < 0 ? callbackRow : invokeRow,
        (ns) =>
          `The grace period was over; CPU ${cpu} invoked the callback, rcu_work_rcufn(), after ${duration(ns)}.`,
        undefined,
        { thread: -1, cpu },
      );
    }
    const worker = startRow < 0 ? -1 : this.#log.row(startRow).track;
    this.#cutter.to(
      startRow < 0 ? this.#index.endNs : this.#ns(startRow),
      'workWake',
      startRow < 0 ? (batches.attachRow[batch] as number) : startRow,
      (ns) =>
        `kfree_rcu_work() was queued; ${trackName(worker, this.#index.info)} began it after ${duration(ns)}.`,
      (ns) => this.#workerRemedy(ns),
      { thread: worker, cpu: -1 },
    );
    if (startRow >= 0 && this.#constants.wait !== 'rcu-work' && this.#constants.wait !== 'ready-by-monitor')
      this.#cutWorkerWait(startRow, worker);
  }

  /** synchronize_rcu() in the worker (K12). */
  #cutWorkerWait(startRow: number, worker: number): void {
    const toRow = this.#freeRow < 0 ? this.#log.length - 1 : this.#freeRow;
    let askedRow = -1;
    let wokenRow = -1;
    for (let row = startRow; row <= toRow; row++) {
      const kind = this.#log.kind(row);
      if (kind === KIND.rcu_callback && askedRow < 0 && this.#log.row(row).d === worker) askedRow = row;
      if (kind === KIND.rcu_sr_normal && askedRow < 0 && this.#log.row(row).track === worker) askedRow = row;
      if (kind === KIND.sched_waking && askedRow >= 0 && this.#log.row(row).track === worker) wokenRow = row;
    }
    if (askedRow < 0) return;
    const { gps, info } = this.#index;
    const looksAtUnits = info.rules['kvfree.wait'] === 'per-block';
    this.#cutter.to(this.#ns(askedRow), 'freeing', startRow, (ns) =>
      looksAtUnits
        ? `Units whose grace period had passed came first: ${duration(ns)}.`
        : `The work started: ${duration(ns)}.`,
    );
    const askedNs = this.#ns(askedRow);
    const gp = gps.startNs.findIndex((startNs, i) => gps.flavor[i] === GP_FLAVOR.rcu && startNs >= askedNs);
    this.#cutGracePeriod(gp, askedRow);
    this.#cutter.to(
      wokenRow < 0 ? this.#index.endNs : this.#ns(wokenRow),
      'callback',
      wokenRow < 0 ? askedRow : wokenRow,
      (ns) =>
        `The grace period was over; ${trackName(worker, this.#index.info)} was woken after ${duration(ns)}.`,
    );
  }

  /** Up to the start of a grace period, and that itself. */
  #cutGracePeriod(gp: number, sinceRow: number): void {
    const { gps, endNs } = this.#index;
    if (gp < 0) {
      const toNs = this.#freeRow < 0 ? endNs : this.#cutter.atNs;
      this.#cutter.to(
        toNs,
        'residual',
        sinceRow,
        (ns) => `Its grace period has not started: ${duration(ns)}.`,
      );
      return;
    }
    this.#cutter.to(
      gps.startNs[gp] as number,
      'residual',
      gps.startRow[gp] as number,
      (ns) =>
        `Grace period ${gps.number[gp]} had to start, behind one that was running or the kthread's wake-up: ${duration(ns)}.`,
      (ns) => this.#elapsedRemedy(ns),
    );
    const gpEndNs = gps.endRow[gp] === -1 ? endNs : (gps.endNs[gp] as number);
    if (gpEndNs > this.#cutter.atNs) this.#cutGpItself(gp);
    this.#cutter.to(
      gpEndNs,
      'gpWake',
      gps.startRow[gp] as number,
      (ns) => `The rest of the grace period: ${duration(ns)}.`,
    );
  }

  /** Its own segments; advice only on parameters, and not where others would have changed with it that it waited for. */
  #cutGpItself(gp: number): void {
    const jiffyNs = NS_PER_SEC / this.#index.info.config.hz;
    const isFirst = !this.#cutter.segments.some(
      ({ kind, startNs, endNs }) => WAITS.has(kind) && endNs - startNs > jiffyNs,
    );
    const keeps = ({ param }: Remedy) => param !== undefined && isFirst;
    cutRcuGpAdvised(this.#log, this.#index, gp, this.#cutter, keeps);
  }

  /** Kernels that do not look at elapsed grace periods. */
  #elapsedRemedy(ns: number): Remedy | undefined {
    if (this.#constants.hasSnapshots) return undefined;
    const text = `Since 6.3 a grace period that ends while objects sit on their channel counts: up to ${duration(ns)} less.`;
    return { text, savesNs: ns };
  }

  #workerRemedy(ns: number): Remedy | undefined {
    if (this.#constants.isUnbound || ns < HARDLY_NS) return undefined;
    const text = `Since 6.14 the workqueue kvfree_rcu_reclaim is unbound and takes an idle CPU: up to ${duration(ns)} less where there is one.`;
    return { text, savesNs: ns };
  }

  /** Others before it, and itself. */
  #cutFreeing(): void {
    if (this.#freeRow < 0) {
      this.#cutter.to(
        this.#endNs,
        'freeing',
        this.#openRow,
        (ns) => `The run ends while it waits for the worker: ${duration(ns)}.`,
      );
      return;
    }
    const { a: objects, track: cpu } = this.#log.row(this.#freeRow);
    const freeNs = this.#ns(this.#freeRow);
    const before = this.#freedBefore();
    this.#cutter.to(
      freeNs,
      'freeing',
      this.#freeRow,
      (ns) =>
        before === 0
          ? `It was the first of its batch: freeing it began after ${duration(ns)}.`
          : `${count(before, 'unit')} of the same batch came first (newest first): ${duration(ns)}.`,
      undefined,
      { thread: -1, cpu },
    );
    this.#cutter.to(
      this.#endNs,
      'ownFree',
      this.#freeRow,
      (ns) => `CPU ${cpu} freed its ${count(objects, 'object')}: ${duration(ns)}.`,
      undefined,
      { thread: -1, cpu },
    );
  }

  /** Units that the same work has freed before this one. */
  #freedBefore(): number {
    const { units, batches } = this.#kvfree;
    const batch = units.batch[this.#unit] as number;
    const from = batch < 0 ? this.#takenRow : (batches.startRow[batch] as number);
    let before = 0;
    for (let row = Math.max(0, from); row < this.#freeRow; row++) {
      const kind = this.#log.kind(row);
      if (kind !== KIND.rcu_invoke_kfree_bulk_callback && kind !== KIND.rcu_invoke_kvfree_callback) continue;
      const other = this.#log.row(row).b;
      if (units.batch[other] === batch && units.takenRow[other] === this.#takenRow) before++;
    }
    return before;
  }
}
