/** What the scenario "An ODEBUG splat that is a false alarm" tells. */
import { OBJECTS } from '../odebugSplat.ts';
import type { Expectation, Story } from '../scenario.ts';

function expectations(variant: string): Expectation[] {
  const safe: Expectation = {
    text: 'no object is freed before its grace period, none is left',
    holds: ({ kvfree }) => kvfree?.freedEarly === 0 && kvfree.freed === OBJECTS,
  };
  const count = variant === 'posted' ? OBJECTS : 0;
  return [
    safe,
    {
      text: count === 0 ? 'no splat' : 'a splat for every object',
      holds: ({ kvfree }) => kvfree?.debug.freeActive === count,
    },
  ];
}

/** A splat about bookkeeping, and none about memory. */
export const odebugSplatStory: Story = {
  shows:
    'why the first version of kfree_bulk() in kfree_rcu() brought "ODEBUG: free active" with no error in memory',
  lookAt: [
    'Every object becomes QUEUED when it is given to kfree_rcu(), and READY again when kfree_rcu_work() takes it off, before it is freed. The new path for blocks left the second step out: look at what is said of each block just before it is freed.',
    'Its grace period had passed all the same: invariants W1 and W2 hold. Compare with old-attach-bug, where objects are freed too early and no splat comes.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
