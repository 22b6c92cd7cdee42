/**
 * kvfree_rcu() at a cursor: struct kfree_rcu_cpu of every CPU, its batches, monitor and page cache, and where the memory
 * is (kvfree K1 to K17). A unit is a block, or a run of objects on the head channel. Conventions of types.ts.
 */

/** A block or a run. */
export interface KvfreeUnitAt {
  /** Number of the unit, one series per run. */
  readonly id: number;
  /** KVFREE_CHANNEL. */
  readonly channel: number;
  /** Who queued its first object, when, and the row. */
  readonly thread: number;
  readonly openNs: number;
  readonly openRow: number;
  /** When it took its last object or was moved; NaN while it takes objects. */
  readonly closedNs: number;
  /** Objects in it, whole; while it takes some: linear in time from the first to the last one. */
  readonly count: number;
  /** Bytes of these objects as the allocator rounds them. */
  readonly bytes: number;
  /** Pointers that fit into a block; 0: a run, which has no limit. */
  readonly capacity: number;
  readonly isOpen: boolean;
  readonly isFull: boolean;
  /** Its last object is further away than the rows at hand reach: `count` is what undisturbed queueing comes to. */
  readonly isEstimate: boolean;
}

/** Units of one channel: how many, what is in them, and the newest ones (newest first, at most UNITS_SHOWN). */
export interface KvfreeListAt {
  readonly units: number;
  readonly objects: number;
  readonly bytes: number;
  readonly newest: readonly KvfreeUnitAt[];
}

/** Units of a list that are handed out one by one, at most. */
export const UNITS_SHOWN = 32;

/** The three channels of a krc or of a batch. */
export interface KvfreeChannelsAt {
  readonly bulk: KvfreeListAt;
  readonly vmalloc: KvfreeListAt;
  readonly head: KvfreeListAt;
}

/** A batch that has not begun to free. */
export interface KvfreeBatchAt {
  /** Number of the batch, one series per run. */
  readonly number: number;
  /** The row that attached it, and when. */
  readonly row: number;
  readonly attachedNs: number;
  /**
   * Its rcu_work waits for a grace period; that has ended and its callback has not been invoked; its work is queued.
   * Kernels whose worker waits (K12) queue the work at once.
   */
  readonly state: 'waiting' | 'gpOver' | 'queued';
  readonly sinceNs: number;
  /** CPU that has its callback (rcu_work_rcufn); -1: none. */
  readonly listCpu: number;
  /** The gp_seq at whose end the callback is ready, and number of that grace period; NaN: none yet. Does it run? */
  readonly gpSeq: number;
  readonly gpNumber: number;
  readonly isGpRunning: boolean;
  /** Snapshot of the batch where kernels poll (K12), else -1. */
  readonly snapshot: number;
  readonly channels: KvfreeChannelsAt;
  readonly objects: number;
  readonly bytes: number;
}

/** Units that a worker frees: those of a batch, or what the monitor found ready. */
export interface KvfreeReclaimAt {
  /** Number of the batch; -1: the monitor's own. */
  readonly number: number;
  /** workqueue_execute_start (drained: kvfree_drain_ready), and when. */
  readonly row: number;
  readonly sinceNs: number;
  /** Worker, and the CPU on which it freed last (-1: nothing yet). */
  readonly worker: number;
  readonly cpu: number;
  /** What is left, the unit in hand included. */
  readonly units: number;
  readonly objects: number;
  readonly bytes: number;
  /** The unit being freed, since when, for how long, and how far it is, 0..1. */
  readonly inHand:
    | {
        readonly unit: KvfreeUnitAt;
        readonly sinceNs: number;
        readonly lengthNs: number;
        readonly done: number;
      }
    | undefined;
  /** It waits in synchronize_rcu() itself (K12). */
  readonly waitsForGp: boolean;
}

