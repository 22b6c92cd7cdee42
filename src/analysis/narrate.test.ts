import { expect, test } from 'vitest';
import type { SimConfig } from '../engine/config.ts';
import { KIND } from '../engine/core/eventKinds.ts';
import { KVFREE_SAMPLES } from './kvfreeRuns.testkit.ts';
import { laneInfos, laneOfRow } from './lanes.ts';
import { narrateRow } from './narrate.ts';
import { RCU_SAMPLES } from './rcuRuns.testkit.ts';
import { config, MS, run, SAMPLES } from './runs.testkit.ts';
import { holdout, TASKS_SAMPLES, tasksCall } from './tasksRuns.testkit.ts';

/** Messages of RCU Tasks. */
const stalled = () =>
  config([tasksCall('synchronize_rcu_tasks'), holdout(60_000 * MS)], {
    hz: 100,
    params: { 'rcupdate.rcu_task_stall_timeout': 1500, 'rcupdate.rcu_task_stall_info': 500 },
    stop: { afterNs: 20_000 * MS },
  });

test('every row of every run is a sentence without holes, on a lane that exists', () => {
  const kinds = new Set<number>();
  for (const sample of [SAMPLES, RCU_SAMPLES, KVFREE_SAMPLES, TASKS_SAMPLES, { stalled }].flatMap(
    Object.values<() => SimConfig>,
  )) {
    const { log, info } = run(sample());
    const lanes = new Set(laneInfos(info).map((lane) => lane.id));
    log.forEach((event, index) => {
      kinds.add(event.kind);
      const row = log.row(index);
      const text = narrateRow(row, info);
      expect(text).toMatch(/^[A-Za-z0-9].*\.$/);
      expect(text).not.toMatch(/undefined|NaN|unknown|nobody/);
      expect(lanes).toContain(laneOfRow(row, info));
    });
  }
  expect(Object.entries(KIND).filter(([, kind]) => !kinds.has(kind))).toEqual([]);
});

test('a burst of passes is one sentence with its numbers', () => {
  const { log, info } = run(SAMPLES['long reader']?.() as never);
  const texts: string[] = [];
  log.forEach((event, row) => {
    if (event.kind === KIND.srcu_pass) texts.push(narrateRow(log.row(row), info));
  });
  // Spec srcu 4.1: 501 passes, the first and the last of which are not like the others.
  expect(texts.slice(0, 3)).toEqual([
    'process_srcu() of srcu on CPU 0: SCAN2 finds a reader 3 times, again at once.',
    '499 passes of process_srcu() of srcu on CPU 0, 15 µs each: SCAN2 finds a reader 1497 times, again at once.',
    'process_srcu() of srcu on CPU 0: SCAN2 finds a reader 2 times, again after 1 jiffy.',
  ]);
});
