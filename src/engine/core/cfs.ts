/** The scheduler before 6.6: rules C1 to C6 of docs/model/srcu.md §8.6. */
import { type Costs, schedFactor } from '../machine/presets.ts';
import type { Cpu, Policy } from './cpu.ts';
import { NICE_0_WEIGHT, type SchedEntity } from './schedEntity.ts';

/** CPU time as virtual time: slower for heavier tasks (calc_delta_fair()). */
function virtualNs(task: SchedEntity, ns: number): number {
  return task.weight === NICE_0_WEIGHT ? ns : (ns * NICE_0_WEIGHT) / task.weight;
}

function totalWeight(tasks: readonly SchedEntity[]): number {
  let sum = 0;
  for (const task of tasks) sum += task.weight;
  return sum;
}

function smallest(tasks: readonly SchedEntity[], except: SchedEntity | null): SchedEntity | null {
  let best: SchedEntity | null = null;
  for (const task of tasks) {
    if (task !== except && (best === null || task.v < best.v)) best = task;
  }
  return best;
}

/** CFS with the machine's granularities times F (S1). */
export function createCfs(machine: Costs, cpus: number): Policy {
  const factor = schedFactor(cpus);
  const latencyNs = machine.cfsLatencyNs * factor;
  const wakeupGranNs = machine.cfsWakeupGranNs * factor;
  const minGranNs = machine.cfsMinGranNs * factor;
  /** sched_slice() of a task among tasks of this weight in all, itself included. */
  const idealNs = (task: SchedEntity, weight: number) =>
    Math.max((latencyNs * task.weight) / weight, minGranNs);

  /** C1: min_v never decreases. */
  const advanceMinV = (cpu: Cpu) => {
    const first = smallest(cpu.tasks, null);
    if (first !== null && first.v > cpu.queueV) cpu.queueV = first.v;
  };
  const update = (cpu: Cpu, nowNs: number) => {
    const task = cpu.current;
    if (task === null) return;
    task.v += virtualNs(task, nowNs - task.updatedNs);
    task.updatedNs = nowNs;
    advanceMinV(cpu);
  };

  return {
    update,
    placeNew(cpu, task, nowNs) {
      update(cpu, nowNs);
      const ideal = idealNs(task, totalWeight(cpu.tasks) + task.weight);
      task.v = cpu.queueV + virtualNs(task, ideal); // C3
      cpu.tasks.push(task);
    },
    placeWoken(cpu, task, nowNs) {
      update(cpu, nowNs);
      task.v = Math.max(task.v, cpu.queueV - latencyNs / 2); // C2
      cpu.tasks.push(task);
    },
    sleep(cpu, task, nowNs) {
      update(cpu, nowNs);
      cpu.remove(task); // C4
      advanceMinV(cpu);
    },
    tick(cpu, nowNs) {
      update(cpu, nowNs);
      const task = cpu.current;
      const other = smallest(cpu.tasks, task);
      if (task === null || other === null) return;
      const ideal = idealNs(task, totalWeight(cpu.tasks));
      const ranNs = nowNs - task.pickedNs;
      if (ranNs > ideal || (ranNs >= minGranNs && task.v - other.v > ideal)) cpu.needResched = true; // C5
    },
    preempts(cpu, woken) {
      return cpu.current !== null && cpu.current.v - woken.v > virtualNs(woken, wakeupGranNs); // C2
    },
    pick(cpu) {
      return smallest(cpu.tasks, null); // C6
    },
    picked(task, nowNs) {
      task.pickedNs = nowNs;
    },
  };
}
