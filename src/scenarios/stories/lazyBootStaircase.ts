/** What the scenario "Ten-second steps in a boot" tells. */
import type { Expectation, ReportedFigure, ScenarioResult, Story } from '../scenario.ts';

const S = 1_000_000_000;

const MS = 1_000_000;

const SOURCE = 'linux-kernel mailing list, 2022: boot log of a virtual machine with lazy callbacks';

function reported(variant: string): ReportedFigure[] {
  if (variant !== 'lazy') return [];
  const stepNs = ({ latency }: ScenarioResult) => latency?.['call_rcu.callback']?.mean ?? Number.NaN;
  return [
    {
      what: 'a step',
      unit: 's',
      value: 10.23,
      source: SOURCE,
      fitted: false,
      remark: 'reported: 9.71 (from a line that was printed after the wait had begun), 10.23 and 10.24 s',
      measure: (result) => stepNs(result) / S,
    },
    {
      what: 'the last wait, seven steps',
      unit: 's',
      value: 71.64,
      source: SOURCE,
      fitted: false,
      remark: 'seven times the step of this run; that the boot waited seven times in a row is inferred',
      measure: (result) => (7 * stepNs(result)) / S,
    },
  ];
}

function expectations(variant: string): Expectation[] {
  const callback = ({ latency }: ScenarioResult) => latency?.['call_rcu.callback'];
  switch (variant) {
    case 'lazy':
      return [
        {
          text: 'every callback runs 10 to 10.3 s after it was queued',
          holds: (result) => (callback(result)?.p0 ?? 0) > 10 * S && (callback(result)?.p100 ?? 0) < 10.3 * S,
        },
      ];
    case 'company':
      return [
        {
          text: 'the lazy callback runs with the one that is not, 3 s after it was queued',
          holds: (result) => Math.abs((callback(result)?.p0 ?? 0) - 3.016 * S) < 10 * MS,
        },
      ];
    default:
      return [
        {
          text: 'nobody waits for 10 s: a grace period, and no more',
          holds: ({ latency }) =>
            Object.values(latency ?? {}).every(({ p100 }) => p100 < 20 * MS) &&
            Object.values(latency ?? {}).some(({ p50 }) => p50 > 8 * MS),
        },
      ];
  }
}

/** Steps of ten seconds in a boot log. */
export const lazyBootStaircaseStory: Story = {
  shows: 'what happens when somebody waits for a callback that is lazy, and four ways out of it',
  lookAt: [
    'A lazy callback goes to the bypass list of its CPU and stays there for 10 s (10 HZ jiffies, and what the timer wheel rounds up); only then rcuog asks for a grace period, which takes milliseconds. A boot that waits for it climbs in steps of 10.0 to 10.26 s.',
    'Whoever waits must not be lazy: call_rcu_hurry(), as synchronize_rcu() uses it (hurry). rcu_barrier() flushes lazy lists, and so does a callback of the same CPU that is not lazy (company).',
    'rcutree.enable_rcu_lazy = 0 makes no callback lazy. Without offloaded CPUs (rcu_nocbs) none is lazy anyway.',
  ],
  fitted: [
    'Nothing is fitted. HZ (250) is assumed: at HZ=1000 a step would be 10.0 to 10.5 s. The log was made with a prototype; here it is the form that was merged. The 10.3 s between two calls stand for a boot that goes on as soon as it has got what it waited for.',
  ],
  reported,
  expectations,
};
