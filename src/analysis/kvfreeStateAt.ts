/** kvfree_rcu() at a cursor, from its replay. */
import { KIND, KVFREE_CHANNEL } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { type KvfreeConstants, kvfreeConstants } from '../engine/kvfree/params.ts';
import { seqCtr, seqEnd, seqState } from '../engine/tree/gpSeq.ts';
import { kfreeRate } from './kvfreeRate.ts';
import type { KvfreeReplay } from './kvfreeReplay.ts';
import type { BatchState, DelayedState, KrcState, KrwState, ReclaimState } from './kvfreeSnapshot.ts';
import {
  type KrcAt,
  type KrwAt,
  type KvfreeBatchAt,
  type KvfreeCacheAt,
  type KvfreeChannelsAt,
  type KvfreeListAt,
  type KvfreeMemoryAt,
  type KvfreeMonitorAt,
  type KvfreeReclaimAt,
  type KvfreeStateAt,
  type KvfreeUnitAt,
  UNITS_SHOWN,
} from './kvfreeStateTypes.ts';
import { bytesIn, columnsOf, objectsIn, type PlaceRange, type PlaceRanges } from './kvfreeUnits.ts';
import { placeOf } from './rcuLists.ts';
import type { RcuReplay } from './rcuReplay.ts';
import type { Cursor } from './types.ts';

/** Rows after the cursor among which units that take objects find how many they will have. */
const LOOK_AHEAD = 8192;

/** How a unit that is open at the cursor ends. */
interface Closing {
  readonly timeNs: number;
  readonly objects: number;
  readonly bytes: number;
}

/** The state after the rows that `kvfree` and `rcu` have applied. `lookUp`: a row of the log, undefined beyond the window. */
export function kvfreeStateAt(
  kvfree: KvfreeReplay,
  rcu: RcuReplay | undefined,
  info: RunInfo,
  cursor: Cursor,
  lookUp: (row: number) => EventRow | undefined,
): KvfreeStateAt {
  return new KvfreeView(kvfree, rcu, info, cursor, lookUp).state();
}

class KvfreeView {
  readonly #kvfree: KvfreeReplay;
  readonly #rcu: RcuReplay | undefined;
  readonly #info: RunInfo;
  readonly #cursor: Cursor;
  readonly #ticks: Ticks;
  readonly #jiffies: number;
  readonly #constants: KvfreeConstants;
  /** By id of the unit. */
  readonly #closings: ReadonlyMap<number, Closing>;

  constructor(
    kvfree: KvfreeReplay,
    rcu: RcuReplay | undefined,
    info: RunInfo,
    cursor: Cursor,
    lookUp: (row: number) => EventRow | undefined,
  ) {
    const { config, rules } = info;
    this.#kvfree = kvfree;
    this.#rcu = rcu;
    this.#info = info;
    this.#cursor = cursor;
    this.#ticks = new Ticks(config.hz, config.startJiffies);
    this.#jiffies = this.#ticks.jiffiesAt(cursor.timeNs);
    this.#constants = kvfreeConstants(config, rules);
    this.#closings = closingsOf(kvfree, cursor.row, lookUp);
  }

