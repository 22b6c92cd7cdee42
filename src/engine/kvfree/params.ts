/** What the rules and parameters of kvfree_rcu() come to for a configuration (kvfree K3, K7, K12, K14). */
import type { SimConfig } from '../config.ts';
import type { RuleSet } from '../profiles/profiles.ts';

/** Bytes before the array of pointers in a block, by rule kvfree.block (K3). */
const HEADER_BYTES = { '509': 24, '510': 16, '508': 32, '507': 40 } as const;
const POINTER_BYTES = 8;
/** KFREE_DRAIN_JIFFIES: HZ / 50 up to 6.0, 5 * HZ since. */
const DRAIN_PER_SECOND = 50;
const DRAIN_SECONDS = 5;
/** The page cache of 5.7 and 5.8. */
const ONE_CACHED = 1;

/** Values for one run. */
export interface KvfreeConstants {
  /** kfree_rcu() queues objects in batches; false: a callback an object (up to 5.5). */
  readonly isBatching: boolean;
  /** Pointers that a block holds; 0: there are no blocks. */
  readonly records: number;
  /** Blocks that the page cache holds at most. */
  readonly maxCached: number;
  /** A worker fills the page cache; otherwise the caller allocates. */
  readonly isFilledByWorker: boolean;
  /** Delay of a fill after back-off, jiffies. */
  readonly backoffJiffies: number;
  /** Delay of the monitor while less than a block is queued, jiffies. */
  readonly drainJiffies: number;
  /** With a block or more queued the monitor comes after one jiffy. */
  readonly isAdaptive: boolean;
  readonly rearmsIfAnyLeft: boolean;
  readonly wait: RuleSet['kvfree.wait'];
  /** Blocks note the grace period of their last object. */
  readonly hasSnapshots: boolean;
  /** A count for each channel; before, one for all, that an attach sets to 0. */
  readonly countsByChannel: boolean;
  /** Snapshots are full cookies, that expedited grace periods fulfil, too. */
  readonly isFullSnapshot: boolean;
  readonly attachesEmptyOnly: boolean;
  readonly checksAtFree: boolean;
  readonly hasBarrier: boolean;
  readonly isUnbound: boolean;
  readonly debugObjects: boolean;
  readonly bulkUnqueues: boolean;
}

/** Records per block (K3); 0 without blocks. */
export function recordsPerBlock(rule: RuleSet['kvfree.block'], pageSize: number): number {
  return rule === 'none' ? 0 : Math.floor((pageSize - HEADER_BYTES[rule]) / POINTER_BYTES);
}

/** msecs_to_jiffies(): rounds up. */
function msToJiffies(ms: number, hz: number): number {
  return Math.ceil((ms * hz) / 1000);
}

/** Delay of the monitor in jiffies while less than a block is queued (K7). */
export function drainJiffies(rule: RuleSet['kvfree.monitor'], hz: number): number {
  return rule === 'hz-50' ? Math.floor(hz / DRAIN_PER_SECOND) : DRAIN_SECONDS * hz;
}

/** A parameter that only some kernels have. */
function numberOr(value: number | string | undefined, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** All of them. */
export function kvfreeConstants(config: SimConfig, rules: RuleSet): KvfreeConstants {
  const { params, hz, kconfig, machine } = config;
  const cache = rules['kvfree.cache'];
  const wait = rules['kvfree.wait'];
  const hasBlocks = rules['kvfree.block'] !== 'none';
  const minCached = numberOr(params['rcutree.rcu_min_cached_objs'], 5);
  const fillDelayMs = numberOr(params['rcutree.rcu_delay_page_cache_fill_msec'], 5000);
  return {
    isBatching: rules['kvfree.batching'] !== 'none',
    records: recordsPerBlock(rules['kvfree.block'], machine.pageSize),
    maxCached: !hasBlocks || cache === 'none' ? 0 : cache === 'caller-1' ? ONE_CACHED : minCached,
    isFilledByWorker: cache === 'worker' || cache === 'worker-backoff',
    backoffJiffies: msToJiffies(fillDelayMs, hz),
    drainJiffies: drainJiffies(rules['kvfree.monitor'], hz),
    isAdaptive: rules['kvfree.monitor'] === '5hz-or-1',
    rearmsIfAnyLeft: rules['kvfree.rearm'] === 'if-any-left',
    wait,
    hasSnapshots: wait === 'per-block' || wait === 'ready-by-monitor' || rules['kvfree.gpCheck'] === 'yes',
    countsByChannel: wait === 'ready-by-monitor',
    isFullSnapshot: rules['kvfree.gpCheck'] === 'yes',
    attachesEmptyOnly: rules['kvfree.attach'] === 'empty-batch',
    checksAtFree: rules['kvfree.gpCheck'] === 'yes',
    hasBarrier: rules['kvfree.barrier'] === 'yes',
    isUnbound: rules['kvfree.wq'] === 'unbound',
    debugObjects: kconfig.DEBUG_OBJECTS_RCU_HEAD === true,
    bulkUnqueues: rules['kvfree.debugBulk'] === 'unqueue',
  };
}
