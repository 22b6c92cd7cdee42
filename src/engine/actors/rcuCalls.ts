/** Which machine of steps makes a call of Tree RCU (tree R4.1). */
import { isExpedited } from '../tree/synchronizeRcu.ts';
import type { ApiCall } from './call.ts';
import { CallRcu, RcuBarrier } from './rcuCallbackCalls.ts';
import { createExpeditedCall } from './rcuExpeditedCall.ts';
import { createPolledCall } from './rcuPolledCalls.ts';
import { createSynchronizeCall } from './rcuSynchronize.ts';
import type { Thread } from './thread.ts';
import type { UpdaterCalls } from './updater.ts';

/** synchronize_rcu() or, `byName`, synchronize_rcu_expedited(): which of both grace periods it waits for. */
function createSync(calls: UpdaterCalls, thread: Thread, api: string, byName: boolean): ApiCall {
  const create = isExpedited(calls.world.rcu, byName) ? createExpeditedCall : createSynchronizeCall;
  return create(calls, thread, api);
}

/** The call of Tree RCU that an updater makes on one of its threads. */
export function createRcuCall(calls: UpdaterCalls, thread: Thread): ApiCall {
  const { api } = calls.actor;
  switch (api) {
    case 'call_rcu':
      return new CallRcu(calls, thread);
    case 'rcu_barrier':
      return new RcuBarrier(calls, thread);
    case 'synchronize_rcu':
    case 'synchronize_rcu_expedited':
      return createSync(calls, thread, api, api === 'synchronize_rcu_expedited');
    default:
      return createPolledCall(calls, thread, createSync(calls, thread, api, false));
  }
}
