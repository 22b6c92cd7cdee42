/** Callers of synchronize_rcu() in a loop: both states of the convoy (tree R4.5b). */
import { describe, expect, it } from 'vitest';
import type { InitialState } from '../config.ts';
import { KIND, RCU_GP } from '../core/eventKinds.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const ROUNDS = 20;
const US = 1000;
const MS = 1_000_000;

/** Two callers, 20 us and 50 us after a tick, wake 1; latencies in call order by caller, and the grace periods. */
function convoy(hz: number, initial: Partial<InitialState>) {
  const callers = updater({
    api: 'synchronize_rcu',
    domain: 'rcu',
    count: 2,
    calls: ROUNDS,
    start: { ticks: 5, plus: 20 * US },
    stagger: 30 * US,
  });
  const { log, info } = runToEnd(
    simConfig({
      preset: 'virtual-1gips',
      hz,
      initial: { workerLagNs: [0], gpKthreadCpu: 2, ...initial },
      params: { 'rcutree.rcu_normal_wake_from_gp': 1 },
      actors: [callers],
    }),
  );
  const returns = rowsOf(log, KIND.api_return);
  const latencies = [0, 1].map((number) =>
    returns.filter(({ track }) => info.tracks[track]?.number === number).map(({ c }) => c),
  ) as [number[], number[]];
  const starts = rowsOf(log, KIND.rcu_grace_period).filter(({ a }) => a === RCU_GP.start);
  return { latencies, gracePeriods: starts.length };
}

/** Within some microseconds. */
function expectNear(values: readonly (number | undefined)[], expectedNs: number): void {
  for (const value of values) expect(Math.abs((value ?? 0) - expectedNs)).toBeLessThan(15 * US);
}

describe('two looping callers of synchronize_rcu() (R4.5b)', () => {
  it('HZ=250, a grace period in progress: together, every call one grace period', () => {
    const { latencies, gracePeriods } = convoy(250, { rcuGp: { startedTicksAgo: 1 } });
    expectNear([latencies[0][0]], 11.98 * MS);
    expectNear([latencies[1][0]], 11.95 * MS);
    for (const own of latencies) expectNear(own.slice(1), 8 * MS);
    // the one that was under way, and one a round
    expect(gracePeriods).toBe(1 + ROUNDS);
  });

  it('HZ=1000, RCU idle: split, every call two grace periods', () => {
    const { latencies, gracePeriods } = convoy(1000, {});
    expectNear([latencies[0][0]], 3.98 * MS);
    expectNear([latencies[1][0]], 7.95 * MS);
    for (const own of latencies) expectNear(own.slice(1), 8 * MS);
    expect(gracePeriods).toBe(2 * ROUNDS);
  });

  it("stays split, or falls apart, where the kthread runs on a caller's CPU", () => {
    const { latencies } = convoy(250, { gpKthreadCpu: 0, rcuGp: { startedTicksAgo: 1 } });
    for (const own of latencies) expectNear(own.slice(2), 16 * MS);
  });
});
