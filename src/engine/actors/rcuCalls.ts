/** Which machine of steps makes a call of Tree RCU (tree R4.1). */
import type { Task } from '../core/task.ts';
import { isExpedited } from '../tree/synchronizeRcu.ts';
import type { ApiCall, Caller } from './call.ts';
import { CallRcu, RcuBarrier } from './rcuCallbackCalls.ts';
import { createExpeditedCall } from './rcuExpeditedCall.ts';
import { createPolledCall } from './rcuPolledCalls.ts';
import { createNormalCall } from './rcuSynchronize.ts';
import type { Thread } from './thread.ts';
import type { UpdaterCalls } from './updater.ts';

/**
 * synchronize_rcu() or, `byName`, synchronize_rcu_expedited(): which of both grace periods it waits for. Its rows are
 * under the name `api`.
 */
export function createSynchronizeCall(calls: Caller, task: Task, api: string, byName: boolean): ApiCall {
  const create = isExpedited(calls.world.rcu, byName) ? createExpeditedCall : createNormalCall;
  return create(calls, task, api);
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
      return createSynchronizeCall(calls, thread, api, api === 'synchronize_rcu_expedited');
    default:
      return createPolledCall(calls, thread, createSynchronizeCall(calls, thread, api, false));
  }
}
