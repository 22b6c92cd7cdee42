/** What the scenario "Normal against expedited" tells. */

import { API, RUN_QUEUE } from '../normalVsExpedited.ts';
import type { Expectation, ReportedFigure, ScenarioResult, Story } from '../scenario.ts';

const US = 1000;

const MS = 1_000_000;

function reported(variant: string): ReportedFigure[] {
  if (!RUN_QUEUE.includes(variant)) return [];
  const isKthread = variant === 'worker-kthread';
  const msOf = (ns: number | undefined) => (ns ?? Number.NaN) / MS;
  const calls = ({ latency }: ScenarioResult) => latency?.[API.expedited];
  const common = { unit: 'ms', source: 'linux-rcu tree, April 2022: an arm64 phone', fitted: false };
  return [
    {
      ...common,
      what: 'mean of synchronize_rcu_expedited()',
      value: isKthread ? 0.151 : 2.746,
      remark:
        'the load of the phone is not known; here the mean does not improve with the kthread: the pinned caller still waits for its own loaded CPU, and half of the grace periods are 0.07 ms longer',
      measure: (result) => msOf(calls(result)?.mean),
    },
    {
      ...common,
      what: 'longest call',
      value: isKthread ? 2.33 : 372.767,
      remark: isKthread
        ? 'not improved by the kthread here: the grace period is short, but the pinned caller waits for its own loaded CPU'
        : 'hundreds of ms need real-time threads or control groups ahead of the worker: not modelled',
      measure: (result) => msOf(calls(result)?.p100),
    },
  ];
}

function expectations(variant: string): Expectation[] {
  if (RUN_QUEUE.includes(variant)) {
    const isKthread = variant === 'worker-kthread';
    return [
      {
        text: isKthread
          ? 'a grace period takes less than 0.2 ms, at p99 too'
          : 'a grace period takes 20 us in half of the cases and more than 2 ms at p99',
        holds: ({ gracePeriods }) => {
          const { p50, p99 } = gracePeriods?.exp ?? { p50: 0, p99: 0 };
          return isKthread ? p99 > 0 && p99 < 200 * US : p50 < 40 * US && p99 > 2 * MS;
        },
      },
    ];
  }
  const isFast = variant === 'expedited' || variant === 'rcu-expedited';
  const series = variant === 'expedited' || variant === 'rcu-normal' ? API.expedited : API.normal;
  return [
    {
      text: isFast ? 'a call takes microseconds' : 'a call takes ticks',
      holds: ({ latency }) =>
        isFast ? (latency?.[series]?.p50 ?? 0) < 100 * US : (latency?.[series]?.p50 ?? 0) > 4 * MS,
    },
    {
      text: isFast ? 'no normal grace period runs' : 'no expedited grace period runs',
      holds: ({ gracePeriods }) => (isFast ? gracePeriods?.rcu : gracePeriods?.exp) === undefined,
    },
  ];
}

/** What an IPI saves, and what it costs others. */
export const normalVsExpeditedStory: Story = {
  shows: 'ticks against microseconds, and which of rcu_expedited and rcu_normal wins',
  lookAt: [
    'A normal grace period waits until CPUs pass by a quiescent state; an expedited one sends them an IPI.',
    'rcupdate.rcu_expedited=1 makes every synchronize_rcu() expedited; rcu_normal=1 makes every synchronize_rcu_expedited() normal, and wins if both are set.',
    'An expedited grace period is made by a worker, and a worker needs a CPU. Before 6.9 that is a work item on the CPU of the caller: behind other threads it waits for milliseconds, whatever RCU does (worker-waits). No parameter of RCU changes that, RCU_BOOST neither; CONFIG_RCU_EXP_KTHREAD does, with a real-time kthread (worker-kthread): p99 of the grace period falls from milliseconds to 0.13 ms. Mean and longest call do not get better here: the caller is pinned, and when the grace period is over it still waits behind the threads of its own loaded CPU.',
  ],
  fitted: [
    'Nothing is fitted. The load of the two variants of 5.10 (five threads to a CPU, busy for a sixth of their time) is assumed; compare the lengths of their grace periods, start to end: p99 is milliseconds with the work item and 0.13 ms with the kthread.',
  ],
  reported,
  expectations,
};
