/** Why a task holds up a grace period of RCU Tasks, and what would release it (tasks 4.2). */
import type { TasksHoldout } from './tasksStall.ts';

/** Who is waited for while exiting tasks are (tasks 3, step 4). */
export const WHY_EXIT =
  'the grace period waits for tasks between exit_tasks_rcu_start() and exit_tasks_rcu_finish(): one of them is stuck in its exit';

/** One sentence about a task of a stall report. */
export function whyHoldout({ isHoldout, isIdle, nvcsw, idleCpu }: TasksHoldout): string {
  const leaves = 'it leaves at the next scan';
  if (!isHoldout) return `its flag is cleared: ${leaves}`;
  if (isIdle) return `it is an idle task: ${leaves}`;
  if (nvcsw.now !== nvcsw.snapshot)
    return `it has switched voluntarily since the grace period began: ${leaves}`;
  if (idleCpu >= 0) return `it is in user mode of a nohz_full CPU: ${leaves}`;
  return (
    'no voluntary context switch since the grace period began, and no tick found it in user mode; preemption and ' +
    'cond_resched() do not count. It must block or call cond_resched_tasks_rcu_qs() (a polling kthread: ' +
    'rcu_softirq_qs_periodic()). rcu_expedited does not help'
  );
}
