/** What the scenario "A stall warning" tells. */
import type { Expectation, Story } from '../scenario.ts';
import { HOLD_S } from '../stall.ts';

const S = 1_000_000_000;

function expectations(): Expectation[] {
  return [
    {
      text: 'the call waits for the reader however long that takes',
      holds: ({ latency }) => (latency?.synchronize_rcu?.p0 ?? 0) > (HOLD_S - 1) * S,
    },
    { text: 'one grace period', holds: ({ gracePeriods }) => gracePeriods?.rcu?.n === 1 },
  ];
}

/** What "rcu: INFO: rcu_preempt self-detected stall" stands for. */
export const stallStory: Story = {
  shows:
    'who is named when a grace period is older than rcu_cpu_stall_timeout, and when the next warning comes',
  lookAt: [
    'After 3 s (750 jiffies) the first tick that looks finds the grace period too old. Without preemption that is CPU 2, which still owes its bit, and it warns of itself (SelfDetected).',
    'In a preemptible kernel the scan has made CPU 2 reschedule long before: its reader is entered in blkd_tasks, though nobody else wants the CPU, and the CPU has reported. Nobody owes a bit; another CPU warns two jiffies later (752, StallDetected), and only the leaf still names the task.',
    'The next warning comes 3 timeouts and 3 jiffies after the last: at 3,003 and 3,007 jiffies here.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
