import type { NotesByMechanism } from '../modelNote.ts';

/** How close the explanations are. */
export const WHY_NOTES: NotesByMechanism = {
  srcu: [
    {
      what: 'SRCU: lengths of the segments',
      fidelity: 'exact',
      kernel: 'process_srcu()',
      rule: 'srcu 2.4, 2.6',
    },
    { what: 'SRCU: who is waited for', fidelity: 'exact', kernel: 'srcu_advance_state()', rule: 'srcu 5.3' },
    {
      what: 'SRCU: costs of passes and wake-ups',
      fidelity: 'simplified',
      kernel: 'worker_thread()',
      rule: 'srcu 11.1',
    },
  ],
  rcu: [
    {
      what: 'RCU: who is waited for, and for what',
      fidelity: 'exact',
      kernel: 'rcu_report_qs_rnp()',
      rule: 'tree R2.15, R2.20, R2.21',
    },
    {
      what: 'RCU: waits for scans',
      fidelity: 'exact',
      kernel: 'rcu_gp_fqs_loop()',
      rule: 'tree R2.8 to R2.11',
    },
    {
      what: 'RCU: what a call waits for beside its grace period',
      fidelity: 'exact',
      kernel: 'synchronize_rcu()',
      rule: 'tree R3.5, R4.1 to R4.5',
    },
    {
      what: 'RCU: parts of an expedited grace period',
      fidelity: 'exact',
      kernel: 'sync_rcu_exp_select_cpus()',
      rule: 'tree R5.1 to R5.6',
    },
    {
      what: 'RCU: costs of steps, IPIs and wake-ups',
      fidelity: 'simplified',
      kernel: 'rcu_gp_kthread(), rcu_exp_handler()',
      rule: 'tree 11.1, R5.7',
    },
  ],
  kvfree: [
    {
      what: 'kfree_rcu(): monitor and batches',
      fidelity: 'exact',
      kernel: 'kfree_rcu_monitor()',
      rule: 'kvfree K7 to K12',
    },
    {
      what: 'kfree_rcu(): which CPU frees',
      fidelity: 'simplified',
      kernel: 'kfree_rcu_work()',
      rule: 'kvfree K13',
    },
    {
      what: 'kfree_rcu(): costs of freeing',
      fidelity: 'simplified',
      kernel: 'kfree_bulk()',
      rule: 'kvfree K23, K26',
    },
  ],
  tasks: [
    {
      what: 'RCU Tasks: parts of the loop',
      fidelity: 'exact',
      kernel: 'rcu_tasks_one_gp()',
      rule: 'tasks 3, 3.1',
    },
    {
      what: 'RCU Tasks: holdouts, and when a scan notices',
      fidelity: 'exact',
      kernel: 'check_holdout_task()',
      rule: 'tasks 4.1, 4.2',
    },
    {
      what: 'RCU Tasks: tasks that are looked at: those of the run only',
      fidelity: 'simplified',
      kernel: 'for_each_process_thread()',
      rule: 'tasks 3',
    },
  ],
};
