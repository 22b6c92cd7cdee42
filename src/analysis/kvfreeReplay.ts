/** Replay of kvfree_rcu(): its state after any row, kept as struct kfree_rcu_cpu keeps it. Forward only. */
import {
  KIND,
  KVFREE_BARRIER,
  KVFREE_CHANNEL,
  KVFREE_DEBUG,
  RCU_FUNC,
  TIMER_FN,
  WORK_FN,
} from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { DelayedState, KrcState, KrwState, KvfreeSnapshot, ReclaimState } from './kvfreeSnapshot.ts';
import type { KvfreeInlineAt } from './kvfreeStateTypes.ts';
import {
  addUnit,
  bytesIn,
  CHANNELS,
  closeUnit,
  columnsOf,
  idAt,
  NO_RANGES,
  type PlaceRange,
  type PlaceRanges,
  type UnitStore,
} from './kvfreeUnits.ts';
import type { RcuReplay } from './rcuReplay.ts';

const EMPTY_KRW: KrwState = { batch: undefined, reclaim: undefined };
const AT_REST: DelayedState = { timer: undefined, queued: undefined, running: undefined };

function newKrc(cpu: number): KrcState {
  return {
    cpu,
    channels: NO_RANGES,
    closed: [0, 0, 0],
    krw: [EMPTY_KRW, EMPTY_KRW],
    monitor: AT_REST,
    drained: undefined,
    cached: 0,
    fill: AT_REST,
    ...{
      freedWithoutWaiting: 0,
      blocksWithoutWaiting: 0,
      freed: 0,
      leaked: 0,
      leakedBytes: 0,
      leakedBlocks: 0,
    },
  };
}

/** A triple with one of its members replaced. */
function withAt<T>(triple: readonly [T, T, T], channel: number, value: T): readonly [T, T, T] {
  const copy: [T, T, T] = [...triple];
  copy[channel] = value;
  return copy;
}

function isEmpty({ from, to }: PlaceRange): boolean {
  return from >= to;
}

/** kvfree_rcu() while rows are applied. */
export class KvfreeReplay {
  readonly units: UnitStore;
  /** By CPU. */
  readonly krcs = new Map<number, KrcState>();
  /** By thread. */
  readonly inline = new Map<number, KvfreeInlineAt>();
  debug: KvfreeSnapshot['debug'];

  constructor(snapshot: KvfreeSnapshot) {
    this.units = snapshot.units;
    this.debug = snapshot.debug;
    for (const krc of snapshot.krcs) this.krcs.set(krc.cpu, { ...krc });
    for (const caller of snapshot.inline) this.inline.set(caller.thread, caller);
  }

  /** A copy of the present state; the units are shared. */
  snapshot(): KvfreeSnapshot {
    return {
      krcs: [...this.krcs.values()].map((krc) => ({ ...krc })),
      inline: [...this.inline.values()],
      debug: this.debug,
      units: this.units,
    };
  }

  /** Applies a row of any kind, after Tree RCU has. */
  apply(event: EventRow, row: number, rcu: RcuReplay | undefined): void {
    switch (event.kind) {
      case KIND.kvfree_unit_open:
        this.#open(event, row);
        break;
      case KIND.kvfree_unit_close:
        this.#close(event);
        break;
      case KIND.kvfree_attach:
        this.#attach(event, row);
        break;
      case KIND.kvfree_drain_ready:
        this.#drain(event, row);
        break;
      case KIND.rcu_invoke_kfree_bulk_callback:
      case KIND.rcu_invoke_kvfree_callback:
        this.#free(event);
        break;
      case KIND.kvfree_page_cache:
        this.#krc(event.track).cached = event.a;
        break;
      case KIND.kvfree_inline: {
        const { track: thread, c: cpu, timeNs: sinceNs, b: bytes } = event;
        if (event.a === 0) this.inline.set(thread, { thread, cpu, sinceNs, row, bytes });
        else this.inline.delete(thread);
        break;
      }
      case KIND.kvfree_debug:
        this.#found(event);
        break;
      case KIND.kvfree_barrier:
        if (event.a === KVFREE_BARRIER.flush || event.a === KVFREE_BARRIER.cancel) this.#cancel(event.b);
        break;
      default:
        this.#applyOthers(event, row, rcu);
    }
  }

