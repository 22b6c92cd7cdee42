/** kvfree_rcu() as the log tells it, row by row: what the checkers W1 to W14 compare the next row with. */
import {
  KIND,
  KVFREE_BARRIER,
  KVFREE_CHANNEL,
  KVFREE_DEBUG,
  RCU_GP,
  TIMER_FN,
  WORK_FN,
} from '../../core/eventKinds.ts';
import type { RunInfo } from '../../core/info.ts';
import type { Row } from '../checker.ts';
import { snapOf } from '../tree/gpNumbers.ts';
import { KrcModel, NO_BATCH, NO_SNAPSHOT, openUnit, Tally, type Unit } from './krcModel.ts';
import { kvfreeLimits } from './kvfreeLimits.ts';

/** The batch that an attach row names, and the channels that it moves. */
export function attachOf({ a }: Row): { readonly krw: 0 | 1; readonly moved: readonly number[] } {
  const mask = Math.floor(a / 2);
  return { krw: a % 2 === 0 ? 0 : 1, moved: [0, 1, 2].filter((channel) => (mask & (1 << channel)) !== 0) };
}

/** All krcs, and the units of all of them. */
export class KvfreeModel {
  /** By number: those that are not freed, or whose freeing has not ended, or that are leaked. */
  readonly units = new Map<number, Unit>();
  /** Those that are neither freed nor leaked, and what they come to. */
  readonly live = new Set<Unit>();
  readonly tally = new Tally();
  /** Those whose freeing has begun, in an execution that has not ended. */
  readonly freeing = new Set<Unit>();
  /** Objects in units that are closed, freed and leaked ones included. */
  queued = 0;
  /** Bytes of leaked units: nobody gives them back. */
  leakedBytes = 0;
  readonly #krcs = new Map<number, KrcModel>();
  /** By snapshot of gp_seq and of gp_seq_polled: the row from which on it is what a caller gets. */
  readonly #snaps = new Map<number, number>();
  readonly #polledSnaps = new Map<number, number>();
  /** Blocks have full cookies, of two words; the head channel never has (K4). */
  readonly #areFull: boolean;
  /** Objects go to channels; otherwise each is a unit with a callback of its own. */
  readonly #isBatching: boolean;
  /** One counter for all channels of a krc, set to 0 by an attach that may leave some of them (K9b). */
  readonly #hasOneCounter: boolean;
  readonly #records: number;

  constructor(info: RunInfo) {
    const { rules } = info;
    this.#records = kvfreeLimits(info).records;
    this.#areFull = rules['kvfree.gpCheck'] === 'yes';
    this.#isBatching = rules['kvfree.batching'] !== 'none';
    this.#hasOneCounter =
      rules['kvfree.attach'] === 'per-channel' && rules['kvfree.wait'] !== 'ready-by-monitor';
  }

  krc(cpu: number): KrcModel {
    let krc = this.#krcs.get(cpu);
    if (krc === undefined) {
      krc = new KrcModel(cpu);
      this.#krcs.set(cpu, krc);
    }
    return krc;
  }

  /** Those of which there was any row. */
  krcs(): Iterable<KrcModel> {
    return this.#krcs.values();
  }

  /** Takes over what the row says. */
  apply(row: Row): void {
    switch (row.kind) {
      case KIND.kvfree_unit_open:
        this.#open(row);
        return;
      case KIND.kvfree_unit_close:
        this.#close(row);
        return;
      case KIND.kvfree_attach:
        this.#attach(row);
        return;
      case KIND.kvfree_drain_ready:
        this.#drain(row);
        return;
      case KIND.rcu_invoke_kfree_bulk_callback:
      case KIND.rcu_invoke_kvfree_callback:
        this.#free(row);
        return;
      case KIND.kvfree_page_cache:
        this.krc(row.track).cached = row.a;
        return;
      case KIND.kvfree_debug:
        if (row.a === KVFREE_DEBUG.leaked) this.#leak(row.b);
        return;
      case KIND.rcu_grace_period:
        if (row.a === RCU_GP.start) this.#snaps.set(snapOf(row.b), row.index);
        return;
      case KIND.rcu_poll_gp_seq:
        if (!this.#polledSnaps.has(snapOf(row.a))) this.#polledSnaps.set(snapOf(row.a), row.index);
        return;
      default:
        this.#applyWork(row);
    }
  }

  #applyWork(row: Row): void {
    switch (row.kind) {
      case KIND.timer_start:
        if (row.a === TIMER_FN.kfree_rcu_monitor) this.krc(row.d).monitor.due = row.c;
        return;
      case KIND.timer_expire_entry:
        if (row.a === TIMER_FN.kfree_rcu_monitor) this.krc(row.d).monitor.due = -1;
        return;
      case KIND.workqueue_queue_work:
        if (row.a === WORK_FN.kfree_rcu_monitor) this.krc(row.b).monitor.isQueued = true;
        return;
      case KIND.workqueue_execute_start:
        this.#executes(row);
        return;
      case KIND.workqueue_execute_end:
        this.#executed(row);
        return;
      case KIND.kvfree_barrier:
        if (row.a === KVFREE_BARRIER.flush || row.a === KVFREE_BARRIER.cancel) {
          const isCancelled = row.a === KVFREE_BARRIER.flush;
          Object.assign(this.krc(row.b).monitor, { due: -1, isQueued: false, isCancelled });
        }
        return;
      default:
    }
  }

