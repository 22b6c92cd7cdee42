import { describe, expect, it } from 'vitest';
import type { Actor } from '../config.ts';
import { KIND, RCU_EXP, RCU_STALL } from '../core/eventKinds.ts';
import { WINDOW_100 } from '../machine/presets.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import {
  type ConfigParts,
  load,
  reader,
  runToEnd,
  simConfig,
  updater,
} from '../reference/simConfig.testkit.ts';
import type { Run } from '../run.ts';
import { expeditedFaults, expeditedPeriods, outlivedSections, percentile } from './expedited.testkit.ts';

const MS = 1_000_000;
const START = { ticks: 6, plus: 33_000 } as const;

function caller(part: Partial<Parameters<typeof updater>[0]> = {}): Actor {
  return updater({ api: 'synchronize_rcu_expedited', domain: 'rcu', calls: 60, start: START, ...part });
}
const BUSY = load({ cpu: 1, count: 3, spin: MS });
const READERS = reader({ domain: 'rcu', cpu: 1, count: 3, hold: { uniform: [0, 3 * MS] }, idle: 0 });

/** Runs it, and finds no fault in it. */
function run(parts: ConfigParts): Run {
  const result = runToEnd(simConfig({ kernel: 'v6.12', preset: 'virtual-1gips', ...parts }));
  expect(expeditedFaults(result)).toEqual([]);
  expect(outlivedSections(result)).toEqual([]);
  return result;
}

/** Latencies of its calls, ns. */
function latencies({ log }: Run): number[] {
  return latenciesNs(log);
}

/** Within the 5 % of the measurements' tolerance. */
function expectWithin(ns: number, lo: number, hi: number): void {
  expect(ns).toBeGreaterThanOrEqual(lo * 0.95);
  expect(ns).toBeLessThanOrEqual(hi * 1.05);
}

describe('an expedited grace period in preset plain', () => {
  it.each([1, 4, 17, 32, 300])('of others that are idle takes no time on %i CPUs', (cpus) => {
    const result = run({ preset: 'plain', cpus, actors: [caller()] });
    expect(new Set(latencies(result))).toEqual(new Set([0]));
    expect(expeditedPeriods(result)).toHaveLength(60);
  });

  it('waits for the reader and for nobody else', () => {
    const held = reader({ domain: 'rcu', cpu: 2, start: 10 * MS, hold: 7 * MS, times: 1 });
    const busy = load({ cpu: 1, mode: 'user' });
    const result = run({ preset: 'plain', actors: [held, busy, caller({ calls: 1, start: 12 * MS })] });
    expect(latencies(result)).toEqual([5 * MS]);
    const handled = rowsOf(result.log, KIND.rcu_exp_handler).map(({ track, a }) => [track, a]);
    expect(handled).toEqual([
      [1, 0],
      [2, 2],
    ]);
  });

  it('without PREEMPT_RCU waits for the end of the loop that holds a CPU', () => {
    const looping = load({ cpu: 1, spin: 3 * MS });
    const result = run({
      ...{ preset: 'plain', preempt: 'none' },
      actors: [looping, caller({ calls: 1, start: 10 * MS })],
    });
    expect(latencies(result)).toEqual([2 * MS]);
    expect(rowsOf(result.log, KIND.rcu_exp_handler).map(({ a }) => a)).toEqual([1]);
  });
});

