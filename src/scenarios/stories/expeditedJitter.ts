/** What the scenario "Jitter from expedited grace periods" tells. */

import { CALLS } from '../expeditedJitter.ts';
import type { Expectation, Story } from '../scenario.ts';

const US = 1000;

const MS = 1_000_000;

function expectations(variant: string): Expectation[] {
  if (variant === 'normal') {
    return [
      {
        text: 'a call takes more than 12 ms',
        holds: ({ latency }) => (latency?.synchronize_rcu?.p0 ?? 0) > 12 * MS,
      },
      { text: 'no expedited grace period', holds: ({ gracePeriods }) => gracePeriods?.exp === undefined },
    ];
  }
  const [atLeastUs, atMostUs] = variant === 'isolated' ? [30, 60] : [65, 110];
  return [
    {
      text: `${CALLS} expedited grace periods, half of them of ${atLeastUs} to ${atMostUs} us`,
      holds: ({ gracePeriods }) => {
        const { n, p50 } = gracePeriods?.exp ?? { n: 0, p50: 0 };
        return n === CALLS && p50 > atLeastUs * US && p50 < atMostUs * US;
      },
    },
    { text: 'no normal grace period', holds: ({ gracePeriods }) => gracePeriods?.rcu === undefined },
  ];
}

/** IPIs to CPUs that only compute. */
export const expeditedJitterStory: Story = {
  shows: 'that one caller of synchronize_rcu_expedited() interrupts every CPU that computes',
  lookAt: [
    'CPUs 2 to 7 only compute, in user mode. Every expedited grace period sends each of them an IPI: six marks per call, 240 in 40 calls, and each takes 2 to 8 us from a thread that has never heard of RCU.',
    'With nohz_full=2-7 the kernel knows that a CPU is in user mode and counts it as quiescent: no IPI goes there. In a system call it would get one.',
    'The normal variant disturbs nobody, beyond the ticks that are there anyway, and a call takes some 16 ms instead of 0.15. rcu_expedited = 1 makes that choice for every caller in the system.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
