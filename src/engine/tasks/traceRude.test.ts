/** The Trace and Rude flavours (spec tasks 8). */
import { describe, expect, it } from 'vitest';
import type { Actor, ReaderActor } from '../config.ts';
import {
  KIND,
  RTGS,
  TASKS_FLAVOR,
  TASKS_HOLDOUT,
  TASKS_IPI,
  TASKS_WHY,
  WORK_FN,
} from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, reader, runToEnd, simConfig } from '../reference/simConfig.testkit.ts';
import type { Run } from '../run.ts';
import { courseOf, MS, removedBy, statesOf, tasksCall } from './tasks.testkit.ts';

const TRACE = TASKS_FLAVOR.trace;
const HOUR = 3_600_000 * MS;

function traceReader(part: Partial<ReaderActor> = {}): ReaderActor {
  return reader({ domain: 'tasks-trace', cpu: 1, idle: HOUR, idleMode: 'sleep', ...part });
}
function run(actors: readonly Actor[], calls: number, parts: Partial<ConfigParts> = {}): Run {
  const sync = tasksCall('synchronize_rcu_tasks_trace', { calls, start: 5 * MS });
  return runToEnd(simConfig({ ...parts, actors: [sync, ...actors] }));
}
function trackOf({ info }: Run, name: string): number {
  return info.tracks.find((track) => track.name === name)?.id ?? -1;
}
const ticks = (log: EventLog, hz: number, from: number, to: number): number[] => {
  const ends = statesOf(log, TRACE, to);
  const tickNs = 1e9 / hz;
  return statesOf(log, TRACE, from).map(({ timeNs }, i) => ((ends[i]?.timeNs ?? 0) - timeNs) / tickNs);
};
/** The synchronize_rcu() of each, in ticks. */
const srTicks = (log: EventLog, hz: number): number[] => {
  const loops = statesOf(log, TRACE, RTGS.WAIT_SCAN_HOLDOUTS);
  return statesOf(log, TRACE, RTGS.POST_SCAN_TASKLIST).map(({ timeNs }) => {
    const loop = loops.find((row) => row.timeNs > timeNs);
    return (((loop?.timeNs ?? 0) - timeNs) * hz) / 1e9;
  });
};

describe('Trace without readers', () => {
  it('makes two rounds all the same, and none with one CPU', () => {
    const { WAIT_SCAN_HOLDOUTS, SCAN_HOLDOUTS } = RTGS;
    const round = [WAIT_SCAN_HOLDOUTS, SCAN_HOLDOUTS];
    const before = [RTGS.WAIT_GP, RTGS.PRE_WAIT_GP, RTGS.SCAN_TASKLIST, RTGS.POST_SCAN_TASKLIST];
    const after = [RTGS.POST_GP, RTGS.INVOKE_CBS];
    expect(courseOf(run([], 1).log, TRACE)).toEqual([...before, ...round, ...round, ...after]);
    expect(courseOf(run([], 1, { cpus: 1 }).log, TRACE)).toEqual([...before, ...after]);
  });

  it.each([
    [250, 5],
    [1000, 13],
  ])('HZ=%i, from idle: a synchronize_rcu() and %i ticks', (hz, rounds) => {
    const { log } = run([], 1, { hz });
    const [whole] = ticks(log, hz, RTGS.WAIT_GP, RTGS.INVOKE_CBS);
    expect((whole ?? 0) - (srTicks(log, hz)[0] ?? 0)).toBe(rounds);
  });

  it.each([
    [250, 4, 11],
    [1000, 6, 25],
  ])('HZ=%i, back to back: %i + (k+1) + (k+2) + (k+1) = %i ticks', (hz, sr, period) => {
    const { log } = run([], 10, { hz });
    const starts = statesOf(log, TRACE, RTGS.WAIT_GP).map(({ timeNs }) => (timeNs * hz) / 1e9);
    const srs = srTicks(log, hz);
    const k = Math.max(1, Math.floor(hz / 200));
    starts.slice(2).forEach((start, i) => {
      expect(start - (starts[i + 1] ?? 0)).toBe((srs[i + 1] ?? 0) + (k + 1) + (k + 2) + (k + 1));
    });
    const usual = starts.slice(2).filter((_, i) => srs[i + 1] === sr);
    expect(usual.length).toBeGreaterThan(4);
    expect(sr + (k + 1) + (k + 2) + (k + 1)).toBe(period);
  });

  it('TASKS_TRACE_RCU_READ_MB: idle CPUs leave at once, sleeps are HZ/10, interrupts come after HZ/2', () => {
    const done = run([], 2, { kconfig: { TASKS_TRACE_RCU_READ_MB: true } });
    expect(rowsOf(done.log, KIND.rcu_tasks_ipi)).toEqual([]);
    expect(new Set(removedBy(done.log).values())).toEqual(new Set([TASKS_WHY.watchingZero]));
    const [first, second] = statesOf(done.log, TRACE, RTGS.WAIT_GP);
    const [end] = statesOf(done.log, TRACE, RTGS.INVOKE_CBS);
    expect(statesOf(done.log, TRACE, RTGS.SCAN_HOLDOUTS)).toHaveLength(2);
    expect((second?.d ?? 0) - (end?.d ?? 0)).toBe(26);
    expect(first?.d).toBe(1);
    const busy = run([traceReader({ hold: 3000 * MS })], 1, { kconfig: { TASKS_TRACE_RCU_READ_MB: true } });
    const [ipi] = rowsOf(busy.log, KIND.rcu_tasks_ipi);
    expect(((ipi?.timeNs ?? 0) - 5 * MS) / 4e6).toBeGreaterThan(124);
  });
});

