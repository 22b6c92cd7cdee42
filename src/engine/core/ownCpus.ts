/**
 * The executor of `plain` and of the credit form: every task has a CPU of its own and always gets it at once
 * (spec srcu 11.2: no scheduler effects).
 */
import { KIND } from './eventKinds.ts';
import type { Sim } from './sim.ts';
import { ASK, type Executor, type Task } from './task.ts';

/** Steps that take no time are done at once, but not for ever: the run must notice a clock that stands still. */
export const STEPS_AT_ONCE = 1000;

/** Tasks that never wait for a CPU. */
export class OwnCpus implements Executor {
  readonly contended = false;
  readonly #sim: Sim;

  constructor(sim: Sim) {
    this.#sim = sim;
  }

  add(task: Task, priority: number): void {
    task.slot = this.#sim.queue.allocate(priority, () => {
      this.#sim.cause = task.cause;
      if (task.ask === ASK.sleep) this.#sim.emit(KIND.hrtimer_expire_entry, task.cpu, task.track);
      this.#run(task);
    });
  }

  start(task: Task): void {
    task.blocked = false;
    this.#run(task);
  }

  wake(task: Task): void {
    if (!task.blocked) return;
    const sim = this.#sim;
    task.blocked = false;
    task.cause = sim.emit(KIND.sched_waking, task.track, task.cpu);
    task.work(0);
    if (task.beginsAtOnce) {
      const cause = sim.cause;
      task.step();
      task.cause = sim.cause;
      sim.cause = cause;
    }
    task.segmentStartNs = sim.nowNs;
    sim.queue.schedule(task.slot, sim.nowNs + task.askNs);
  }

  reconsider(task: Task): void {
    const sim = this.#sim;
    task.interrupt(sim.nowNs - task.segmentStartNs);
    task.segmentStartNs = sim.nowNs;
    sim.queue.schedule(task.slot, sim.nowNs + task.askNs);
  }

  refund(): void {}

  tickToTimersNs(): number {
    return 0;
  }

  #run(task: Task): void {
    const sim = this.#sim;
    const rowsBefore = sim.log.length;
    for (let steps = 0; steps < STEPS_AT_ONCE; steps++) {
      task.ask = ASK.nothing;
      task.step();
      task.cause = sim.cause;
      const ask = task.ask;
      if (ask === ASK.block || ask === ASK.exit) {
        task.blocked = true;
        return;
      }
      const untilNs = ask === ASK.work ? sim.nowNs + task.askNs : task.askNs;
      if (ask === ASK.nothing) throw new Error('a step asked for nothing');
      if (untilNs > sim.nowNs) {
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