describe('synchronize_rcu_expedited() on virtual-1gips (R5.7)', () => {
  it('takes 5.01 us while others are idle, the sum of its steps', () => {
    const values = latencies(run({ actors: [caller()] }));
    expect(percentile(values, 50)).toBe(5010);
  });

  it('takes 5.1 to 6.2 us after a gap, and 6.2 without PREEMPT_RCU', () => {
    const gap = { uniform: [0, 20 * MS] } as const;
    expectWithin(percentile(latencies(run({ actors: [caller({ gap })] })), 50), 5100, 6200);
    const actors = [caller()];
    expectWithin(percentile(latencies(run({ preempt: 'none', actors })), 50), 6200, 6200);
  });

  it('takes 11 to 13 us on 32 CPUs, with a worker for the other leaf', () => {
    const result = run({ cpus: 32, actors: [caller()] });
    const values = latencies(result);
    expectWithin(percentile(values, 50), 11_000, 13_000);
    expectWithin(percentile(values, 90), 11_000, 13_000);
    const names = result.info.tracks.filter(({ kind }) => kind === 'kthread').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['rcu_exp_gp_kworker', 'rcu_exp_par_gp_kthread_worker/1']));
  });

  it.each([
    ['windows of 1 us', {}, 11_000, 14_000],
    ['windows of 100 ns', WINDOW_100, 5500, 6900],
  ])('takes what was measured with 3 busy CPUs and %s', (_, machine, lo, hi) => {
    for (const gap of [0, { uniform: [0, 20 * MS] }] as const)
      expectWithin(percentile(latencies(run({ machine, actors: [BUSY, caller({ gap })] })), 50), lo, hi);
  });

  it('waits for the rest of the longest of three readers: 2.1 to 2.2 ms', () => {
    const values = latencies(run({ actors: [READERS, caller({ calls: 300 })] }));
    expectWithin(percentile(values, 50), 2.1 * MS, 2.2 * MS);
  });

  it('takes 9, 15, 28 us at p10, p50, p90 for 4 looping callers, within 4 us', () => {
    const values = latencies(run({ actors: [caller({ count: 4, stagger: 28_000, calls: 100 })] }));
    for (const [p, us] of [
      [10, 9],
      [50, 15],
      [90, 28],
    ] as const)
      expect(Math.abs(percentile(values, p) - us * 1000)).toBeLessThanOrEqual(4000);
  });

  it('without PREEMPT_RCU waits for the next cond_resched() of the other CPUs: 1.00 ms', () => {
    const values = latencies(run({ preempt: 'none', actors: [BUSY, caller()] }));
    expectWithin(percentile(values, 50), MS, MS);
  });
});

describe('the funnel', () => {
  it('makes many callers at one instant share two grace periods (R5.1)', () => {
    const result = run({ preset: 'plain', cpus: 8, actors: [READERS, caller({ count: 8, calls: 1 })] });
    expect(latencies(result)).toHaveLength(8);
    expect(expeditedPeriods(result)).toHaveLength(2);
    const funnel = rowsOf(result.log, KIND.rcu_exp_funnel_lock).map(({ a }) => a);
    expect(funnel).toEqual([0, 1, 1, 1, 1, 1, 1]);
  });

  it('climbs the tree level by level', () => {
    const late = caller({ cpu: 20, calls: 1, start: 12 * MS });
    const held = reader({ domain: 'rcu', cpu: 3, start: 10 * MS, hold: 5 * MS, times: 1 });
    const result = run({
      ...{ preset: 'plain', cpus: 32 },
      actors: [held, caller({ calls: 1, start: 11 * MS }), late],
    });
    const nodes = rowsOf(result.log, KIND.rcu_exp_funnel_lock).map(({ a, b }) => [a, b]);
    expect(nodes).toEqual([
      [0, 2],
      [0, 0],
    ]);
    expect(latencies(result)).toEqual([4 * MS, 3 * MS]);
  });
});

describe('an interrupt', () => {
  it('takes its time from the task that it hits (R5.7)', () => {
    const victim = updater({
      domain: 'rcu',
      api: 'call_rcu',
      cpu: 1,
      batch: 1000,
      wait: 'none',
      start: START,
    });
    const result = run({ actors: [victim, caller({ calls: 20 })] });
    const [row] = rowsOf(result.log, KIND.api_return).filter(({ track }) => {
      return result.info.tracks[track]?.name === 'updater/0';
    });
    const hits = rowsOf(result.log, KIND.rcu_exp_handler).filter(
      ({ track, timeNs }) => track === 1 && timeNs <= (row?.timeNs as number),
    );
    expect(hits.length).toBeGreaterThan(10);
    expect(row?.c).toBe(1000 * 350 + hits.length * 1200);
  });
});

