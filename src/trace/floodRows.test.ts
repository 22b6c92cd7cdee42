import { expect, test } from 'vitest';
import { KIND, RCU_FUNC, RCU_GP, WORK_FN } from '../engine/core/eventKinds.ts';
import { addRow } from '../engine/core/eventLog.testkit.ts';
import { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo, Track } from '../engine/core/info.ts';
import { logFloodRows, traceFloodRows } from './floodRows.ts';
import { parseTrace } from './parseTrace.ts';

const WORKER = 4;
const names = ['CPU 0', 'CPU 1', 'CPU 2', 'CPU 3', 'kworker/u9:0'];
const info = { tracks: names.map((name, id) => ({ id, name }) as Track) } as unknown as RunInfo;

/** [kind, track, a, b, c, d] a row. */
function logOf(rows: readonly (readonly number[])[]): EventLog {
  const log = new EventLog();
  rows.forEach(([kind = 0, track = 0, a = 0, b = 0, c = 0, d = 0], i) => {
    addRow(log, i, kind, track, -1, a, b, c, d);
  });
  return log;
}

const { rcu_work_rcufn, wakeme_after_rcu } = RCU_FUNC;
const { kfree_rcu_monitor, kfree_rcu_work, fill_page_cache_func } = WORK_FN;

test('a log: the monitor that runs attaches, otherwise the barrier; who runs on the CPU frees', () => {
  const rows = logFloodRows(
    logOf([
      [KIND.workqueue_execute_start, WORKER, kfree_rcu_monitor, 1],
      ...[
        [KIND.kvfree_attach, 1],
        [KIND.rcu_callback, 2, 7, rcu_work_rcufn],
      ],
      [KIND.workqueue_execute_end, WORKER, kfree_rcu_monitor, 1],
      ...[
        [KIND.kvfree_attach, 1],
        [KIND.rcu_callback, 0, 8, rcu_work_rcufn],
      ],
      ...[
        [KIND.rcu_callback, 0, 9, wakeme_after_rcu],
        [KIND.workqueue_execute_start, WORKER, fill_page_cache_func],
      ],
      ...[
        [KIND.rcu_grace_period, 3, RCU_GP.start],
        [KIND.rcu_grace_period, 3, RCU_GP.fqswait],
      ],
      ...[
        [KIND.rcu_grace_period, 3, RCU_GP.end],
        [KIND.rcu_invoke_callback, 2, 7, rcu_work_rcufn],
      ],
      ...[
        [KIND.workqueue_execute_start, WORKER, kfree_rcu_work, 1],
        [KIND.sched_switch, 3, WORKER, -1],
      ],
      ...[
        [KIND.rcu_invoke_kfree_bulk_callback, 3, 507],
        [KIND.rcu_invoke_kvfree_callback, 3, 6],
      ],
      [KIND.workqueue_execute_end, WORKER, kfree_rcu_work, 1],
    ]),
    info,
  );
  const worker = 'kworker/u9:0';
  expect(rows).toEqual([
    ...[
      { step: 'monitor', worker },
      { step: 'attach', cpu: 2, worker },
      { step: 'end', worker },
    ],
    { step: 'attach', cpu: 0, worker: '' },
    ...[
      { step: 'gp', word: 'start' },
      { step: 'gp', word: 'end' },
      { step: 'callback', cpu: 2 },
    ],
    { step: 'work', worker },
    ...[
      { step: 'bulk', cpu: 3, worker, objects: 507 },
      { step: 'head', cpu: 3, worker, objects: 6 },
    ],
    { step: 'end', worker },
  ]);
});

test('a trace: the same rows; objects of others and other works are left out', () => {
  const text = [
    'kworker/u18:1-9 [002] ..... 1.000001: workqueue_execute_start: work struct (____ptrval____): function kfree_rcu_monitor',
    'kworker/u18:1-9 [002] d..1. 1.000002: rcu_callback: rcu_preempt rhp=(____ptrval____) func=rcu_work_rcufn 1',
    'kworker/u18:1-9 [002] ..... 1.000003: workqueue_execute_end: work struct (____ptrval____): function kfree_rcu_monitor',
    'kworker/2:1H-8 [002] ..... 1.000004: workqueue_execute_start: work struct (____ptrval____): function fill_page_cache_func',
    'insmod-60 [001] d..1. 1.000005: rcu_callback: rcu_preempt rhp=(____ptrval____) func=rcu_work_rcufn 2',
    'rcu_preempt-17 [002] d..1. 1.000006: rcu_grace_period: rcu_preempt -1143 start',
    'kworker/u18:1-9 [003] ..... 1.000007: rcu_invoke_kfree_bulk_callback: rcu_preempt bulk=0x(____ptrval____) nr_records=447',
    'kworker/u18:1-9 [003] ..... 1.000008: rcu_invoke_kvfree_callback: rcu_preempt rhp=(____ptrval____) func=304',
    'kworker/u18:1-9 [003] ..... 1.000009: rcu_invoke_kvfree_callback: rcu_preempt rhp=(____ptrval____) func=0',
  ].join('\n');
  const worker = 'kworker/u18:1';
  expect(traceFloodRows(parseTrace(text).events)).toEqual([
    ...[
      { step: 'monitor', worker },
      { step: 'attach', cpu: 2, worker },
      { step: 'end', worker },
    ],
    ...[
      { step: 'attach', cpu: 1, worker: '' },
      { step: 'gp', word: 'start' },
    ],
    ...[
      { step: 'bulk', cpu: 3, worker, objects: 447 },
      { step: 'head', cpu: 3, worker, objects: 1 },
    ],
  ]);
});
