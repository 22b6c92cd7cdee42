/** What the scenario "A task that exits slowly" tells. */
import { EXIT } from '../exitingTasks.ts';
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

function expectations(variant: string): Expectation[] {
  const isShort = variant.endsWith('short');
  const leastMs = EXIT.beginMs + EXIT.ms + (variant.endsWith('tail') ? EXIT.tailMs : 0);
  return [
    isShort
      ? {
          text: 'no sleep: two grace periods of RCU',
          holds: ({ virtualNs }) => virtualNs < 60 * MS,
        }
      : {
          text: `the call does not return before the task is gone, at ${leastMs} ms`,
          holds: ({ virtualNs }) => virtualNs > leastMs * MS && virtualNs < (leastMs + 150) * MS,
        },
    variant.startsWith('srcu')
      ? {
          text: 'a grace period of SRCU',
          holds: ({ gracePeriods }) => gracePeriods?.srcu?.n === 1,
        }
      : {
          text: 'no SRCU',
          holds: ({ gracePeriods }) => gracePeriods?.srcu === undefined,
        },
  ];
}

/** What a task on its way out of the task list does to RCU Tasks, before and after 6.9. */
export const exitingTasksStory: Story = {
  shows: 'how RCU Tasks waits for a task that is no longer on the task list, before and after 6.9',
  lookAt: [
    'The task on CPU 1 leaves the task list before the scan and is still in do_exit(). 6.12 finds it on the exit list of its CPU: it is a holdout as any other, and the scan after its last schedule takes it off.',
    '6.6 has no such list. In POST_SCAN_TASKLIST it waits in synchronize_srcu() of tasks_rcu_exit_srcu, whose reader the task is; the list of holdouts stays empty. SRCU polls, so its end is a little late, too.',
    'The last stretch is not preemptible and no reader any more: 6.6 waits for it by the second grace period of RCU, in POST_GP. In 6.12 the task is a holdout until its last schedule, and here the scan just misses that: one more sleep. An exit of the usual length costs neither anything.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
