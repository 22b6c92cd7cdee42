/** What the scenario "Lazy callbacks of RCU Tasks" tells. */
import type { Expectation, ScenarioResult, Story } from '../scenario.ts';

const MS = 1_000_000;

/** A period without laziness: two grace periods of RCU and gp_sleep, 26 ticks of HZ=250. */
const PERIOD_MS = 136;
/** The lazy timer re-arms itself: 63 jiffies on the wheel are 64 ticks. */
const LAZY_MS = 256;

function seriesOf({ latency }: ScenarioResult) {
  return latency?.call_rcu_tasks ?? latency?.synchronize_rcu_tasks;
}

function expectations(variant: string): Expectation[] {
  const isLazy = variant === 'lazy' || variant === 'left-over';
  const period = isLazy ? LAZY_MS : PERIOD_MS;
  return [
    {
      text: `calls end ${period} ms apart`,
      holds: (result) => Math.abs((seriesOf(result)?.p50 ?? 0) / MS - period) < 4,
    },
    {
      text: isLazy ? 'the longest call is the first, over 280 ms' : 'the first call is shorter than 60 ms',
      holds: (result) => {
        const series = seriesOf(result);
        return isLazy ? (series?.p100 ?? 0) > 280 * MS : (series?.p0 ?? Number.NaN) < 60 * MS;
      },
    },
    ...(variant === 'left-over'
      ? [
          {
            text: 'some calls are not lazy',
            holds: (result: ScenarioResult) => Math.abs((seriesOf(result)?.p0 ?? 0) / MS - PERIOD_MS) < 4,
          },
        ]
      : []),
  ];
}

/** What laziness costs a caller who waits for a callback. */
export const lazyTasksStory: Story = {
  shows:
    'why waiting for a callback of RCU Tasks takes a quarter of a second since 6.5, and what takes that away',
  lookAt: [
    'A callback that nobody is known to wait for wakes nobody. It arms a timer of HZ/4 jiffies, 256 to 284 ms on the wheel, and only then does the grace period start. The barrier waits for all of that. From the second call on the period is the timer’s own, 256 ms.',
    'synchronize_rcu_tasks() is never lazy, nor is a queue that had 32 callbacks already: their calls take 30 ms from idle and 136 ms back to back, where the sleep of HZ/10 after every grace period is the longest part.',
    'An urgent call leaves up to two urgent looks behind. With them the first callback still waits for the timer, and the grace periods right behind it do not: 136, 136 and 240 ms, then 256 again. rcu_tasks_lazy_ms=0 switches laziness off.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
