/** What the scenario "An idle system" tells. */
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

/** Median of a looping caller, ms: (2 + n(j+1)) T by callback, n(j+1) T woken by the kthread. */
const MEDIAN_MS: Readonly<Record<string, number>> = {
  hz250: 16,
  'hz250-wake': 8,
  hz1000: 6,
  'hz1000-wake': 4,
  hz100: 40,
  'hz250-immediate': 24,
  'one-cpu': 12,
};

function expectations(variant: string): Expectation[] {
  const expected = MEDIAN_MS[variant] as number;
  return [
    {
      text: `half of the calls take ${expected} ms or less, as the closed form says`,
      holds: ({ latency }) => Math.abs((latency?.synchronize_rcu?.p50 ?? 0) / MS - expected) < 0.1,
    },
  ];
}

/** What a grace period costs when nobody holds it up. */
export const idleSystemStory: Story = {
  shows: 'that synchronize_rcu() takes whole ticks even when every CPU is idle',
  lookAt: [
    'The wait before the first scan is armed right after a tick, so jiffies_till_first_fqs = 1 means two ticks.',
    'Idle CPUs do nothing: the scan reads their counters and reports for them.',
    'With idleTick immediate the CPU of the kthread cannot be found idle in the first scan (it runs the scan), so there is a second one.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
