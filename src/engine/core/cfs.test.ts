/** Rules C1 to C6 and S1, S2 of docs/model/srcu-calibration.md §8.6, each in a situation made by hand. */
import { describe, expect, it } from 'vitest';
import { presetMachine } from '../machine/presets.ts';
import { createCfs } from './cfs.ts';
import { Cpu, type Policy } from './cpu.ts';
import type { SchedEntity } from './schedEntity.ts';
import { Task } from './task.ts';

const MS = 1_000_000;

class Plain extends Task {
  step(): void {}
}

/** A queued task with this v, up to date at `nowNs`; the first one runs, picked at `nowNs`. */
function queued(cpu: Cpu, vNs: number, nowNs = 0): SchedEntity {
  const task = new Plain(cpu.tasks.length + 1, cpu.id).se;
  task.v = vNs;
  task.updatedNs = nowNs;
  task.pickedNs = nowNs;
  task.blocked = false;
  cpu.tasks.push(task);
  cpu.current ??= task;
  return task;
}

function sleeping(vNs: number): SchedEntity {
  const task = new Plain(99, 0).se;
  task.v = vNs;
  return task;
}

/** On 4 CPUs F = 3: latency 18 ms, wake-up granularity 3 ms, minimum granularity 2.25 ms. */
function cfs(cpus = 4): { cpu: Cpu; policy: Policy } {
  return { cpu: new Cpu(0), policy: createCfs(presetMachine('virtual-1gips'), cpus) };
}

describe('C1: min_v', () => {
  it('is the smallest v of the queued tasks, the running one included', () => {
    const { cpu, policy } = cfs();
    queued(cpu, 10);
    queued(cpu, 30);
    policy.update(cpu, 5);
    expect(cpu.queueV).toBe(15);
    policy.update(cpu, 100);
    expect(cpu.queueV).toBe(30);
  });

  it('never goes down', () => {
    const { cpu, policy } = cfs();
    queued(cpu, 50 * MS);
    policy.update(cpu, 1);
    policy.placeWoken(cpu, sleeping(48 * MS), 1);
    policy.update(cpu, 2);
    expect(cpu.queueV).toBe(50 * MS + 1);
  });

  it('stays while nobody is queued', () => {
    const { cpu, policy } = cfs();
    const task = queued(cpu, 7 * MS);
    policy.sleep(cpu, task, MS);
    cpu.current = null;
    expect(cpu.queueV).toBe(8 * MS);
    policy.update(cpu, 9 * MS);
    expect(cpu.queueV).toBe(8 * MS);
  });

  it('goes up when the task with the smallest v leaves', () => {
    const { cpu, policy } = cfs();
    const first = queued(cpu, 1 * MS);
    queued(cpu, 5 * MS);
    policy.sleep(cpu, first, 0);
    expect(cpu.queueV).toBe(5 * MS);
  });
});

describe('C2: a woken task', () => {
  it.each([
    [1, 97],
    [2, 94],
    [4, 91],
    [8, 88],
  ])('is at most 3 ms F behind min_v: %i CPUs', (cpus, expectedMs) => {
    const { cpu, policy } = cfs(cpus);
    queued(cpu, 100 * MS);
    const woken = sleeping(0);
    policy.placeWoken(cpu, woken, 0);
    expect(woken.v).toBe(expectedMs * MS);
    expect(cpu.tasks).toContain(woken);
  });

  it('keeps a v that is not so far behind, or ahead', () => {
    for (const v of [91 * MS, 99 * MS, 120 * MS]) {
      const { cpu, policy } = cfs();
      queued(cpu, 100 * MS);
      const woken = sleeping(v);
      policy.placeWoken(cpu, woken, 0);
      expect(woken.v).toBe(v);
    }
  });

  it('finds the running task up to date', () => {
    const { cpu, policy } = cfs();
    const running = queued(cpu, 100 * MS);
    const woken = sleeping(0);
    policy.placeWoken(cpu, woken, 5 * MS);
    expect(running.v).toBe(105 * MS);
    expect(woken.v).toBe(96 * MS);
  });

  it.each([
    [3 * MS, false],
    [3 * MS + 1, true],
  ])('takes the CPU only from a task more than 1 ms F ahead: %i ns on 4 CPUs', (ahead, preempts) => {
    const { cpu, policy } = cfs();
    queued(cpu, 100 * MS + ahead);
    const woken = queued(cpu, 100 * MS);
    expect(policy.preempts(cpu, woken)).toBe(preempts);
  });

  it.each([
    [1, 1],
    [3, 2],
    [7, 3],
    [64, 4],
  ])('on %i CPUs the granularity is %i ms', (cpus, granularityMs) => {
    const { cpu, policy } = cfs(cpus);
    const running = queued(cpu, granularityMs * MS);
    const woken = queued(cpu, 0);
    expect(policy.preempts(cpu, woken)).toBe(false);
    running.v++;
    expect(policy.preempts(cpu, woken)).toBe(true);
  });
});

