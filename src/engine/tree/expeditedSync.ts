/** synchronize_rcu_expedited() as a machine of steps on the CPU time of any task (tree R5.1, R5.2). */
import type { Task } from '../core/task.ts';
import type { ExpWaiter, FunnelResult } from './expedited.ts';
import { seqDone } from './gpSeq.ts';
import type { TreeRcu } from './treeRcu.ts';

const PHASE = { snap: 0, funnel: 1, mutex: 2, queue: 3, wait: 4, unlocked: 5 } as const;

/** One caller, call after call. */
export class ExpeditedSync implements ExpWaiter {
  readonly #rcu: TreeRcu;
  readonly #task: Task;
  readonly #woken: (onCpu: number) => void;
  #phase: number = PHASE.snap;
  #hasSlept = false;
  s = 0;

  /** `woken`: told when it is woken at the end of the grace period, from code on a CPU. */
  constructor(rcu: TreeRcu, task: Task, woken: (onCpu: number) => void) {
    this.#rcu = rcu;
    this.#task = task;
    this.#woken = woken;
  }

  /** A call begins: the next step is its first. */
  begin(): void {
    this.#phase = PHASE.snap;
  }

  /** Asks the task for one thing and returns true, or returns false: the grace period is over. */
  step(): boolean {
    const { expedited, sim } = this.#rcu;
    const task = this.#task;
    switch (this.#phase) {
      case PHASE.snap:
        this.s = expedited.snap(task.cpu);
        this.#phase = PHASE.funnel;
        task.work(sim.machine.expCallNs);
        return true;
      case PHASE.funnel:
        return this.#go(expedited.funnel(task, this));
      case PHASE.mutex: {
        if (this.#hasSlept) return this.#wakeUp();
        const result = expedited.relock(task, this.s);
        return result === 'mutex' ? this.#sleep() : this.#go(result);
      }
      case PHASE.queue:
        expedited.queueWork(task, this);
        this.#phase = PHASE.wait;
        task.work(sim.machine.blockNs);
        return true;
      case PHASE.unlocked:
        return false;
      default:
        if (this.#hasSlept) return this.#wakeUp();
        return expedited.isDone(task.cpu, this.s) ? this.#finish() : this.#sleep();
    }
  }

  #sleep(): boolean {
    this.#hasSlept = true;
    this.#task.block();
    return true;
  }

  /** What a sleep and its end take beside their steps. */
  #wakeUp(): boolean {
    this.#hasSlept = false;
    this.#task.work(this.#rcu.sim.machine.expSleepNs);
    return true;
  }

  #go(result: FunnelResult): boolean {
    const { machine } = this.#rcu.sim;
    if (result === 'done') return this.#finish();
    if (result === 'start') {
      this.#phase = PHASE.queue;
      this.#task.work(machine.wakeNs);
    } else {
      this.#phase = result === 'mutex' ? PHASE.mutex : PHASE.wait;
      this.#task.work(machine.blockNs);
    }
    return true;
  }

  /** Whoever made the grace period lets the next one begin. */
  #finish(): boolean {
    const { expedited, sim } = this.#rcu;
    this.#phase = PHASE.unlocked;
    if (!expedited.isOwner(this.#task) || !expedited.unlock(this.#task)) return false;
    this.#task.work(sim.machine.wakeNs);
    return true;
  }

  /** Who has seen the end without it is off the wait queue (finish_wait()), perhaps in its next call. */
  wake(onCpu: number): void {
    const { sim, executor, expedited } = this.#rcu;
    if (this.#phase !== PHASE.wait || !seqDone(expedited.seq, this.s)) return;
    const { cause } = sim;
    this.#woken(onCpu);
    executor.wake(this.#task, onCpu, false);
    sim.cause = cause;
  }
}
