/** The update-side functions of Tree RCU as machines of steps on the calling thread (tree §4 to §6). */
import { RCU_FUNC } from '../core/eventKinds.ts';
import { callRcu } from '../tree/callRcu.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import { type ApiCall, Call } from './call.ts';
import type { Thread } from './thread.ts';
import type { UpdaterCalls } from './updater.ts';

/** What the calls of Tree RCU share. */
abstract class RcuCall extends Call {
  protected readonly rcu: TreeRcu;

  constructor(calls: UpdaterCalls, thread: Thread) {
    super(calls, thread);
    this.rcu = this.world.rcu;
  }

  protected override get domainTrack(): number {
    return this.rcu.track;
  }

  /** CPU of the code that completes the call, and whether that is an interrupt; set before `complete`. */
  protected completer = { cpu: 0, fromInterrupt: true };

  protected override wake(): void {
    this.world.executor.wake(this.thread, this.completer.cpu, this.completer.fromInterrupt);
  }
}

const SYNC = { entry: 0, queue: 1, block: 2, woken: 3 } as const;

/** synchronize_rcu() with rcu_normal_wake_from_gp 0: call_rcu_hurry() and a wait (R4.2). */
class SynchronizeRcu extends RcuCall {
  step(): boolean {
    const { machine, thread } = this;
    switch (this.phase++) {
      case SYNC.entry:
        this.enter('synchronize_rcu');
        thread.work(machine.callRcuNs);
        return true;
      case SYNC.queue: {
        this.expect(1);
        callRcu(this.rcu, thread, RCU_FUNC.wakeme_after_rcu, (onCpu, fromInterrupt) => {
          this.completer = { cpu: onCpu, fromInterrupt };
          this.complete();
        });
        thread.work(machine.blockNs);
        return true;
      }
      case SYNC.block:
        if (this.isComplete) thread.work(0);
        else this.wait();
        return true;
      case SYNC.woken:
        thread.work(machine.callerReturnNs ?? machine.rcuSyncReturnNs);
        return true;
      default:
        this.leave('synchronize_rcu');
        return false;
    }
  }
}

/** The call of Tree RCU that an updater makes. */
export function createRcuCall(calls: UpdaterCalls, thread: Thread): ApiCall {
  return new SynchronizeRcu(calls, thread);
}
