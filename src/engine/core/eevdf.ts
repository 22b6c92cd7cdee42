/** The scheduler from 6.6 on: rules E1 to E6 and E8 of docs/model/srcu.md §8.6. */
import { type Costs, schedFactor } from '../machine/presets.ts';
import type { Cpu, Policy } from './cpu.ts';
import { NICE_0_WEIGHT, type SchedEntity } from './schedEntity.ts';
import type { Ticks } from './ticks.ts';

/** CPU time as virtual time: slower for heavier tasks (calc_delta_fair()). */
function virtualNs(task: SchedEntity, ns: number): number {
  return task.weight === NICE_0_WEIGHT ? ns : (ns * NICE_0_WEIGHT) / task.weight;
}

/** Weight of the queue in units of nice 0: with equal tasks, their number. */
function queueWeight({ tasks }: Cpu): number {
  let sum = 0;
  for (const { weight } of tasks) sum += weight;
  return sum / NICE_0_WEIGHT;
}

/** E1: V, the weighted mean of v over the queue; of an empty queue its last value. */
function meanV(cpu: Cpu): number {
  const { tasks } = cpu;
  if (tasks.length === 0) return cpu.queueV;
  let sum = 0;
  for (const task of tasks)
    sum += task.weight === NICE_0_WEIGHT ? task.v : (task.v * task.weight) / NICE_0_WEIGHT;
  return sum / queueWeight(cpu);
}

/** Leaves the queue; an empty queue keeps the last V. */
function leave(cpu: Cpu, task: SchedEntity): void {
  const v = meanV(cpu);
  cpu.remove(task);
  if (cpu.tasks.length === 0) cpu.queueV = v;
}

/** E5: the eligible task with the smallest deadline, or else the one with the smallest v. */
function best(cpu: Cpu): SchedEntity | null {
  const v = meanV(cpu);
  const running = cpu.current;
  let eligible: SchedEntity | null = null;
  let least: SchedEntity | null = null;
  for (const task of cpu.tasks) {
    if (least === null || task.v < least.v) least = task;
    if (task.v > v || task === running) continue;
    if (eligible === null || task.deadline < eligible.deadline) eligible = task;
  }
  if (running !== null && running.v <= v) {
    if (running.isProtected || eligible === null || running.deadline < eligible.deadline) return running;
  }
  return eligible ?? least;
}

class Eevdf implements Policy {
  readonly #sliceNs: number;
  readonly #lagLimitNs: number;
  readonly #ticks: Ticks;
  readonly #delayedDequeue: boolean;

  constructor(sliceNs: number, ticks: Ticks, delayedDequeue: boolean) {
    this.#sliceNs = sliceNs;
    this.#lagLimitNs = Math.max(2 * sliceNs, ticks.periodNs);
    this.#ticks = ticks;
    this.#delayedDequeue = delayedDequeue;
  }

  /** E6: v up to now; true if it has reached the deadline. */
  #advance(task: SchedEntity, nowNs: number): boolean {
    task.v += virtualNs(task, nowNs - task.updatedNs);
    task.updatedNs = nowNs;
    if (task.v < task.deadline) return false;
    task.deadline = task.v + virtualNs(task, this.#sliceNs);
    task.isProtected = false;
    return true;
  }

  /** Ticks since the last update of a task alone on its CPU: nobody simulated them (tree R1.18). */
  #catchUp(cpu: Cpu, nowNs: number): boolean {
    const task = cpu.current;
    if (task === null) return false;
    const last = this.#ticks.numberAt(nowNs);
    let expired = false;
    for (let k = this.#ticks.numberAt(task.updatedNs) + 1; k <= last; k++) {
      expired = this.#advance(task, this.#ticks.timeNs(k));
    }
    return expired;
  }

  update(cpu: Cpu, nowNs: number): void {
    const task = cpu.current;
    if (task === null) return;
    const expiredAtTick = this.#catchUp(cpu, nowNs);
    const expired = this.#advance(task, nowNs) || expiredAtTick;
    if (cpu.tasks.length < 2) return;
    if (expired || (!task.isProtected && task.v > meanV(cpu))) cpu.needResched = true; // E6
  }

  tick(cpu: Cpu, nowNs: number): void {
    this.update(cpu, nowNs);
  }

  placeNew(cpu: Cpu, task: SchedEntity, nowNs: number): void {
    this.update(cpu, nowNs);
    task.v = meanV(cpu);
    task.deadline = task.v + virtualNs(task, this.#sliceNs) / 2; // E2
    cpu.tasks.push(task);
  }

  placeWoken(cpu: Cpu, task: SchedEntity, nowNs: number): void {
    if (task.delayed) {
      this.#wakeDelayed(cpu, task, nowNs);
      return;
    }
    this.update(cpu, nowNs);
    const n = queueWeight(cpu);
    task.v = meanV(cpu) - (n === 0 ? 0 : (task.lag * (n + task.weight / NICE_0_WEIGHT)) / n); // E2
    task.deadline = task.v + virtualNs(task, this.#sliceNs);
    cpu.tasks.push(task);
  }

  /** E4: V with the running task's v as of its last update. */
  #wakeDelayed(cpu: Cpu, task: SchedEntity, nowNs: number): void {
    this.#catchUp(cpu, nowNs);
    task.delayed = false;
    if (meanV(cpu) - task.v > 0) {
      leave(cpu, task);
      task.lag = 0;
      task.v = meanV(cpu);
      task.deadline = task.v + virtualNs(task, this.#sliceNs);
      cpu.tasks.push(task);
    }
    this.update(cpu, nowNs);
  }

  sleep(cpu: Cpu, task: SchedEntity, nowNs: number): void {
    this.update(cpu, nowNs);
    const v = meanV(cpu);
    const alone = cpu.tasks.length === 1;
    if (this.#delayedDequeue && !alone && task.v > v) {
      task.delayed = true; // E3: stays until somebody picks it
      return;
    }
    const limitNs = virtualNs(task, this.#lagLimitNs);
    task.lag = alone ? 0 : Math.min(limitNs, Math.max(-limitNs, v - task.v));
    leave(cpu, task);
  }

  preempts(cpu: Cpu, woken: SchedEntity): boolean {
    return best(cpu) === woken; // E5
  }

  pick(cpu: Cpu): SchedEntity | null {
    for (;;) {
      const task = best(cpu);
      if (task === null || !task.delayed) return task;
      task.lag = Math.min(meanV(cpu) - task.v, 0);
      task.delayed = false;
      leave(cpu, task);
    }
  }

  picked(task: SchedEntity): void {
    task.isProtected = true;
  }
}

/** EEVDF with the machine's base slice times F (S1). `delayedDequeue` is false for 6.6 to 6.11 (E8). */
export function createEevdf(machine: Costs, cpus: number, ticks: Ticks, delayedDequeue: boolean): Policy {
  return new Eevdf(machine.baseSliceNs * schedFactor(cpus), ticks, delayedDequeue);
}
