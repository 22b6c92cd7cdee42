/** Which kernel parameters stand together in the left column. Names as in a configuration. */

import { KVFREE_PARAMS } from '../../engine/profiles/kvfreeParams.ts';
import { TASKS_PARAMS } from '../../engine/profiles/tasksParams.ts';

/** Waits of the grace-period kthread and of callers. */
export const GRACE_PERIOD_PARAMS = [
  'rcutree.jiffies_till_first_fqs',
  'rcutree.jiffies_till_next_fqs',
  'rcutree.jiffies_till_sched_qs',
  'rcutree.rcu_normal_wake_from_gp',
  'rcupdate.rcu_expedited',
  'rcupdate.rcu_normal',
] as const;
/** CPU lists of offloading. */
export const OFFLOAD_LISTS = ['rcu_nocbs', 'nohz_full'] as const;
/** Callbacks and their batches. */
export const CALLBACK_PARAMS = [
  'rcutree.enable_rcu_lazy',
  'rcutree.blimit',
  'rcutree.qhimark',
  'rcutree.qlowmark',
  'rcutree.qovld',
  'rcutree.rcu_divisor',
  'rcutree.rcu_resched_ns',
] as const;
/** Pages for the blocks of kvfree_rcu(). */
export const KVFREE_PARAM_NAMES: readonly string[] = KVFREE_PARAMS.map(({ name }) => name);
/** Stalls and laziness of RCU Tasks. */
export const TASKS_PARAM_NAMES: readonly string[] = TASKS_PARAMS.map(({ name }) => name);
/** What is rarely changed. */
export const EXPERT_PARAMS = [
  'rcutree.rcu_fanout_leaf',
  'rcutree.rcu_fanout_exact',
  'rcutree.use_softirq',
  'rcupdate.rcu_normal_after_boot',
  'rcutree.rcu_nocb_gp_stride',
  'rcutree.nocb_nobypass_lim_per_jiffy',
  'rcutree.nohz_full_patience_delay',
  'rcupdate.rcu_cpu_stall_timeout',
  'rcupdate.rcu_exp_cpu_stall_timeout',
] as const;
