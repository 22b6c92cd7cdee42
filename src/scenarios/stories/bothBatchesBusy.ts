/** What the scenario "Both batches are busy" tells. */
import type { Expectation, Story } from '../scenario.ts';

const MB = 1e6;

function expectations(variant: string): Expectation[] {
  if (variant === 'no-reader') {
    return [
      {
        text: 'memory stays under 30 MB: batches are freed while objects still come',
        holds: ({ kvfree }) => (kvfree?.peakBytes ?? Number.NaN) < 30 * MB,
      },
    ];
  }
  return [
    {
      text: 'nothing is freed before the flood is over: all 200,000 objects are there at once',
      holds: ({ kvfree }) => (kvfree?.peakBytes ?? 0) > 200_000 * 256,
    },
    { text: 'all are freed in the end', holds: ({ kvfree }) => kvfree?.freed === kvfree?.queued },
  ];
}

/** Where memory goes when both are taken. */
export const bothBatchesBusyStory: Story = {
  shows: 'that a CPU has two batches, and that what comes while both wait piles up without limit',
  lookAt: [
    'A reader stays in its section for 50 ms at a time. The first batch of CPU 1 waits for that grace period, the second for the one after it; both places of krw_arr are taken, and the monitor, which comes every jiffy, finds nowhere to put what is queued.',
    'Blocks pile up on the queueing side, and the thread never notices: kfree_rcu() with two arguments does not wait. Without the reader memory stays at half as much, with the same thread.',
    'So the length of a grace period sets the peak: change HZ, or the hold of the reader.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
