/** Callers on the sr_normal list: segments, direct wake-ups, the kworker, dummies (tree R4.3 to R4.5). */
import { describe, expect, it } from 'vitest';
import type { SimConfig } from '../config.ts';
import { KIND, RCU_GP, WORK_FN } from '../core/eventKinds.ts';
import type { EventRow } from '../core/rows.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
const WAKE = { 'rcutree.rcu_normal_wake_from_gp': 1 };

function callers(count: number, startNs: number, part: Parameters<typeof updater>[0] = {}) {
  return updater({ api: 'synchronize_rcu', domain: 'rcu', count, start: startNs, ...part });
}
/** `plain`, but wake-ups of the kthread take their time: nothing stands for all steps after "end". */
function stepsAfterEnd(parts: ConfigParts): SimConfig {
  const config = simConfig({ params: WAKE, ...parts });
  const { rcuGpRestartNs, ...machine } = config.machine;
  expect(rcuGpRestartNs).toBe(0);
  return { ...config, machine };
}
function run(parts: ConfigParts) {
  const { log, info } = runToEnd(stepsAfterEnd(parts));
  const nameOf = ({ track }: EventRow) => info.tracks[track]?.name ?? '';
  const srNormal = rowsOf(log, KIND.rcu_sr_normal);
  return {
    log,
    nameOf,
    requests: srNormal.filter(({ a }) => a === 0),
    completes: srNormal.filter(({ a }) => a === 1),
    /** Threads of updaters in the order in which they were woken. */
    woken: rowsOf(log, KIND.sched_waking).filter((row) => nameOf(row).startsWith('updater')),
    works: rowsOf(log, KIND.workqueue_queue_work).filter(
      ({ a }) => a === WORK_FN.rcu_sr_normal_gp_cleanup_work,
    ),
    starts: rowsOf(log, KIND.rcu_grace_period).filter(({ a }) => a === RCU_GP.start),
  };
}

describe('synchronize_rcu() with rcu_normal_wake_from_gp 1', () => {
  it('asks for a grace period at once and is woken by the kthread at its end', () => {
    const { log, requests, completes, starts } = run({ actors: [callers(1, 5 * MS)] });
    expect(starts.map(({ timeNs }) => timeNs)).toEqual([5 * MS]);
    expect(latenciesNs(log)).toEqual([7 * MS]);
    expect(requests.map(({ b, c }) => [b, c])).toEqual([[0, -1200]]);
    expect(completes.map(({ b, c }) => [b, c])).toEqual([[0, -1196]]);
    expect(rowsOf(log, KIND.rcu_callback)).toEqual([]);
  });

  it('misses the grace period that runs and waits for the next one (R4.3)', () => {
    const { log, starts } = run({ actors: [callers(1, 5 * MS), callers(1, 6 * MS, { cpu: 1 })] });
    expect(starts.map(({ timeNs }) => timeNs)).toEqual([5 * MS, 12 * MS]);
    expect(latenciesNs(log)).toEqual([7 * MS, 14 * MS]);
  });

  it('wakes five callers directly, newest first, and needs no kworker for them', () => {
    const machine = { wakeNs: 100 };
    const { woken, works, nameOf } = run({
      cpus: 8,
      machine,
      actors: [callers(1, 4 * MS, { cpu: 7 }), callers(5, 5 * MS)],
    });
    const [first, ...rest] = woken;
    expect(nameOf(first as EventRow)).toBe('updater/0');
    expect(rest.map(nameOf)).toEqual(['updater/5', 'updater/4', 'updater/3', 'updater/2', 'updater/1']);
    const gaps = rest.map(({ timeNs }, i) => timeNs - (rest[i - 1]?.timeNs ?? 0));
    expect(gaps.slice(1)).toEqual([100, 100, 100, 100]);
    expect(works).toEqual([]);
  });

  it('leaves the oldest of a larger batch to a kworker, newest first again', () => {
    const machine = { wakeNs: 100, workerWakeNs: 3000 };
    const { woken, works, nameOf } = run({
      cpus: 8,
      machine,
      actors: [callers(1, 4 * MS, { cpu: 7 }), callers(7, 5 * MS)],
    });
    expect(woken.slice(1).map(nameOf)).toEqual([7, 6, 5, 4, 3, 2, 1].map((number) => `updater/${number}`));
    expect(works.map((row) => [nameOf(row), row.c])).toEqual([['kworker/0', 1]]);
    const lastDirect = woken[5] as EventRow;
    const byWorker = woken.slice(6).map(({ timeNs }) => timeNs - lastDirect.timeNs);
    expect(byWorker).toEqual([3100, 3200]);
  });

  it('completes every caller once, not before a whole grace period (V11)', () => {
    const gap = { uniform: [0, 9 * MS] } as const;
    const { requests, completes, starts, log } = run({
      cpus: 8,
      actors: [callers(8, 0, { calls: 20, gap })],
    });
    expect(requests).toHaveLength(160);
    expect(completes.map(({ b }) => b).sort((x, y) => x - y)).toEqual(requests.map(({ b }) => b));
    const ends = rowsOf(log, KIND.rcu_grace_period).filter(({ a }) => a === RCU_GP.end);
    for (const request of requests) {
      const complete = completes.find(({ b }) => b === request.b) as EventRow;
      const start = starts.find(({ timeNs }) => timeNs >= request.timeNs) as EventRow;
      const end = ends.find(({ b }) => b === start.b) as EventRow;
      expect(complete.timeNs).toBeGreaterThanOrEqual(end.timeNs);
    }
  });
});

