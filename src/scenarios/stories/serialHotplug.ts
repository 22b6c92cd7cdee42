/** What the scenario "Switching SMT off on 2,000 CPUs" tells. */
import { runTimeNs } from '../runTime.ts';
import type { Expectation, ReportedFigure, ScenarioResult, Story } from '../scenario.ts';
import { FLOOR_MS, SETTINGS, type Setting, STEPS } from '../serialHotplug.ts';

const MS = 1_000_000;

/** Threads that are switched in all: seven of eight of 2,000. */
const THREADS = 1750;

const SOURCE = 'powerpc-utils issue 119';

/** The whole job, minutes, if every thread takes what the steps of the run took. */
function totalMinutes(result: ScenarioResult): number {
  return ((runTimeNs(result) / STEPS) * THREADS) / 60e9;
}

function reported(variant: string): ReportedFigure[] {
  if (variant !== 'normal' && variant !== 'expedited') return [];
  const isNormal = variant === 'normal';
  return [
    {
      what: `${THREADS} threads, one after the other`,
      unit: 'min',
      value: isNormal ? 60 : 5.5,
      source: SOURCE,
      fitted: true,
      remark: isNormal ? 'reported as "about an hour"' : 'reported as 5 to 6 minutes',
      measure: totalMinutes,
    },
  ];
}

function expectations(variant: string): Expectation[] {
  const { callMs, isExpedited } = SETTINGS[variant] as Setting;
  if (isExpedited) {
    return [
      {
        text: 'a call takes less than 1 ms, so a step takes the floor and hardly more',
        holds: ({ latency, virtualNs }) =>
          (latency?.synchronize_rcu?.p100 ?? MS) < MS &&
          virtualNs > STEPS * FLOOR_MS * MS &&
          virtualNs < 1.05 * STEPS * FLOOR_MS * MS,
      },
    ];
  }
  return [
    {
      text: `a call takes ${callMs} ms`,
      holds: ({ latency }) => Math.abs((latency?.synchronize_rcu?.p50 ?? 0) / MS - callMs) < 0.2,
    },
  ];
}

/** How the wait between scans grows with the number of CPUs, and what rcu_expedited can and cannot save. */
export const serialHotplugStory: Story = {
  shows: 'how an hour becomes five minutes with rcu_expedited, and why not zero',
  lookAt: [
    'The wait before a scan is 1 jiffy and one more for every 256 CPUs: 8 at 2,000 CPUs. A wait of 8 jiffies is 9 ticks, 90 ms at HZ=100, and two scans are needed: 180 ms of grace period, 200 ms of call. At 80 CPUs it is 1 jiffy, and a call takes 60 ms.',
    'A step is nine calls and 180 ms of other work: 1.98 s, so 1,750 threads take 58 minutes. Expedited, a call takes a third of a millisecond; the 180 ms stay, and with them 5.3 minutes. At 80 CPUs there is less to gain: 0.72 s a step against 0.18.',
    'HZ is an assumption: the same calls take 80 ms each at HZ=250 and 24 ms at HZ=1000.',
  ],
  fitted: [
    'Nine calls per step are fitted to "about an hour", with grace periods of two scans; with one scan (90 ms) it would take twice as many. The 180 ms that a step takes beside RCU are fitted to the five to six minutes with rcu_expedited. HZ=100, SMT8 (seven of eight threads are switched) and a machine that is otherwise idle are assumed: neither HZ nor kernel was reported. Hotplug itself is not simulated: all CPUs stay online.',
  ],
  reported,
  expectations,
};
