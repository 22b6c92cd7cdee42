import { expect, test } from 'vitest';
import { KIND, RCU_GP } from '../engine/core/eventKinds.ts';
import { addRow } from '../engine/core/eventLog.testkit.ts';
import { EventLog } from '../engine/core/eventLog.ts';
import { runToEnd, simConfig, updater } from '../engine/reference/simConfig.testkit.ts';
import { createRun } from '../engine/run.ts';
import { gpPatterns } from './gpPattern.ts';
import { logGpRows } from './gpRows.ts';
import { GP_EVENTS } from './logPayloads.ts';

const call = updater({ api: 'synchronize_rcu', domain: 'rcu', start: { ticks: 6, plus: 33_000 } });
const info = (cpus: number) => createRun(simConfig({ cpus, actors: [call] })).info;

/** [kind, CPU, a, b, c, d] a row. */
function logOf(rows: readonly (readonly number[])[]): EventLog {
  const log = new EventLog();
  rows.forEach(([kind = 0, cpu = 0, a = 0, b = 0, c = 0, d = 0], i) => {
    addRow(log, i, kind, cpu, -1, a, b, c, d);
  });
  return log;
}

const gp = (cpu: number, string: keyof typeof RCU_GP, seq = 5) => [
  KIND.rcu_grace_period,
  cpu,
  RCU_GP[string],
  seq,
];
const report = (cpu: number, node: number, mask: number, blocked = 0) => [
  ...[KIND.rcu_quiescent_state_report, cpu, 5, 2 * node + blocked, mask],
];

test('rows of a log say what a trace would: who wrote them, masks before and after, place in the tree', () => {
  // 20 CPUs: a root and two leaves, of CPUs 0 to 9 and 10 to 19.
  const log = logOf([
    ...[
      gp(11, 'start'),
      [KIND.rcu_grace_period_init, 11, 5, 0, 3],
      [KIND.rcu_grace_period_init, 11, 5, 1, 0x3ff],
    ],
    ...[
      gp(11, 'cpustart'),
      [KIND.rcu_grace_period_init, 11, 5, 2, 0x3ff],
      gp(11, 'fqswait'),
      gp(11, 'cpuqs'),
    ],
    ...[gp(3, 'cpustart'), gp(3, 'cpuqs'), report(3, 1, 8), report(11, 2, 2)],
    ...[
      gp(11, 'fqsstart'),
      [KIND.rcu_fqs, 11, 1, 12],
      report(11, 1, 0x3f7),
      report(11, 0, 1),
      report(11, 2, 0x3fd, 1),
    ],
    ...[gp(11, 'fqsend'), gp(11, 'fqswait'), report(12, 2, 0), report(12, 0, 2), gp(11, 'end')],
  ]);
  const rows = logGpRows(log, info(20));
  const reports = rows.flatMap((row) => (row.event === 'rcu_quiescent_state_report' ? [row] : []));
  expect(
    reports.map(({ cpu, byKthread, data }) => [cpu, byKthread, data.mask, data.qsmask, data.gp_tasks]),
  ).toEqual([
    ...[
      [3, false, 8n, 0x3f7n, 0],
      [11, false, 2n, 0x3fdn, 0],
      [11, true, 0x3f7n, 0n, 0],
      [11, true, 1n, 2n, 0],
    ],
    ...[
      [11, true, 0x3fdn, 0n, 1],
      [12, false, 0n, 0n, 0],
      [12, false, 2n, 0n, 0],
    ],
  ]);
  expect(reports.map(({ data }) => [data.level, data.grplo, data.grphi, data.rcuname]).slice(-2)).toEqual([
    [1, 10, 19, 'preempt_rcu'],
    [0, 0, 19, 'rcu_preempt'],
  ]);
  const [pattern, ...more] = gpPatterns(rows, new Set(GP_EVENTS));
  expect(more).toEqual([]);
  expect(pattern?.text).toMatch(
    /^start init init init fqswait scan\*1 end \| 0 scan \| .* \| 3 learn note self \| 4 scan/,
  );
  expect(pattern?.text).toContain(' | 10 scan | 11 init note self | 12 scan');
});

test('the log of a run has the pattern of the real grace period: one caller, everybody else idle', () => {
  const { log, info: table } = runToEnd(
    simConfig({ preset: 'virtual-1gips', initial: { workerLagNs: [], gpKthreadCpu: 2 }, actors: [call] }),
  );
  expect(gpPatterns(logGpRows(log, table), new Set(GP_EVENTS)).map(({ text }) => text)).toEqual([
    'start init fqswait scan*1 end | 0 learn scan | 1 scan | 2 init note self | 3 scan',
  ]);
});
