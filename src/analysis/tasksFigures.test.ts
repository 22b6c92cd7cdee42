import { describe, expect, it } from 'vitest';
import { config, MS, run } from './runs.testkit.ts';
import { tasksFigures } from './tasksFigures.ts';
import { holdout, tasksCall } from './tasksRuns.testkit.ts';

function figures(...parameters: Parameters<typeof config>) {
  const { log, info } = run(config(...parameters));
  return tasksFigures(log, info);
}

describe('figures of RCU Tasks', () => {
  it('the hold-out phase is the sleeps to the scan that finds the list empty: 26 and 27 ticks', () => {
    const found = figures([tasksCall('synchronize_rcu_tasks', { start: MS }), holdout(200 * MS)], {
      hz: 250,
    });
    expect(found).toEqual({ holdoutPhaseNs: 53 * 4 * MS, infoAges: [], stallAges: [] });
  });

  it('is nothing where there is no holdout, and unknown of Trace alone', () => {
    expect(figures([tasksCall('synchronize_rcu_tasks')])?.holdoutPhaseNs).toBe(0);
    expect(figures([tasksCall('synchronize_rcu_tasks_trace')])?.holdoutPhaseNs).toBeNaN();
  });

  it('is absent without RCU Tasks', () => {
    expect(
      figures([{ ...tasksCall('synchronize_rcu_tasks'), api: 'synchronize_rcu', domain: 'rcu' }]),
    ).toBeUndefined();
  });
});
