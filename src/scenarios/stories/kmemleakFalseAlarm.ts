/** What the scenario "A false alarm of kmemleak" tells. */
import type { Expectation, Story } from '../scenario.ts';

const S = 1e9;
/** The monitor after 5 s with the rounding of the timer wheel at HZ=1000, and a grace period. */
const LONGEST_S = 5.6;
const SOON_S = 0.05;

function expectations(variant: string): Expectation[] {
  const all = {
    text: 'all are freed',
    holds: ({ kvfree }) => kvfree?.freed === kvfree?.queued,
  } satisfies Expectation;
  if (variant !== 'few-objects') {
    return [all, { text: 'within 50 ms', holds: ({ virtualNs }) => virtualNs < SOON_S * S }];
  }
  return [
    all,
    {
      text: 'after five seconds and a grace period',
      holds: ({ virtualNs }) => virtualNs > 5 * S && virtualNs < LONGEST_S * S,
    },
  ];
}

/** Five seconds in a block are no leak. */
export const kmemleakFalseAlarmStory: Story = {
  shows: 'that an object that kfree_rcu() got three seconds ago may still be there, in good order',
  lookAt: [
    'The program is done after 2 ms. Its 100 objects sit in a block of CPU 1 until the monitor comes, 5 s after the first one (HZ=1000: 5.00 to 5.51 s), and are freed a grace period later. Whoever looks for leaks at 3 s finds them, and no pointer to them in any structure of their owner.',
    'With 600 objects a block is full, the monitor comes after 1 jiffy, and all is freed within some 20 ms. Up to 6.0 it came after 20 ms, whatever was queued: the same objects were never old enough to be reported.',
  ],
  fitted: [
    'Nothing is fitted. The report: 2023, net-next (6.6 here), allocated 63,399 jiffies before, given to kfree_rcu() about 3 s before. So it is a false alarm, unless objects are still there after the 5 s and two grace periods.',
  ],
  reported: () => [],
  expectations,
};
