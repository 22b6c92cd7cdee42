/**
 * The executor of `plain` and of the credit form: every task has a CPU of its own and always gets it at once
 * (spec srcu 11.2: no scheduler effects).
 */
import { KIND } from './eventKinds.ts';
import type { Occupancy } from './occupancy.ts';
import { PRIORITY, type Sim } from './sim.ts';
import { ASK, type Executor, type Task } from './task.ts';

/** Steps that take no time are done at once, but not for ever: the run must notice a clock that stands still. */
export const STEPS_AT_ONCE = 1000;

/** Tasks that never wait for a CPU. */
export class OwnCpus implements Executor {
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
    task.priority = priority;
    task.goesOnAtOnce = true;
    task.slot = queue.allocate(priority, this.#fire, task);
    if (priority < PRIORITY.thread)
      task.lateSlot = queue.allocate(PRIORITY.nextRound + task.track, this.#fire, task);
    this.#sim.tasks?.add(task);
  }

  /** The slot of a task fired: its segment is over, or its hrtimer expired. */
  readonly #fire = (task: Task): void => {
    const sim = this.#sim;
    sim.cause = task.cause;
    if (task.ask === ASK.sleep) {
      sim.emit(KIND.hrtimer_expire_entry, task.cpu, task.track);
      this.#occupancy?.occupy(task);
    }
    this.#run(task);
  };

  start(task: Task): void {
    task.blocked = false;
    this.#occupancy?.occupy(task);
    this.#run(task);
  }

  wake(task: Task): void {
    if (task.blocked === false) return;
    const sim = this.#sim;
    task.blocked = false;
    this.#occupancy?.occupy(task);
    task.cause = sim.emit(KIND.sched_waking, task.track, task.cpu);
    task.work(0);
    if (task.beginsAtOnce === true) {
      const cause = sim.cause;
      task.step();
      task.cause = sim.cause;
      sim.cause = cause;
    }
    task.segmentStartNs = sim.nowNs;
    // whoever is woken after its place has passed has it in a further round of the same instant (tree 11.1)
    const isLate = task.lateSlot >= 0 && task.askNs === 0 && this.#stepPriority > task.priority;
    sim.queue.schedule(isLate ? task.lateSlot : task.slot, sim.nowNs + task.askNs);
  }

  reconsider(task: Task): void {
    const sim = this.#sim;
    task.interrupt(sim.nowNs - task.segmentStartNs);
    task.segmentStartNs = sim.nowNs;
    sim.queue.schedule(task.slot, sim.nowNs + task.askNs);
  }

  isRunning(task: Task): boolean {
    return !task.blocked;
  }

  workLeftNs(task: Task): number {
    return task.askNs - (this.#sim.nowNs - task.segmentStartNs);
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

  #run(task: Task): void {
    const sim = this.#sim;
    const rowsBefore = sim.log.length;
    for (let steps = 0; steps < STEPS_AT_ONCE; steps++) {
      task.ask = ASK.nothing;
      task.yields = false;
      this.#stepPriority = task.priority;
      task.step();
      this.#stepPriority = 0;
      task.cause = sim.cause;
      if (task.yields) {
        sim.tasks?.condResched(task);
        this.#yield(task);
      }
      const ask = task.ask;
      if (ask >= ASK.sleep) this.#occupancy?.leave(task);
      if (ask === ASK.block || ask === ASK.exit) {
        task.blocked = true;
        return;
      }
      const untilNs = ask === ASK.work ? sim.nowNs + task.askNs : task.askNs;
      if (ask === ASK.nothing) throw new Error('a step asked for nothing');
      if (untilNs > sim.nowNs || ask === ASK.sleep) {
        task.segmentStartNs = sim.nowNs;
        sim.queue.schedule(task.slot, untilNs);
        return;
      }
    }
    if (sim.log.length === rowsBefore) sim.emptyRounds++;
    task.work(0);
    sim.queue.schedule(task.slot, sim.nowNs);
  }
}
