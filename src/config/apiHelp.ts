/** The update-side calls in one line each, with what people meet them as. */
import type { UpdaterApi } from '../engine/config.ts';

export const API_HELP: Readonly<Record<UpdaterApi, string>> = {
  synchronize_srcu_expedited: 'waits for the readers of one domain, polling at first',
  synchronize_srcu: 'waits for the readers of one domain; expedited by itself after a pause',
  call_srcu: 'queues a callback; never expedited',
  srcu_barrier: 'waits for the callbacks that are queued',
  start_poll_synchronize_srcu: 'asks for a grace period and returns; whether it is over is polled',
  synchronize_rcu:
    'waits for all readers; also membarrier(MEMBARRIER_CMD_GLOBAL), which fails with nohz_full and waits for nothing with one CPU online',
  synchronize_rcu_expedited:
    'interrupts CPUs that are not idle; synchronize_net() is this while RTNL is held',
  call_rcu: 'queues a callback; may be lazy on offloaded CPUs',
  rcu_barrier: 'waits for all queued callbacks of all CPUs, lazy ones too, one caller at a time',
  cond_synchronize_rcu: 'waits only if no grace period has gone by since a cookie was taken',
  get_state_synchronize_rcu: 'takes a cookie and asks for nothing; others must bring the grace period',
  start_poll_synchronize_rcu: 'takes a cookie and asks for a grace period',
  start_poll_synchronize_rcu_expedited: 'takes a cookie and asks for an expedited grace period',
  synchronize_rcu_tasks:
    'waits until every task has switched voluntarily, was in user mode or idle; frees trampolines of ftrace and kprobes',
  call_rcu_tasks: 'queues a callback for that; waits for more of them from 6.5 on',
  rcu_barrier_tasks: 'waits for the callbacks that are queued',
  synchronize_rcu_tasks_rude: 'runs a work item on every CPU, which switches there',
  synchronize_rcu_tasks_trace: 'waits for the readers of sleepable BPF programs (rcu_read_lock_trace())',
  call_rcu_tasks_trace: 'queues a callback for that; waits for more of them from 6.5 on',
  kvfree_rcu_barrier: 'waits until everything is freed that kvfree_rcu() has queued',
};
