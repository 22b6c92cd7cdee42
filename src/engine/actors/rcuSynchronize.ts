/** synchronize_rcu() as a machine of steps on the calling thread: normal grace periods and none (tree R4.1 to R4.3). */
import { KIND, RCU_FUNC } from '../core/eventKinds.ts';
import { callRcu } from '../tree/callRcu.ts';
import { startPoll } from '../tree/request.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import type { ApiCall } from './call.ts';
import { RcuCall } from './rcuCall.ts';
import type { Thread } from './thread.ts';
import type { UpdaterCalls } from './updater.ts';

const SYNC = { entry: 0, queue: 1, block: 2, woken: 3 } as const;
/** `a` of rcu_sr_normal rows. */
const SR_NORMAL = { request: 0, complete: 1 } as const;

/** synchronize_rcu_normal(), and the wait_rcu_gp() of kernels without it. Subclasses say whom it waits for. */
abstract class SynchronizeNormal extends RcuCall {
  readonly #api: string;
  #head = 0;

  constructor(calls: UpdaterCalls, thread: Thread, api: string) {
    super(calls, thread);
    this.#api = api;
  }

  step(): boolean {
    const { machine, thread } = this;
    switch (this.phase++) {
      case SYNC.entry:
        this.enter(this.#api);
        thread.work(machine.callRcuNs);
        return true;
      case SYNC.queue:
        this.#head = this.rcu.nextCallbackId();
        this.#trace('request');
        this.expect(1);
        this.queue(this.#head);
        thread.work(machine.blockNs);
        return true;
      case SYNC.block:
        if (this.isComplete) thread.work(0);
        else this.wait();
        return true;
      case SYNC.woken:
        thread.work(this.returnNs);
        return true;
      default:
        this.#trace('complete');
        this.leave(this.#api);
        return false;
    }
  }

  /** Queues itself under this number; completeFrom() is to be called when a grace period has passed. */
  protected abstract queue(head: number): void;

  #trace(what: keyof typeof SR_NORMAL): void {
    const { sim, rcu } = this;
    if (sim.rules['tree.srNormal'] !== 'list') return;
    sim.emit(KIND.rcu_sr_normal, this.thread.track, SR_NORMAL[what], this.#head, rcu.gpSeq);
  }
}

/** rcu_normal_wake_from_gp 0: call_rcu_hurry() and a wait (R4.2). */
class SynchronizeByCallback extends SynchronizeNormal {
  protected override queue(id: number): void {
    const invoke = this.completeFrom;
    callRcu(this.rcu, this.thread, { id, func: RCU_FUNC.wakeme_after_rcu, invoke, isLazy: false });
  }
}

/** rcu_normal_wake_from_gp 1: on the list, and a grace period is asked for at once (R4.3). */
class SynchronizeOnList extends SynchronizeNormal {
  protected override queue(id: number): void {
    this.rcu.srNormal.push({ id, complete: this.completeFrom });
    startPoll(this.rcu, this.thread.cpu);
  }
}

/** rcu_blocking_is_gp(): being called is a grace period (R4.1). */
class NoGracePeriod extends RcuCall {
  readonly #api: string;

  constructor(calls: UpdaterCalls, thread: Thread, api: string) {
    super(calls, thread);
    this.#api = api;
  }

  step(): boolean {
    if (this.phase++ === 0) {
      this.enter(this.#api);
      this.thread.work(this.machine.rcuSyncReturnNs);
      return true;
    }
    this.leave(this.#api);
    return false;
  }
}

/** rcu_blocking_is_gp(): one CPU and non-preemptible RCU, before 6.0 (tree.oneCpu). */
function blockingIsGp(rcu: TreeRcu): boolean {
  const { config, rules } = rcu.sim;
  return config.cpus === 1 && !rcu.constants.isPreemptible && rules['tree.oneCpu'] === 'no-gp';
}

/** True if a synchronous call is to be expedited: asked for by name or by rcu_expedited, and not forbidden by rcu_normal. */
export function isExpedited(rcu: TreeRcu, byName: boolean): boolean {
  const { expedited, normal } = rcu.constants;
  return (byName || expedited) && !normal && !blockingIsGp(rcu);
}

/** A call that waits for a normal grace period, with its rows under the name `api`. */
export function createSynchronizeCall(calls: UpdaterCalls, thread: Thread, api: string): ApiCall {
  const { rcu } = calls.world;
  if (blockingIsGp(rcu)) return new NoGracePeriod(calls, thread, api);
  return rcu.constants.wakeFromGp
    ? new SynchronizeOnList(calls, thread, api)
    : new SynchronizeByCallback(calls, thread, api);
}
