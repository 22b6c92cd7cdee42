import type { NotesByMechanism } from '../modelNote.ts';

/** How close the events are. */
export const LOG_NOTES: NotesByMechanism = {
  srcu: [
    {
      what: 'SRCU: order and cause of events',
      fidelity: 'exact',
      kernel: 'process_srcu() and its callers',
      rule: 'srcu 2, 3.7',
    },
    {
      what: 'Events of SRCU',
      fidelity: 'simplified',
      kernel: 'none: SRCU has no trace events',
      rule: 'srcu 9.1',
    },
  ],
  rcu: [
    {
      what: 'RCU: order and cause of events',
      fidelity: 'exact',
      kernel: 'rcu_gp_kthread(), rcu_core()',
      rule: 'tree R2.3 to R2.26',
    },
    {
      what: 'Events of RCU: names and strings of its trace events, not all of them',
      fidelity: 'simplified',
      kernel: 'trace_rcu_grace_period() and others',
      rule: 'tree 9',
    },
  ],
  kvfree: [
    {
      what: 'kfree_rcu(): a block or run is an event, not each of its objects',
      fidelity: 'simplified',
      kernel: 'kvfree_call_rcu()',
      rule: 'kvfree K20',
    },
    {
      what: 'Events of kfree_rcu(): the kernel traces the free only',
      fidelity: 'simplified',
      kernel: 'trace_rcu_invoke_kfree_bulk_callback()',
      rule: 'kvfree 11',
    },
  ],
  tasks: [
    {
      what: 'RCU Tasks: order and cause of events',
      fidelity: 'exact',
      kernel: 'rcu_tasks_one_gp()',
      rule: 'tasks 3, 4',
    },
    {
      what: 'Events of RCU Tasks',
      fidelity: 'simplified',
      kernel: 'none: RCU Tasks has no trace events',
      rule: 'tasks 9.1',
    },
  ],
};
