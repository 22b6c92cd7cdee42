/** What the scenario "Auto-expediting and its holdoff" tells. */

import { CALLS, SERIES } from '../autoExpedite.ts';
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

function expectations(variant: string): Expectation[] {
  const p50 = (holds: (ns: number) => boolean, text: string): Expectation => ({
    text,
    holds: ({ latency }) => holds(latency?.[SERIES]?.p50 ?? -1),
  });
  switch (variant) {
    case 'holdoff-0':
      return [p50((ns) => Math.abs(ns - 16 * MS) < 0.5 * MS, 'calls are normal: two sleeps of two ticks')];
    case 'gap-0':
    case 'gap-10us':
      return [
        {
          text: 'every other call is expedited',
          holds: ({ srcu, latency }) =>
            Math.abs((srcu?.sleeps ?? 0) - CALLS / 2) < 3 && (latency?.[SERIES]?.p0 ?? MS) < 0.1 * MS,
        },
      ];
    default:
      return [p50((ns) => ns > 0 && ns < 0.1 * MS, 'calls are expedited')];
  }
}

/** synchronize_srcu() around exp_holdoff. */
export const autoExpediteStory: Story = {
  shows:
    'synchronize_srcu() takes microseconds on an idle domain and four ticks within 25 us of the last grace period',
  lookAt: [
    'The end of a grace period starts the holdoff of exp_holdoff ns; a call within it is normal: its first pass waits for a tick, and its callback comes two ticks after the end.',
    'By then the holdoff is over, so the next call is expedited, takes 7 us, and puts the one after it into the holdoff again: calls alternate.',
    'Drag exp_holdoff or the gap until gap and call together exceed the holdoff: all calls are expedited. With exp_holdoff=0 none ever is.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
