/** Rules E1 to E6 and E8 of docs/model/srcu-calibration.md §8.6, each in a situation made by hand. */
import { describe, expect, it } from 'vitest';
import { presetMachine } from '../machine/presets.ts';
import { Cpu, type Policy } from './cpu.ts';
import { createEevdf } from './eevdf.ts';
import type { SchedEntity } from './schedEntity.ts';
import { Task } from './task.ts';
import { Ticks } from './ticks.ts';

const MS = 1_000_000;
/** 0.7 ms F on 4 CPUs. */
const Q = 2.1 * MS;

class Plain extends Task {
  step(): void {}
}

interface Given {
  readonly v: number;
  /** Default v + q. */
  readonly d?: number;
  readonly isProtected?: boolean;
  readonly delayed?: boolean;
}

/** A queued task; the first one runs. */
function queued(cpu: Cpu, { v, d = v + Q, isProtected = false, delayed = false }: Given): SchedEntity {
  const task = new Plain(cpu.tasks.length + 1, cpu.id).se;
  Object.assign(task, { v, deadline: d, isProtected, delayed, blocked: delayed });
  cpu.tasks.push(task);
  cpu.current ??= task;
  return task;
}

function sleeping(lag: number): SchedEntity {
  const task = new Plain(99, 0).se;
  task.lag = lag;
  return task;
}

/** HZ 250: no tick in the first 4 ms. */
function eevdf({ hz = 250, cpus = 4, delayedDequeue = true } = {}): { cpu: Cpu; policy: Policy } {
  const policy = createEevdf(presetMachine('virtual-1gips'), cpus, new Ticks(hz, 0), delayedDequeue);
  return { cpu: new Cpu(0), policy };
}

describe('E2: a woken task', () => {
  it.each([
    [1, 100 * MS - 2 * MS * 2],
    [2, 100 * MS - (2 * MS * 3) / 2],
    [4, 100 * MS - (2 * MS * 5) / 4],
  ])('with %i tasks before it is placed lag (n + 1) / n before V', (n, expected) => {
    const { cpu, policy } = eevdf();
    for (let i = 0; i < n; i++) queued(cpu, { v: 100 * MS });
    const woken = sleeping(2 * MS);
    policy.placeWoken(cpu, woken, 0);
    expect(woken.v).toBe(expected);
    expect(woken.deadline).toBe(expected + Q);
    // so that V - v is its lag again
    const mean = cpu.tasks.reduce((sum, task) => sum + task.v, 0) / cpu.tasks.length;
    expect(mean - woken.v).toBeCloseTo(2 * MS, 3);
  });

  it('comes after V with a negative lag', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 10 * MS });
    const woken = sleeping(-MS);
    policy.placeWoken(cpu, woken, 0);
    expect(woken.v).toBe(12 * MS);
  });

  it('finds the running task up to date (S2)', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 10 * MS });
    const woken = sleeping(0);
    policy.placeWoken(cpu, woken, MS);
    expect(woken.v).toBe(11 * MS);
  });

  it('on an empty queue has the last V, whatever its lag (E1)', () => {
    const { cpu, policy } = eevdf();
    const task = queued(cpu, { v: 10 * MS });
    policy.sleep(cpu, task, 2 * MS);
    cpu.current = null;
    const woken = sleeping(5 * MS);
    policy.placeWoken(cpu, woken, 3 * MS);
    expect(woken.v).toBe(12 * MS);
    expect(woken.deadline).toBe(12 * MS + Q);
  });

  it('new: at V, with half a slice', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 10 * MS });
    queued(cpu, { v: 14 * MS });
    const task = sleeping(7 * MS);
    policy.placeNew(cpu, task, 0);
    expect(task.v).toBe(12 * MS);
    expect(task.deadline).toBe(12 * MS + Q / 2);
  });
});

describe('S1: the slice', () => {
  it.each([
    [1, 0.7],
    [2, 1.4],
    [4, 2.1],
    [8, 2.8],
  ])('on %i CPUs is %d ms', (cpus, sliceMs) => {
    const { cpu, policy } = eevdf({ cpus });
    queued(cpu, { v: 0 });
    const woken = sleeping(0);
    policy.placeWoken(cpu, woken, 0);
    expect(woken.deadline).toBeCloseTo(sliceMs * MS, 3);
  });
});

