/** What the scenario "Freeing a trampoline" tells. */
import type { Expectation, ReportedFigure, ScenarioResult, Story } from '../scenario.ts';
import { B_MS, parseTrampoline } from '../trampoline.ts';

const S = 1_000_000_000;
/** "real" of the script, s. */
const REPORTED_S = { before: 1.098, posted: 0.179 } as const;

/** What the script takes: B, and the hold-out phase of the run. */
function realS({ tasks }: ScenarioResult): number {
  return B_MS / 1000 + (tasks?.holdoutPhaseNs ?? Number.NaN) / S;
}

function reported(variant: string): ReportedFigure[] {
  const { form, hz } = parseTrampoline(variant);
  if (form === 'merged') return [];
  return [
    {
      what: 'filter set and cleared once: B and a hold-out phase (mean of 20)',
      unit: 's',
      value: REPORTED_S[form],
      source: 'linux-kernel mailing list, 20 May 2018',
      fitted: true,
      remark:
        hz === 100
          ? `B = ${B_MS} ms is fitted; at HZ=100 the two grace periods of RCU in it take 75 ms here`
          : `B = ${B_MS} ms is fitted, one for all HZ, before and after the patch`,
      measure: realS,
    },
  ];
}

function expectations(variant: string): Expectation[] {
  const { form } = parseTrampoline(variant);
  const expected = REPORTED_S[form === 'before' ? 'before' : 'posted'];
  return [
    {
      text: `within 3 % of ${expected} s`,
      holds: (result) => Math.abs(realS(result) / expected - 1) < 0.03,
    },
    {
      text: 'one grace period of RCU Tasks and two of RCU for each call',
      holds: ({ gracePeriods }) => gracePeriods?.tasks?.n === 20 && gracePeriods.rcu?.n === 40,
    },
  ];
}

/** Why freeing a trampoline took a second, and a fifth of one afterwards. */
export const trampolineStory: Story = {
  shows:
    'why clearing an ftrace filter took a second beside one busy shell loop, and how a patch made it a fifth',
  lookAt: [
    'The shell loop on CPU 1 is the only holdout, and its next tick in user mode releases it, a few ms after the scan of the task list. Nobody looks: before the patch rcu_tasks_kthread sleeps HZ jiffies, and rounds that up on the timer wheel.',
    'As posted, the first sleep is HZ/10: the same release is found ten times as early. The form of 4.19 does the same here. What the patch costs where there is no holdout, and what the two do to a slow one, is in backoff-ladder.',
    `Four HZ, one B: the two reports do not tell which it was. Only the grace periods of RCU speak against 100, where the two inside the call take 75 ms here and B is ${B_MS}.`,
  ],
  fitted: [
    `One figure is fitted, B = ${B_MS} ms: what the script takes beside the hold-out phase, the same for all HZ, before and after the patch. The grace periods of RCU inside the call are part of it; the run has them, 30 ms at HZ=250, 32 at 300, 12 at 1000, 75 at 100. The rest is writing the filter and the shell (sys was reported as 53 ms). The hold-out phase is the run’s own, so the difference of the two reports, 919 ms, is predicted.`,
    'HZ, the number of CPUs and the kernel beside the patch were not reported. Scheduler, SRCU and Tree RCU are those of 5.10.',
  ],
  reported,
  expectations,
};