describe('C3: a new task', () => {
  it.each([
    [1, 18],
    [2, 9],
    [3, 6],
    [8, 2.25],
    [9, 2.25],
  ])('as number %i of a queue begins %d ms after min_v', (nr, expectedMs) => {
    const { cpu, policy } = cfs();
    for (let i = 1; i < nr; i++) queued(cpu, 100 * MS);
    cpu.queueV = 100 * MS;
    const task = sleeping(0);
    policy.placeNew(cpu, task, 0);
    expect(task.v).toBe((100 + expectedMs) * MS);
    expect(cpu.tasks).toHaveLength(nr);
  });
});

describe('C4: a task that sleeps', () => {
  it('leaves the queue and keeps its v as of now', () => {
    const { cpu, policy } = cfs();
    const task = queued(cpu, 10 * MS);
    queued(cpu, 90 * MS);
    policy.sleep(cpu, task, 2 * MS);
    expect(task.v).toBe(12 * MS);
    expect(cpu.tasks).not.toContain(task);
  });
});

describe('C5: the tick', () => {
  /** Is the running task to go at a tick, `ranNs` after it was picked, `aheadNs` ahead of the other one? */
  function goes(ranNs: number, aheadNs: number, cpus = 4, others = 1): boolean {
    const { cpu, policy } = cfs(cpus);
    queued(cpu, 100 * MS + aheadNs - ranNs);
    for (let i = 0; i < others; i++) queued(cpu, 100 * MS);
    policy.tick(cpu, ranNs);
    return cpu.needResched;
  }

  it.each([
    [1, 3],
    [2, 6],
    [4, 9],
    [8, 12],
  ])('ends a turn of more than 3 ms F: %i CPUs, %i ms', (cpus, idealMs) => {
    expect(goes(idealMs * MS, 0, cpus)).toBe(false);
    expect(goes(idealMs * MS + 1, 0, cpus)).toBe(true);
  });

  it('ends a turn of 0.75 ms F or more if v is ahead by more than that', () => {
    expect(goes(2.25 * MS, 9 * MS + 1)).toBe(true);
    expect(goes(2.25 * MS, 9 * MS)).toBe(false);
    expect(goes(2.25 * MS - 1, 9 * MS + 1)).toBe(false);
  });

  it('shares 6 ms F among more tasks, with a minimum', () => {
    expect(goes(6 * MS, 0, 4, 2)).toBe(false);
    expect(goes(6 * MS + 1, 0, 4, 2)).toBe(true);
    expect(goes(2.25 * MS, 0, 4, 11)).toBe(false);
    expect(goes(2.25 * MS + 1, 0, 4, 11)).toBe(true);
  });

  it('leaves a task alone that is alone', () => {
    expect(goes(1000 * MS, 0, 4, 0)).toBe(false);
  });

  it('counts a turn from the pick', () => {
    const { cpu, policy } = cfs();
    const task = queued(cpu, 0);
    queued(cpu, 0);
    policy.picked(task, 8 * MS);
    policy.tick(cpu, 12 * MS);
    expect(cpu.needResched).toBe(true); // 12 ms ahead by v
    cpu.needResched = false;
    task.v = 0;
    policy.tick(cpu, 16 * MS);
    expect(cpu.needResched).toBe(false);
  });
});

describe('C6: the pick', () => {
  it('is the smallest v', () => {
    const { cpu, policy } = cfs();
    queued(cpu, 30);
    const smallest = queued(cpu, 10);
    queued(cpu, 20);
    expect(policy.pick(cpu)).toBe(smallest);
  });

  it('is nobody on an empty queue', () => {
    const { cpu, policy } = cfs();
    expect(policy.pick(cpu)).toBeNull();
  });
});
