import { expect, test } from 'vitest';
import {
  KIND,
  RCU_BARRIER,
  RCU_EXP,
  RCU_FUNC,
  RCU_FUTURE,
  RCU_GP,
  RCU_NOCB,
  RCU_SEGCB,
  RCU_STALL,
} from '../engine/core/eventKinds.ts';
import { addRow } from '../engine/core/eventLog.testkit.ts';
import { EventLog } from '../engine/core/eventLog.ts';
import { runToEnd, simConfig, updater } from '../engine/reference/simConfig.testkit.ts';
import { createRun } from '../engine/run.ts';
import { packSegcb } from '../engine/tree/segcbCode.ts';
import { LogPayloads } from './logPayloads.ts';
import { isRcuEvent } from './payloads.ts';

const call = updater({ api: 'synchronize_rcu', domain: 'rcu', start: { ticks: 6, plus: 33_000 } });
// 20 CPUs: a root and two leaves, of CPUs 0 to 9 and 10 to 19; tracks from 0 on are CPUs
const config = simConfig({ cpus: 20, actors: [call] });

/** Payloads of rows [kind, a, b, c, d], in order. */
function payloadsOf(rows: readonly (readonly number[])[], info = createRun(config).info) {
  const log = new EventLog();
  rows.forEach(([kind = 0, a = 0, b = 0, c = 0, d = 0], i) => {
    addRow(log, i, kind, 0, -1, a, b, c, d);
  });
  const reader = new LogPayloads(info);
  return rows.map((_, i) => reader.of(log.row(i)));
}

const LEAF = { level: 1, grplo: 10, grphi: 19 };
const rcuname = 'rcu_preempt';

test.each([
  [
    'AccWaitCB',
    [KIND.rcu_grace_period, RCU_GP.AccWaitCB, -1192],
    { rcuname, gp_seq: -1192, gpevent: 'AccWaitCB' },
  ],
  [
    'request at the leaf',
    [KIND.rcu_future_grace_period, RCU_FUTURE.Startedleaf, 5, 12, 2],
    { rcuname, gp_seq: 5, gp_seq_req: 12, ...LEAF, gpevent: 'Startedleaf' },
  ],
  [
    'noted at the start',
    [KIND.rcu_unlock_preempted_task, 5, 3, 1],
    { rcuname: 'rcu_preempt-GPS', gp_seq: 5, pid: 'CPU 3' },
  ],
  ['expedited', [KIND.rcu_exp_grace_period, RCU_EXP.endwake, 8], { rcuname, gpseq: 8, gpevent: 'endwake' }],
  ['funnel', [KIND.rcu_exp_funnel_lock, 1, 2, 8], { rcuname, ...LEAF, gpevent: 'wait' }],
  ['rcuog', [KIND.rcu_nocb_wake, RCU_NOCB.FirstBQwake, 7], { rcuname, cpu: 7, reason: 'FirstBQwake' }],
  ['stall', [KIND.rcu_stall_warning, RCU_STALL.StallDetected, 5250, 1], { rcuname, msg: 'StallDetected' }],
  [
    'callback',
    [KIND.rcu_callback, 9, RCU_FUNC.wakeme_after_rcu, 4],
    { rcuname, rhp: 9, func: 'wakeme_after_rcu', qlen: 4 },
  ],
  [
    'segments: a number only where there is a callback',
    [
      KIND.rcu_segcb_stats,
      RCU_SEGCB.SegCbPostAcc + 16 * 3,
      ...packSegcb({ done: 1, wait: 2, nextReady: 0, next: 3, waitSeq: 12, nextReadySeq: 16 }),
    ],
    { ctx: 'SegCbPostAcc', done: 1, wait: 2, nextReady: 0, next: 3, waitSeq: 12 },
  ],
  ['batch', [KIND.rcu_batch_end, 10, 1 + 8, 0], { rcuname, callbacks_invoked: 10, flags: 'C..R' }],
  ['caller', [KIND.rcu_sr_normal, 1, 3, 8], { rcuname, rhp: 3, srevent: 'complete' }],
  ['barrier', [KIND.rcu_barrier, RCU_BARRIER.IRQ, 2, 1, 9], { rcuname, s: 'IRQ', cpu: 2, cnt: 1, done: 9 }],
  ['no trace event', [KIND.api_call, 0, 0, 0, 0], undefined],
])('%s', (_what, row, payload) => {
  expect(payloadsOf([row])).toEqual([payload]);
});

test('what is left of a mask follows from the rows before', () => {
  const rows = [
    [KIND.rcu_grace_period_init, 5, 2, 0x3ff],
    [KIND.rcu_quiescent_state_report, 5, 2 * 2 + 1, 0x3fd],
    [KIND.rcu_quiescent_state_report, 5, 2 * 2 + 1, 0x002],
  ];
  expect(payloadsOf(rows)).toEqual([
    { rcuname, gp_seq: 5, ...LEAF, qsmask: 0x3ffn },
    { rcuname, gp_seq: 5, mask: 0x3fdn, qsmask: 0x002n, ...LEAF, gp_tasks: 1 },
    { rcuname, gp_seq: 5, mask: 0x002n, qsmask: 0n, ...LEAF, gp_tasks: 1 },
  ]);
});

test('rcu_dyntick, up to 6.11, means the opposite of rcu_watching', () => {
  const polarity = (kernel: 'v6.10' | 'v6.12', isWatching: number) =>
    payloadsOf([[KIND.rcu_watching, isWatching]], createRun({ ...config, kernel }).info);
  expect(polarity('v6.12', 1)).toEqual([{ polarity: 'Start' }]);
  expect(polarity('v6.12', 0)).toEqual([{ polarity: 'End' }]);
  expect(polarity('v6.10', 1)).toEqual([{ polarity: 'End' }]);
  expect(polarity('v6.10', 0)).toEqual([{ polarity: 'Start' }]);
});

test('every RCU trace event of a run has a payload, and nothing else has', () => {
  const { log, info } = runToEnd(config);
  const reader = new LogPayloads(info);
  const names = new Map(Object.entries(KIND).map(([name, kind]) => [kind as number, name]));
  let events = 0;
  log.forEach((row) => {
    const isEvent = isRcuEvent(names.get(row.kind) ?? '');
    expect(reader.of(row) !== undefined).toBe(isEvent);
    if (isEvent) events++;
  });
  expect(events).toBeGreaterThan(40);
});
