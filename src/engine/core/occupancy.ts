/**
 * Which tasks run on which CPU where tasks do not contend (preset `plain`): what Tree RCU must know of idle CPUs,
 * ticks and context switches. Several tasks may run on one CPU at once.
 */
import { Cpu } from './cpu.ts';
import { PRIORITY, type Sim } from './sim.ts';
import type { Task } from './task.ts';
import type { TickState } from './tickState.ts';

/** The CPUs of a run without contention. */
export class Occupancy {
  readonly cpus: Cpu[] = [];
  readonly #sim: Sim;
  readonly #tickState: TickState;

  constructor(sim: Sim, tickState: TickState) {
    this.#sim = sim;
    this.#tickState = tickState;
    for (let id = 0; id < sim.config.cpus; id++) {
      const cpu = new Cpu(id);
      cpu.tickSlot = sim.queue.allocate(PRIORITY.tick + id, () => {
        if (cpu.isIdle) tickState.idleTick(cpu);
      });
      this.cpus.push(cpu);
    }
    tickState.attach(this.cpus);
  }

  /** The task that a tick on this CPU finds: a reader inside a section before others. */
  running(cpuId: number): Task | null {
    const cpu = this.cpus[cpuId] as Cpu;
    return (cpu.tasks.find(({ task }) => task.rcuNesting > 0) ?? cpu.current)?.task ?? null;
  }

  /** The task gets its CPU; whoever ran there was switched out for it. */
  occupy(task: Task): void {
    const cpu = this.cpus[task.cpu] as Cpu;
    if (cpu.current === null) {
      this.#sim.rcu?.exitIdle(cpu.id);
      this.#tickState.leavesIdle(cpu);
    }
    this.#note(cpu, this.running(cpu.id));
    cpu.tasks.push(task.se);
    cpu.current ??= task.se;
  }

  /** The task sleeps, blocks or ends. */
  leave(task: Task): void {
    const cpu = this.cpus[task.cpu] as Cpu;
    this.#sim.tasks?.contextSwitch(task, true);
    this.#note(cpu, task);
    cpu.remove(task.se);
    cpu.current = cpu.tasks[0] ?? null;
    if (cpu.current !== null) return;
    this.#sim.rcu?.enterIdle(cpu.id);
    this.#tickState.goesIdle(cpu);
  }

  /** The task goes through __schedule() and keeps its CPU. */
  noteSwitch(task: Task): void {
    this.#sim.tasks?.contextSwitch(task, false);
    this.#note(this.cpus[task.cpu] as Cpu, task);
  }

  #note(cpu: Cpu, previous: Task | null): void {
    const { cause } = this.#sim;
    const readers = cpu.tasks.filter(({ task }) => task.rcuNesting > 0).map(({ task }) => task);
    this.#sim.rcu?.contextSwitch(cpu.id, previous, readers);
    this.#sim.cause = cause;
  }
}
