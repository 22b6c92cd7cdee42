/** synchronize_rcu_expedited() on the calling thread (tree §5); where it falls back, others make the call (R4.1). */

import type { Task } from '../core/task.ts';
import { ExpeditedSync } from '../tree/expeditedSync.ts';
import type { ApiCall, Caller } from './call.ts';
import { RcuCall } from './rcuCall.ts';

const PHASE = { entry: 0, inCall: 1, woken: 2 } as const;

class ExpeditedCall extends RcuCall {
  readonly #api: string;
  readonly #sync: ExpeditedSync;

  constructor(calls: Caller, thread: Task, api: string) {
    super(calls, thread);
    this.#api = api;
    this.#sync = new ExpeditedSync(this.rcu, thread, (onCpu) => this.completeFrom(onCpu, false));
  }

  step(): boolean {
    if (this.phase === PHASE.entry) {
      this.enter(this.#api);
      this.expect(1);
      this.#sync.begin();
      this.phase = PHASE.inCall;
    }
    if (this.phase === PHASE.inCall) {
      if (this.#sync.step()) return true;
      this.phase = PHASE.woken;
      this.thread.work(this.returnNs);
      return true;
    }
    this.leave();
    return false;
  }
}

/** A call that waits for an expedited grace period, with its rows under the name `api`. */
export function createExpeditedCall(calls: Caller, thread: Task, api: string): ApiCall {
  return new ExpeditedCall(calls, thread, api);
}
