/** What the calls of Tree RCU share. */
import type { Task } from '../core/task.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import { Call, type Caller } from './call.ts';

/** A call of Tree RCU; it remembers who completes it. */
export abstract class RcuCall<Calls extends Caller = Caller> extends Call<Calls> {
  protected readonly rcu: TreeRcu;
  /** The code that completes the call runs on this CPU, in an interrupt or not. */
  #completerCpu = 0;
  #fromInterrupt = true;
  #wokenNs = 0;
  /** The last awaited completion, from code on a CPU, in an interrupt or not. */
  protected readonly completeFrom = (onCpu: number, fromInterrupt: boolean) => {
    this.#completerCpu = onCpu;
    this.#fromInterrupt = fromInterrupt;
    this.#wokenNs = this.sim.nowNs;
    this.complete();
  };

  constructor(calls: Calls, thread: Task) {
    super(calls, thread);
    this.rcu = this.world.rcu;
  }

  protected override get domainTrack(): number {
    return this.rcu.track;
  }

  protected override wake(): void {
    this.world.executor.wake(this.thread, this.#completerCpu, this.#fromInterrupt);
  }

  /** From running again to the return, ns; callerReturnNs counts from the wake-up (tree 11.1). */
  protected get returnNs(): number {
    const { callerReturnNs, rcuSyncReturnNs } = this.machine;
    if (callerReturnNs === undefined) return rcuSyncReturnNs;
    return Math.max(0, callerReturnNs - (this.sim.nowNs - this.#wokenNs));
  }
}
