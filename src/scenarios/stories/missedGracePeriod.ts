/** What the scenario "The missed grace period" tells. */
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

/** Call to the poll becoming true, ms: [at least, at most]. */
const POLL_MS: Readonly<Record<string, readonly [number, number]>> = {
  compressed: [36, 38],
  full: [0.9, 1.2],
  earlier: [2.9, 3.2],
};

function expectations(variant: string): Expectation[] {
  const [atLeast, atMost] = POLL_MS[variant] as readonly [number, number];
  return [
    {
      text: `the poll is true ${atLeast} to ${atMost} ms after the cookie was taken`,
      holds: ({ latency }) => {
        const ms = (latency?.get_state_synchronize_rcu?.p0 ?? 0) / MS;
        return ms >= atLeast && ms <= atMost;
      },
    },
    {
      text: 'two normal grace periods and one expedited one',
      holds: ({ gracePeriods }) => gracePeriods?.rcu?.n === 2 && gracePeriods.exp?.n === 1,
    },
  ];
}

/** Why there are cookies of two words. */
export const missedGracePeriodStory: Story = {
  shows:
    'that a cookie of one word can miss a grace period which a full cookie sees; never the other way round',
  lookAt: [
    '10 ms: a normal grace period starts and makes gp_seq_polled odd. A cookie of one word that is taken at 11 ms therefore asks for the end of the one after it.',
    '12 ms: an expedited grace period comes and goes within it. That is a whole one after the cookie, and a full cookie has a word of its own for it; to gp_seq_polled it is only the end of what was running. A cookie of 9 ms, from before all that, gains from it: true here.',
    '16 ms: the normal one ends. Its number has been spent already, so a cookie of one word goes on waiting until somebody starts another: here at 40 ms.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
