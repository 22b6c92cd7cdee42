/** Waits that people reported, on kernels of their time (docs/waits.md): how they come about here. */
import { describe, expect, it } from 'vitest';
import { json } from './cli.testkit.ts';

const BASE = { hz: 250, cpus: 4, preempt: 'full' };
const S = 1_000_000_000;
const MS = 1_000_000;

/** Mean latency of `api` in a run of `config`, ns. */
async function meanNs(api: string, config: object, actor: object = {}, others: readonly object[] = []) {
  const updater = { kind: 'updater', api, calls: 20, gap: 0, ...actor };
  const result = await json(
    ['run', '-', '--json'],
    JSON.stringify({ ...BASE, ...config, actors: [...others, updater] }),
  );
  return result.latency[api].mean as number;
}

describe('detaching uprobes one after the other (case t12)', () => {
  const callback = (config: object) => meanNs('call_rcu_tasks_trace', config, { wait: 'barrier' });

  it('0.25 s each with 6.12, 0.04 s before laziness: 1000 probes 250 s and 40 s', async () => {
    expect((await callback({ kernel: 'v6.12' })) / S).toBeCloseTo(0.25, 1);
    expect((await callback({ kernel: 'v6.3' })) / S).toBeCloseTo(0.04, 2);
  });

  it('rcu_tasks_trace_lazy_ms=0 takes it away, rcu_expedited does not', async () => {
    const lazy = await callback({ kernel: 'v6.12' });
    const params = (name: string, value: number) => ({ kernel: 'v6.12', params: { [name]: value } });
    expect(await callback(params('rcupdate.rcu_tasks_trace_lazy_ms', 0))).toBeLessThan(50 * MS);
    expect((await callback(params('rcupdate.rcu_expedited', 1))) / lazy).toBeGreaterThan(0.9);
  });
});

describe('rcu_expedited while probes are detached (case t09)', () => {
  const share = async (api: string, params: object) =>
    (await meanNs(api, { kernel: 'v6.12', params })) / (await meanNs(api, { kernel: 'v6.12' }));
  const expedited = { 'rcupdate.rcu_expedited': 1 };

  it.each(['synchronize_rcu', 'synchronize_srcu'])('takes 90 %% and more off %s', async (api) => {
    // SRCU has nothing to gain where it is auto-expedited
    const params = { 'srcutree.exp_holdoff': 10 * S };
    const normal = await meanNs(api, { kernel: 'v6.12', params });
    expect(
      (await meanNs(api, { kernel: 'v6.12', params: { ...params, ...expedited } })) / normal,
    ).toBeLessThan(0.1);
  });

  it.each(['synchronize_rcu_tasks', 'synchronize_rcu_tasks_trace'])(
    'takes off %s only what is a grace period of RCU inside it',
    async (api) => {
      const left = await share(api, expedited);
      expect(left).toBeGreaterThan(0.5);
      expect(left).toBeLessThan(1);
    },
  );

  it('does nothing while rcu_normal is set', async () => {
    expect(await share('synchronize_rcu', { ...expedited, 'rcupdate.rcu_normal': 1 })).toBe(1);
  });
});

describe('synchronize_rcu_tasks() under load in softirq (case t13)', () => {
  const call = { calls: 1, start: '10ms' };
  const busy = (spin: string, preempt: string) =>
    meanNs('synchronize_rcu_tasks', { kernel: 'v5.10', preempt }, call, [
      { kind: 'holdout', cpu: 2, spin, sleep: '10s' },
    ]);

  it('two normal grace periods when idle', async () => {
    const idle = await meanNs('synchronize_rcu_tasks', { kernel: 'v5.10' }, call);
    expect(idle).toBeGreaterThan(20 * MS);
    expect(idle).toBeLessThan(60 * MS);
  });

  it.each(['full', 'none'])('as long as the load lasts, with preempt %s', async (preempt) => {
    for (const seconds of [1, 3]) {
      const took = await busy(`${seconds}s`, preempt);
      expect(took).toBeGreaterThan((seconds - 0.02) * S);
      expect(took).toBeLessThan((seconds + 1.3) * S);
    }
  });
});

describe('detaching from ftrace with one CPU online (case t11)', () => {
  const sched = (cpus: number, kernel: string) =>
    meanNs('synchronize_rcu', { kernel, cpus, preempt: 'none' });

  it('waits for nothing on kernels of 2017, and for a grace period a function with 8 CPUs', async () => {
    expect(await sched(1, 'v4.17')).toBeLessThan(10_000);
    expect(await sched(8, 'v4.17')).toBeGreaterThan(10 * MS);
  });

  it('waits with one CPU, too, on newer ones', async () => {
    expect(await sched(1, 'v6.12')).toBeGreaterThan(3 * MS);
  });
});
