/** Logs of kvfree_rcu() written by hand, for tests of its checkers. */
import { APIS, type KfreeActor } from '../../config.ts';
import {
  KFREE_TEST,
  KIND,
  KVFREE_CACHE,
  KVFREE_CHANNEL,
  RCU_FUTURE,
  RCU_GP,
  STOP_REASON,
  TIMER_FN,
  WORK_FN,
} from '../../core/eventKinds.ts';
import { addRow } from '../../core/eventLog.testkit.ts';
import { EventLog } from '../../core/eventLog.ts';
import type { RunInfo, Track } from '../../core/info.ts';
import type { RuleId } from '../../profiles/profiles.ts';
import { resolveRules } from '../../profiles/profiles.ts';
import { kfree } from '../../reference/randomKfreeConfig.testkit.ts';
import { type ConfigParts, runToEnd, simConfig, updater } from '../../reference/simConfig.testkit.ts';
import type { Violation } from '../checker.ts';
import { checkInvariants } from '../checkInvariants.ts';

/** A row, its time in us. */
export interface HandRow {
  readonly us: number;
  readonly kind: number;
  readonly track: number;
  readonly payload: readonly number[];
}

/** A row of so many microseconds; what is not given is 0. */
export function row(us: number, kind: keyof typeof KIND, track: number, ...payload: number[]): HandRow {
  return { us, kind: KIND[kind], track, payload };
}

/** Tracks of a log written by hand, beside CPUs 0 and 1. */
export const THREAD = 2;
export const WORKER = 3;
const OTHER_WORKER = 4;
const FILLER = 5;
export const DRAINER = 6;
export const KSWAPD = 7;
export const BARRIER = APIS.indexOf('kvfree_rcu_barrier');
export const GP_SEQ = -1200;
const GIB = 2 ** 30;
const PAGE = 4096;
const RECORDS = 507;
export const BLOCK_BYTES = RECORDS * 32;

/** What a test says of the run that a log pretends to be of. */
export interface HandRun {
  readonly actor?: Partial<KfreeActor>;
  readonly rules?: Readonly<Partial<Record<RuleId, string>>>;
  readonly parts?: Partial<ConfigParts>;
}

function infoOf({ actor = {}, rules = {}, parts = {} }: HandRun): RunInfo {
  const machine = { memoryBytes: GIB, pageSize: PAGE, ...parts.machine } as const;
  const build = { preset: 'virtual-1gips', cpus: 2, hz: 250, ...parts, machine } as const;
  const rcu = updater({ api: 'synchronize_rcu', domain: 'rcu' });
  const { info } = runToEnd(simConfig({ ...build, actors: [rcu] }));
  const track = (id: number, kind: Track['kind'], name: string, cpu = 0): Track => {
    return { id, kind, name, cpu, actor: kind === 'thread' ? 0 : -1, number: 0 };
  };
  return {
    ...info,
    config: { ...info.config, actors: [kfree({ loops: 1, allocs: 607, ...actor })] },
    rules: { ...resolveRules('v6.12', {}), ...rules } as RunInfo['rules'],
    tracks: [
      ...[track(0, 'cpu', 'CPU 0'), track(1, 'cpu', 'CPU 1', 1), track(THREAD, 'thread', 'kfree/0')],
      ...[track(WORKER, 'worker', 'kworker/0'), track(OTHER_WORKER, 'worker', 'kworker/0:1')],
      ...[track(FILLER, 'worker', 'kworker/0H'), track(DRAINER, 'thread', 'kfree-drain/0', 1)],
      track(KSWAPD, 'kthread', 'kswapd0', -1),
    ],
  };
}

/** Violations of W1 to W14 in a log. Rows of other mechanisms need not make sense. */
export function violationsOf(rows: readonly HandRow[], run: HandRun = {}): Violation[] {
  const log = new EventLog();
  for (const { us, kind, track, payload } of rows) {
    const [a = 0, b = 0, c = 0, d = 0] = payload;
    addRow(log, 1000 * us, kind, track, -1, a, b, c, d);
  }
  return checkInvariants(log, infoOf(run)).violations.filter(({ id }) => id.startsWith('W'));
}

/** A grace period between two times, with this gp_seq before it. */
export function gracePeriod(fromUs: number, toUs: number, seq = GP_SEQ): HandRow[] {
  return [
    row(fromUs, 'rcu_grace_period', 0, RCU_GP.start, seq + 1, 0),
    row(toUs, 'rcu_future_grace_period', 0, RCU_FUTURE.Cleanup, seq + 4, seq + 4, 0),
    row(toUs, 'rcu_grace_period', 0, RCU_GP.end, seq + 1, 0),
  ];
}

const { kfree_rcu_monitor: MONITOR, kfree_rcu_work: RECLAIM, fill_page_cache_func: FILL } = WORK_FN;

