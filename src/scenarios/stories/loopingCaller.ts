/** What the scenario "A looping caller on 32 idle CPUs" tells. */

import { CALLS } from '../loopingCaller.ts';
import type { Expectation, ReportedFigure, Story } from '../scenario.ts';

const MS = 1_000_000;

/** What one call takes, ms: (2 + n (j + 1)) T with j = 3 and n scans (tree 4.2 d). */
const CALL_MS: Readonly<Record<string, number>> = { posted: 10, 'early-report': 6, 'kthread-cpu': 6 };

function reported(variant: string): ReportedFigure[] {
  if (variant === 'kthread-cpu') return [];
  const isEarly = variant === 'early-report';
  const common = { unit: 'ms', source: 'linux-kernel mailing list, January 2026', fitted: false };
  return [
    {
      ...common,
      what: 'mean of synchronize_rcu()',
      value: isEarly ? 6.03 : 10.06,
      measure: ({ latency }) => (latency?.synchronize_rcu?.mean ?? Number.NaN) / MS,
    },
    {
      ...common,
      what: 'shortest call',
      value: isEarly ? 5.9 : 9.98,
      measure: ({ latency }) => (latency?.synchronize_rcu?.p0 ?? Number.NaN) / MS,
    },
  ];
}

function expectations(variant: string): Expectation[] {
  const expected = CALL_MS[variant] as number;
  return [
    {
      text: `a call takes ${expected} ms: ${expected - 2} ticks of grace period, one before it and one after it`,
      holds: ({ latency }) => Math.abs((latency?.synchronize_rcu?.p50 ?? 0) / MS - expected) < 0.1,
    },
    { text: 'one grace period a call', holds: ({ gracePeriods }) => gracePeriods?.rcu?.n === CALLS },
  ];
}

/** Why an idle machine needs two scans, and what an early report of the kthread's own CPU saves. */
export const loopingCallerStory: Story = {
  shows: 'why synchronize_rcu() takes 10 ms at HZ=1000 with nobody in the way, and how a patch makes it 6',
  lookAt: [
    'Look at CPU 1 in the first scan: 31 CPUs are found idle, but CPU 1 runs the kthread that scans. Its tick has stopped, so it does not report either: it takes a second scan, four ticks later, to find it.',
    'The patch of early-report notes and reports the quiescent state of the kthread’s own CPU when the grace period starts; one scan is left.',
    'A caller on the CPU of the kthread keeps that CPU ticking, so it reports itself and one scan does, without any patch.',
  ],
  fitted: [
    'Nothing is fitted. HZ, the number of CPUs and the idle machine are as reported; that the tick of an idle CPU stops at once (idleTick immediate) and that the caller is not on the CPU of the kthread are assumed. The mean was 10.06 ms in 8 of 10 reported runs; where the kthread was is not known.',
  ],
  reported,
  expectations,
};
