/** The scheduler before 6.6: rules C1 to C6 of docs/model/srcu.md §8.6. */
import { type Costs, schedFactor } from '../machine/presets.ts';
import type { Cpu, Policy } from './cpu.ts';
import type { Task } from './task.ts';

function smallest(tasks: readonly Task[], except: Task | null): Task | null {
  let best: Task | null = null;
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
  const idealNs = (running: number) => Math.max(latencyNs / running, minGranNs);

  /** C1: min_v never decreases. */
  const advanceMinV = (cpu: Cpu) => {
    const first = smallest(cpu.tasks, null);
    if (first !== null && first.v > cpu.queueV) cpu.queueV = first.v;
  };
  const update = (cpu: Cpu, nowNs: number) => {
    const task = cpu.current;
    if (task === null) return;
    task.v += nowNs - task.updatedNs;
    task.updatedNs = nowNs;
    advanceMinV(cpu);
  };

  return {
    update,
    placeNew(cpu, task, nowNs) {
      update(cpu, nowNs);
      task.v = cpu.queueV + idealNs(cpu.tasks.length + 1); // C3
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
      const ideal = idealNs(cpu.tasks.length);
      const ranNs = nowNs - task.pickedNs;
      if (ranNs > ideal || (ranNs >= minGranNs && task.v - other.v > ideal)) cpu.needResched = true; // C5
    },
    preempts(cpu, woken) {
      return cpu.current !== null && cpu.current.v - woken.v > wakeupGranNs; // C2
    },
    pick(cpu) {
      return smallest(cpu.tasks, null); // C6
    },
    picked(task, nowNs) {
      task.pickedNs = nowNs;
    },
  };
}
