import type { NotesByMechanism } from '../modelNote.ts';

/** How close the figures are. */
export const HEADLINE_NOTES: NotesByMechanism = {
  srcu: [
    {
      what: 'SRCU: latency and grace periods',
      fidelity: 'exact',
      kernel: '__synchronize_srcu()',
      rule: 'srcu 13',
    },
    {
      what: 'SRCU: time slept past the last reader',
      fidelity: 'exact',
      kernel: 'srcu_get_delay()',
      rule: 'srcu 3',
    },
    {
      what: 'SRCU: CPU time of polling',
      fidelity: 'simplified',
      kernel: 'try_check_zero()',
      rule: 'srcu 11.1',
    },
  ],
  rcu: [
    {
      what: 'RCU: grace periods and their scans',
      fidelity: 'exact',
      kernel: 'rcu_gp_fqs_loop()',
      rule: 'tree 2.7',
    },
    {
      what: 'RCU: what calls take outside the grace period',
      fidelity: 'exact',
      kernel: 'synchronize_rcu()',
      rule: 'tree 4.2',
    },
    { what: 'RCU: costs of steps', fidelity: 'simplified', kernel: 'rcu_gp_kthread()', rule: 'tree 11.1' },
  ],
  kvfree: [
    {
      what: 'Figures of the kfree test',
      fidelity: 'exact',
      kernel: 'kfree_scale_thread()',
      rule: 'kvfree K18 to K21',
    },
    { what: 'kfree_rcu(): memory', fidelity: 'simplified', kernel: 'si_mem_available()', rule: 'kvfree K21' },
  ],
  tasks: [
    {
      what: 'RCU Tasks: hold-out phase and its scans',
      fidelity: 'exact',
      kernel: 'rcu_tasks_wait_gp()',
      rule: 'tasks 4.3, 4.4',
    },
  ],
};
