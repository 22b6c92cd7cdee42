/** What the scenario "One reader, one grace period" tells. */

import { API, parse } from '../oneReader.ts';
import type { Expectation, Story } from '../scenario.ts';

function expectations(variant: string): Expectation[] {
  const { holdMs, isNormal } = parse(variant);
  const series = isNormal ? API.normal : API.expedited;
  return [
    {
      text: 'the call returns after the reader has left',
      holds: ({ latency }) => (latency?.[series]?.p0 ?? -1) >= holdMs * 1e6,
    },
    {
      text: 'a reader that is gone within the polling window costs no sleep, any other at least one',
      holds: ({ srcu }) => (srcu?.sleeps === 0) === (!isNormal && holdMs < 6),
    },
  ];
}

/** One reader, one call. */
export const oneReaderStory: Story = {
  shows: 'how polling, the age of the grace period and jiffies turn a reader of 12 ms into a wait of 14 ms',
  lookAt: [
    'The flip divides the readers: the one on the old index is waited for, whoever comes later is not.',
    'Drag the hold across 6 ms: up to there the grace period ends with the reader, beyond it the end snaps to a tick.',
    'Compare 40 ms expedited with 40 ms normal: both sleep by age, and the expedited one may end later.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
