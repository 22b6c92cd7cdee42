/**
 * The executor of `plain` and of the credit form: every task has a CPU of its own and always gets it at once
 * (spec srcu 11.2: no scheduler effects).
 */
import { KIND } from './eventKinds.ts';
import type { Occupancy } from './occupancy.ts';
import { ASK, type SchedEntity, type TaskRunner } from './schedEntity.ts';
import { PRIORITY, type Sim } from './sim.ts';
import type { Executor, Task } from './task.ts';

/** Steps that take no time are done at once, but not for ever: the run must notice a clock that stands still. */
export const STEPS_AT_ONCE = 1000;

/** Tasks that never wait for a CPU. */
export class OwnCpus implements Executor, TaskRunner {
  readonly contended = false;
  readonly #sim: Sim;
  /** Who runs where: only Tree RCU asks. */
  readonly #occupancy: Occupancy | undefined;
  /** CPUs where a kernel without preemption owes a context switch. */
  readonly #needResched = new Set<number>();
  /** Priority of the task that is being stepped; 0: none. */
  #stepPriority = 0;

  constructor(sim: Sim, occupancy?: Occupancy) {
    this.#sim = sim;
    this.#occupancy = occupancy;
  }

  add(task: Task, priority: number): void {
    const { queue } = this.#sim;
    const { se } = task;
    se.priority = priority;
    se.runner = this;
    se.goesOnAtOnce = true;
    se.beginsAtOnce = task.beginsAtOnce;
    se.slot = queue.allocateFor(priority, se);
    if (priority < PRIORITY.thread) se.lateSlot = queue.allocateFor(PRIORITY.nextRound + task.track, se);
    this.#sim.tasks?.add(task);
  }

  start(task: Task): void {
    const { se } = task;
    se.blocked = false;
    this.#occupancy?.occupy(task);
    se.cause = this.#sim.cause;
    this.run(se);
  }

  wake(task: Task): void {
    const { se } = task;
    if (se.blocked === false) return;
    const sim = this.#sim;
    se.blocked = false;
    this.#occupancy?.occupy(task);
    se.cause = sim.emit(KIND.sched_waking, se.track, se.cpu);
    se.ask = ASK.work;
    se.askNs = 0;
    if (se.beginsAtOnce === true) {
      const cause = sim.cause;
      task.step();
      se.cause = sim.cause;
      sim.cause = cause;
    }
    se.segmentStartNs = sim.nowNs;
    // whoever is woken after its place has passed has it in a further round of the same instant (tree 11.1)
    const isLate = se.lateSlot >= 0 && se.askNs === 0 && this.#stepPriority > se.priority;
    sim.queue.schedule(isLate ? se.lateSlot : se.slot, sim.nowNs + se.askNs);
  }

  reconsider(task: Task): void {
    const sim = this.#sim;
    const { se } = task;
    task.interrupt(sim.nowNs - se.segmentStartNs);
    se.segmentStartNs = sim.nowNs;
    sim.queue.schedule(se.slot, sim.nowNs + se.askNs);
  }

  isRunning(task: Task): boolean {
    return !task.blocked;
  }

  workLeftNs({ se }: Task): number {
    return se.askNs - (this.#sim.nowNs - se.segmentStartNs);
  }

  refund(): void {}

  running(cpu: number): Task | null {
    return this.#occupancy?.running(cpu) ?? null;
  }

  isIdle(cpu: number): boolean {
    return this.running(cpu) === null;
  }

  needsResched(cpu: number): boolean {
    return this.#needResched.has(cpu);
  }

  reschedule(cpu: number): void {
    const task = this.running(cpu);
    if (task === null) return;
    if (this.#sim.config.preempt === 'full' || task.userMode) this.#occupancy?.noteSwitch(task);
    else this.#needResched.add(cpu);
  }

  /** Tasks do not lose time to interrupts here. */
  beginSoftirq(): void {}

  endSoftirq(): void {}

  steal(): void {}

  tickToTimersNs(): number {
    return 0;
  }

  /** cond_resched(): goes through __schedule() if that is due, unless another task here is inside a section. */
  #yield(task: Task): void {
    const { cpu } = task;
    if (this.running(cpu)?.rcuNesting) return;
    if (this.#needResched.delete(cpu)) this.#occupancy?.noteSwitch(task);
    else this.#sim.rcu?.condResched(cpu);
  }

  #expireSleep(se: SchedEntity): void {
    this.#sim.emit(KIND.hrtimer_expire_entry, se.cpu, se.track);
    this.#occupancy?.occupy(se.task);
  }

  /** It starts, or its slot fired. */
  run(se: SchedEntity): void {
    const sim = this.#sim;
    sim.cause = se.cause;
    const rowsBefore = sim.log.length;
    if (se.ask === ASK.sleep) this.#expireSleep(se);
    for (let steps = 0; steps < STEPS_AT_ONCE; steps++) {
      se.ask = ASK.nothing;
      se.yields = false;
      this.#stepPriority = se.priority;
      se.task.step();
      this.#stepPriority = 0;
      se.cause = sim.cause;
      if (se.yields) {
        sim.tasks?.condResched(se.task);
        this.#yield(se.task);
      }
      const ask = se.ask;
      if (ask >= ASK.sleep) this.#occupancy?.leave(se.task);
      if (ask === ASK.block || ask === ASK.exit) {
        se.blocked = true;
        return;
      }
      const untilNs = ask === ASK.work ? sim.nowNs + se.askNs : se.askNs;
      if (ask === ASK.nothing) throw new Error('a step asked for nothing');
      if (untilNs > sim.nowNs || ask === ASK.sleep) {
        se.segmentStartNs = sim.nowNs;
        sim.queue.schedule(se.slot, untilNs);
        return;
      }
    }
    if (sim.log.length === rowsBefore) sim.emptyRounds++;
    se.task.work(0);
    sim.queue.schedule(se.slot, sim.nowNs);
  }
}
