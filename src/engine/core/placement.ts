/** Where tasks that are not bound to a CPU run (tree R2.27). */
import type { Cpu } from './cpu.ts';
import type { SchedEntity } from './schedEntity.ts';
import type { Task } from './task.ts';

function move(task: SchedEntity, from: Cpu, to: Cpu): void {
  task.v += to.queueV - from.queueV;
  task.cpu = to.id;
}

/** A woken task goes to its CPU if that is idle, to an idle one of the same cache, or to the waker's. */
export function placeUnpinned(cpus: readonly Cpu[], task: Task, fromCpu: number, sharedLlc: boolean): void {
  const previous = cpus[task.cpu] as Cpu;
  if (previous.isIdle || task.se.delayed) return;
  const idle = sharedLlc || task.seeksIdle ? cpus.find((cpu) => cpu.isIdle) : undefined;
  const next = idle ?? cpus[fromCpu];
  if (next !== undefined) move(task.se, previous, next);
}

/** An idle CPU takes a waiting task that is not pinned off a busy one; undefined: there is no such CPU or task. */
export function pullUnpinned(cpus: readonly Cpu[], busy: Cpu): { task: SchedEntity; to: Cpu } | undefined {
  const task = busy.tasks.find(
    (waiting) => waiting !== busy.current && !waiting.task.isPinned && !waiting.delayed,
  );
  const to = task === undefined ? undefined : cpus.find((cpu) => cpu.isIdle);
  if (task === undefined || to === undefined) return undefined;
  busy.remove(task);
  move(task, busy, to);
  return { task, to };
}
