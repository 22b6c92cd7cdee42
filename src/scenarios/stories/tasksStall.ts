/** What the scenario "RCU Tasks stalls" tells. */
import type { Expectation, ReportedFigure, Story } from '../scenario.ts';

/** Ages in jiffies that the lines of a log with HZ=1000 name. */
const LOG_AGES = [10_658, 40_793, 131_273, 402_058];
const LOG_REMARK =
  'all four are some 600 jiffies later there: the age counts from before the first grace period of RCU, which takes ticks here';

function reported(variant: string): ReportedFigure[] {
  if (variant !== 'defaults') return [];
  return LOG_AGES.map((value, i) => ({
    what: `age in line ${i + 1}`,
    unit: 'jiffies',
    value,
    source: 'linux-kernel stable commit 1a86a1f7d889',
    fitted: false,
    ...(i === 0 ? { remark: LOG_REMARK } : {}),
    measure: ({ tasks }) => tasks?.infoAges[i] ?? Number.NaN,
  }));
}

/** Lines and stalls: after so many jiffies in the hold-out phase. */
const DUE: Readonly<
  Record<string, { readonly infos: readonly number[]; readonly stalls: readonly number[] }>
> = {
  soon: { infos: [250, 1000], stalls: [2500] },
  'every-second': { infos: [250, 500, 750, 1000, 1250, 1500, 1750, 2000], stalls: [2500] },
  'before-5-18': { infos: [], stalls: [2500] },
  defaults: { infos: [10_000, 40_000, 130_000, 400_000], stalls: [] },
};
/** Scans are less than this apart, and each message is that much later at most than the one before allows. */
const LATE_SHARE = 0.16;

function areDue(ages: readonly number[], due: readonly number[]): boolean {
  return (
    ages.length === due.length &&
    due.every((after, i) => (ages[i] ?? 0) > after && (ages[i] ?? 0) < after * (1 + LATE_SHARE))
  );
}

function expectations(variant: string): Expectation[] {
  const { infos, stalls } = DUE[variant] as { readonly infos: number[]; readonly stalls: number[] };
  return [
    {
      text: `lines after ${infos.join(', ')} jiffies, stalls after ${stalls.join(', ')}`,
      holds: ({ tasks }) => areDue(tasks?.infoAges ?? [], infos) && areDue(tasks?.stallAges ?? [], stalls),
    },
  ];
}

/** When RCU Tasks complains, and of whom. */
export const tasksStallStory: Story = {
  shows: 'when a grace period of RCU Tasks that does not end is reported, and how to read what the log says',
  lookAt: [
    'Lines come first: “rcu_tasks grace period number 1 is … jiffies old”, after 1 s here, then 3 s later; each wait is three times the last (10, 40, 130, 400 s with the defaults). They are written at a scan only, so up to one sleep late, and the age counts from before the first grace period of RCU.',
    'The stall names the holdout on CPU 2: its number of voluntary switches at the scan, and now. Both are equal, that is the whole accusation. After a stall no more lines come.',
    'The thread must sleep once, or call cond_resched_tasks_rcu_qs(). Until then whoever waits, bpftrace for one, hangs; rcu_expedited would not help.',
  ],
  fitted: [],
  reported,
  expectations,
};
