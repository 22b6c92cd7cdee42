/** What the scenario "Why two scans" tells. */
import type { Expectation, Story } from '../scenario.ts';
import { SERIES } from '../twoScans.ts';

const MS = 1_000_000;

function expectations(variant: string): Expectation[] {
  if (variant === 'late') {
    return [
      {
        text: 'the first grace period owes the late reader nothing, the second waits for it',
        holds: ({ latency }) =>
          (latency?.[SERIES]?.p0 ?? MS) < 0.1 * MS && (latency?.[SERIES]?.p100 ?? 0) > MS,
      },
    ];
  }
  return [
    {
      text: 'the first grace period waits for the reader, the second finds nobody',
      holds: ({ latency }) =>
        (latency?.[SERIES]?.p0 ?? MS) < 0.1 * MS && (latency?.[SERIES]?.p100 ?? 0) > 1.8 * MS,
    },
  ];
}

/** A late incrementer between two grace periods. */
export const twoScansStory: Story = {
  shows:
    'a reader that fetched its index before a flip and counts itself after it: only the first scan can see it',
  lookAt: [
    'The reader fetches index 0, then the first grace period flips and ends; only then does the reader count itself, on what is now the old index.',
    'The second grace period stays in SCAN1 until that reader has left, although it has not flipped yet: without the first scan it would end too early.',
    'In the variant on-time the same reader counts at once and holds up SCAN2 of the first grace period instead.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
