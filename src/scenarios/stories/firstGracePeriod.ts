/** What the scenario "A first grace period" tells. */
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

const READER_LEAVES_MS = 19;

/** What the call takes, ms: [at least, at most]. */
const LATENCY_MS: Readonly<Record<string, readonly [number, number]>> = {
  callback: [18, 18.2],
  'wake-from-gp': [14, 14.2],
  'no-reader': [14, 14.2],
};

function expectations(variant: string): Expectation[] {
  const [atLeast, atMost] = LATENCY_MS[variant] as readonly [number, number];
  const common: Expectation[] = [
    {
      text: `the call takes ${atLeast} to ${atMost} ms`,
      holds: ({ latency }) => {
        const ms = (latency?.synchronize_rcu?.p0 ?? 0) / MS;
        return ms >= atLeast && ms <= atMost;
      },
    },
    {
      text: 'one grace period serves the call',
      holds: ({ gracePeriods }) => gracePeriods?.rcu?.n === 1,
    },
  ];
  if (variant === 'no-reader') return common;
  return [
    ...common,
    {
      text: 'the call returns after the reader that was there before it has left',
      holds: ({ virtualNs }) => virtualNs > READER_LEAVES_MS * MS,
    },
  ];
}

/** The first thing that a visitor sees. */
export const firstGracePeriodStory: Story = {
  shows: 'one reader, one synchronize_rcu(), four CPUs: where the 18 ms of the call go',
  lookAt: [
    '6 ms: the call queues a callback, and nothing else happens. 8 ms: the next tick of CPU 0 gives the callback a number and asks for a grace period; the kthread starts it on CPU 1 and goes to sleep for two ticks.',
    '16 ms: the first scan finds CPUs 0 and 3 idle and reports for them; CPU 1 has reported itself at 12 ms. One bit of qsmask is left: CPU 2 is in its section, and nobody can report for it. Without the reader this scan ends it.',
    '19 ms: the reader leaves. CPU 2 reports at its next tick (20 ms), the grace period ends at once, and the tick after that runs the callback (24 ms). With rcu_normal_wake_from_gp the call asks for the grace period itself and the kthread wakes it: no waiting for a tick at either end.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
