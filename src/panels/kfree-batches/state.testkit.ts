/** Made-up states of kvfree_rcu() for the tests of the panel. */
import type { KvfreeFigures } from '../../analysis/kvfreeFigures.ts';
import type {
  KrcAt,
  KvfreeBatchAt,
  KvfreeListAt,
  KvfreeStateAt,
  KvfreeUnitAt,
} from '../../analysis/kvfreeStateTypes.ts';

export const EMPTY_LIST: KvfreeListAt = { units: 0, objects: 0, bytes: 0, newest: [] };

/** Full block 7 of 507 objects of 256 bytes, begun at 8 ms by thread 5. */
export function makeUnit(changes: Partial<KvfreeUnitAt> = {}): KvfreeUnitAt {
  return {
    ...{ id: 7, channel: 0, thread: 5, openNs: 8_000_000, openRow: 80, closedNs: 8_100_000 },
    ...{ count: 507, bytes: 507 * 256, capacity: 507, isOpen: false, isFull: true, isEstimate: false },
    ...changes,
  };
}

/** A list with these units, and `older` further full blocks. */
export function makeList(newest: readonly KvfreeUnitAt[], older = 0): KvfreeListAt {
  const objects = newest.reduce((sum, { count }) => sum + count, 507 * older);
  return { units: newest.length + older, objects, bytes: 256 * objects, newest };
}

/** Batch 3, attached at 9 ms; grace period -300 runs for it. */
export function makeBatch(changes: Partial<KvfreeBatchAt> = {}): KvfreeBatchAt {
  return {
    ...{ number: 3, row: 90, attachedNs: 9_000_000, state: 'waiting', sinceNs: 9_000_000, listCpu: 0 },
    ...{ gpSeq: -1196, gpNumber: -300, isGpRunning: true, snapshot: -1 },
    ...{ channels: { bulk: makeList([makeUnit()]), vmalloc: EMPTY_LIST, head: EMPTY_LIST } },
    ...{ objects: 507, bytes: 507 * 256 },
    ...changes,
  };
}

/** CPU 0 with nothing on it, its monitor 3 jiffies away. */
export function makeKrc(changes: Partial<KrcAt> = {}): KrcAt {
  const nothing = { state: 'empty', batch: undefined, reclaim: undefined } as const;
  return {
    ...{ cpu: 0, objects: 0, bytes: 0 },
    channels: { bulk: EMPTY_LIST, vmalloc: EMPTY_LIST, head: EMPTY_LIST },
    krw: [
      { index: 0, ...nothing },
      { index: 1, ...nothing },
    ],
    monitor: {
      ...{ state: 'armed', sinceNs: 0, row: 1, delay: 5, untilJiffy: 5, untilNs: 20_000_000 },
      ...{ leftJiffies: 3, worker: -1, reclaim: undefined },
    },
    cache: { blocks: 4, max: 5, fill: 'idle', sinceNs: 0, row: -1, leftJiffies: Number.NaN },
    ...{ freedWithoutWaiting: 0, blocksWithoutWaiting: 0, freed: 0, leaked: 0 },
    ...changes,
  };
}

/** At 10 ms, of these CPUs. */
export function makeKvfreeState(krcs: readonly KrcAt[], changes: Partial<KvfreeStateAt> = {}): KvfreeStateAt {
  const memory = { queued: 0, blocks: 0, waiting: 0, freeing: 0, leaked: 0, retained: 0, total: 0 };
  return {
    ...{ timeNs: 10_000_000, row: 100, jiffies: 2, records: 507, isBatching: true, krcs, memory },
    ...{ queued: 0, waiting: 0, freeing: 0, freed: 0, leaked: 0, freedWithoutWaiting: 0 },
    ...{ debug: { freeActive: 0, doubleQueue: 0 }, inline: [] },
    ...changes,
  };
}

/** A run in which nothing went wrong. */
export function makeFigures(changes: Partial<KvfreeFigures> = {}): KvfreeFigures {
  return {
    ...{
      peakBytes: 1e6,
      footprintBytes: 8e5,
      floodNs: 1e8,
      gracePeriods: 9,
      batches: 10,
      line: "Total time taken by all kfree'ers: 100000000 ns, loops: 4, batches: 10, memory footprint: 0MB",
      floods: 1,
      outOfMemory: 0,
      queued: 5070,
      freed: 5070,
    },
    ...{ records: 507, blocksByRecords: new Float64Array(508), freedEarly: 0 },
    ...{ debug: { freeActive: 0, doubleQueue: 0, leaked: 0 } },
    ...changes,
  };
}