  #executes({ a: fn, b: cpu, c: batch }: Row): void {
    const krc = this.krc(cpu);
    if (fn === WORK_FN.kfree_rcu_monitor) {
      krc.monitor.isQueued = false;
      krc.monitor.isRunning = true;
    } else if (fn === WORK_FN.kfree_rcu_work) {
      const units = krc.krwOf(batch)?.take() ?? [];
      for (const unit of units) unit.place = 'moved';
      krc.reclaims.set(batch, new Set(units));
    }
  }

  #executed({ a: fn, b: cpu, c: batch }: Row): void {
    const krc = this.krc(cpu);
    if (fn === WORK_FN.kfree_rcu_monitor) krc.monitor.isRunning = false;
    else if (fn === WORK_FN.kfree_rcu_work) krc.reclaims.delete(batch);
    else return;
    const isOfThis = (unit: Unit) =>
      unit.cpu === cpu && unit.batch === (fn === WORK_FN.kfree_rcu_work ? batch : NO_BATCH);
    for (const unit of this.freeing) {
      if (!isOfThis(unit)) continue;
      this.freeing.delete(unit);
      this.units.delete(unit.id);
    }
  }

  #open({ track: cpu, a: id, b: channel, d: cached, index }: Row): void {
    const unit = openUnit(id, cpu, channel, index, this.#isBatching ? 'krc' : 'moved');
    this.units.set(id, unit);
    this.live.add(unit);
    this.tally.add(unit);
    const krc = this.krc(cpu);
    if (this.#isBatching) krc.push(unit);
    krc.cached = cached;
    krc.monitor.isCancelled = false;
  }

  #close({ a: id, b: nr, c: snap, d: bytes, index }: Row): void {
    const unit = this.units.get(id);
    if (unit === undefined || unit.isClosed) return;
    const krc = this.krc(unit.cpu);
    const tallies = unit.place === 'krc' ? [this.tally, krc.tally] : [this.tally];
    for (const tally of tallies) tally.remove(unit);
    Object.assign(unit, { isClosed: true, notedIndex: index, nr, snap, bytes });
    for (const tally of tallies) tally.add(unit);
    // where its own grace period matters, a block is closed by the object that fills it
    const isExact = unit.channel !== KVFREE_CHANNEL.head && nr === this.#records && snap !== NO_SNAPSHOT;
    unit.queuedIndex = isExact ? index : this.#queuedAfter(unit);
    this.queued += nr;
    krc.monitor.isCancelled = false;
  }

  /** The row after which the last object was queued, of a unit that was closed later: by a move, or by the next object. */
  #queuedAfter(unit: Unit): number {
    const isFull = this.#areFull && unit.channel !== KVFREE_CHANNEL.head;
    const snaps = isFull ? this.#snaps : this.#polledSnaps;
    const since = unit.snap === NO_SNAPSHOT ? undefined : snaps.get(unit.snap);
    return Math.max(unit.openIndex, since ?? -1);
  }

  #attach(row: Row): void {
    const krc = this.krc(row.track);
    const { krw, moved } = attachOf(row);
    const batch = krc.krw[krw];
    const waitsAlready = batch.numbers.includes(row.c);
    if (!waitsAlready) batch.numbers.push(row.c);
    for (const channel of moved) {
      const units = krc.channel(channel);
      krc.remove(units);
      for (const unit of units) {
        unit.place = 'krw';
        unit.batch = row.c;
        unit.joinedLate = waitsAlready;
        if (channel === KVFREE_CHANNEL.head) unit.notedIndex = row.index;
        batch.channels[channel as 0 | 1 | 2].push(unit);
      }
    }
    krc.isMiscounted = this.#hasOneCounter && krc.needsOffload;
  }

  #drain({ track: cpu, a: objects, b: blocks, c: headObjects }: Row): void {
    const krc = this.krc(cpu);
    const units = krc.drainable(objects, blocks, headObjects) ?? [];
    krc.remove(units);
    for (const unit of units) {
      unit.place = 'moved';
      krc.drained.add(unit);
    }
  }

  #free({ b: id, d: takesNs, timeNs }: Row): void {
    const unit = this.units.get(id);
    if (unit === undefined) return;
    this.#takeOut(unit);
    if (this.#isBatching) this.freeing.add(unit);
    else this.units.delete(id);
    unit.place = 'freed';
    unit.freedNs = timeNs + takesNs;
  }

  #leak(id: number): void {
    const unit = this.units.get(id);
    if (unit === undefined) return;
    this.#takeOut(unit);
    unit.place = 'leaked';
    this.leakedBytes += unit.bytes;
  }

  #takeOut(unit: Unit): void {
    if (this.live.delete(unit)) this.tally.remove(unit);
    const krc = this.krc(unit.cpu);
    krc.drained.delete(unit);
    krc.reclaims.get(unit.batch)?.delete(unit);
    if (unit.place === 'krc') krc.remove([unit]);
    else if (unit.place === 'krw') krc.krwOf(unit.batch)?.remove(unit);
  }
}
