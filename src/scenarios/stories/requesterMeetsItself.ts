/** What the scenario "The requester meets itself" tells. */

import { SERIES } from '../requesterMeetsItself.ts';
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

function expectations(variant: string): Expectation[] {
  const p50 = (holds: (ns: number) => boolean, text: string): Expectation => ({
    text,
    holds: ({ latency }) => holds(latency?.[SERIES]?.p50 ?? -1),
  });
  switch (variant) {
    case 'v6.12-none':
      return [
        {
          text: 'without preemption no call meets itself',
          holds: ({ srcu, latency }) =>
            srcu?.requesterHits === 0 && (latency?.[SERIES]?.p100 ?? MS) < 0.1 * MS,
        },
      ];
    case 'v5.19-rc1':
    case 'v5.19-640a':
      return [p50((ns) => Math.abs(ns - 16 * MS) < 0.3 * MS, 'a call takes four ticks')];
    case 'v5.19-fix4':
      return [p50((ns) => Math.abs(ns - 8 * MS) < 0.3 * MS, 'a call takes two ticks')];
    default:
      return [p50((ns) => ns > 0 && ns < 0.1 * MS, 'most calls take some microseconds')];
  }
}

/** A requester that spins between expedited calls, and the scheduler that puts the worker in its way. */
export const requesterMeetsItselfStory: Story = {
  shows:
    'why 8 s became 161 s, step by step: the worker preempts the caller inside the read-side section of its own call',
  lookAt: [
    'CPU 0: the caller queues process_srcu and is preempted before its own srcu_read_unlock(); the worker then polls for a reader that cannot run. Step through these microseconds, then zoom out to the ticks that they cost.',
    "Whether that happens is the scheduler's choice: a caller that has spun long enough owes the worker time. With 5.18 the worker polls its credit away in one call, so few calls are hit.",
    'With 5.19-rc1 the worker polls for 11 µs only and keeps its credit, so every call is hit, and each costs four ticks of 4 ms: 9785 of them are 157 s.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