describe('Trace with readers', () => {
  it('marks one that runs in its section with an interrupt, and takes it off after its end', () => {
    const done = run([traceReader({ hold: 200 * MS })], 1);
    const track = trackOf(done, 'reader/0');
    const ipis = rowsOf(done.log, KIND.rcu_tasks_ipi).filter(({ b }) => b === track);
    expect(ipis.map(({ a }) => a)).toEqual([TASKS_IPI.sent, TASKS_IPI.inSection]);
    expect(removedBy(done.log).get(track)).toBe(TASKS_WHY.unlock);
    const [unlock] = rowsOf(done.log, KIND.rcu_read_unlock_trace);
    const [end] = statesOf(done.log, TRACE, RTGS.POST_GP);
    expect(end?.timeNs).toBeGreaterThan(unlock?.timeNs ?? Number.POSITIVE_INFINITY);
  });

  it.each<[string, Partial<ConfigParts>]>([
    ['plain', {}],
    ['shared CPUs', { preset: 'virtual-1gips' }],
  ])('waits for one that sleeps in its section (%s)', (_, parts) => {
    const done = run([traceReader({ hold: 200 * MS, holdMode: 'sleep' })], 1, parts);
    const track = trackOf(done, 'reader/0');
    const rows = rowsOf(done.log, KIND.rcu_tasks_holdout).filter((row) => row.track === track);
    expect(rows.map(({ a, c }) => [a, a === TASKS_HOLDOUT.added ? -1 : c])).toEqual([
      [TASKS_HOLDOUT.added, -1],
      [TASKS_HOLDOUT.released, TASKS_WHY.unlock],
      [TASKS_HOLDOUT.removed, TASKS_WHY.unlock],
    ]);
    expect(latenciesNs(done.log)[0]).toBeGreaterThan(195 * MS);
  });

  it('waits for one that was preempted in its section', () => {
    const rival: Actor = { kind: 'holdout', cpu: 1, count: 1, start: MS, stagger: 0, spin: HOUR, sleep: 0 };
    const done = run([traceReader({ hold: 100 * MS }), rival], 1, { preset: 'virtual-1gips' });
    const [unlock] = rowsOf(done.log, KIND.rcu_read_unlock_trace);
    const [end] = statesOf(done.log, TRACE, RTGS.POST_GP);
    expect(end?.timeNs).toBeGreaterThan(unlock?.timeNs ?? Number.POSITIVE_INFINITY);
  });

  it('does not wait for sections that began later, nor for tasks in none', () => {
    const later = traceReader({ start: 30 * MS, hold: 1000 * MS });
    const done = run([later], 1);
    expect(latenciesNs(done.log)[0]).toBeLessThan(45 * MS);
    const asleep = run([traceReader({ hold: MS })], 1);
    expect(removedBy(asleep.log).has(trackOf(asleep, 'reader/0'))).toBe(false);
  });
});

describe('Rude', () => {
  const rude = (calls: number, parts: Partial<ConfigParts> = {}, more: readonly Actor[] = []) =>
    runToEnd(
      simConfig({
        ...parts,
        actors: [tasksCall('synchronize_rcu_tasks_rude', { calls, start: 5 * MS }), ...more],
      }),
    );

  it('is one work item on every CPU, queued on all, then waited for', () => {
    const { log, info } = rude(1, { preset: 'virtual-1gips', cpus: 3 });
    const works = rowsOf(log, KIND.workqueue_execute_start).filter(
      ({ a }) => a === WORK_FN.rcu_tasks_be_rude,
    );
    expect(works.map(({ track }) => info.tracks[track]?.cpu).sort()).toEqual([0, 1, 2]);
    expect(courseOf(log, TASKS_FLAVOR.rude)).toEqual([RTGS.WAIT_GP, RTGS.INVOKE_CBS]);
    expect(rowsOf(log, KIND.rcu_grace_period)).toEqual([]);
  });

  it('takes 18 to 22 us on an idle machine (measured), a tick with a busy CPU', () => {
    const [ns] = latenciesNs(rude(1, { preset: 'virtual-1gips' }).log);
    expect(ns).toBeGreaterThan(10_000);
    expect(ns).toBeLessThan(22_000);
    const busy: Actor = { kind: 'holdout', cpu: 1, count: 1, start: 0, stagger: 0, spin: HOUR, sleep: 0 };
    const busyNs = (lagNs: number) => {
      const parts = { preset: 'virtual-1gips', initial: { workerLagNs: [0, lagNs] } } as const;
      return latenciesNs(rude(1, parts, [busy]).log)[0];
    };
    // at once with positive lag, else at a tick: the call is 1 ms after one
    expect(busyNs(MS)).toBeLessThan(22_000);
    expect(busyNs(0)).toBeGreaterThan(2.9 * MS);
    expect(busyNs(0)).toBeLessThan(3.1 * MS);
  });

  it('waits for a cond_resched() on kernels without preemption', () => {
    const busy: Actor = {
      kind: 'load',
      cpu: 1,
      count: 1,
      start: 0,
      stagger: 0,
      mode: 'kernel',
      spin: 30 * MS,
      idle: 0,
    };
    const [ns] = latenciesNs(rude(1, { preset: 'virtual-1gips', preempt: 'none' }, [busy]).log);
    expect(ns).toBeGreaterThan(20 * MS);
  });

  it.each([
    [250, 26],
    [1000, 104],
  ])('HZ=%i, back to back: %i ticks', (hz, period) => {
    const { log } = rude(6, { hz });
    const others = latenciesNs(log).slice(2);
    expect(others.map((ns) => (ns * hz) / 1e9)).toEqual([period, period, period, period]);
  });
});
