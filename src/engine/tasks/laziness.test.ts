/** Callbacks and barriers of RCU Tasks: when a grace period starts for them (spec tasks 3.1). */
import { describe, expect, it } from 'vitest';
import type { TasksApi, UpdaterActor } from '../config.ts';
import { CALLBACK, KIND, RTGS, TASKS_FLAVOR, TASKS_LAZY, TIMER_FN } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, runToEnd, simConfig } from '../reference/simConfig.testkit.ts';
import { MS, statesOf, tasksCall } from './tasks.testkit.ts';

const START = { ticks: 6, plus: 33_000 };

function run(api: TasksApi, part: Partial<UpdaterActor> = {}, parts: Partial<ConfigParts> = {}): EventLog {
  return runToEnd(simConfig({ ...parts, actors: [tasksCall(api, { start: START, ...part })] })).log;
}
/** From the first queueing to the return of the barrier, per batch, ms. */
function batchesMs(log: EventLog): number[] {
  const returns = rowsOf(log, KIND.api_return);
  const calls = rowsOf(log, KIND.api_call);
  return calls
    .map(({ timeNs }, i) => ((returns[i + 1]?.timeNs ?? 0) - timeNs) / MS)
    .filter((_, i) => i % 2 === 0);
}
/** Lengths of the grace periods, ms. */
function gpsMs(log: EventLog, flavor: number): number[] {
  const ends = statesOf(log, flavor, RTGS.INVOKE_CBS);
  return statesOf(log, flavor, RTGS.WAIT_GP).map(({ timeNs }, i) => ((ends[i]?.timeNs ?? 0) - timeNs) / MS);
}
const urgent = (tasksUrgent: number) => ({ initial: { workerLagNs: [0], tasksUrgent } });

describe('call_rcu_tasks() and a barrier, back to back', () => {
  /**
   * Measured after a synchronous test (HZ=250): 300, 140, 144, 220, 260, 260, 252, 252 ms with grace periods of 32 to 40
   * ms. Each is the wait for the lazy timer (64 jiffies after it went off last, 64 to 71 after it was armed) or for the
   * end of gp_sleep (26), and a grace period.
   */
  it('two urgent looks left over: 8 of 8 of the measured sequence, up to the length of grace periods', () => {
    const log = run('call_rcu_tasks', { calls: 8 }, { preset: 'virtual-1gips', ...urgent(2) });
    const gps = gpsMs(log, TASKS_FLAVOR.classic);
    const waits = batchesMs(log).map((ms, i) => Math.round((ms - (gps[i] ?? 0)) / 4));
    // 264 ms of the first are from inside jiffy 6 to 72
    expect(waits).toEqual([66, 26, 26, 52, 56, 56, 56, 56]);
    expect(waits.slice(0, 4).reduce((sum, wait) => sum + wait)).toBe(170);
    const measured = [300, 140, 144, 220, 260, 260, 252, 252];
    const own = batchesMs(log);
    let behind = 0;
    measured.forEach((ms, i) => {
      // a longer grace period makes the next wait shorter
      behind += (own[i] ?? 0) - ms;
      expect(Math.round(Math.abs(behind))).toBeLessThanOrEqual(4 * 4);
    });
  });

  it('with none every one waits for the timer, which goes off every 64 jiffies', () => {
    const waits = batchesMs(run('call_rcu_tasks', { calls: 5 }, urgent(0)));
    expect(waits.slice(1)).toEqual([256, 256, 256, 256]);
  });

  it.each([
    [250, 256],
    [1000, 256],
  ])('Trace, HZ=%i: locks to %i ms', (hz, ms) => {
    expect(batchesMs(run('call_rcu_tasks_trace', { calls: 5 }, { hz })).slice(1)).toEqual([ms, ms, ms, ms]);
  });

  it('rcu_tasks_lazy_ms=0: no laziness', () => {
    const params = { 'rcupdate.rcu_tasks_lazy_ms': 0 };
    expect(batchesMs(run('call_rcu_tasks', { calls: 3 }, { params })).slice(1)).toEqual([136, 136]);
  });

  it('6.1 knows none: the first callback on an empty list wakes the kthread', () => {
    const log = run('call_rcu_tasks', { calls: 3 }, { kernel: 'v6.1' });
    expect(rowsOf(log, KIND.rcu_tasks_lazy)).toEqual([]);
    expect(batchesMs(log)[0]).toBeLessThan(40);
  });
});