describe('dummies of the list (R4.4, R4.5, tree.srDummies)', () => {
  it('are freed by the kthread as long as it keeps up, in 6.12', () => {
    expect(run({ actors: [callers(1, 5 * MS, { calls: 20 })] }).works).toEqual([]);
  });

  it('are freed by the kworker before 6.11: one work item a grace period, from the second one on', () => {
    const { works, starts } = run({ kernel: 'v6.10', actors: [callers(1, 5 * MS, { calls: 20 })] });
    expect(starts).toHaveLength(20);
    expect(works).toHaveLength(19);
  });

  /** A kworker that takes 100 ms to wake up, while grace periods of 8 ms leave it work. */
  const slow = {
    cpus: 8,
    machine: { workerWakeNs: 100 * MS },
    stop: { afterNs: 95 * MS },
  };

  it.each(['v6.10', 'v6.12'] as const)(
    'run out where the kworker does not come to them: nobody is taken, another try follows (%s)',
    (kernel) => {
      const actors = [callers(6, 5 * MS, { calls: 20 })];
      const { works, completes, starts } = run({ ...slow, kernel, actors });
      expect(works.length).toBeGreaterThan(0);
      // six callers, five of them woken each time, until five dummies wait for the kworker
      expect(completes).toHaveLength(5 * 5);
      // and grace periods go on though nobody is woken any more
      const last = completes.at(-1) as EventRow;
      expect(starts.filter(({ timeNs }) => timeNs > last.timeNs).length).toBeGreaterThan(3);
    },
  );

  it('come back with the kworker', () => {
    const { completes } = run({
      ...slow,
      stop: { whenDone: true },
      actors: [callers(6, 5 * MS, { calls: 20 })],
    });
    expect(completes).toHaveLength(6 * 20);
  });
});

describe('which way a call goes (R4.1, R4.2)', () => {
  const call = callers(1, 5 * MS);

  it('by a callback with rcu_normal_wake_from_gp 0: the same number in all its rows', () => {
    const { log, requests, completes } = run({ params: {}, actors: [call] });
    const queued = rowsOf(log, KIND.rcu_callback).map(({ a }) => a);
    const invoked = rowsOf(log, KIND.rcu_invoke_callback).map(({ a }) => a);
    expect([queued, invoked, requests.map(({ b }) => b), completes.map(({ b }) => b)]).toEqual([
      [0],
      [0],
      [0],
      [0],
    ]);
  });

  it('by a callback and without rcu_sr_normal rows before 6.10', () => {
    const { log, requests } = run({ kernel: 'v6.6', params: {}, actors: [call] });
    expect(rowsOf(log, KIND.rcu_callback)).toHaveLength(1);
    expect(requests).toEqual([]);
  });

  it('from the grace period by default in 6.17, with at most 16 CPUs', () => {
    expect(
      rowsOf(run({ kernel: 'v6.17', params: {}, cpus: 16, actors: [call] }).log, KIND.rcu_callback),
    ).toEqual([]);
    const large = run({ kernel: 'v6.17', params: {}, cpus: 17, actors: [call] });
    expect(rowsOf(large.log, KIND.rcu_callback)).toHaveLength(1);
  });

  it('nowhere before 6.0 with one CPU and non-preemptible RCU (tree.oneCpu)', () => {
    const one = { cpus: 1, params: {}, actors: [call] };
    const latencies = (part: Partial<ConfigParts>) => latenciesNs(run({ ...one, ...part }).log);
    expect(latencies({ kernel: 'v5.19', preempt: 'none' })).toEqual([0]);
    expect(latencies({ kernel: 'v5.19', preempt: 'full' })).toEqual([11 * MS]);
    for (const kconfig of [{ PREEMPT_DYNAMIC: true }, { PREEMPT_RT: true }])
      expect(latencies({ kernel: 'v5.19', preempt: 'none', kconfig })).toEqual([11 * MS]);
    expect(latencies({ kernel: 'v6.1', preempt: 'none' })).toEqual([11 * MS]);
    expect(latencies({ kernel: 'v5.19', preempt: 'none', cpus: 2 })[0]).toBeGreaterThan(11 * MS);
  });

  it('the normal way for synchronize_rcu_expedited() with rcu_normal, whatever rcu_expedited says', () => {
    const params = { ...WAKE, 'rcupdate.rcu_normal': 1, 'rcupdate.rcu_expedited': 1 };
    for (const api of ['synchronize_rcu', 'synchronize_rcu_expedited'] as const) {
      const { log, requests } = run({ params, actors: [callers(1, 5 * MS, { api })] });
      expect(latenciesNs(log)).toEqual([7 * MS]);
      expect(requests).toHaveLength(1);
    }
  });
});
