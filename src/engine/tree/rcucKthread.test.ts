/** rcuc kthreads in place of RCU_SOFTIRQ (rcutree.use_softirq 0, tree R3.6). */
import { describe, expect, it } from 'vitest';
import { KIND } from '../core/eventKinds.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, load, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
const RCUC = { 'rcutree.use_softirq': 0 };

function run(parts: ConfigParts) {
  const { log, info } = runToEnd(simConfig({ ...parts, params: { ...RCUC, ...parts.params } }));
  const ends = rowsOf(log, KIND.rcu_batch_end);
  return { log, names: info.tracks.map(({ name }) => name), sizes: ends.map(({ a }) => a), ends };
}
function enqueue(startNs: number, batch: number) {
  return updater({ api: 'call_rcu', domain: 'rcu', wait: 'none', start: startNs, batch });
}

describe('rcuc/N', () => {
  it('is there for every CPU, and nobody else', () => {
    const actors = [enqueue(5 * MS, 1)];
    expect(run({ actors, cpus: 2 }).names.filter((name) => name.startsWith('rcuc'))).toEqual([
      'rcuc/0',
      'rcuc/1',
    ]);
    const softirq = run({ actors, params: { 'rcutree.use_softirq': 1 } });
    expect(softirq.names.filter((name) => name.startsWith('rcuc'))).toEqual([]);
  });

  it.each([0, 1])('gives the closed forms of softirq in `plain` (wake %i)', (wake) => {
    const caller = updater({
      api: 'synchronize_rcu',
      domain: 'rcu',
      calls: 5,
      start: { ticks: 3, plus: MS },
    });
    const params = { 'rcutree.rcu_normal_wake_from_gp': wake };
    for (const actors of [[caller], [caller, load({ mode: 'user', cpu: 1, count: 3, spin: 1e12 })]]) {
      const bySoftirq = run({ actors, params: { ...params, 'rcutree.use_softirq': 1 } });
      const { log } = run({ actors, params });
      expect(latenciesNs(log)).toEqual(latenciesNs(bySoftirq.log));
    }
  });

  it('has no limit of callbacks, where softirq stops at blimit', () => {
    const actors = [load({ mode: 'user' }), enqueue(5 * MS, 25)];
    const { sizes, ends } = run({ actors });
    expect(sizes).toEqual([25]);
    expect(ends.map(({ b }) => b & 8)).toEqual([8]);
    expect(run({ actors, params: { 'rcutree.use_softirq': 1 } }).sizes).toEqual([10, 10, 5]);
  });

  it('has the same limit of time', () => {
    const { sizes } = run({
      actors: [enqueue(5 * MS, 300)],
      machine: { rcuCbNs: 10_000 },
      params: { 'rcutree.rcu_resched_ns': MS, 'rcutree.blimit': 101 },
    });
    expect(sizes).toEqual([128, 128, 44]);
  });

  it('competes for its CPU as a task does', () => {
    const { log, names } = run({
      preset: 'virtual-1gips',
      actors: [load({ mode: 'kernel' }), enqueue(5 * MS, 1000)],
      machine: { rcuCbNs: 10_000 },
    });
    const rcuc = names.indexOf('rcuc/0');
    const switchedTo = rowsOf(log, KIND.sched_switch).filter(({ a }) => a === rcuc);
    // 10 ms of callbacks are more than a slice
    expect(switchedTo.length).toBeGreaterThan(3);
    expect(rowsOf(log, KIND.rcu_invoke_callback)).toHaveLength(1000);
  });
});