describe('urgency', () => {
  const lazyRows = (log: EventLog) => rowsOf(log, KIND.rcu_tasks_lazy).map(({ a, c }) => [a, c]);

  it('synchronize_rcu_tasks() is urgent three looks long', () => {
    const { urgent: hurried, look } = TASKS_LAZY;
    expect(lazyRows(run('synchronize_rcu_tasks', { calls: 2 }))).toEqual([
      [hurried, 3],
      [look, 2],
      [hurried, 3],
      [look, 2],
    ]);
  });

  it('the callback that finds 32 others is', () => {
    const log = run('call_rcu_tasks', { batch: 33 });
    expect(rowsOf(log, KIND.timer_start).some(({ a }) => a === TIMER_FN.call_rcu_tasks_generic_timer)).toBe(
      true,
    );
    expect(lazyRows(log).slice(0, 3)).toEqual([
      [TASKS_LAZY.armed, 0],
      [TASKS_LAZY.urgent, 3],
      [TASKS_LAZY.look, 2],
    ]);
    expect(batchesMs(log)[0]).toBeLessThan(40);
    expect(batchesMs(run('call_rcu_tasks', { batch: 32 }))[0]).toBeGreaterThan(250);
  });

  it('any number of callbacks fits into one grace period', () => {
    const log = run('call_rcu_tasks', { batch: 150_000, wait: 'none' });
    expect(rowsOf(log, KIND.rcu_tasks_invoke_callback)).toHaveLength(150_000);
  });

  it('a timer that finds nothing is not armed again', () => {
    // an urgent callback has taken the lazy one along
    const actors = [
      tasksCall('call_rcu_tasks', { start: MS }),
      tasksCall('synchronize_rcu_tasks', { cpu: 1, start: 2 * MS }),
    ];
    const { log } = runToEnd(simConfig({ actors, stop: { afterNs: 1000 * MS } }));
    const whats = rowsOf(log, KIND.rcu_tasks_lazy).map(({ a }) => a);
    expect(whats).toEqual([TASKS_LAZY.armed, TASKS_LAZY.urgent, TASKS_LAZY.look, TASKS_LAZY.empty]);
  });

  it('synchronous callers are not delayed by it, whatever else is queued', () => {
    const actors = [
      tasksCall('call_rcu_tasks', { start: MS, calls: 10, gap: 7 * MS, wait: 'none' }),
      tasksCall('synchronize_rcu_tasks', { cpu: 1, start: 2 * MS }),
    ];
    const { log } = runToEnd(simConfig({ actors }));
    const latency = rowsOf(log, KIND.api_return).find(({ c }) => c > MS)?.c ?? 0;
    expect(latency).toBeLessThan(40 * MS);
  });
});

describe('what calls cost (11.1)', () => {
  it.each([
    [1, 452, 227],
    [4, 998, 773],
    [16, 3182, 2957],
  ])('a batch of %i: %i ns where it arms the timer, %i ns where it is armed', (batch, arms, armed) => {
    const log = run('call_rcu_tasks', { batch, calls: 2 }, { preset: 'virtual-1gips' });
    const returns = latenciesNs(log).filter((_, i) => i % 2 === 0);
    expect(returns).toEqual([arms, armed]);
  });
});

describe('barriers', () => {
  it('rcu_barrier_tasks() with nothing queued returns at once', () => {
    expect(latenciesNs(run('rcu_barrier_tasks'))).toEqual([0]);
  });

  it('wait for all callbacks before them, of anybody', () => {
    const actors = [
      tasksCall('call_rcu_tasks', { start: MS, batch: 5, wait: 'none' }),
      tasksCall('rcu_barrier_tasks', { cpu: 1, start: 2 * MS }),
      tasksCall('rcu_barrier_tasks', { cpu: 2, start: 3 * MS }),
    ];
    const { log } = runToEnd(simConfig({ actors }));
    const invoked = rowsOf(log, KIND.rcu_tasks_invoke_callback);
    expect(invoked.map(({ c }) => c)).toEqual([
      ...[CALLBACK.call, CALLBACK.call, CALLBACK.call, CALLBACK.call, CALLBACK.call],
      CALLBACK.barrier,
    ]);
    // the second found that a whole one could not have passed, took the mutex and had nothing to wait for
    const ends = rowsOf(log, KIND.api_return).slice(1);
    expect(ends.map(({ timeNs }) => timeNs)).toEqual([invoked[5]?.timeNs, invoked[5]?.timeNs]);
  });

  it('are synchronize_rcu_tasks() with one list and one kthread up to 5.10', () => {
    const log = run('rcu_barrier_tasks', {}, { kernel: 'v5.10' });
    expect(statesOf(log, TASKS_FLAVOR.classic, RTGS.WAIT_GP)).toHaveLength(1);
  });
});

it('callbacks that come while a grace period runs wait for its rest, gp_sleep and a whole one', () => {
  const actors = [
    tasksCall('synchronize_rcu_tasks', { start: 5 * MS }),
    tasksCall('synchronize_rcu_tasks', { cpu: 1, start: 15 * MS }),
  ];
  const { log } = runToEnd(simConfig({ actors }));
  const [first, second] = statesOf(log, TASKS_FLAVOR.classic, RTGS.INVOKE_CBS);
  const [, start] = statesOf(log, TASKS_FLAVOR.classic, RTGS.WAIT_GP);
  expect((start?.timeNs ?? 0) - (first?.timeNs ?? 0)).toBe(104 * MS);
  expect(latenciesNs(log)).toEqual([(first?.timeNs ?? 0) - 5 * MS, (second?.timeNs ?? 0) - 15 * MS]);
});
