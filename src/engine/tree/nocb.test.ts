/** Groups of offloaded CPUs, wake-ups of rcuog, how long a callback waits (tree R3.8 to R3.10, R4.2, §4.2). */
import { describe, expect, it } from 'vitest';
import { KIND } from '../core/eventKinds.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, load } from '../reference/simConfig.testkit.ts';
import { nocbReasons, nocbWakes, rcuUpdater, runOffloaded } from './nocb.testkit.ts';

const MS = 1_000_000;

function kthreads(parts: Partial<ConfigParts>): string[] {
  const { info } = runOffloaded({ actors: [rcuUpdater('synchronize_rcu')], ...parts });
  return info.tracks.filter(({ name }) => name.startsWith('rcuo')).map(({ name }) => name);
}

const numbered = (name: string, cpus: readonly number[]) => cpus.map((cpu) => `${name}/${cpu}`);

describe('groups (R3.8)', () => {
  it.each([
    [8, [0, 4]],
    [64, [0, 8, 16, 24, 32, 40, 48, 56]],
    // 10 / 3 CPUs a group: the last one has a single CPU
    [10, [0, 3, 6, 9]],
  ])('%i CPUs', (cpus, firsts) => {
    const names = kthreads({ cpus });
    expect(names.filter((name) => name.startsWith('rcuog'))).toEqual(numbered('rcuog', firsts));
    const all = Array.from({ length: cpus }, (_, cpu) => cpu);
    expect(names.filter((name) => name.startsWith('rcuop'))).toEqual(numbered('rcuop', all));
  });

  it('takes the stride that is given', () => {
    const names = kthreads({ params: { 'rcutree.rcu_nocb_gp_stride': 3 } });
    expect(names.filter((name) => name.startsWith('rcuog'))).toEqual(numbered('rcuog', [0, 3, 6]));
  });

  it('names a group by its first CPU, offloaded or not', () => {
    expect(kthreads({ params: { rcu_nocbs: '2,5-6' } })).toEqual([
      'rcuog/0',
      'rcuop/2',
      'rcuog/4',
      'rcuop/5',
      'rcuop/6',
    ]);
  });

  it('offloads CPUs of nohz_full, and none that nothing names', () => {
    expect(kthreads({ params: { rcu_nocbs: '', nohz_full: '7' } })).toEqual(['rcuog/4', 'rcuop/7']);
    expect(kthreads({ params: { rcu_nocbs: '' } })).toEqual([]);
  });

  it('calls them rcuos without PREEMPT_RCU', () => {
    expect(kthreads({ params: { rcu_nocbs: '1' }, preempt: 'none' })).toEqual(['rcuog/0', 'rcuos/1']);
  });
});

describe('wake-ups (R3.9)', () => {
  const first = rcuUpdater('call_rcu', { cpu: 1, start: MS });

  it('the first callback wakes rcuog, further ones do not', () => {
    const { log } = runOffloaded({ actors: [first, rcuUpdater('call_rcu', { cpu: 1, start: 2 * MS })] });
    const callers = nocbWakes(log).filter(({ timeNs }) => timeNs <= 2 * MS);
    expect(callers.map(({ timeNs, reason }) => [timeNs / MS, reason])).toEqual([
      [1, 'FirstQ'],
      [1, 'DoWake'],
      [1, 'WakeEmpty'],
      [1, 'EndSleep'],
      [1, 'NeedWaitGP'],
      [2, 'WakeNot'],
    ]);
  });

  // with 64 CPUs their leaf is not the root: the grace period is asked for at the leaf alone while one runs (R2.1, R2.23)
  it.each([8, 64])(
    '%i CPUs: the first one of another CPU wakes it out of its wait, to number that too',
    (cpus) => {
      const second = rcuUpdater('call_rcu', { cpu: 2, start: 2 * MS });
      const { log } = runOffloaded({ cpus, actors: [first, second] });
      const later = nocbWakes(log).filter(({ timeNs }) => timeNs === 2 * MS);
      expect(later.map(({ reason, cpu }) => `${reason} ${cpu}`)).toEqual([
        'FirstQ 2',
        'DoWake 2',
        'WakeEmpty 2',
        'NeedWaitGP 1',
        'NeedWaitGP 2',
      ]);
      // it was numbered at once: the rest of the first grace period (to 8 ms) and one whole one
      const invoked = rowsOf(log, KIND.rcu_invoke_callback).map(({ timeNs, c }) => [c, timeNs / MS]);
      expect(invoked).toEqual([
        [1, 8],
        [2, 16],
      ]);
    },
  );

  it('with rcu_nocb_poll nobody wakes it: it looks at ticks', () => {
    const { log } = runOffloaded({ actors: [first], params: { rcu_nocbs: '1', rcu_nocb_poll: 1 } });
    const reasons = nocbReasons(log);
    expect(reasons).toContain('WakeNotPoll');
    expect(reasons).toContain('Poll');
    for (const reason of ['DoWake', 'WakeEmpty', 'Sleep']) expect(reasons).not.toContain(reason);
    // a timeout of one jiffy takes two ticks (R1.15): looks at 8, 16, 24 ms; the grace period is that of 8 to 16 ms
    expect(rowsOf(log, KIND.rcu_invoke_callback).map(({ timeNs }) => timeNs / MS)).toEqual([16]);
  });
});

