/** Which machine of steps makes a call of Tree RCU (tree R4.1). */
import type { ApiCall } from './call.ts';
import { CallRcu, RcuBarrier } from './rcuCallbackCalls.ts';
import { createSynchronizeCall } from './rcuSynchronize.ts';
import type { Thread } from './thread.ts';
import type { UpdaterCalls } from './updater.ts';

/** The call of Tree RCU that an updater makes on one of its threads. */
export function createRcuCall(calls: UpdaterCalls, thread: Thread): ApiCall {
  const { api } = calls.actor;
  switch (api) {
    case 'call_rcu':
      return new CallRcu(calls, thread);
    case 'rcu_barrier':
      return new RcuBarrier(calls, thread);
    default:
      return createSynchronizeCall(calls, thread, api);
  }
}
