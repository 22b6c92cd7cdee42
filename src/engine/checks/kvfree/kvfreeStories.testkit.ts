/** Logs of kvfree_rcu() written by hand beside the flood: blocks that are ready, one argument, batches, a shortage. */
import {
  KFREE_TEST,
  KIND,
  KVFREE_CACHE,
  KVFREE_CHANNEL,
  STOP_REASON,
  TIMER_FN,
} from '../../core/eventKinds.ts';
import {
  BLOCK_BYTES,
  block,
  fill,
  freeBlock,
  GP_SEQ,
  gracePeriod,
  type HandRow,
  type HandRun,
  KSWAPD,
  monitor,
  reclaim,
  row,
  THREAD,
} from './kvfreeLog.testkit.ts';

const { bulk, head } = KVFREE_CHANNEL;
/** The run is cut. */
export const end = (us: number) => row(us, 'run_end', 0, STOP_REASON.afterNs);
const arm = (us: number, delay: number, due: number) =>
  row(us, 'timer_start', 0, TIMER_FN.kfree_rcu_monitor, delay, due, 0);
/** Two blocks, of which the first one's grace period has passed when the monitor comes; the other waits in a batch. */
export const DRAIN: readonly HandRow[] = [
  ...fill(20),
  row(1000, 'kvfree_unit_open', 0, 0, bulk, THREAD, 4),
  arm(1000, 1250, 1280),
  row(1100, 'kvfree_unit_close', 0, 0, 507, GP_SEQ + 4, BLOCK_BYTES),
  arm(1100, 1, 2),
  ...gracePeriod(1200, 7000),
  ...block(7100, 1, 3, GP_SEQ + 8),
  ...monitor(
    8004,
    2,
    1014,
    row(8005, 'kvfree_drain_ready', 0, 507, 1, 0),
    freeBlock(8005, 0),
    row(8006, 'kvfree_attach', 0, 2 * 1, 507, 0, -1),
  ),
  ...gracePeriod(9000, 13_000, GP_SEQ + 4),
  ...reclaim(14_000, 0, freeBlock(14_001, 1)),
  end(15_000),
];
/** Its run. */
export const draining: HandRun = { actor: { allocs: 1014 } };

/** Objects of the one-argument form without a block, on a kernel that has it. */
export const INLINE: readonly HandRow[] = [
  row(0, 'kfree_test', THREAD, KFREE_TEST.begin, GP_SEQ),
  row(10, 'kvfree_inline', THREAD, 0, 32, 0),
  row(11, 'sched_switch', 0, -1, THREAD, 0),
  ...gracePeriod(100, 5000),
  row(5001, 'sched_switch', 0, THREAD, -1, 0),
  row(5002, 'kvfree_inline', THREAD, 1, 32, 0),
  row(5003, 'kfree_test', THREAD, KFREE_TEST.last, GP_SEQ + 4, 5_003_000),
  row(5003, 'run_end', 0, STOP_REASON.done),
];
/** Its run. */
export const inline: HandRun = { actor: { allocs: 1, form: 'single' } };