describe('E3: a task that sleeps', () => {
  it('stays queued, delayed, if it is not eligible and others are queued', () => {
    const { cpu, policy } = eevdf();
    const task = queued(cpu, { v: 12 * MS, d: 13 * MS });
    queued(cpu, { v: 10 * MS });
    policy.sleep(cpu, task, 0);
    expect(task.delayed).toBe(true);
    expect(cpu.tasks).toContain(task);
    expect([task.v, task.deadline]).toEqual([12 * MS, 13 * MS]);
  });

  it('leaves with its lag if it is eligible', () => {
    const { cpu, policy } = eevdf();
    const task = queued(cpu, { v: 10 * MS });
    queued(cpu, { v: 12 * MS });
    policy.sleep(cpu, task, 0);
    expect(task.delayed).toBe(false);
    expect(cpu.tasks).not.toContain(task);
    expect(task.lag).toBe(MS);
  });

  it('is eligible at V itself', () => {
    const { cpu, policy } = eevdf();
    const task = queued(cpu, { v: 10 * MS });
    queued(cpu, { v: 10 * MS });
    policy.sleep(cpu, task, 0);
    expect(task.delayed).toBe(false);
    expect(task.lag).toBe(0);
  });

  it('leaves without lag if it was alone', () => {
    const { cpu, policy } = eevdf();
    const task = queued(cpu, { v: 10 * MS });
    task.lag = 5;
    policy.sleep(cpu, task, MS);
    expect(task.lag).toBe(0);
    expect(cpu.tasks).toEqual([]);
  });

  it.each([
    [250, 4, 4.2],
    [100, 4, 10],
    [1000, 8, 5.6],
  ])('keeps a lag of at most max(2 q, T): HZ %i, %i CPUs, %d ms', (hz, cpus, limitMs) => {
    const { cpu, policy } = eevdf({ hz, cpus });
    const task = queued(cpu, { v: 0 });
    queued(cpu, { v: 100 * MS });
    policy.sleep(cpu, task, 0);
    expect(task.lag).toBeCloseTo(limitMs * MS, 3);
  });

  it('E8: without delayed dequeue leaves with a negative lag, also limited', () => {
    const one = eevdf({ delayedDequeue: false });
    const task = queued(one.cpu, { v: 12 * MS });
    queued(one.cpu, { v: 10 * MS });
    one.policy.sleep(one.cpu, task, 0);
    expect(task.delayed).toBe(false);
    expect(task.lag).toBe(-MS);
    expect(one.cpu.tasks).not.toContain(task);
    const other = eevdf({ delayedDequeue: false });
    const far = queued(other.cpu, { v: 100 * MS });
    queued(other.cpu, { v: 0 });
    other.policy.sleep(other.cpu, far, 0);
    expect(far.lag).toBe(-2 * Q);
  });
});

describe('E4: woken while delayed', () => {
  it('with a positive lag is placed anew at the V of the others', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 14 * MS });
    queued(cpu, { v: 18 * MS });
    const woken = queued(cpu, { v: 10 * MS, d: 11 * MS, delayed: true });
    woken.lag = 3;
    policy.placeWoken(cpu, woken, 0);
    expect(woken.delayed).toBe(false);
    expect(woken.v).toBe(16 * MS);
    expect(woken.deadline).toBe(16 * MS + Q);
    expect(woken.lag).toBe(0);
    expect(cpu.tasks.filter((task) => task === woken)).toHaveLength(1);
  });

  it.each([0, MS])('otherwise keeps v and d: %i ns after V', (behind) => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 10 * MS - behind });
    const woken = queued(cpu, { v: 10 * MS + behind, d: 11 * MS, delayed: true });
    policy.placeWoken(cpu, woken, 0);
    expect(woken.delayed).toBe(false);
    expect([woken.v, woken.deadline]).toEqual([10 * MS + behind, 11 * MS]);
  });

  it("looks at the running task's v as of its last update, and updates it only then", () => {
    const { cpu, policy } = eevdf();
    const running = queued(cpu, { v: 9 * MS });
    const woken = queued(cpu, { v: 10 * MS, d: 11 * MS, delayed: true });
    policy.placeWoken(cpu, woken, 3 * MS);
    // with the running task at 12 ms V would be 11 ms
    expect(woken.v).toBe(10 * MS);
    expect(running.v).toBe(12 * MS);
    // this is what lets it preempt
    expect(policy.preempts(cpu, woken)).toBe(true);
  });

  it('the last update was at the last tick, if there was one since', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 9 * MS });
    const woken = queued(cpu, { v: 10 * MS, d: 11 * MS, delayed: true });
    policy.placeWoken(cpu, woken, 5 * MS);
    // at the tick the running task was at 13 ms
    expect(woken.v).toBe(13 * MS);
  });
});

