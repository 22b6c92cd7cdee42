/** What the scenario "The one-argument form" tells. */
import type { Expectation, Story } from '../scenario.ts';
import { MEMORY_BYTES, OBJECTS } from '../singleArgument.ts';

function expectations(variant: string): Expectation[] {
  if (variant === 'double') {
    return [
      {
        text: 'memory runs out before all objects are queued',
        holds: ({ kvfree }) => (kvfree?.queued ?? OBJECTS) < OBJECTS,
      },
    ];
  }
  return [
    { text: 'all objects are queued and freed', holds: ({ kvfree }) => kvfree?.freed === OBJECTS },
    {
      text: 'in no more than the memory that there is',
      holds: ({ kvfree }) => (kvfree?.peakBytes ?? Number.NaN) < MEMORY_BYTES,
    },
  ];
}

/** The one form that throttles. */
export const singleArgumentStory: Story = {
  shows: 'that only a caller that may sleep can be held up when memory is short',
  lookAt: [
    'With one argument there is no rcu_head to fall back on: a call that finds no block allocates a page, and where there is none it waits in synchronize_rcu() and frees its object itself. While it waits batches are freed, so the thread goes on with memory at hand.',
    'With two arguments the same thread queues through the rcu_head of its objects, which never fails and never waits: memory runs out, and the test ends there.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