describe('who makes it', () => {
  const names = (result: Run) =>
    result.info.tracks.filter(({ kind }) => kind === 'kthread').map(({ name }) => name);

  it('is a kworker of the CPU before 6.9, a kthread with RCU_EXP_KTHREAD and later (tree.expWorkers)', () => {
    const actors = [caller({ cpu: 2 })];
    expect(names(run({ kernel: 'v6.1', actors }))).toContain('kworker/2:exp');
    const kconfig = { RCU_EXP_KTHREAD: true };
    expect(names(run({ kernel: 'v6.1', kconfig, actors }))).toContain('rcu_exp_gp_kworker');
    expect(names(run({ actors }))).toContain('rcu_exp_gp_kworker');
  });

  it('waits for its CPU behind what runs there, unless it is real-time', () => {
    const crowd = load({ cpu: 0, count: 16, mode: 'user' });
    const actors = [crowd, caller({ calls: 100, gap: 3 * MS })];
    const parts: ConfigParts = { kernel: 'v6.6', preset: 'typical', actors };
    const worst = (kconfig: Record<string, boolean>) => {
      const result = run({ ...parts, kconfig });
      return Math.max(...expeditedPeriods(result).map(({ startNs, endNs }) => endNs - startNs));
    };
    expect(worst({})).toBeGreaterThan(10 * MS);
    expect(worst({ RCU_EXP_KTHREAD: true })).toBeLessThan(30_000);
  });

  it('is not asked with rcu_normal, and by synchronize_rcu() with rcu_expedited (R4.1)', () => {
    const of = (api: 'synchronize_rcu' | 'synchronize_rcu_expedited', params: Record<string, number>) =>
      expeditedPeriods(run({ params, actors: [caller({ api, calls: 2 })] })).length;
    const normal = { 'rcupdate.rcu_normal': 1 };
    const expedited = { 'rcupdate.rcu_expedited': 1 };
    expect(of('synchronize_rcu_expedited', normal)).toBe(0);
    expect(of('synchronize_rcu', {})).toBe(0);
    expect(of('synchronize_rcu', expedited)).toBe(2);
    expect(of('synchronize_rcu', { ...normal, ...expedited })).toBe(0);
  });
});

describe('readers that were preempted', () => {
  it('are waited for until they leave (R5.3, R5.4)', () => {
    const held = reader({ domain: 'rcu', cpu: 1, start: 10 * MS, hold: 40 * MS, times: 1 });
    const rival = load({ cpu: 1, count: 1, mode: 'user' });
    const result = run({ actors: [rival, held, caller({ calls: 1, start: 30 * MS })] });
    expect(rowsOf(result.log, KIND.rcu_preempt_task).length).toBeGreaterThan(0);
    const unlock = rowsOf(result.log, KIND.rcu_read_unlock)[0]?.timeNs as number;
    const [period] = expeditedPeriods(result);
    expect(period?.endNs).toBeGreaterThan(unlock);
    expect((period?.endNs as number) - unlock).toBeLessThan(10_000);
  });

  it.each(['full', 'none'] as const)('and others never outlive a grace period, preempt %s', (preempt) => {
    const readers = reader({
      ...{ domain: 'rcu', count: 8, hold: { exp: 300_000 }, idle: { exp: 100_000 } },
      idleMode: 'sleep',
    });
    const rivals = load({ count: 4, spin: 200_000, idle: { exp: 500_000 } });
    for (const seed of [1, 2, 3, 4]) {
      const actors = [readers, rivals, caller({ count: 4, gap: { exp: 200_000 } })];
      run({ seed, preempt, actors });
      run({ seed, preempt, actors, cpus: 20, kernel: 'v6.1' });
    }
  });
});

describe('a grace period that does not end', () => {
  it('is reported after rcu_exp_cpu_stall_timeout, and again 3 timeouts and 3 jiffies later (R5.5)', () => {
    const held = reader({ domain: 'rcu', cpu: 1, start: 10 * MS, hold: 200 * MS, times: 1 });
    const params = { 'rcupdate.rcu_exp_cpu_stall_timeout': 20 };
    const result = run({ preset: 'plain', params, actors: [held, caller({ calls: 1, start: 13 * MS })] });
    const stalls = rowsOf(result.log, KIND.rcu_stall_warning);
    expect(stalls[0]).toMatchObject({ a: RCU_STALL.ExpeditedStall, b: 6, c: 1, d: 0 });
    expect(stalls.map(({ timeNs }) => timeNs / (4 * MS))).toEqual([9, 28, 47]);
    expect(rowsOf(result.log, KIND.rcu_exp_grace_period).at(-1)?.a).toBe(RCU_EXP.done);
  });
});