  #applyOthers(event: EventRow, row: number, rcu: RcuReplay | undefined): void {
    switch (event.kind) {
      case KIND.timer_start:
      case KIND.timer_expire_entry:
        this.#timer(event, row);
        break;
      case KIND.workqueue_queue_work:
        if (event.c === 1) this.#queued(event, row);
        break;
      case KIND.workqueue_execute_start:
        this.#started(event, row);
        break;
      case KIND.workqueue_execute_end:
        this.#ended(event);
        break;
      case KIND.rcu_callback:
        if (event.b === RCU_FUNC.rcu_work_rcufn) this.#callback(event, rcu);
        else if (event.b === RCU_FUNC.wakeme_after_rcu) this.#waits(event.d);
        break;
      case KIND.rcu_sr_normal:
        if (event.a === 0) this.#waits(event.track);
        break;
      default:
    }
  }

  #krc(cpu: number): KrcState {
    let krc = this.krcs.get(cpu);
    if (krc === undefined) {
      krc = newKrc(cpu);
      this.krcs.set(cpu, krc);
    }
    return krc;
  }

  #open(event: EventRow, row: number): void {
    const { track: cpu, a: id, b: channel, c: thread, d: blocks, timeNs: openNs } = event;
    const krc = this.#krc(cpu);
    const { from, to } = krc.channels[channel] as PlaceRange;
    addUnit(columnsOf(this.units, cpu, channel), to, { id, thread, openRow: row, openNs });
    krc.channels = withAt(krc.channels, channel, { from, to: to + 1 });
    krc.cached = blocks;
  }

  /** Whatever closes is the newest unit of its channel. */
  #close({ track: cpu, a: id, b: objects, d: bytes, timeNs }: EventRow): void {
    const krc = this.#krc(cpu);
    for (let channel = 0; channel < CHANNELS; channel++) {
      const { to } = krc.channels[channel] as PlaceRange;
      const place = krc.closed[channel] as number;
      if (place >= to) continue;
      const columns = columnsOf(this.units, cpu, channel);
      if (idAt(columns, place) !== id) continue;
      closeUnit(columns, place, timeNs, objects, bytes);
      krc.closed = withAt(krc.closed, channel, place + 1);
      return;
    }
  }

  #attach({ track: cpu, a, c: number, d: snapshot, timeNs }: EventRow, row: number): void {
    const krc = this.#krc(cpu);
    const index = a & 1;
    const krw = krc.krw[index] as KrwState;
    let batch = krw.batch ?? {
      ...{ number, row, attachedNs: timeNs, snapshot, ranges: NO_RANGES },
      ...{ listCpu: -1, place: -1, callback: -1, queuedNs: Number.NaN },
    };
    for (let channel = 0; channel < CHANNELS; channel++) {
      if (((a >> 1) & (1 << channel)) === 0) continue;
      const range = krc.channels[channel] as PlaceRange;
      batch = { ...batch, snapshot, ranges: withAt(batch.ranges, channel, range) };
      krc.channels = withAt(krc.channels, channel, { from: range.to, to: range.to });
    }
    this.#setKrw(krc, index, { ...krw, batch });
  }

  #setKrw(krc: KrcState, index: number, krw: KrwState): void {
    krc.krw = index === 0 ? [krw, krc.krw[1]] : [krc.krw[0], krw];
  }

  /** The oldest blocks, and all runs if there are objects of the head channel among them (K9a). */
  #drain({ track: cpu, a: objects, b: blocks, c: headObjects, timeNs }: EventRow, row: number): void {
    const krc = this.#krc(cpu);
    let left = blocks;
    let ranges: PlaceRanges = NO_RANGES;
    for (let channel = 0; channel < CHANNELS; channel++) {
      const { from, to } = krc.channels[channel] as PlaceRange;
      const isHead = channel === KVFREE_CHANNEL.head;
      const taken = isHead ? (headObjects > 0 ? to - from : 0) : Math.min(left, to - from);
      if (!isHead) left -= taken;
      ranges = withAt(ranges, channel, { from, to: from + taken });
      krc.channels = withAt(krc.channels, channel, { from: from + taken, to });
    }
    krc.freedWithoutWaiting += objects;
    krc.blocksWithoutWaiting += blocks;
    const worker = krc.monitor.running?.worker ?? -1;
    krc.drained = {
      ...{ number: -1, row, sinceNs: timeNs, worker, cpu: -1, ranges },
      ...{ inHand: undefined, waitsForGp: false },
    };
  }

  #free({ track: onCpu, a: objects, b: id, c: cpu, d: lengthNs, kind, timeNs }: EventRow): void {
    const krc = this.#krc(cpu);
    krc.freed += objects;
    const isBulk = kind === KIND.rcu_invoke_kfree_bulk_callback;
    const channels = isBulk ? [KVFREE_CHANNEL.bulk] : [KVFREE_CHANNEL.vmalloc, KVFREE_CHANNEL.head];
    const change = (reclaim: ReclaimState, channel: number, place: number, ranges: PlaceRanges) => {
      const inHand = { channel, place, sinceNs: timeNs, lengthNs };
      return { ...reclaim, ranges, inHand, cpu: onCpu, waitsForGp: false };
    };
    if (this.#takeOut(krc, channels, id, change)) return;
    // a callback of its own (up to 5.5): it has never left the channel
    for (const channel of channels) {
      const { from, to } = krc.channels[channel] as PlaceRange;
      if (from < to && idAt(columnsOf(this.units, cpu, channel), from) === id)
        krc.channels = withAt(krc.channels, channel, { from: from + 1, to });
    }
  }

  #found({ a: what, b: id, c: objects }: EventRow): void {
    const { freeActive, doubleQueue } = this.debug;
    if (what === KVFREE_DEBUG.leaked) this.#leak(id, objects);
    else if (what === KVFREE_DEBUG.freeActive) this.debug = { freeActive: freeActive + objects, doubleQueue };
    else this.debug = { freeActive, doubleQueue: doubleQueue + objects };
  }

  #leak(id: number, objects: number): void {
    const channels = Object.values(KVFREE_CHANNEL);
    for (const krc of this.krcs.values()) {
      const change = (reclaim: ReclaimState, channel: number, place: number, ranges: PlaceRanges) => {
        const columns = columnsOf(this.units, krc.cpu, channel);
        krc.leakedBytes += bytesIn(columns, place, place + 1);
        krc.leaked += objects;
        if (channel !== KVFREE_CHANNEL.head) krc.leakedBlocks++;
        return { ...reclaim, ranges, inHand: undefined };
      };
      if (this.#takeOut(krc, channels, id, change)) return;
    }
  }

  /** Takes a unit off the end of what is being freed where it stands; false: it is nowhere there. */
  #takeOut(
    krc: KrcState,
    channels: readonly number[],
    id: number,
    change: (reclaim: ReclaimState, channel: number, place: number, ranges: PlaceRanges) => ReclaimState,
  ): boolean {
    const from = (reclaim: ReclaimState | undefined): ReclaimState | undefined => {
      if (reclaim === undefined) return undefined;
      for (const channel of channels) {
        const range = reclaim.ranges[channel] as PlaceRange;
        if (isEmpty(range)) continue;
        const columns = columnsOf(this.units, krc.cpu, channel);
        const isLast = idAt(columns, range.to - 1) === id;
        if (!isLast && idAt(columns, range.from) !== id) continue;
        const place = isLast ? range.to - 1 : range.from;
        const rest = isLast ? { from: range.from, to: place } : { from: place + 1, to: range.to };
        return change(reclaim, channel, place, withAt(reclaim.ranges, channel, rest));
      }
      return undefined;
    };
    for (const index of [0, 1] as const) {
      const reclaim = from(krc.krw[index].reclaim);
      if (reclaim === undefined) continue;
      this.#setKrw(krc, index, { ...krc.krw[index], reclaim });
      return true;
    }
    const drained = from(krc.drained);
    if (drained === undefined) return false;
    krc.drained = drained;
    return true;
  }

  /** The delayed work that a row of a function of either is about. */
  #delayed(cpu: number, isMonitor: boolean, change: (state: DelayedState) => DelayedState): void {
    const krc = this.#krc(cpu);
    if (isMonitor) krc.monitor = change(krc.monitor);
    else krc.fill = change(krc.fill);
  }

  #timer({ kind, a: fn, b: delay, c: jiffy, d: cpu, timeNs: sinceNs }: EventRow, row: number): void {
    const isMonitor = fn === TIMER_FN.kfree_rcu_monitor;
    if (!isMonitor && fn !== TIMER_FN.fill_page_cache_func) return;
    const timer = kind === KIND.timer_start ? { sinceNs, row, delay, jiffy } : undefined;
    this.#delayed(cpu, isMonitor, (state) => ({ ...state, timer }));
  }

  #queued(event: EventRow, row: number): void {
    const { track: worker, a: fn, b: cpu, timeNs: sinceNs, cause } = event;
    const isMonitor = fn === WORK_FN.kfree_rcu_monitor;
    if (isMonitor || fn === WORK_FN.fill_page_cache_func)
      this.#delayed(cpu, isMonitor, (state) => ({ ...state, queued: { sinceNs, row, worker } }));
    else if (fn === WORK_FN.kfree_rcu_work) this.#batchQueued(this.#krc(cpu), cause, sinceNs);
  }

  /** The row before is the attach, or invokes the callback of the batch that has waited longer. */
  #batchQueued(krc: KrcState, cause: number, queuedNs: number): void {
    const waiting = krc.krw
      .map(({ batch }, index) => ({ batch, index }))
      .filter(({ batch }) => batch !== undefined && Number.isNaN(batch.queuedNs))
      .sort((x, y) => (x.batch?.number ?? 0) - (y.batch?.number ?? 0));
    const found = waiting.find(({ batch }) => batch?.row === cause) ?? waiting[0];
    if (found?.batch === undefined) return;
    this.#setKrw(krc, found.index, {
      ...(krc.krw[found.index] as KrwState),
      batch: { ...found.batch, queuedNs },
    });
  }

  #callback({ track: listCpu, a: callback, cause }: EventRow, rcu: RcuReplay | undefined): void {
    for (const krc of this.krcs.values()) {
      for (const [index, krw] of krc.krw.entries()) {
        const { batch } = krw;
        if (batch === undefined || batch.callback >= 0 || batch.row !== cause) continue;
        const place = (rcu?.lists.get(listCpu)?.queued ?? 0) - 1;
        this.#setKrw(krc, index, { ...krw, batch: { ...batch, callback, listCpu, place } });
        return;
      }
    }
  }

  /** A worker waits in synchronize_rcu() (K12). */
  #waits(worker: number): void {
    for (const krc of this.krcs.values()) {
      for (const [index, krw] of krc.krw.entries()) {
        if (krw.reclaim?.worker !== worker) continue;
        const reclaim = { ...krw.reclaim, waitsForGp: true, inHand: undefined };
        this.#setKrw(krc, index, { ...krw, reclaim });
      }
    }
  }

  #started({ track: worker, a: fn, b: cpu, c: number, timeNs: sinceNs }: EventRow, row: number): void {
    const isMonitor = fn === WORK_FN.kfree_rcu_monitor;
    if (isMonitor || fn === WORK_FN.fill_page_cache_func) {
      const running = { sinceNs, row, worker };
      this.#delayed(cpu, isMonitor, (state) => ({ ...state, queued: undefined, running }));
    } else if (fn === WORK_FN.kfree_rcu_work) {
      const krc = this.#krc(cpu);
      const index = krc.krw[0].batch?.number === number ? 0 : 1;
      const ranges = krc.krw[index].batch?.ranges ?? NO_RANGES;
      const reclaim = {
        ...{ number, row, sinceNs, worker, cpu: -1, ranges },
        ...{ inHand: undefined, waitsForGp: false },
      };
      this.#setKrw(krc, index, { batch: undefined, reclaim });
    }
  }

  #ended({ a: fn, b: cpu, c: number }: EventRow): void {
    const isMonitor = fn === WORK_FN.kfree_rcu_monitor;
    if (isMonitor || fn === WORK_FN.fill_page_cache_func) {
      this.#delayed(cpu, isMonitor, (state) => ({ ...state, running: undefined }));
      if (isMonitor) this.#krc(cpu).drained = undefined;
    } else if (fn === WORK_FN.kfree_rcu_work) {
      const krc = this.#krc(cpu);
      const index = krc.krw[0].reclaim?.number === number ? 0 : 1;
      this.#setKrw(krc, index, { ...krc.krw[index], reclaim: undefined });
    }
  }

  /** cancel_delayed_work_sync() of kvfree_rcu_barrier(). */
  #cancel(cpu: number): void {
    this.#delayed(cpu, true, ({ running }) => ({ ...AT_REST, running }));
  }
}
