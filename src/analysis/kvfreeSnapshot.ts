/** What is kept of kvfree_rcu() between rows, and in a checkpoint. */
import { usesKvfree } from '../engine/config.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { KvfreeInlineAt, KvfreeStateAt } from './kvfreeStateTypes.ts';
import { CHANNELS, type PlaceRange, type PlaceRanges, trimStore, type UnitStore } from './kvfreeUnits.ts';

/** A batch that has not begun to free. Replaced, never changed. */
export interface BatchState {
  readonly number: number;
  readonly row: number;
  readonly attachedNs: number;
  readonly snapshot: number;
  readonly ranges: PlaceRanges;
  /** Its callback: CPU of the list and place there, -1: none; id, and when it was invoked (NaN). */
  readonly listCpu: number;
  readonly place: number;
  readonly callback: number;
  /** Its work has been queued since; NaN: it has not. */
  readonly queuedNs: number;
}

/** Units that a worker frees. Replaced, never changed. */
export interface ReclaimState {
  readonly number: number;
  readonly row: number;
  readonly sinceNs: number;
  readonly worker: number;
  readonly cpu: number;
  /** Not begun yet. */
  readonly ranges: PlaceRanges;
  readonly inHand:
    | {
        readonly channel: number;
        readonly place: number;
        readonly sinceNs: number;
        readonly lengthNs: number;
      }
    | undefined;
  readonly waitsForGp: boolean;
}

/** One of krw_arr. Replaced, never changed. */
export interface KrwState {
  readonly batch: BatchState | undefined;
  readonly reclaim: ReclaimState | undefined;
}

/** Since when something is so, and the row that made it so. */
interface Since {
  readonly sinceNs: number;
  readonly row: number;
}

/** A delayed work: armed, queued, running; each of these may be while another is. Replaced, never changed. */
export interface DelayedState {
  readonly timer: (Since & { readonly delay: number; readonly jiffy: number }) | undefined;
  readonly queued: (Since & { readonly worker: number }) | undefined;
  readonly running: (Since & { readonly worker: number }) | undefined;
}

/** A krc. Its fields change, what they refer to does not. */
export interface KrcState {
  readonly cpu: number;
  /** What is on the channels. */
  channels: PlaceRanges;
  /** By channel: places before this one are closed. */
  closed: readonly [number, number, number];
  krw: readonly [KrwState, KrwState];
  monitor: DelayedState;
  /** What the monitor frees itself. */
  drained: ReclaimState | undefined;
  /** Blocks in the page cache, and the work that fills it. */
  cached: number;
  fill: DelayedState;
  freedWithoutWaiting: number;
  blocksWithoutWaiting: number;
  freed: number;
  leaked: number;
  leakedBytes: number;
  /** Pages of blocks leaked with their objects. */
  leakedBlocks: number;
}

/** What a checkpoint holds of kvfree_rcu(); structured-cloneable. */
export interface KvfreeSnapshot {
  readonly krcs: readonly KrcState[];
  readonly inline: readonly KvfreeInlineAt[];
  readonly debug: KvfreeStateAt['debug'];
  readonly units: UnitStore;
}

const NONE_FOUND: KvfreeStateAt['debug'] = { freeActive: 0, doubleQueue: 0 };

/** The state before the first row; undefined in runs without kvfree_rcu(). */
export function initialKvfree({ config }: RunInfo): KvfreeSnapshot | undefined {
  return usesKvfree(config.actors)
    ? { krcs: [], inline: [], debug: NONE_FOUND, units: new Map() }
    : undefined;
}

/** Bytes of a krc with its batches, about. */
const KRC_BYTES = 1024;

/** Bytes that a checkpoint of kvfree_rcu() may take, for the distance between checkpoints; units are shared by all. */
export function kvfreeSnapshotBytes({ config }: RunInfo): number {
  const threads = config.actors.reduce((sum, actor) => sum + (actor.kind === 'kfree' ? actor.count : 0), 0);
  return KRC_BYTES * Math.min(threads, config.cpus);
}

/** Places of a channel that something still refers to, the next one if there are none. */
function liveRange(krc: KrcState, channel: number): PlaceRange {
  const { from, to } = krc.channels[channel] as PlaceRange;
  let oldest = from;
  for (const { batch, reclaim } of [...krc.krw, { batch: undefined, reclaim: krc.drained }]) {
    for (const range of [batch?.ranges[channel], reclaim?.ranges[channel]])
      if (range !== undefined && range.from < range.to) oldest = Math.min(oldest, range.from);
    if (reclaim?.inHand?.channel === channel) oldest = Math.min(oldest, reclaim.inHand.place);
  }
  return { from: oldest, to };
}

/** The same state with no more units than are referred to, for a checkpoint that leaves the worker. */
export function trimKvfree(snapshot: KvfreeSnapshot | undefined): KvfreeSnapshot | undefined {
  if (snapshot === undefined) return undefined;
  const live = new Map<number, PlaceRange>();
  for (const krc of snapshot.krcs)
    for (let channel = 0; channel < CHANNELS; channel++)
      live.set(CHANNELS * krc.cpu + channel, liveRange(krc, channel));
  return { ...snapshot, units: trimStore(snapshot.units, live) };
}
