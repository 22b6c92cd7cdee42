/** synchronize_srcu() as a machine of steps on the CPU time of any task (spec srcu 2.1, 2.2). */
import { CALLBACK } from '../core/eventKinds.ts';
import type { Executor, Task } from '../core/task.ts';
import { isAlwaysExpedited, isAlwaysNormal } from '../tree/params.ts';
import { createCallback } from './callbackList.ts';
import type { Domain } from './domain.ts';
import { mightBeIdle, requestGp } from './request.ts';

const PHASE = { entry: 0, request: 1, unlock: 2, block: 3, woken: 4 } as const;

/** One caller, call after call. */
export class SynchronizeSrcu {
  readonly #domain: Domain;
  readonly #executor: Executor;
  readonly #task: Task;
  readonly #nextId: () => number;
  /** wakeme_after_rcu() of the call under way. */
  readonly #wakeme = createCallback(-1, CALLBACK.wakeme, () => this.#complete());
  #phase: number = PHASE.entry;
  /** Index of its own section, -1. */
  #idx = -1;
  #isComplete = false;
  #isWaiting = false;

  constructor(domain: Domain, executor: Executor, task: Task, nextId: () => number) {
    this.#domain = domain;
    this.#executor = executor;
    this.#task = task;
    this.#nextId = nextId;
  }

  /** A call begins: the next step is its first. */
  begin(): void {
    this.#phase = PHASE.entry;
    this.#isComplete = false;
    this.#idx = -1;
  }

  /** Asks the task for one thing and returns true, or returns false: the call is over. */
  step(): boolean {
    const task = this.#task;
    const { machine } = this.#domain.sim;
    switch (this.#phase++) {
      case PHASE.entry:
        task.work(machine.syncToQueueNs);
        return true;
      case PHASE.request:
        this.#request();
        task.work(machine.syncQueueToUnlockNs);
        return true;
      case PHASE.unlock:
        if (this.#idx >= 0) this.#domain.unlock(task.track, task.cpu, this.#idx, true);
        task.work(machine.syncUnlockToBlockNs);
        return true;
      case PHASE.block:
        if (this.#isComplete) task.work(0);
        else {
          this.#isWaiting = true;
          task.block();
        }
        return true;
      case PHASE.woken:
        task.work(machine.syncReturnNs);
        return true;
      default:
        return false;
    }
  }

  #request(): void {
    const domain = this.#domain;
    const { track, cpu } = this.#task;
    const { machine, config } = domain.sim;
    const isExpedited =
      !isAlwaysNormal(config.params) && (isAlwaysExpedited(config.params) || mightBeIdle(domain, cpu));
    if (machine.requester === 'scheduler') {
      this.#idx = domain.srcuIdx % 2;
      domain.lock(track, cpu, this.#idx, true);
    }
    this.#wakeme.id = this.#nextId();
    requestGp(domain, isExpedited, track, cpu, this.#wakeme);
  }

  #complete(): void {
    this.#isComplete = true;
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    const cpu = this.#domain.sizeState === 0 ? 0 : this.#task.cpu;
    this.#executor.wake(this.#task, cpu, false);
  }
}
