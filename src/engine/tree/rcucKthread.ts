/** rcuc/N: rcu_core() of one CPU in a kthread, where RCU_SOFTIRQ is not used (rcutree.use_softirq 0, tree R3.6). */
import { PRIORITY } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import type { TreeRcu } from './treeRcu.ts';

/** rcu_cpu_kthread(). */
export class RcucKthread extends Task {
  override readonly bySteps = true;
  override readonly notesTasksQs = true;
  readonly #rcu: TreeRcu;
  override bhDisabled = false;
  readonly #run: () => boolean;
  /** rcu_cpu_has_work. */
  #hasWork = false;
  /** rcu_core() is under way. */
  #isInside = false;

  /** `run`: the next step of rcu_core(), which calls continueAt() if another one follows; true: it was a callback. */
  constructor(rcu: TreeRcu, cpu: number, run: () => boolean) {
    super(rcu.sim.addTrack('kthread', `rcuc/${cpu}`, cpu), cpu);
    this.#rcu = rcu;
    this.#run = run;
    rcu.executor.add(this, PRIORITY.kthreads + this.track);
  }

  /** invoke_rcu_core_kthread(), from an interrupt on its CPU or from itself. */
  invoke(): void {
    this.#hasWork = true;
    this.#rcu.executor.wake(this, this.cpu, true);
  }

  /** rcu_core() goes on at a time, now or later. */
  continueAt(timeNs: number): void {
    this.#isInside = true;
    this.bhDisabled = true;
    this.work(Math.max(0, timeNs - this.#rcu.sim.nowNs));
  }

  step(): void {
    const { sim } = this.#rcu;
    if (this.#isInside) {
      this.#isInside = false;
      this.bhDisabled = false;
      // between callbacks others may run
      this.yields = this.#run();
      if (!this.#isInside) this.work(0);
    } else if (this.#hasWork) {
      this.#hasWork = false;
      this.continueAt(sim.nowNs + sim.machine.rcuCoreEnterNs);
    } else this.block();
  }
}