describe('synchronize_rcu() behind an offloaded callback, `plain` (§4.2 a, b)', () => {
  const cases = [100, 250, 1000].flatMap((hz) => [0, 1, 2, 5].map((j) => [hz, j] as const));

  it.each(cases)('HZ=%i, j=%i: U T + j T, then (j + 1) T a call', (hz, j) => {
    const tick = 1e9 / hz;
    const phase = Math.floor(tick / 3);
    const params = {
      'rcutree.jiffies_till_first_fqs': j,
      'rcutree.jiffies_till_next_fqs': Math.max(1, j),
    };
    const actors = [rcuUpdater('synchronize_rcu', { cpu: 3, calls: 4, start: 5 * tick + phase })];
    const [first, ...others] = latenciesNs(runOffloaded({ hz, params, actors }).log);
    expect(first).toBe(tick - phase + j * tick);
    expect(others).toEqual(Array(3).fill((j + 1) * tick));
  });

  it('no tick for callbacks: the CPU that has them enters rcu_core() only after its rcuop ran (R3.12)', () => {
    const actors = [rcuUpdater('synchronize_rcu', { cpu: 5, start: MS })];
    const { log } = runOffloaded({ actors, initial: { workerLagNs: [], gpKthreadCpu: 1 } });
    const softirqs = rowsOf(log, KIND.rcu_utilization).filter(({ track }) => track === 5);
    const invoked = rowsOf(log, KIND.rcu_invoke_callback);
    expect(invoked.map(({ track, timeNs }) => [track, timeNs / MS])).toEqual([[5, 8]]);
    // the caller itself ran here: one tick learns and reports for it
    expect(softirqs.map(({ timeNs }) => timeNs / MS)).toEqual([4, 4]);
  });
});

describe('late numbering (R3.10)', () => {
  const early = rcuUpdater('call_rcu', { cpu: 1, start: MS });
  const late = rcuUpdater('call_rcu', { cpu: 1, start: 2 * MS });
  const params = { rcu_nocbs: '1', 'rcutree.rcu_normal_wake_from_gp': 1 };
  const invokedMs = (actors: ConfigParts['actors']) =>
    rowsOf(runOffloaded({ actors, params }).log, KIND.rcu_invoke_callback).map(({ timeNs }) => timeNs / MS);

  it('a callback behind a pending one gets its number at the end of the grace period', () => {
    expect(invokedMs([early, late])).toEqual([8, 16]);
  });

  it('and waits for one more if the next one has started by then', () => {
    const other = rcuUpdater('synchronize_rcu', { cpu: 2, start: 3 * MS });
    expect(invokedMs([early, late, other])).toEqual([8, 24]);
  });

  it('on virtual-1gips the kthread that goes on at once wins that race', () => {
    const actors = [early, late, rcuUpdater('synchronize_rcu', { cpu: 2, start: 3 * MS })];
    const { log } = runOffloaded({ actors, params, preset: 'virtual-1gips' });
    const [firstMs = 0, secondMs = 0] = rowsOf(log, KIND.rcu_invoke_callback).map((row) => row.timeNs / MS);
    expect(firstMs).toBeCloseTo(8, 1);
    expect(secondMs).toBeCloseTo(24, 1);
  });
});

describe('the machine', () => {
  it('rcuog and rcuop leave a busy CPU for an idle one where they share a cache', () => {
    const actors = [
      load({ cpu: 1, mode: 'user', spin: 1e12 }),
      rcuUpdater('call_rcu', { cpu: 1, start: 5 * MS }),
    ];
    const { log } = runOffloaded({ actors, preset: 'virtual-1gips', machine: { sharedLlc: true } });
    const invoked = rowsOf(log, KIND.rcu_invoke_callback);
    expect(invoked.map(({ c }) => c)).toEqual([1]);
    expect(invoked[0]?.track).not.toBe(1);
  });
});