/** krw_arr[index]. A batch may wait here while the one before it is still being freed (K10). */
export interface KrwAt {
  readonly index: 0 | 1;
  readonly state: 'empty' | KvfreeBatchAt['state'] | 'freeing';
  readonly batch: KvfreeBatchAt | undefined;
  readonly reclaim: KvfreeReclaimAt | undefined;
}

/** The delayed work kfree_rcu_monitor() of a CPU. */
export interface KvfreeMonitorAt {
  /** What it does that it has got furthest with; it may be armed again while it runs. Since when (0: the start), and the row (-1). */
  readonly state: 'idle' | 'armed' | 'queued' | 'running';
  readonly sinceNs: number;
  readonly row: number;
  /** While a timer is armed: delay in jiffies, the jiffy at which it fires, that tick's time, jiffies until then; else NaN. */
  readonly delay: number;
  readonly untilJiffy: number;
  readonly untilNs: number;
  readonly leftJiffies: number;
  /** Worker that has it; -1: none. */
  readonly worker: number;
  /** What it frees itself, its grace period having passed already. */
  readonly reclaim: KvfreeReclaimAt | undefined;
}

/** The page cache of a CPU, and its worker fill_page_cache_func(). */
export interface KvfreeCacheAt {
  readonly blocks: number;
  /** rcu_min_cached_objs as far as the kernel has it. */
  readonly max: number;
  readonly fill: 'idle' | 'backingOff' | 'queued' | 'running';
  readonly sinceNs: number;
  readonly row: number;
  /** While it backs off: jiffies until the fill; else NaN. */
  readonly leftJiffies: number;
}

/** struct kfree_rcu_cpu. */
export interface KrcAt {
  readonly cpu: number;
  readonly channels: KvfreeChannelsAt;
  /** Objects queued and not attached, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
  readonly krw: readonly [KrwAt, KrwAt];
  readonly monitor: KvfreeMonitorAt;
  readonly cache: KvfreeCacheAt;
  /** Objects and blocks that the monitor freed without waiting so far (kvfree_drain_ready, K9a). */
  readonly freedWithoutWaiting: number;
  readonly blocksWithoutWaiting: number;
  /** Objects freed, and leaked by the check at free (K11), so far. */
  readonly freed: number;
  readonly leaked: number;
}

/** Where the memory is, bytes. `total` is the sum of the others. */
export interface KvfreeMemoryAt {
  /** Objects on the channels. */
  readonly queued: number;
  /** Pages of blocks, cached ones included. */
  readonly blocks: number;
  /** Objects in batches that wait, and of callers that wait themselves (one-argument form). */
  readonly waiting: number;
  /** Objects in units that a worker has taken to free. */
  readonly freeing: number;
  readonly leaked: number;
  /** What the allocator holds beside the objects (machine entry kfreeRetention). */
  readonly retained: number;
  readonly total: number;
}

/** A caller of the one-argument form that got no block and waits in synchronize_rcu() (K17). */
export interface KvfreeInlineAt {
  readonly thread: number;
  readonly cpu: number;
  readonly sinceNs: number;
  readonly row: number;
  readonly bytes: number;
}

/** Everything. */
export interface KvfreeStateAt {
  readonly timeNs: number;
  readonly row: number;
  readonly jiffies: number;
  /** Pointers a block holds (K3); 0 without blocks. */
  readonly records: number;
  /** False up to 5.5: each object is a callback of its own, and waits from the start. */
  readonly isBatching: boolean;
  /** CPUs on which something was queued, ascending. */
  readonly krcs: readonly KrcAt[];
  readonly memory: KvfreeMemoryAt;
  /** Objects queued, waiting, being freed, freed, leaked; freed without waiting. */
  readonly queued: number;
  readonly waiting: number;
  readonly freeing: number;
  readonly freed: number;
  readonly leaked: number;
  readonly freedWithoutWaiting: number;
  /** Objects that debug objects have found freed while QUEUED, and queued twice, so far (K31 to K34). */
  readonly debug: { readonly freeActive: number; readonly doubleQueue: number };
  readonly inline: readonly KvfreeInlineAt[];
}
