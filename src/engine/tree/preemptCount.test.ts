/** Ticks of kernels without PREEMPT_RCU, with and without PREEMPT_COUNT (spec tree R2.18, R2.12). */
import { describe, expect, it } from 'vitest';
import { latenciesNs } from '../reference/logRows.testkit.ts';
import { load, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;

function callMs(kconfig: Readonly<Record<string, boolean>>, mode: 'kernel' | 'user'): number {
  const caller = updater({ api: 'synchronize_rcu', domain: 'rcu', start: 9 * MS });
  // longer than any wait below: it never gets to its cond_resched()
  const busy = load({ cpu: 1, mode, spin: 500 * MS });
  const { log } = runToEnd(
    simConfig({
      preempt: 'none',
      kconfig,
      params: { 'rcutree.rcu_normal_wake_from_gp': 1 },
      actors: [busy, caller],
    }),
  );
  return (latenciesNs(log)[0] as number) / MS;
}

describe('a kernel loop without PREEMPT_RCU', () => {
  it('holds a grace period up until its cond_resched()', () => {
    expect(callMs({}, 'kernel')).toBeGreaterThan(400);
  });

  it('is a quiescent state at a tick with PREEMPT_COUNT: one tick to learn, one to note and report', () => {
    // from 9 ms: learned at 12, noted and reported at 16
    expect(callMs({ PREEMPT_COUNT: true }, 'kernel')).toBe(7);
  });

  it('is one at a tick from user mode in any case', () => {
    expect(callMs({}, 'user')).toBe(7);
  });
});
