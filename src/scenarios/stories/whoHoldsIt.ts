/** What the scenario "Who holds it?" tells. */
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

function expectations(variant: string): Expectation[] {
  const ms = (latency: { readonly p0: number } | undefined) => (latency?.p0 ?? 0) / MS;
  if (variant === 'running-reader' || variant === 'preempted-reader') {
    return [
      {
        text: 'the call returns after the reader has left',
        holds: ({ virtualNs }) => virtualNs > 60 * MS,
      },
    ];
  }
  return [
    {
      text: 'nothing happens before jiffies_to_sched_qs, 100 ms at any HZ',
      holds: ({ latency }) => ms(latency?.synchronize_rcu) > 100 && ms(latency?.synchronize_rcu) < 130,
    },
  ];
}

/** Three ways to hold a grace period up. */
export const whoHoldsItStory: Story = {
  shows: 'which CPU or task a grace period waits for, and what the kernel does about it',
  lookAt: [
    'A running reader keeps its CPU in the mask of its leaf: one red bit in the tree, and nobody can clear it from outside.',
    'A preempted reader gives its CPU back and is entered in blkd_tasks instead: the mask is empty, the leaf still is not quiet.',
    'Readers without a pause never let a tick see a quiescent state: from jiffies_to_sched_qs (100 ms) on the scan asks for a reschedule, and two ticks later it is over.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
