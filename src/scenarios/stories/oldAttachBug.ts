/** What the scenario "Attached to a batch that waits already" tells. */
import { LATE_OBJECTS } from '../oldAttachBug.ts';
import type { Expectation, Story } from '../scenario.ts';

function expectations(variant: string): Expectation[] {
  switch (variant) {
    case 'bug':
      return [
        {
          text: 'all objects of the second flood are freed without a grace period of their own',
          holds: ({ kvfree }) => kvfree?.freedEarly === LATE_OBJECTS,
        },
        { text: 'and nobody finds out', holds: ({ kvfree }) => kvfree?.debug.leaked === 0 },
      ];
    case 'caught':
      return [
        {
          text: 'the check at free leaks them instead',
          holds: ({ kvfree }) => kvfree?.debug.leaked === LATE_OBJECTS && kvfree.freedEarly === 0,
        },
      ];
    default:
      return [
        {
          text: 'every object waits for a grace period',
          holds: ({ kvfree }) => kvfree?.freedEarly === 0 && kvfree.freed === kvfree.queued,
        },
      ];
  }
}

/** A use after free that nobody notices, and the check that does. */
export const oldAttachBugStory: Story = {
  shows: 'how objects were freed too early up to 6.2, without any warning',
  lookAt: [
    'The first flood goes to the head channel, and a batch takes it: its block channel stays empty. The batch waits for a grace period, which the reader on CPU 2 holds up. At 34 ms the second flood fills blocks, and the monitor puts them into the empty channel of that same batch.',
    'The grace period ends at 84 ms, and the batch frees all it has, the blocks too. Their objects were queued after it had begun: a reader that began before them could still have used them. Invariant W2 is violated, and the kernel is silent: debug objects see nothing wrong.',
    'The rule of 6.3 takes only a batch whose channels are all empty. From 6.5 on every block is checked once more when it is freed: with the old rule it warns and leaks it.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