describe('E5: the pick', () => {
  it('is the running task while it is eligible and protected', () => {
    const { cpu, policy } = eevdf();
    const running = queued(cpu, { v: 10 * MS, d: 20 * MS, isProtected: true });
    const other = queued(cpu, { v: 10 * MS, d: 11 * MS });
    expect(policy.pick(cpu)).toBe(running);
    expect(policy.preempts(cpu, other)).toBe(false);
  });

  it('is not the protected one if that is not eligible', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 12 * MS, d: 13 * MS, isProtected: true });
    const other = queued(cpu, { v: 10 * MS, d: 20 * MS });
    expect(policy.preempts(cpu, other)).toBe(true);
  });

  it('is the eligible task with the smallest deadline', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 10 * MS, d: 14 * MS });
    const earliest = queued(cpu, { v: 9 * MS, d: 12 * MS });
    queued(cpu, { v: 8 * MS, d: 13 * MS });
    queued(cpu, { v: 14 * MS, d: 11 * MS }); // not eligible
    expect(policy.pick(cpu)).toBe(earliest);
  });

  it.each([
    [12 * MS - 1, true],
    [12 * MS, false],
  ])('is the running one only if its deadline is strictly smaller: %i ns', (deadline, stays) => {
    const { cpu, policy } = eevdf();
    const running = queued(cpu, { v: 10 * MS, d: deadline });
    const other = queued(cpu, { v: 10 * MS, d: 12 * MS });
    expect(policy.pick(cpu)).toBe(stays ? running : other);
    expect(policy.preempts(cpu, other)).toBe(!stays);
  });

  it('lets a delayed task go that it comes to, and looks again', () => {
    const { cpu, policy } = eevdf();
    const delayed = queued(cpu, { v: 10 * MS, d: 11 * MS, delayed: true });
    cpu.current = null;
    const next = queued(cpu, { v: 10 * MS, d: 15 * MS });
    cpu.current = null;
    queued(cpu, { v: 13 * MS, d: 16 * MS });
    cpu.current = null;
    expect(policy.pick(cpu)).toBe(next);
    expect(cpu.tasks).not.toContain(delayed);
    expect(delayed.delayed).toBe(false);
    // V - v is 1 ms; what a delayed task has gained is not kept
    expect(delayed.lag).toBe(0);
  });

  it('is nobody when only delayed tasks are left, and V is remembered', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 10 * MS, delayed: true });
    cpu.current = null;
    expect(policy.pick(cpu)).toBeNull();
    expect(cpu.tasks).toEqual([]);
    expect(cpu.queueV).toBe(10 * MS);
  });

  it('protects whom it gives the CPU until its v reaches its deadline', () => {
    const { cpu, policy } = eevdf();
    const task = queued(cpu, { v: 0 });
    policy.picked(task, 0);
    policy.update(cpu, Q - 1);
    expect(task.isProtected).toBe(true);
    policy.update(cpu, Q);
    expect(task.isProtected).toBe(false);
  });
});

describe('E6: an update', () => {
  it('at the deadline sets a new one and reschedules if others are queued', () => {
    const { cpu, policy } = eevdf();
    const running = queued(cpu, { v: 0, d: Q, isProtected: true });
    queued(cpu, { v: 50 * MS });
    policy.update(cpu, Q - 1);
    expect([cpu.needResched, running.deadline]).toEqual([false, Q]);
    policy.update(cpu, Q);
    expect([cpu.needResched, running.deadline, running.isProtected]).toEqual([true, 2 * Q, false]);
  });

  it('counts delayed tasks among the others', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 0, d: MS });
    queued(cpu, { v: 50 * MS, delayed: true });
    policy.update(cpu, MS);
    expect(cpu.needResched).toBe(true);
  });

  it('of a task alone sets a new deadline and nothing else', () => {
    const { cpu, policy } = eevdf();
    const running = queued(cpu, { v: 0, d: MS });
    policy.update(cpu, MS);
    expect([cpu.needResched, running.deadline]).toEqual([false, MS + Q]);
  });

  it('reschedules a task that is neither protected nor eligible', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 10 * MS, d: 30 * MS });
    queued(cpu, { v: 10 * MS });
    policy.update(cpu, 0);
    expect(cpu.needResched).toBe(false);
    policy.update(cpu, 1);
    expect(cpu.needResched).toBe(true);
  });

  it('leaves a protected one that is not eligible', () => {
    const { cpu, policy } = eevdf();
    queued(cpu, { v: 10 * MS, d: 30 * MS, isProtected: true });
    queued(cpu, { v: 10 * MS });
    policy.update(cpu, MS);
    expect(cpu.needResched).toBe(false);
  });

  it('happens at each tick, also where nobody looked at a task alone', () => {
    const { cpu, policy } = eevdf();
    const running = queued(cpu, { v: 0, d: MS });
    // ticks at 4 and 8 ms: deadlines 6.1 and then 10.1 ms, not one jump to 9 + q
    policy.update(cpu, 9 * MS);
    expect(running.v).toBe(9 * MS);
    expect(running.deadline).toBe(8 * MS + Q);
  });
});
