/** Every checker of kvfree_rcu() finds its fault in a log written by hand, and none in one without. */
import { describe, expect, it } from 'vitest';
import {
  KFREE_TEST,
  KVFREE_CACHE,
  KVFREE_CHANNEL,
  KVFREE_DEBUG,
  RCU_GP,
  TIMER_FN,
  WORK_FN,
} from '../../core/eventKinds.ts';
import {
  altered,
  BARRIER,
  BLOCK_BYTES,
  DRAINER,
  FLOOD,
  fill,
  freeBlock,
  GP_SEQ,
  gracePeriod,
  type HandRow,
  type HandRun,
  merged,
  reclaim,
  replaced,
  row,
  THREAD,
  violationsOf,
  WORKER,
} from './kvfreeLog.testkit.ts';
import {
  DRAIN,
  draining,
  end,
  INLINE,
  inline,
  MISCOUNTED,
  STRANDED,
  shrunk,
  soon,
  twoAttaches,
  v518,
  v518Adaptive,
} from './kvfreeStories.testkit.ts';

const { bulk } = KVFREE_CHANNEL;

describe('a log without a fault violates nothing:', () => {
  it.each<[string, readonly HandRow[], HandRun]>([
    ['a flood, a batch, a barrier', FLOOD, {}],
    ['a block that is ready leaves by itself', DRAIN, draining],
    ['one argument and no block', INLINE, inline],
    ['a fill long after a shortage', shrunk(101_000), soon],
    ['a block that one counter has forgotten', MISCOUNTED, { rules: v518Adaptive }],
    [
      'two batches, each with its grace period',
      [
        ...twoAttaches(1, 1),
        ...reclaim(53_000, 0, freeBlock(53_001, 0, 510)),
        ...gracePeriod(54_000, 60_000, GP_SEQ + 4),
        ...reclaim(61_000, 1, row(61_001, 'rcu_invoke_kvfree_callback', 0, 97, 1, 0, 9000)),
        end(62_000),
      ],
      { rules: v518 },
    ],
  ])('%s', (_, rows, run) => {
    expect(violationsOf(rows, run)).toEqual([]);
  });
});

interface Fault {
  readonly id: string;
  readonly fault: string;
  readonly rows: readonly HandRow[];
  readonly run?: HandRun;
  /** Other invariants that the same fault cannot but break. */
  readonly also?: readonly string[];
}

