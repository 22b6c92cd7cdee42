/** The wait for a normal grace period as a machine of steps on the CPU time of any task (tree R4.2, R4.3). */
import { KIND, RCU_FUNC } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import { callRcu } from './callRcu.ts';
import { startPoll } from './request.ts';
import type { TreeRcu } from './treeRcu.ts';

const PHASE = { entry: 0, queue: 1, block: 2, woken: 3, leave: 4 } as const;
/** `a` of rcu_sr_normal rows. */
const SR_NORMAL = { request: 0, complete: 1 } as const;

/** synchronize_rcu_normal(), and the wait_rcu_gp() of kernels without it. One caller, call after call. */
export class NormalSync {
  readonly #rcu: TreeRcu;
  readonly #task: Task;
  #phase: number = PHASE.entry;
  #head = 0;
  #isComplete = false;
  #isWaiting = false;
  #wokenNs = 0;
  /** The grace period is over; from code on a CPU, in an interrupt or not. */
  readonly #complete = (onCpu: number, fromInterrupt: boolean) => {
    this.#isComplete = true;
    this.#wokenNs = this.#rcu.sim.nowNs;
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#rcu.executor.wake(this.#task, onCpu, fromInterrupt);
  };

  constructor(rcu: TreeRcu, task: Task) {
    this.#rcu = rcu;
    this.#task = task;
  }

  /** A call begins: the next step is its first. */
  begin(): void {
    this.#phase = PHASE.entry;
    this.#isComplete = false;
  }

  /** Asks the task for one thing and returns true, or returns false: the call is over. */
  step(): boolean {
    const task = this.#task;
    const { machine } = this.#rcu.sim;
    switch (this.#phase++) {
      case PHASE.entry:
        task.work(machine.callRcuNs);
        return true;
      case PHASE.queue:
        this.#head = this.#rcu.nextCallbackId();
        this.#trace('request');
        this.#queue();
        task.work(machine.blockNs);
        return true;
      case PHASE.block:
        if (this.#isComplete) task.work(0);
        else {
          this.#isWaiting = true;
          task.block();
        }
        return true;
      case PHASE.woken:
        task.work(this.#returnNs());
        return true;
      default:
        this.#trace('complete');
        return false;
    }
  }

  /** On the list of callers that the grace period wakes, or with a callback (rcu_normal_wake_from_gp). */
  #queue(): void {
    const rcu = this.#rcu;
    const invoke = this.#complete;
    const id = this.#head;
    if (rcu.constants.wakeFromGp) {
      rcu.srNormal.push({ id, complete: invoke });
      startPoll(rcu, this.#task.cpu);
    } else callRcu(rcu, this.#task, { id, func: RCU_FUNC.wakeme_after_rcu, invoke, isLazy: false });
  }

  /** From running again to the return, ns; callerReturnNs counts from the wake-up (tree 11.1). */
  #returnNs(): number {
    const { machine, nowNs } = this.#rcu.sim;
    const { callerReturnNs, rcuSyncReturnNs } = machine;
    if (callerReturnNs === undefined) return rcuSyncReturnNs;
    return Math.max(0, callerReturnNs - (nowNs - this.#wokenNs));
  }

  #trace(what: keyof typeof SR_NORMAL): void {
    const { sim, gpSeq } = this.#rcu;
    if (sim.rules['tree.srNormal'] !== 'list') return;
    sim.emit(KIND.rcu_sr_normal, this.#task.track, SR_NORMAL[what], this.#head, gpSeq);
  }
}
