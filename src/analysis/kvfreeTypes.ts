/** What is known of kvfree_rcu() once a run is over: its units, batches and floods. Conventions of types.ts. */
import type { EventLog } from '../engine/core/eventLog.ts';

/** What has become of a unit. */
export const UNIT_FATE = { none: 0, freed: 1, leaked: 2 } as const;

/**
 * One entry per unit; the index is the number of the unit. When each row was, and what it says, is in the log: a table
 * of a long flood has millions of entries.
 */
export interface KvfreeUnitTable {
  readonly length: number;
  /** CPU of the krc, KVFREE_CHANNEL. */
  readonly cpu: Uint16Array;
  readonly channel: Uint8Array;
  readonly openRow: Int32Array;
  /** -1: it still takes objects. */
  readonly closeRow: Int32Array;
  /** kvfree_attach, or kvfree_drain_ready where it was freed without waiting; -1: neither (callbacks of 5.5 and before, too). */
  readonly takenRow: Int32Array;
  /** Its batch, -1: none. */
  readonly batch: Int32Array;
  /** The row that frees it, or finds that it must not. */
  readonly freeRow: Int32Array;
  /** UNIT_FATE. */
  readonly fate: Uint8Array;
}

/** When a unit that has been closed got its last object at the latest. */
export function lastObjectNs(log: EventLog, { units, endedBefore }: KvfreeIndex, unit: number): number {
  return endedBefore.get(unit) ?? log.timeNs(units.closeRow[unit] as number);
}

/** One entry per batch; the index is its number. Rows are -1 where there was none. */
export interface KvfreeBatchTable {
  readonly length: number;
  /** CPU of the krc, index in krw_arr. */
  readonly cpu: Uint16Array;
  readonly krw: Uint8Array;
  readonly objects: Float64Array;
  readonly bytes: Float64Array;
  readonly attachRow: Int32Array;
  /** rcu_callback of its rcu_work, and the row that gave it its number. */
  readonly callbackRow: Int32Array;
  readonly numberedRow: Int32Array;
  /** The grace period that it waits for, index in the GpTable. */
  readonly gp: Int32Array;
  /** Its callback is invoked; its work is queued, starts, ends. */
  readonly invokeRow: Int32Array;
  readonly queueRow: Int32Array;
  readonly startRow: Int32Array;
  readonly endRow: Int32Array;
}

/** What one kfree actor did, as rcuscale reports it (K18 to K21). */
export interface KfreeFlood {
  /** Index in config.actors. */
  readonly actor: number;
  /** Begin of the thread that began last, end of the one that ended last; gp_seq then. */
  readonly startNs: number;
  readonly endNs: number;
  readonly startSeq: number;
  readonly endSeq: number;
  /** When everything is freed, and gp_seq then; NaN: it is not. */
  readonly drainedNs: number;
  readonly drainedSeq: number;
  /** "batches" of the result line (tree R1.6). */
  readonly batches: number;
  /** Of the thread that ended last: its own time, and the footprint by its readings of memory (K21). */
  readonly totalNs: number;
  readonly footprintBytes: number;
  readonly loops: number;
  /** Threads that ended without memory for their next object: rcuscale does not come to its result line then. */
  readonly outOfMemory: number;
}

/** Objects that debug objects and the checks at free have found in a run (kvfree K31 to K34). */
export interface KvfreeDebugCounts {
  /** Freed while QUEUED: "free active". */
  readonly freeActive: number;
  readonly doubleQueue: number;
  readonly leaked: number;
}

/** Everything. */
export interface KvfreeIndex {
  readonly units: KvfreeUnitTable;
  readonly batches: KvfreeBatchTable;
  /** Units that were closed when no thread of a flood ran on their CPU any more: when the last of these ended. */
  readonly endedBefore: ReadonlyMap<number, number>;
  /** Actors whose threads have all ended, in the order of their ends. */
  readonly floods: readonly KfreeFlood[];
  /** Objects given to kfree_rcu() in closed units and freed; freed by the monitor without waiting. */
  readonly queued: number;
  readonly freed: number;
  readonly debug: KvfreeDebugCounts;
  readonly freedWithoutWaiting: number;
  /** Objects of the one-argument form freed by their callers (K17). */
  readonly freedInline: number;
  /** Least memory that a sampler found, bytes; NaN: there is none. */
  readonly leastFreeBytes: number;
}
