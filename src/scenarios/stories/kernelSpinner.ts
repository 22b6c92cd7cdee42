/** What the scenario "A kernel thread that spins" tells. */
import { SPIN_S } from '../kernelSpinner.ts';
import type { Expectation, ReportedFigure, ScenarioResult, Story } from '../scenario.ts';

const MS = 1_000_000;

function callMs({ latency }: ScenarioResult): number {
  return (latency?.synchronize_rcu_tasks?.p0 ?? Number.NaN) / MS;
}

function reported(variant: string): ReportedFigure[] {
  if (variant !== 'idle') return [];
  return [
    {
      what: 'synchronize_rcu_tasks() on an idle system',
      unit: 'ms',
      value: 54,
      source: 'mail of 23 March 2021: closing a bpf_link',
      fitted: false,
      remark:
        'HZ was not reported: two grace periods of RCU and the ticks between them; at HZ=100 it is 100 ms',
      measure: callMs,
    },
  ];
}

/** Least and most that the call takes, ms. */
const CALL_MS: Readonly<Record<string, readonly [number, number]>> = {
  spins: [SPIN_S * 1000, SPIN_S * 1000 + 400],
  'preempt-none': [SPIN_S * 1000, SPIN_S * 1000 + 400],
  expedited: [SPIN_S * 1000, SPIN_S * 1000 + 400],
  naps: [300, 500],
  idle: [20, 60],
};

function expectations(variant: string): Expectation[] {
  const range = CALL_MS[variant];
  if (range === undefined) {
    return [
      {
        text: 'the call does not return, while a grace period of RCU does end',
        holds: ({ latency, gracePeriods }) =>
          latency?.synchronize_rcu_tasks === undefined && (gracePeriods?.rcu?.n ?? 0) > 0,
      },
    ];
  }
  const [least, most] = range;
  return [
    {
      text: `the call takes ${least} to ${most} ms`,
      holds: (result) => callMs(result) > least && callMs(result) < most,
    },
  ];
}

/** What a kernel thread that spins does to synchronize_rcu_tasks(). */
export const kernelSpinnerStory: Story = {
  shows: 'that only a voluntary switch takes a spinning kernel thread off the list of holdouts',
  lookAt: [
    'CPU 2 runs a kernel thread that does not sleep. The scan puts it on the list with the number of its voluntary switches; every later scan finds the same number, asks the CPU for help, and sleeps a little longer. Preemption would not count, nor does a tick in the kernel. The call takes as long as the thread spins, and up to one sleep more.',
    'rcu_expedited shortens the two grace periods of RCU inside, some tens of ms, and nothing else. Without preemption cond_resched() every ms lets RCU go on, as the first grace period shows, but it is no quiescent state of RCU Tasks: that takes cond_resched_tasks_rcu_qs().',
    'One sleep of 1 ms is enough: see naps. And put user-spinner beside it: a busy loop in user mode is gone with its next tick.',
  ],
  fitted: [
    'The report has a second figure, 3249 ms under load in softirq. That is when the tester ended the load: ksoftirqd is a holdout as long as it does not sleep, so no number is predicted for it.',
  ],
  reported,
  expectations,
};
