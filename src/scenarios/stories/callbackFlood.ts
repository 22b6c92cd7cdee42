/** What the scenario "A flood of callbacks" tells. */

import { CALLBACKS } from '../callbackFlood.ts';
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;

function expectations(variant: string): Expectation[] {
  const all: Expectation = {
    text: `all ${CALLBACKS} callbacks are invoked, none before 4 ms have passed`,
    holds: ({ latency }) => {
      const callback = latency?.['call_rcu.callback'];
      return callback?.n === CALLBACKS && callback.p0 > 4 * MS;
    },
  };
  switch (variant) {
    case 'qhimark':
      return [
        all,
        {
          text: 'the grace period is hurried: half of the callbacks have run within 14 ms',
          holds: ({ latency }) => (latency?.['call_rcu.callback']?.p50 ?? 1e9) < 14 * MS,
        },
      ];
    case 'offloaded':
      return [
        all,
        {
          text: 'what was on the bypass list needs a second grace period',
          holds: ({ gracePeriods }) => gracePeriods?.rcu?.n === 2,
        },
      ];
    case 'barrier':
      return [
        all,
        {
          text: 'rcu_barrier() waits for the callbacks of another CPU: more than 20 ms with none of its own',
          holds: ({ latency }) => (latency?.rcu_barrier?.p0 ?? 0) > 20 * MS,
        },
      ];
    case 'barriers':
      return [
        all,
        {
          text: 'six at once take hardly longer than one',
          holds: ({ latency }) => latency?.rcu_barrier?.n === 6 && latency.rcu_barrier.p100 < 25 * MS,
        },
      ];
    default:
      return [all];
  }
}

/** What call_rcu() in bulk does to a CPU. */
export const callbackFloodStory: Story = {
  shows: 'how 1,500 callbacks of one CPU are invoked, and who has to wait for them',
  lookAt: [
    'On a busy CPU a batch ends after blimit (10) callbacks, or a 128th of what is ready if that is more: 11 here. The softirq is raised again at once, so the flood still takes its 3 ms, in more than a hundred batches. On an idle CPU there is no limit: one batch.',
    'More than qhimark callbacks lift the limit and hurry the grace period with a scan of its own. An offloaded CPU takes 64 callbacks per jiffy at HZ=250; the rest goes to the bypass list and gets its number later.',
    'rcu_barrier() has no callback of its own to wait for: it waits behind everything that is queued on every CPU, lazy callbacks included. Barriers share: who finds that a whole one has passed meanwhile returns at once (EarlyExit). Where callers hold a mutex around rcu_barrier(), as in the teardown of network namespaces, barriers cannot share: the next one starts when the one before has returned, and they queue.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
