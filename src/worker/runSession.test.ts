import { expect, test } from 'vitest';
import { config, run, updater } from '../analysis/runs.testkit.ts';
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
  const reply = four.rows({ at: 'firstSleep' });
  expect(reply.cursor.row).toBe(headline.firstSleepingRow);
  expect(reply.cursor.row).toBeGreaterThan(0);
  expect(reply.window.total).toBe(rows);
  expect(gps).toBe(1);
  expect(four.explain('firstSleep')?.gp).toMatchObject({ flavor: 1, scans: 1, number: -300 });
});
