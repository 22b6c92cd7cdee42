/** What the scenario "Callbacks and srcu_barrier()" tells. */

import { BATCHES, CALLS } from '../callbacksAndBarrier.ts';
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

function expectations(variant: string): Expectation[] {
  const batch = BATCHES[variant] as number;
  return [
    {
      text: 'every callback runs once',
      holds: ({ latency }) => latency?.['call_srcu.callback']?.n === CALLS * batch,
    },
    {
      text: 'a batch takes two sleeps of two ticks, whatever its size',
      holds: ({ latency }) => Math.abs((latency?.call_srcu?.p50 ?? 0) - 16 * MS) < 0.5 * MS,
    },
  ];
}

/** Callbacks from queueing to invocation, and the barrier behind them. */
export const callbacksAndBarrierStory: Story = {
  shows: 'how call_srcu() callbacks are queued, wait for their grace period and are invoked together',
  lookAt: [
    'The first callback of a batch starts a grace period; the others come too late for it and wait for the next one, which starts in the pass that ends the first.',
    'Both grace periods share one callback timer, so a batch of 128 takes as long as a batch of 2: four ticks.',
    'A small domain invokes all callbacks on CPU 0, a big one (convert_to_big=1) on the CPU that queued them.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
