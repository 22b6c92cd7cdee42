/** What the scenario "The page cache under pressure" tells. */
import type { Expectation, ScenarioResult, Story } from '../scenario.ts';

/** Share of the objects that were freed in blocks. */
function inBlocks({ kvfree }: ScenarioResult): number {
  if (kvfree === undefined) return Number.NaN;
  const objects = Array.from(kvfree.blocksByRecords).reduce(
    (sum, count, records) => sum + count * records,
    0,
  );
  return objects / kvfree.freed;
}

function expectations(variant: string): Expectation[] {
  switch (variant) {
    case 'roomy':
      return [
        { text: 'more than 99 % of the objects are in blocks', holds: (result) => inBlocks(result) > 0.99 },
      ];
    case 'no-delay':
      return [
        { text: '85 to 97 % are', holds: (result) => inBlocks(result) > 0.85 && inBlocks(result) < 0.97 },
      ];
    default:
      return [
        { text: 'less than 75 % are', holds: (result) => inBlocks(result) < 0.75 },
        { text: 'all are freed', holds: ({ kvfree }) => kvfree?.freed === kvfree?.queued },
      ];
  }
}

/** What falls to the head channel, and for how long. */
export const pageCachePressureStory: Story = {
  shows: 'how the shrinker empties the page cache, and what back-off costs afterwards',
  lookAt: [
    'When 16 MiB are nearly used up, kswapd calls the shrinker: cached blocks are given back, the monitor runs at once, and the cache worker of every CPU is told to back off. Objects of the one-argument form that find no page then wait for a grace period: that is what holds the thread up.',
    'After that the next fill of the cache comes 5 s later, with one block: objects of the two-argument form go to the head channel, and each costs 120 ns more to free. Set rcu_delay_page_cache_fill_msec to 0 and most are in blocks again.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
