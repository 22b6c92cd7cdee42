/** RCU Tasks in the tables and in the result of a run. */
import { describe, expect, it } from 'vitest';
import { APIS } from '../engine/config.ts';
import { KIND, RTGS, STOP_REASON } from '../engine/core/eventKinds.ts';
import { createLanes } from './lanes.ts';
import { createRunIndex } from './runIndex.ts';
import { runResult } from './runResult.ts';
import { config, MS, run } from './runs.testkit.ts';
import { holdout, TASKS_SAMPLES, tasksCall } from './tasksRuns.testkit.ts';
import { GP_FLAVOR } from './types.ts';

const done = { state: 'ended', reason: STOP_REASON.done } as const;
/** A holdout that outlasts the first scan of the first grace period. */
const TWO_CALLS = config([
  tasksCall('synchronize_rcu_tasks', { calls: 2, start: MS }),
  { ...holdout(130 * MS), sleep: MS },
]);
const sample = (name: string) => run(TASKS_SAMPLES[name]?.() as never);

describe('grace periods', () => {
  it('last from RTGS_WAIT_GP to RTGS_INVOKE_CBS, with their scans and the holdout that went last', () => {
    const { log, info } = run(TWO_CALLS);
    const { gps } = createRunIndex(log, info);
    const own = [...gps.flavor.keys()].filter((gp) => gps.flavor[gp] === GP_FLAVOR.tasks);
    expect(own.map((gp) => gps.number[gp])).toEqual([1, 2]);
    const at = (state: number) => {
      const times: number[] = [];
      log.forEach(({ kind, a, timeNs }) => {
        if (kind === KIND.rcu_tasks_state && a === state) times.push(timeNs);
      });
      return times;
    };
    expect(own.map((gp) => gps.startNs[gp])).toEqual(at(RTGS.WAIT_GP));
    expect(own.map((gp) => gps.endNs[gp])).toEqual(at(RTGS.INVOKE_CBS));
    const [first] = own as [number];
    expect(gps.scans[first]).toBe(2);
    expect(info.tracks[gps.lastReader[first] as number]?.name).toBe('holdout/0');
    expect(gps.lastReaderLeaveNs[first]).toBe(130 * MS);
    expect(gps.requester[first]).toBe(info.tracks.find(({ name }) => name === 'updater/0')?.id);
  });

  it('of Tree RCU are in the table too: two each', () => {
    const { log, info } = run(TWO_CALLS);
    const { gps } = createRunIndex(log, info);
    expect(gps.flavor.filter((flavor) => flavor === GP_FLAVOR.rcu)).toHaveLength(4);
  });
});

describe('calls', () => {
  it.each(Object.keys(TASKS_SAMPLES))('that have returned know what they waited for: %s', (name) => {
    const { log, info } = sample(name);
    const { calls, gps } = createRunIndex(log, info);
    for (let call = 0; call < calls.length; call++) {
      const api = APIS[calls.api[call] as number] ?? '';
      if (api.startsWith('call_') || Number.isNaN(calls.returnNs[call])) continue;
      const gp = calls.gp[call] as number;
      // a barrier that has nothing to wait for
      if (calls.requestRow[call] === -1 && api === 'rcu_barrier_tasks') continue;
      expect(gps.endNs[gp]).toBeGreaterThan(calls.callNs[call] as number);
      expect(gps.endNs[gp]).toBeLessThanOrEqual(calls.returnNs[call] as number);
      expect(calls.invokeRow[call]).toBeGreaterThan(calls.requestRow[call] as number);
    }
  });

  it('have lanes to be on, whatever they wait for', () => {
    for (const name of Object.keys(TASKS_SAMPLES)) {
      const { log, info } = sample(name);
      expect(createLanes(log, createRunIndex(log, info)).length).toBeGreaterThan(info.config.cpus);
    }
  });
});

describe('the result', () => {
  it('has a section for each flavour that has ended a grace period, and the series of its calls', () => {
    const actors = [
      tasksCall('synchronize_rcu_tasks', { calls: 2, start: MS }),
      tasksCall('call_rcu_tasks', { cpu: 1, start: MS, batch: 3 }),
      tasksCall('call_rcu_tasks_trace', { cpu: 1, batch: 2 }),
      tasksCall('synchronize_rcu_tasks_rude', { cpu: 2, calls: 3 }),
    ];
    const { log, info } = run(config(actors, { cpus: 4 }));
    const { latency, gracePeriods } = runResult(log, info, done);
    const { tasks, tasksRude, tasksTrace } = gracePeriods ?? {};
    expect([tasks?.n, tasksRude?.n, tasksTrace?.n]).toEqual([2, 3, 1]);
    const counts = Object.entries(latency ?? {}).map(([name, { n }]) => [name, n]);
    expect(Object.fromEntries(counts)).toEqual({
      synchronize_rcu_tasks: 2,
      call_rcu_tasks: 1,
      'call_rcu_tasks.enqueue': 1,
      'call_rcu_tasks.callback': 3,
      synchronize_rcu_tasks_rude: 3,
      call_rcu_tasks_trace: 1,
      'call_rcu_tasks_trace.enqueue': 1,
      'call_rcu_tasks_trace.callback': 2,
    });
  });
});
