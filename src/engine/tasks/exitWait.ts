/** Step 4 of a classic grace period before 6.9: synchronize_srcu() for tasks that exit (rcu_tasks_postscan(), spec tasks 3, 6.2). */
import { KIND, TASKS_STALL, TIMER_FN } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import type { SyncSteps } from '../tree/synchronizeRcu.ts';
import type { TasksFlavor } from './flavor.ts';

/** The wait; kernels with laziness (6.5 on) repeat a message every rcu_task_stall_info while it lasts. */
export class ExitWait implements SyncSteps {
  readonly #flavor: TasksFlavor;
  readonly #kthread: Task;
  readonly #synchronize: SyncSteps;
  readonly #timer: WheelTimer | undefined;

  constructor(flavor: TasksFlavor, host: TimerHost, kthread: Task, synchronize: SyncSteps) {
    const { sim, track, constants } = flavor;
    this.#flavor = flavor;
    this.#kthread = kthread;
    this.#synchronize = synchronize;
    if (sim.rules['tasks.lazy'] !== 'lazy' || constants.stallInfo <= 0) return;
    const late = (cpu: number) => this.#late(cpu);
    this.#timer = new WheelTimer(sim, host, TIMER_FN.tasks_rcu_exit_srcu_stall, track, late, true);
  }

  begin(): void {
    this.#timer?.arm(this.#kthread.cpu, this.#flavor.constants.stallInfo);
    this.#synchronize.begin();
  }

  step(): boolean {
    if (this.#synchronize.step()) return true;
    this.#timer?.cancel();
    return false;
  }

  #late(cpu: number): void {
    const { sim, track, flavor, gpStart, constants } = this.#flavor;
    sim.emit(KIND.rcu_tasks_stall, track, TASKS_STALL.exit, flavor, sim.jiffies - gpStart, 0);
    this.#timer?.arm(cpu, constants.stallInfo);
  }
}
