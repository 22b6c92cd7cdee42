/** The Rude flavour: a grace period is one work item on every CPU (rcu_tasks_rude_wait_gp(), spec tasks 8). */
import { KIND, WORK_FN } from '../core/eventKinds.ts';
import type { Executor, Task } from '../core/task.ts';
import { type Worker, WorkItem, type Workqueue } from '../core/workqueue.ts';
import type { SyncSteps } from '../tree/synchronizeRcu.ts';
import type { TasksFlavor } from './flavor.ts';

/** rcu_tasks_be_rude() on one CPU: does nothing. */
class RudeWork extends WorkItem {
  readonly #flavor: TasksFlavor;
  readonly #ended: (worker: Worker) => void;
  isOver = false;

  constructor(flavor: TasksFlavor, ended: (worker: Worker) => void) {
    super(WORK_FN.rcu_tasks_be_rude, flavor.track);
    this.#flavor = flavor;
    this.#ended = ended;
  }

  override begin(worker: Worker): void {
    const { sim } = this.#flavor;
    sim.cause = this.cause;
    sim.emit(KIND.workqueue_execute_start, worker.track, this.fn, this.domain);
    worker.work(0);
  }

  override step(worker: Worker): void {
    this.isOver = true;
    worker.done();
    this.#ended(worker);
  }
}

/** schedule_on_each_cpu(): queues on all CPUs, then waits for each in the order of their numbers. */
export class RudeGp implements SyncSteps {
  readonly #flavor: TasksFlavor;
  readonly #kthread: Task;
  readonly #workqueue: Workqueue;
  readonly #items: RudeWork[] = [];
  /** The CPU whose item is queued, then waited for, next. */
  #next = 0;
  #areQueued = false;
  #isWaiting = false;

  /** `workqueue`: of the system, whose workers are those of all bound queues. */
  constructor(flavor: TasksFlavor, executor: Executor, workqueue: Workqueue, kthread: Task) {
    this.#flavor = flavor;
    this.#kthread = kthread;
    this.#workqueue = workqueue;
    for (let cpu = 0; cpu < flavor.sim.config.cpus; cpu++) {
      const ended = (worker: Worker) => {
        if (!this.#isWaiting || cpu !== this.#next) return;
        this.#isWaiting = false;
        executor.wake(kthread, worker.cpu, false);
      };
      this.#items.push(new RudeWork(flavor, ended));
    }
  }

  begin(): void {
    for (const item of this.#items) item.isOver = false;
    this.#next = 0;
    this.#areQueued = false;
    this.#isWaiting = false;
  }

  step(): boolean {
    const kthread = this.#kthread;
    const { sim } = this.#flavor;
    if (!this.#areQueued) {
      const { cause } = sim;
      this.#workqueue.queueWork(this.#items[this.#next] as RudeWork, this.#next, kthread.cpu, false);
      sim.cause = cause;
      this.#next++;
      if (this.#next === this.#items.length) {
        this.#areQueued = true;
        this.#next = 0;
      }
      kthread.work(sim.machine.wakeNs);
      return true;
    }
    while (this.#items[this.#next]?.isOver === true) this.#next++;
    if (this.#next === this.#items.length) return false;
    this.#isWaiting = true;
    kthread.block();
    return true;
  }
}
