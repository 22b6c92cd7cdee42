/** synchronize_rcu() of an updater: normal grace periods and none (tree R4.1 to R4.3). */
import type { Task } from '../core/task.ts';
import { NormalSync } from '../tree/normalSync.ts';
import { blockingIsGp } from '../tree/synchronizeRcu.ts';
import type { ApiCall, Caller } from './call.ts';
import { RcuCall } from './rcuCall.ts';

/** A call that waits for a normal grace period. */
class SynchronizeNormal extends RcuCall {
  readonly #api: string;
  readonly #sync: NormalSync;

  constructor(calls: Caller, thread: Task, api: string) {
    super(calls, thread);
    this.#api = api;
    this.#sync = new NormalSync(this.rcu, thread);
  }

  step(): boolean {
    if (this.phase++ === 0) {
      this.enter(this.#api);
      this.#sync.begin();
    }
    if (this.#sync.step()) return true;
    this.leave();
    return false;
  }
}

/** rcu_blocking_is_gp(): being called is a grace period (R4.1). */
class NoGracePeriod extends RcuCall {
  readonly #api: string;

  constructor(calls: Caller, thread: Task, api: string) {
    super(calls, thread);
    this.#api = api;
  }

  step(): boolean {
    if (this.phase++ === 0) {
      this.enter(this.#api);
      this.thread.work(this.machine.rcuSyncReturnNs);
      return true;
    }
    this.leave();
    return false;
  }
}

/** A call that waits for a normal grace period, with its rows under the name `api`. */
export function createNormalCall(calls: Caller, thread: Task, api: string): ApiCall {
  const Kind = blockingIsGp(calls.world.rcu) ? NoGracePeriod : SynchronizeNormal;
  return new Kind(calls, thread, api);
}
