/** What panels and headline say of kvfree_rcu() in a whole run. */
import { KIND, KVFREE_CHANNEL } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { recordsPerBlock } from '../engine/kvfree/params.ts';
import { floodFigures, peakBytes } from './kfreeResult.ts';
import { type KvfreeDebugCounts, type KvfreeIndex, UNIT_FATE } from './kvfreeTypes.ts';
import { atOnce, type Pieces, readRows } from './pieces.ts';
import { GP_FLAVOR, type GpTable, type RunIndex } from './types.ts';

/** kvfree_rcu() in a run. */
export interface KvfreeFigures {
  /** Most memory in use, bytes (docs/configuration.md). */
  readonly peakBytes: number;
  /** Of the flood that ended last, as rcuscale computes it (K21); NaN: none has ended. */
  readonly footprintBytes: number;
  /** As in a result: from the begin of the first flood to the end of the last one; NaN: no flood has ended. */
  readonly floodNs: number;
  readonly gracePeriods: number;
  /** "batches" of the flood that ended last, and its line; undefined where the kernel prints none (K20). */
  readonly batches: number;
  readonly line: string | undefined;
  /** Floods that have ended. */
  readonly floods: number;
  /** Threads of all floods that ended without memory for their next object. */
  readonly outOfMemory: number;
  /** Objects given to kvfree_rcu(), and freed. */
  readonly queued: number;
  readonly freed: number;
  /** Pointers that a block holds; 0 without blocks. */
  readonly records: number;
  /** Blocks by the number of records that they held when they were freed: entry n has those of n. */
  readonly blocksByRecords: Float64Array;
  readonly debug: KvfreeDebugCounts;
  /**
   * Objects freed too early for certain (W2): no grace period has begun after the first object of their unit and ended
   * before its free. Units that were begun before are not counted, as the row that closes one may be later than its last object.
   */
  readonly freedEarly: number;
}

/** The figures of a run; undefined where nothing was given to kvfree_rcu(). */
export function kvfreeFigures(log: EventLog, index: RunIndex): KvfreeFigures | undefined {
  return atOnce(readKvfreeFigures(log, index, () => peakBytes(log, index)));
}

/** The same in pieces; `peak`: most memory in use, bytes. */
export function* readKvfreeFigures(
  log: EventLog,
  index: RunIndex,
  peak: () => number,
): Pieces<KvfreeFigures | undefined> {
  const { kvfree, info } = index;
  if (kvfree === undefined || kvfree.units.length === 0) return undefined;
  const last = kvfree.floods.at(-1);
  const all = floodFigures(kvfree.floods);
  const records = recordsPerBlock(info.rules['kvfree.block'], info.config.machine.pageSize);
  const frees = yield* readFrees(log, index, kvfree, records);
  return {
    peakBytes: peak(),
    footprintBytes: last?.footprintBytes ?? Number.NaN,
    floodNs: all?.floodNs ?? Number.NaN,
    gracePeriods: all?.gracePeriods ?? Number.NaN,
    batches: last?.batches ?? Number.NaN,
    line: all?.line,
    floods: kvfree.floods.length,
    outOfMemory: all?.outOfMemory ?? 0,
    queued: kvfree.queued + kvfree.freedInline,
    freed: kvfree.freed + kvfree.freedInline,
    records,
    debug: kvfree.debug,
    ...frees,
  };
}

/** What the frees of all units come to. */
function* readFrees(
  log: EventLog,
  index: RunIndex,
  { units }: KvfreeIndex,
  records: number,
): Pieces<Pick<KvfreeFigures, 'blocksByRecords' | 'freedEarly'>> {
  const blocksByRecords = new Float64Array(records + 1);
  const latest = latestStarts(index.gps);
  const isChecked = !mayReturnAtOnce(index);
  const openNs = new Float64Array(units.length);
  let freedEarly = 0;
  yield* readRows(log, ({ kind, timeNs, a, b }, row) => {
    if (kind === KIND.kvfree_unit_open) openNs[a] = timeNs;
    const isFree = kind === KIND.rcu_invoke_kfree_bulk_callback || kind === KIND.rcu_invoke_kvfree_callback;
    if (!isFree || units.freeRow[b] !== row || units.fate[b] !== UNIT_FATE.freed) return;
    if (units.channel[b] !== KVFREE_CHANNEL.head) blocksByRecords[a] = (blocksByRecords[a] ?? 0) + 1;
    if (isChecked && latestStartBy(latest, timeNs) < (openNs[b] as number)) freedEarly += a;
  });
  return { blocksByRecords, freedEarly };
}

/**
 * By the time up to which grace periods have ended: the latest start among these. One is over for polled readers when
 * nobody owes a report any more (tree 6.4).
 */
function latestStarts(gps: GpTable): readonly { readonly endNs: number; readonly startNs: number }[] {
  const flavors: readonly number[] = [GP_FLAVOR.rcu, GP_FLAVOR.exp];
  const ended = [...gps.endNs.keys()]
    .filter((gp) => flavors.includes(gps.flavor[gp] as number) && !Number.isNaN(gps.endNs[gp]))
    .map((gp) => {
      const reportNs = gps.lastReportNs[gp] as number;
      const endNs = Number.isNaN(reportNs) ? (gps.endNs[gp] as number) : reportNs;
      return { endNs, startNs: gps.startNs[gp] as number };
    })
    .sort((x, y) => x.endNs - y.endNs);
  let latestNs = Number.NEGATIVE_INFINITY;
  return ended.map(({ endNs, startNs }) => {
    latestNs = Math.max(latestNs, startNs);
    return { endNs, startNs: latestNs };
  });
}

/** Waits that one CPU online makes return at once are none (rcu_blocking_is_gp(), tree 4.1). */
function mayReturnAtOnce({ info }: RunIndex): boolean {
  const isInWorker = ['polled-2022', 'per-block'].includes(info.rules['kvfree.wait']);
  return info.config.cpus === 1 && isInWorker;
}

/** Latest start of a grace period that had ended by a time; -Infinity: there is none. */
function latestStartBy(latest: ReturnType<typeof latestStarts>, timeNs: number): number {
  let low = 0;
  let high = latest.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((latest[middle]?.endNs as number) <= timeNs) low = middle + 1;
    else high = middle;
  }
  return latest[low - 1]?.startNs ?? Number.NEGATIVE_INFINITY;
}
