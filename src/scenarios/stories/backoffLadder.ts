/** What the scenario "The back-off ladder of RCU Tasks" tells. */
import { parseLadder } from '../backoffLadder.ts';
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

/** Least and most of the hold-out phase with a holdout of 5 s, ms (table 4.4). */
const PHASE_MS: Readonly<Record<string, readonly [number, number]>> = {
  before: [5096, 5128],
  posted: [5200, 5232],
  merged: [5028, 5060],
  now: [5080, 5084],
  'before-1000': [5096, 5160],
  'posted-1000': [5204, 5268],
  'merged-1000': [5012, 5076],
  'now-1000': [5100, 5108],
  'posted-nobody': [100, 104],
};
/** Most that the two grace periods of RCU around it take, ms: ten ticks. */
const AROUND_TICKS = 10;

function expectations(variant: string): Expectation[] {
  const [least, most] = PHASE_MS[variant] as readonly [number, number];
  const around = (AROUND_TICKS * 1000) / parseLadder(variant).hz;
  return [
    {
      text: `${least} to ${most} ms, and two grace periods of RCU`,
      holds: ({ gracePeriods }) => {
        const ms = (gracePeriods?.tasks?.p50 ?? Number.NaN) / MS;
        return ms > least && ms < most + around;
      },
    },
  ];
}

/** How long RCU Tasks sleeps between two looks at its holdouts, in four forms. */
export const backoffLadderStory: Story = {
  shows: 'how late RCU Tasks notices that a holdout has let go, in the four forms of its back-off',
  lookAt: [
    'Nine kernel threads let go 1, 50, 95, 110, 150, 300, 1000, 1500 and 5000 ms after the hold-out phase began. Each scan takes those off the list that have done so; a holdout that lets go just after a scan stays until the next one.',
    'Compare the forms: 4.17 finds all of the first second at once, after 1.03 s. The posted patch finds three after 0.1 s and the next four a second later. 4.19 sleeps longer and longer, up to a second; 5.11 and later one jiffy more each time, so after five seconds it still looks every 0.2 s.',
    'Sleeps are jiffies on the timer wheel: 25 at HZ=250 are 26 ticks, 250 end on a multiple of 8 ticks. Move HZ or startJiffies, and the scans move with the wheel. The posted patch slept HZ/10 also where there was nobody to wait for.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