  state(): KvfreeStateAt {
    const { timeNs, row } = this.#cursor;
    const { isBatching, records } = this.#constants;
    const krcs = [...this.#kvfree.krcs.values()].sort((x, y) => x.cpu - y.cpu).map((krc) => this.#krc(krc));
    const inline = [...this.#kvfree.inline.values()];
    const sum = (count: (krc: KrcAt) => number) => krcs.reduce((all, krc) => all + count(krc), 0);
    const onChannels = sum(({ objects }) => objects);
    const inBatches = sum(({ krw }) => krw.reduce((all, { batch }) => all + (batch?.objects ?? 0), 0));
    return {
      ...{ timeNs, row, jiffies: this.#jiffies, records, isBatching, krcs, inline },
      debug: this.#kvfree.debug,
      memory: this.#memory(krcs),
      queued: isBatching ? onChannels : 0,
      waiting: inBatches + inline.length + (isBatching ? 0 : onChannels),
      freeing: sum((krc) => reclaimsOf(krc).reduce((all, { objects }) => all + objects, 0)),
      freed: sum((krc) => krc.freed - reclaimsOf(krc).reduce((all, reclaim) => all + handed(reclaim), 0)),
      leaked: sum(({ leaked }) => leaked),
      freedWithoutWaiting: sum(({ freedWithoutWaiting }) => freedWithoutWaiting),
    };
  }

  #memory(krcs: readonly KrcAt[]): KvfreeMemoryAt {
    const { machine } = this.#info.config;
    const sum = (count: (krc: KrcAt) => number) => krcs.reduce((all, krc) => all + count(krc), 0);
    const onChannels = sum(({ bytes }) => bytes);
    const inBatches = sum(({ krw }) => krw.reduce((all, { batch }) => all + (batch?.bytes ?? 0), 0));
    const inline = [...this.#kvfree.inline.values()].reduce((all, { bytes }) => all + bytes, 0);
    const queued = this.#constants.isBatching ? onChannels : 0;
    const waiting = inBatches + inline + onChannels - queued;
    const freeing = sum((krc) => reclaimsOf(krc).reduce((all, { bytes }) => all + bytes, 0));
    const leaked = [...this.#kvfree.krcs.values()].reduce((all, krc) => all + krc.leakedBytes, 0);
    const objects = queued + waiting + freeing + leaked;
    const retained = Math.round(objects * machine.kfreeRetention) - objects;
    const blocks =
      machine.pageSize * [...this.#kvfree.krcs.values()].reduce((all, krc) => all + this.#pages(krc), 0);
    return { queued, blocks, waiting, freeing, leaked, retained, total: objects + retained + blocks };
  }

  /** Pages of blocks, in use, cached or leaked. */
  #pages(krc: KrcState): number {
    const ranges = [
      krc.channels,
      ...krc.krw.flatMap(({ batch, reclaim }) => [batch?.ranges, reclaim?.ranges]),
    ];
    ranges.push(krc.drained?.ranges);
    let pages = krc.cached + krc.leakedBlocks;
    for (const triple of ranges)
      for (const channel of [KVFREE_CHANNEL.bulk, KVFREE_CHANNEL.vmalloc])
        if (triple !== undefined) pages += triple[channel].to - triple[channel].from;
    for (const reclaim of [...krc.krw.map((krw) => krw.reclaim), krc.drained]) {
      const { inHand } = reclaim ?? {};
      if (inHand !== undefined && inHand.channel !== KVFREE_CHANNEL.head && !this.#isOver(inHand)) pages++;
    }
    return pages;
  }

  #isOver({ sinceNs, lengthNs }: { readonly sinceNs: number; readonly lengthNs: number }): boolean {
    return this.#cursor.timeNs >= sinceNs + lengthNs;
  }

  #krc(krc: KrcState): KrcAt {
    const channels = this.#channels(krc, krc.channels);
    const { freedWithoutWaiting, blocksWithoutWaiting, freed, leaked } = krc;
    return {
      ...{ cpu: krc.cpu, channels, ...sums(channels) },
      krw: [this.#krw(krc, 0), this.#krw(krc, 1)],
      monitor: this.#monitor(krc),
      cache: this.#cache(krc),
      ...{ freedWithoutWaiting, blocksWithoutWaiting, freed, leaked },
    };
  }

  #channels({ cpu, closed }: KrcState, ranges: PlaceRanges): KvfreeChannelsAt {
    const list = (channel: 0 | 1 | 2) => this.#list(cpu, channel, ranges[channel], closed[channel]);
    return { bulk: list(0), vmalloc: list(1), head: list(2) };
  }

  #list(cpu: number, channel: number, { from, to }: PlaceRange, closed: number): KvfreeListAt {
    if (from >= to) return { units: 0, objects: 0, bytes: 0, newest: [] };
    const columns = columnsOf(this.#kvfree.units, cpu, channel);
    const newest: KvfreeUnitAt[] = [];
    for (let place = to - 1; place >= from && newest.length < UNITS_SHOWN; place--)
      newest.push(this.#unit(cpu, channel, place, place < closed));
    const closedTo = Math.min(to, closed);
    const open = to > closed ? newest[0] : undefined;
    return {
      units: to - from,
      objects: objectsIn(columns, from, closedTo) + (open?.count ?? 0),
      bytes: bytesIn(columns, from, closedTo) + (open?.bytes ?? 0),
      newest,
    };
  }

  #unit(cpu: number, channel: number, place: number, isClosed: boolean): KvfreeUnitAt {
    const columns = columnsOf(this.#kvfree.units, cpu, channel);
    const i = place - columns.first;
    const capacity = channel === KVFREE_CHANNEL.head ? 0 : this.#constants.records;
    const base = {
      ...{ id: columns.id[i] as number, channel, thread: columns.thread[i] as number },
      ...{ openNs: columns.openNs[i] as number, openRow: columns.openRow[i] as number, capacity },
    };
    if (!isClosed) return this.#openUnit(base);
    const count = objectsIn(columns, place, place + 1);
    return {
      ...base,
      ...{ closedNs: columns.closedNs[i] as number, count, bytes: bytesIn(columns, place, place + 1) },
      ...{ isOpen: false, isFull: count === capacity, isEstimate: false },
    };
  }

  #openUnit(
    base: Pick<KvfreeUnitAt, 'id' | 'channel' | 'thread' | 'openNs' | 'openRow' | 'capacity'>,
  ): KvfreeUnitAt {
    const closing = this.#closings.get(base.id);
    const open = { closedNs: Number.NaN, isOpen: true, isFull: false };
    const { timeNs } = this.#cursor;
    if (closing === undefined) {
      const { perObjectNs, bytesPerObject } = kfreeRate(this.#info, base.thread);
      const most = base.capacity === 0 ? Number.POSITIVE_INFINITY : base.capacity - 1;
      const count = Math.max(1, Math.min(most, 1 + Math.floor((timeNs - base.openNs) / perObjectNs)));
      return { ...base, ...open, count, bytes: Math.round(count * bytesPerObject), isEstimate: true };
    }
    const { objects, bytes } = closing;
    const share = closing.timeNs > base.openNs ? (timeNs - base.openNs) / (closing.timeNs - base.openNs) : 1;
    const count = Math.min(objects, 1 + Math.floor((objects - 1) * share));
    return { ...base, ...open, count, bytes: Math.round((bytes * count) / objects), isEstimate: false };
  }

  #krw(krc: KrcState, index: 0 | 1): KrwAt {
    const { batch, reclaim } = krc.krw[index] as KrwState;
    const waits = batch === undefined ? undefined : this.#batch(krc, batch);
    return {
      index,
      state: waits?.state ?? (reclaim === undefined ? 'empty' : 'freeing'),
      batch: waits,
      reclaim: reclaim === undefined ? undefined : this.#reclaim(krc, reclaim),
    };
  }

  #batch(krc: KrcState, batch: BatchState): KvfreeBatchAt {
    const { number, row, attachedNs, snapshot, listCpu, queuedNs } = batch;
    const channels = this.#channels(krc, batch.ranges);
    const list = this.#rcu?.lists.get(listCpu);
    const place = list === undefined ? 'none' : placeOf(list, batch.place);
    const now = this.#rcu?.scalars.gpSeq ?? Number.NaN;
    const gpSeq = typeof place === 'number' ? place : Number.NaN;
    const isQueued = !Number.isNaN(queuedNs);
    const isOver = place === 'ready' || (typeof place === 'number' && now >= place);
    return {
      ...{ number, row, attachedNs, snapshot, listCpu, gpSeq },
      state: isQueued ? 'queued' : isOver ? 'gpOver' : 'waiting',
      sinceNs: isQueued ? queuedNs : attachedNs,
      gpNumber: seqCtr(gpSeq) - 1,
      isGpRunning: seqState(now) !== 0 && seqEnd(now) === gpSeq,
      channels,
      ...sums(channels),
    };
  }

  #reclaim(krc: KrcState, reclaim: ReclaimState): KvfreeReclaimAt {
    const { number, row, sinceNs, worker, cpu, waitsForGp } = reclaim;
    const left = this.#channels(krc, reclaim.ranges);
    const { objects, bytes } = sums(left);
    const units = left.bulk.units + left.vmalloc.units + left.head.units;
    const { inHand } = reclaim;
    const base = { number, row, sinceNs, worker, cpu, waitsForGp };
    if (inHand === undefined || this.#isOver(inHand))
      return { ...base, units, objects, bytes, inHand: undefined };
    const unit = this.#unit(krc.cpu, inHand.channel, inHand.place, true);
    const done = (this.#cursor.timeNs - inHand.sinceNs) / inHand.lengthNs;
    return {
      ...base,
      ...{ units: units + 1, objects: objects + unit.count, bytes: bytes + unit.bytes },
      inHand: { unit, sinceNs: inHand.sinceNs, lengthNs: inHand.lengthNs, done },
    };
  }

  #monitor(krc: KrcState): KvfreeMonitorAt {
    const { timer } = krc.monitor;
    return {
      ...stageOf(krc.monitor, 'armed'),
      delay: timer?.delay ?? Number.NaN,
      untilJiffy: timer?.jiffy ?? Number.NaN,
      untilNs: timer === undefined ? Number.NaN : this.#ticks.timeOfJiffyNs(timer.jiffy),
      leftJiffies: this.#left(krc.monitor),
      reclaim: krc.drained === undefined ? undefined : this.#reclaim(krc, krc.drained),
    };
  }

  #cache(krc: KrcState): KvfreeCacheAt {
    const { state: fill, sinceNs, row } = stageOf(krc.fill, 'backingOff');
    const { maxCached: max } = this.#constants;
    return { blocks: krc.cached, max, fill, sinceNs, row, leftJiffies: this.#left(krc.fill) };
  }

  #left({ timer }: DelayedState): number {
    return timer === undefined ? Number.NaN : Math.max(0, timer.jiffy - this.#jiffies);
  }
}

/** What a delayed work has got furthest with; `armed` is the word for an armed timer. */
function stageOf<const A extends string>({ timer, queued, running }: DelayedState, armed: A) {
  const last = running ?? queued ?? timer;
  const state: A | 'idle' | 'queued' | 'running' =
    running !== undefined
      ? 'running'
      : queued !== undefined
        ? 'queued'
        : timer !== undefined
          ? armed
          : 'idle';
  const worker = (running ?? queued)?.worker ?? -1;
  return { state, sinceNs: last?.sinceNs ?? 0, row: last?.row ?? -1, worker };
}

function sums({ bulk, vmalloc, head }: KvfreeChannelsAt): { objects: number; bytes: number } {
  return {
    objects: bulk.objects + vmalloc.objects + head.objects,
    bytes: bulk.bytes + vmalloc.bytes + head.bytes,
  };
}

function reclaimsOf({ krw, monitor }: KrcAt): KvfreeReclaimAt[] {
  return [krw[0].reclaim, krw[1].reclaim, monitor.reclaim].filter((reclaim) => reclaim !== undefined);
}

/** Objects of the unit in hand: its row has come, and they are not free yet. */
function handed({ inHand }: KvfreeReclaimAt): number {
  return inHand?.unit.count ?? 0;
}

function closingsOf(
  kvfree: KvfreeReplay,
  row: number,
  lookUp: (row: number) => EventRow | undefined,
): Map<number, Closing> {
  const closings = new Map<number, Closing>();
  const open = new Set<number>();
  for (const krc of kvfree.krcs.values()) {
    for (const [channel, { to }] of krc.channels.entries()) {
      if (to <= (krc.closed[channel] as number)) continue;
      const columns = columnsOf(kvfree.units, krc.cpu, channel);
      open.add(columns.id[to - 1 - columns.first] as number);
    }
  }
  for (let next = row + 1; next <= row + LOOK_AHEAD && open.size > 0; next++) {
    const event = lookUp(next);
    if (event === undefined) break;
    if (event.kind !== KIND.kvfree_unit_close || !open.delete(event.a)) continue;
    closings.set(event.a, { timeNs: event.timeNs, objects: event.b, bytes: event.d });
  }
  return closings;
}