/** A monitor that comes by its timer and runs, with what it does. */
export function monitor(us: number, due: number, objects: number, ...does: HandRow[]): HandRow[] {
  return [
    row(us, 'timer_expire_entry', 0, TIMER_FN.kfree_rcu_monitor, due, due, 0),
    row(us, 'workqueue_queue_work', WORKER, MONITOR, 0, 1),
    row(us + 1, 'workqueue_execute_start', WORKER, MONITOR, 0, objects),
    ...does,
    row(us + 2, 'workqueue_execute_end', WORKER, MONITOR, 0, objects),
  ];
}

/** A reclaim with what it frees. */
export function reclaim(us: number, batch: number, ...frees: HandRow[]): HandRow[] {
  return [
    row(us, 'workqueue_execute_start', WORKER, RECLAIM, 0, batch),
    ...frees,
    row(us + 100, 'workqueue_execute_end', WORKER, RECLAIM, 0, batch),
  ];
}

/** Block `id` is freed. */
export function freeBlock(us: number, id: number, objects = RECORDS): HandRow {
  return row(us, 'rcu_invoke_kfree_bulk_callback', 0, objects, id, 0, 20_000);
}

/** A block opened and filled, its snapshot that of a time without a grace period before `seq`. */
export function block(us: number, id: number, left: number, snap = GP_SEQ + 4): HandRow[] {
  return [
    row(us, 'kvfree_unit_open', 0, id, KVFREE_CHANNEL.bulk, THREAD, left),
    row(us + 100, 'kvfree_unit_close', 0, id, RECORDS, snap, BLOCK_BYTES),
  ];
}

/** The cache of CPU 0 is filled to 5. */
export function fill(us: number, added = 5): HandRow[] {
  return [
    row(us, 'workqueue_execute_start', FILLER, FILL, 0),
    row(us, 'kvfree_page_cache', 0, 5, KVFREE_CACHE.filled, added),
    row(us, 'workqueue_execute_end', FILLER, FILL, 0),
  ];
}

function memory(us: number, quarter: number, objects: number, blocks: number): HandRow {
  return row(us, 'kvfree_memory', THREAD, GIB - objects - blocks * PAGE, quarter, objects, blocks * PAGE);
}

/**
 * A flood without a fault: 100 objects on the head channel, then a block of them; both are attached, wait for a grace
 * period and are freed, and the barrier behind them returns. HZ 250: a tick is 4000 us.
 */
export const FLOOD: readonly HandRow[] = [
  row(0, 'kfree_test', THREAD, KFREE_TEST.begin, GP_SEQ),
  memory(0, 0, 0, 0),
  row(1000, 'kvfree_unit_open', 0, 0, KVFREE_CHANNEL.head, THREAD, 0),
  row(1000, 'timer_start', 0, TIMER_FN.kfree_rcu_monitor, 1250, 1280, 0),
  ...fill(1020),
  row(1030, 'kvfree_unit_close', 0, 0, 100, 4, 3200),
  ...block(1030, 1, 4),
  row(1130, 'timer_start', 0, TIMER_FN.kfree_rcu_monitor, 1, 2, 0),
  memory(1130, 1, 3200 + BLOCK_BYTES, 5),
  row(1130, 'kfree_test', THREAD, KFREE_TEST.last, GP_SEQ, 1_130_000),
  row(1140, 'api_call', DRAINER, BARRIER, 0, 0),
  ...monitor(8004, 2, 607, row(8005, 'kvfree_attach', 0, 0 + 2 * (1 + 4), 607, 0, -1)),
  ...gracePeriod(9000, 13_000),
  ...reclaim(
    14_000,
    0,
    freeBlock(14_001, 1),
    row(14_030, 'kvfree_page_cache', 0, 5, KVFREE_CACHE.returned, 1),
    row(14_030, 'rcu_invoke_kvfree_callback', 0, 100, 0, 0, 10_000),
  ),
  row(14_200, 'api_return', DRAINER, BARRIER, 0, 13_060_000, 0),
  row(14_200, 'kfree_test', THREAD, KFREE_TEST.drained, GP_SEQ + 4, 13_070_000),
  row(14_200, 'run_end', 0, STOP_REASON.done),
];

/** Rows of a kind replaced: by others, or by none. */
export function replaced(
  rows: readonly HandRow[],
  kind: keyof typeof KIND,
  by: (row: HandRow, nth: number) => readonly HandRow[],
): HandRow[] {
  let nth = 0;
  return rows.flatMap((old) => (old.kind === KIND[kind] ? by(old, nth++) : [old]));
}

/** The payload of the nth row of a kind altered. */
export function altered(
  rows: readonly HandRow[],
  kind: keyof typeof KIND,
  at: number,
  payload: readonly number[],
): HandRow[] {
  return replaced(rows, kind, (old, nth) => [nth === at ? { ...old, payload } : old]);
}

/** Rows and others, in the order of their times. */
export function merged(rows: readonly HandRow[], others: readonly HandRow[]): HandRow[] {
  return [...rows, ...others].sort((one, other) => one.us - other.us);
}
