import { expect, test } from 'vitest';
import { atOnce } from '../analysis/pieces.ts';
import { config, MS, run, updater } from '../analysis/runs.testkit.ts';
import { tasksCall } from '../analysis/tasksRuns.testkit.ts';
import { GP_FLAVOR } from '../analysis/types.ts';
import { RunSession } from './runSession.ts';

function session(cpus: number): RunSession {
  const { log, info } = run(config([updater({ api: 'synchronize_rcu' })], { cpus }));
  return new RunSession(log, info);
}

test('a large machine is shown by its leaves unless CPUs are asked for', () => {
  const window = { t0Ns: 0, t1Ns: 1e6, widthPx: 100 };
  const large = session(256);
  const kinds = new Set(large.view(window).map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(['leaf', 'gp', 'callbacks', 'calls']));
  expect(large.view({ ...window, lanes: ['cpu:200'] }).map(({ name }) => name)).toEqual(['CPU 200']);
  expect(
    session(4)
      .view(window)
      .filter(({ kind }) => kind === 'cpu'),
  ).toHaveLength(4);
});

test('a run of Tree RCU opens at its first grace period', () => {
  const four = session(4);
  const { rows, headline, gps } = four.summary({ reason: 0, simulateMs: 0, indexMs: 0 });
  const reply = atOnce(four.rowsInPieces({ at: 'firstSleep' }));
  expect(reply.cursor.row).toBe(headline.firstSleepingRow);
  expect(reply.cursor.row).toBeGreaterThan(0);
  expect(reply.window.total).toBe(rows);
  expect(gps).toBe(1);
  expect(four.explain('firstSleep')?.gp).toMatchObject({ flavor: 1, scans: 1, number: -300 });
});

test('explains the first grace period of RCU Tasks on request, or else that of RCU', () => {
  const actors = [
    updater({ api: 'synchronize_rcu' }),
    tasksCall('synchronize_rcu_tasks_trace', { start: 100 * MS }),
  ];
  const { log, info } = run(config(actors, { cpus: 4 }));
  const both = new RunSession(log, info);
  expect(both.explain('firstSleep')?.gp).toMatchObject({ flavor: GP_FLAVOR.rcu });
  expect(both.explain('firstTasks')?.gp).toMatchObject({ flavor: GP_FLAVOR.tasksTrace, number: 1 });
  expect(session(4).explain('firstTasks')?.gp).toMatchObject({ flavor: GP_FLAVOR.rcu, number: -300 });
});