/** A block and then a run on the head channel, each attached by a run of the monitor to the batch given. */
export function twoAttaches(krw: number, number: number): HandRow[] {
  return [
    ...fill(20, 1).map((old) =>
      old.kind === KIND.kvfree_page_cache ? { ...old, payload: [1, KVFREE_CACHE.filled, 1] } : old,
    ),
    row(1000, 'kvfree_unit_open', 0, 0, bulk, THREAD, 0),
    arm(1000, 5, 6),
    row(1100, 'kvfree_unit_close', 0, 0, 510, -1, 510 * 32),
    ...monitor(24_004, 6, 510, row(24_005, 'kvfree_attach', 0, 2 * 1, 510, 0, -1)),
    ...gracePeriod(25_000, 52_500).slice(0, 1),
    row(26_000, 'kvfree_unit_open', 0, 1, head, THREAD, 0),
    arm(26_000, 5, 12),
    row(26_500, 'kvfree_unit_close', 0, 1, 97, -1, 97 * 32),
    ...monitor(48_004, 12, 97, row(48_005, 'kvfree_attach', 0, krw + 2 * 4, 97, number, -1)),
    ...gracePeriod(25_000, 52_500).slice(1),
  ];
}
/** Rules of 5.18. */
export const v518: NonNullable<HandRun['rules']> = {
  'kvfree.block': '510',
  'kvfree.monitor': 'hz-50',
  'kvfree.wait': 'rcu-work',
  'kvfree.gpCheck': 'no',
  'kvfree.wq': 'system',
};
/** Head run and block share a batch whose grace period began before the run was queued to: K9b as it was. */
export const STRANDED = [
  ...twoAttaches(0, 0),
  ...reclaim(
    53_000,
    0,
    freeBlock(53_001, 0, 510),
    row(53_030, 'rcu_invoke_kvfree_callback', 0, 97, 1, 0, 9000),
  ),
  end(54_000),
];

/** A block, filled in 100 us and followed by a monitor that attaches it to the batch `krw`, if one is given. */
function blockOf510(us: number, id: number, jiffy: number, krw?: number): HandRow[] {
  const comes = 4000 * (jiffy + 2) + 4;
  return [
    row(us, 'kvfree_unit_open', 0, id, bulk, THREAD, 2 - id),
    arm(us, 1250, 1280),
    row(us + 100, 'kvfree_unit_close', 0, id, 510, -1, 510 * 32),
    arm(us + 100, 1, jiffy + 2),
    ...(krw === undefined
      ? []
      : monitor(comes, jiffy + 2, 510, row(comes + 1, 'kvfree_attach', 0, krw + 2 * 1, 510, krw, -1))),
  ];
}

/** Both batches hold a block; a head run is attached and a third block is not: the one counter is 0 then, and the monitor comes in 5 s (K9b). */
export const MISCOUNTED: readonly HandRow[] = [
  ...fill(20, 3).map((old) =>
    old.kind === KIND.kvfree_page_cache ? { ...old, payload: [3, KVFREE_CACHE.filled, 3] } : old,
  ),
  ...blockOf510(1000, 0, 0, 0),
  ...blockOf510(12_100, 1, 3, 1),
  ...blockOf510(24_100, 2, 6),
  row(24_300, 'kvfree_unit_open', 0, 3, head, THREAD, 0),
  row(24_400, 'kvfree_unit_close', 0, 3, 97, -1, 97 * 32),
  ...monitor(32_004, 8, 607, row(32_005, 'kvfree_attach', 0, 2 * 4, 97, 0, -1), arm(32_006, 1250, 1280)),
  end(33_000),
];
/** Rules of 5.18 with the monitor of 6.1. */
export const v518Adaptive = { ...v518, 'kvfree.attach': 'per-channel', 'kvfree.monitor': '5hz-or-1' };

/** Cache emptied under pressure, then filled again; `us`: when. */
export function shrunk(us: number): HandRow[] {
  return [
    ...fill(20),
    row(25, 'sched_waking', KSWAPD, 1),
    row(30, 'kvfree_page_cache', 0, 0, KVFREE_CACHE.shrunk, 5),
    row(30, 'kvfree_shrink', 0, 0, 5, 0),
    row(1000, 'kvfree_unit_open', 0, 0, head, THREAD, 0),
    arm(1000, 1250, 1280),
    ...fill(us, 1).map((old) =>
      old.kind === KIND.kvfree_page_cache ? { ...old, payload: [1, KVFREE_CACHE.filled, 1] } : old,
    ),
    row(us, 'kvfree_unit_close', 0, 0, 9, 4, 288),
  ];
}
/** A delay of 100 ms after a shortage. */
export const soon: HandRun = {
  parts: { params: { 'rcutree.rcu_delay_page_cache_fill_msec': 100 } },
};
