import type { NotesByMechanism } from '../modelNote.ts';

/** How close the latencies are. */
export const LATENCY_NOTES: NotesByMechanism = {
  srcu: [
    {
      what: 'SRCU: latency of a call',
      fidelity: 'exact',
      kernel: '__synchronize_srcu()',
      rule: 'srcu 2.1, 5.7 I13',
    },
    { what: 'SRCU: costs around it', fidelity: 'simplified', kernel: 'wake_up_process()', rule: 'srcu 11.1' },
  ],
  rcu: [
    {
      what: 'RCU: latency of a call',
      fidelity: 'exact',
      kernel: 'synchronize_rcu()',
      rule: 'tree R4.1 to R4.5',
    },
    {
      what: 'RCU: from call_rcu() to the callback',
      fidelity: 'exact',
      kernel: 'rcu_do_batch()',
      rule: 'tree R3.1 to R3.11',
    },
    {
      what: 'RCU: when a poll sees the end',
      fidelity: 'simplified',
      kernel: 'poll_state_synchronize_rcu_full()',
      rule: 'tree R6.6',
    },
    { what: 'RCU: costs around it', fidelity: 'simplified', kernel: 'try_to_wake_up()', rule: 'tree 11.1' },
  ],
  kvfree: [
    {
      what: 'kvfree_rcu_barrier(), and callers of the one-argument form',
      fidelity: 'exact',
      kernel: 'kvfree_rcu_barrier()',
      rule: 'kvfree K16, K17',
    },
  ],
  tasks: [
    {
      what: 'RCU Tasks: latency of a call',
      fidelity: 'exact',
      kernel: 'synchronize_rcu_tasks()',
      rule: 'tasks 3, 4.1 to 4.3',
    },
    {
      what: 'RCU Tasks: laziness of callbacks',
      fidelity: 'exact',
      kernel: 'call_rcu_tasks_generic()',
      rule: 'tasks 3.1',
    },
    {
      what: 'RCU Tasks: costs around it',
      fidelity: 'simplified',
      kernel: 'rcu_tasks_kthread()',
      rule: 'tasks 11.1',
    },
  ],
};
