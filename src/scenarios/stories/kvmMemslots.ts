/** What the scenario "Memory slots of a virtual machine" tells. */

import { CALLS, SERIES } from '../kvmMemslots.ts';
import type { Expectation, Story } from '../scenario.ts';

function expectations(variant: string): Expectation[] {
  const calls: Expectation = {
    text: 'every call returns',
    holds: ({ latency }) => latency?.[SERIES]?.n === CALLS,
  };
  if (variant !== 'idle') return [calls];
  return [
    calls,
    {
      text: 'half of the calls take less than 1 ms',
      holds: ({ latency }) => (latency?.[SERIES]?.p50 ?? 1e9) < 1e6,
    },
  ];
}

/** A bursty updater among short readers and other load. */
export const kvmMemslotsStory: Story = {
  shows: 'bursts of expedited calls on a host with other work: short readers, and what delays them',
  lookAt: [
    'The readers hold their sections for some 80 µs, so an undisturbed call takes microseconds; look for the calls that do not and at who has the CPU then.',
    'A reader that is preempted inside its section, or a worker that waits for its CPU, makes the grace period as long as a slice of the scheduler.',
    'Compare busy with idle, and with 5.19-rc1: there every call that finds a reader costs four ticks, busy or not.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
