/** What the scenario "Back to back" tells. */

import { CALLS, SERIES } from '../backToBack.ts';
import type { Expectation, ScenarioResult, Story } from '../scenario.ts';

function expectations(variant: string): Expectation[] {
  const calls = {
    text: 'every call returns',
    holds: ({ latency }: ScenarioResult) => latency?.[SERIES]?.n === CALLS,
  };
  if (variant === 'v5.18') {
    return [
      calls,
      { text: '5.18 never sleeps in an expedited grace period', holds: ({ srcu }) => srcu?.sleeps === 0 },
    ];
  }
  if (variant === 'v6.12') return [calls];
  return [calls, { text: 'some grace periods sleep', holds: ({ srcu }) => (srcu?.sleeps ?? 0) > 0 }];
}

/** Three readers that never pause, one updater that never pauses. */
export const backToBackStory: Story = {
  shows: 'expedited grace periods one after the other while three readers hold sections of up to 6 ms',
  lookAt: [
    'Every grace period waits for the longest of the sections that were open at its flip; the histogram shows that distribution, cut into ticks where the worker sleeps.',
    'Lower srcu_max_nodelay_phase and see the first peak give way to one at two ticks; the figure "CPU burnt polling" shows what the low latency costs.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