const FAULTS: readonly Fault[] = [
  {
    id: 'W1',
    fault: 'a block is freed twice',
    rows: merged(FLOOD, [freeBlock(14_040, 1)]),
  },
  {
    id: 'W1',
    fault: 'a run is forgotten',
    rows: replaced(FLOOD, 'rcu_invoke_kvfree_callback', () => []),
    also: ['W13'],
  },
  {
    id: 'W1',
    fault: 'a block is leaked although its grace period has passed',
    rows: replaced(FLOOD, 'rcu_invoke_kfree_bulk_callback', () => [
      row(14_001, 'kvfree_debug', 0, KVFREE_DEBUG.leaked, 1, 507),
    ]),
  },
  {
    id: 'W1',
    fault: 'an object is not there that was to be queued',
    rows: FLOOD,
    run: { actor: { allocs: 608 } },
  },
  {
    id: 'W2',
    fault: 'no grace period at all',
    rows: FLOOD.filter(({ us }) => us < 9000 || us > 13_000).map((old) =>
      old.payload[1] === GP_SEQ + 4 ? { ...old, payload: old.payload.with(1, GP_SEQ) } : old,
    ),
  },
  {
    id: 'W2',
    fault: 'a grace period that began before the block was full',
    rows: replaced(FLOOD, 'rcu_grace_period', (old) =>
      old.payload[0] === RCU_GP.start ? [] : [old],
    ).toSpliced(9, 0, ...gracePeriod(1050, 13_000).slice(0, 1)),
    also: ['W14'],
  },
  {
    id: 'W2',
    fault: 'objects join a batch that waits already (kvfree.attach per-channel)',
    rows: STRANDED,
    run: { rules: { ...v518, 'kvfree.attach': 'per-channel' } },
  },
  {
    id: 'W2',
    fault: 'an inline object is freed at once',
    rows: INLINE.filter(({ us }) => us < 100 || us > 5000).map((old) =>
      old.payload[1] === GP_SEQ + 4 ? { ...old, payload: old.payload.with(1, GP_SEQ) } : old,
    ),
    run: inline,
  },
  {
    id: 'W3',
    fault: 'an object is lost on the way to a batch',
    rows: altered(FLOOD, 'kvfree_attach', 0, [10, 606, 0, -1]),
  },
  {
    id: 'W3',
    fault: 'the monitor counts an object too many',
    rows: replaced(FLOOD, 'workqueue_execute_start', (old) =>
      old.payload[0] === WORK_FN.kfree_rcu_monitor ? [{ ...old, payload: old.payload.with(2, 608) }] : [old],
    ),
  },
  {
    id: 'W3',
    fault: 'a block is freed that still waits',
    rows: merged(
      replaced(FLOOD, 'rcu_invoke_kfree_bulk_callback', () => []),
      [freeBlock(13_500, 1)],
    ),
  },
  {
    id: 'W3',
    fault: 'memory that nobody holds is in use',
    rows: altered(FLOOD, 'kvfree_memory', 1, [
      2 ** 30 - 3232 - BLOCK_BYTES - 5 * 4096,
      1,
      3232 + BLOCK_BYTES,
      5 * 4096,
    ]),
  },
  {
    id: 'W4',
    fault: 'the head channel stays behind',
    rows: merged(
      replaced(
        altered(FLOOD, 'kvfree_attach', 0, [2 * 1, 507, 0, -1]),
        'rcu_invoke_kvfree_callback',
        () => [],
      ),
      [],
    ),
    also: ['W1', 'W13', 'W7'],
  },
  {
    id: 'W5',
    fault: 'a block holds more than it can',
    rows: altered(
      altered(
        altered(FLOOD, 'kvfree_unit_close', 1, [1, 508, GP_SEQ + 4, BLOCK_BYTES]),
        'kvfree_attach',
        0,
        [10, 608, 0, -1],
      ),
      'rcu_invoke_kfree_bulk_callback',
      0,
      [508, 1, 0, 20_000],
    ),
    run: { actor: { allocs: 608 } },
    also: ['W3'],
  },
  {
    id: 'W5',
    fault: 'a block is begun behind one that is not full',
    rows: altered(DRAIN, 'kvfree_unit_close', 0, [0, 506, GP_SEQ + 4, BLOCK_BYTES]),
    run: draining,
    also: ['W1', 'W3', 'W8'],
  },
  {
    id: 'W5',
    fault: 'a snapshot goes back',
    rows: altered(DRAIN, 'kvfree_unit_close', 1, [1, 507, GP_SEQ, BLOCK_BYTES]),
    run: draining,
  },
  {
    id: 'W6',
    fault: 'objects join a batch that waits already (kvfree.attach empty-batch)',
    rows: STRANDED,
    run: { rules: v518 },
    also: ['W2'],
  },
  {
    id: 'W6',
    fault: 'a batch is reclaimed again',
    rows: merged(FLOOD, reclaim(14_110, 0).slice(0, 1)),
  },
  {
    id: 'W7',
    fault: 'nobody arms the monitor',
    rows: replaced(FLOOD, 'timer_start', (old, nth) => (nth === 0 ? [] : [old])),
  },
  {
    id: 'W8',
    fault: 'a full block does not make the monitor come sooner',
    rows: replaced(FLOOD, 'timer_start', (old, nth) => (nth === 1 ? [] : [old])),
  },
  {
    id: 'W8',
    fault: 'the monitor comes two ticks late',
    rows: FLOOD.map((old) => (old.us > 8000 ? { ...old, us: old.us + 8001 } : old)).map((old) =>
      old.payload[0] === KFREE_TEST.drained && old.track === THREAD
        ? { ...old, payload: old.payload.with(2, 21_071_000) }
        : old,
    ),
  },
  {
    id: 'W8',
    fault: 'it waits a second',
    rows: altered(FLOOD, 'timer_start', 0, [TIMER_FN.kfree_rcu_monitor, 250, 256, 0]),
  },
  {
    id: 'W9',
    fault: 'a sixth block is cached',
    rows: altered(
      altered(FLOOD, 'kvfree_page_cache', 0, [6, KVFREE_CACHE.filled, 6]),
      'kvfree_unit_open',
      1,
      [...[1, bulk, THREAD, 5]],
    ),
  },
  {
    id: 'W9',
    fault: 'a block comes from nowhere',
    rows: altered(FLOOD, 'kvfree_unit_open', 1, [1, bulk, THREAD, 5]),
  },
  {
    id: 'W9',
    fault: 'the cache is filled at once although memory was short',
    rows: shrunk(51_000),
    run: soon,
  },
  {
    id: 'W10',
    fault: 'a call with two arguments waits',
    rows: INLINE,
    run: { actor: { allocs: 1 } },
  },
  {
    id: 'W10',
    fault: 'a call waits although a block is cached',
    rows: merged(INLINE, fill(5)),
    run: inline,
  },
  {
    id: 'W10',
    fault: 'a call waits although the newest block has room',
    rows: merged(FLOOD, [
      row(1050, 'kvfree_inline', THREAD, 0, 32, 0),
      row(14_150, 'kvfree_inline', THREAD, 1, 32, 0),
    ]),
    run: { actor: { allocs: 608, form: 'mixed' } },
  },
  {
    id: 'W10',
    fault: 'a thread sleeps in its flood',
    rows: merged(FLOOD, [row(1050, 'sched_switch', 0, -1, THREAD, 0)]),
  },
  {
    id: 'W11',
    fault: 'the younger of two blocks leaves first',
    rows: altered(
      altered(DRAIN, 'rcu_invoke_kfree_bulk_callback', 0, [507, 1, 0, 20_000]),
      'rcu_invoke_kfree_bulk_callback',
      1,
      [...[507, 0, 0, 20_000]],
    ),
    run: draining,
    also: ['W2', 'W3', 'W4'],
  },
  {
    id: 'W12',
    fault: 'a pool executes two items at once',
    rows: merged(FLOOD, [row(8005, 'workqueue_execute_start', WORKER + 1, WORK_FN.kfree_rcu_work, 0, 7)]),
    run: { rules: { 'kvfree.wq': 'system' } },
    also: ['W6'],
  },
  {
    id: 'W12',
    fault: 'the monitor is executed twice at once',
    rows: replaced(FLOOD, 'workqueue_execute_start', (old) =>
      old.payload[0] === WORK_FN.kfree_rcu_monitor ? [old, { ...old, track: WORKER + 1 }] : [old],
    ),
  },
  {
    id: 'W13',
    fault: 'the barrier returns before the last object is freed',
    rows: merged(
      replaced(FLOOD, 'api_return', () => []),
      [row(14_010, 'api_return', DRAINER, BARRIER, 0, 12_870_000, 0)],
    ),
  },
  {
    id: 'W14',
    fault: 'more memory is available than there is',
    rows: altered(FLOOD, 'kvfree_memory', 0, [2 ** 30 + 4096, 0, 0, 0]),
  },
  {
    id: 'W14',
    fault: 'a quarter is left out',
    rows: replaced(FLOOD, 'kvfree_memory', (old, nth) => (nth === 0 ? [] : [old])),
  },
  {
    id: 'W14',
    fault: 'a grace period is counted that has not been',
    rows: replaced(FLOOD, 'kfree_test', (old, nth) => [
      nth === 1 ? { ...old, payload: old.payload.with(1, GP_SEQ + 4) } : old,
    ]),
  },
];

describe('a fault in a log', () => {
  it.each(FAULTS)('$id: $fault', ({ id, rows, run, also = [] }) => {
    const found = violationsOf(rows, run);
    expect(
      [...new Set(found.map((violation) => violation.id))].sort(),
      JSON.stringify(found, null, 1),
    ).toEqual([id, ...also].sort());
  });
});

describe('every invariant', () => {
  it('has a fault that it finds', () => {
    const covered = new Set(FAULTS.map(({ id }) => id));
    expect([...covered]).toEqual(Array.from({ length: 14 }, (_, i) => `W${i + 1}`));
  });
});
