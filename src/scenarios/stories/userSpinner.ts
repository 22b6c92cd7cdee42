/** What the scenario "A user task that spins" tells. */
import type { Expectation, Story } from '../scenario.ts';

const MS = 1_000_000;
/** First sleep of the hold-out loop at HZ=250: 25 jiffies, 26 ticks less the phase. */
const LEAST_MS = 100;
/** It, and two grace periods of RCU on busy CPUs. */
const MOST_MS = 180;

function expectations(): Expectation[] {
  return [
    {
      text: 'one scan: the first sleep and two grace periods of RCU, and no more however long the tasks run',
      holds: ({ latency }) => {
        const ms = (latency?.synchronize_rcu_tasks?.p0 ?? Number.NaN) / MS;
        return ms > LEAST_MS && ms < MOST_MS;
      },
    },
  ];
}

/** What a user task that never sleeps does to synchronize_rcu_tasks(). */
export const userSpinnerStory: Story = {
  shows: 'that a task which never leaves user mode holds RCU Tasks up for one sleep of HZ/10, and no longer',
  lookAt: [
    'The scan finds the task on its CPU and lists it. The next tick there interrupts user mode, which is a quiescent state: the task is released within 4 ms. The kthread learns of it at its first scan, 100 ms later.',
    'More of them change nothing: all are released by their own next tick. A nohz_full CPU has no tick to do so; the scan itself sees that its task is in user mode.',
    'kernel-spinner is the same CPU, as busy, in the kernel: there the call waits until the thread sleeps.',
  ],
  fitted: [],
  reported: () => [],
  expectations,
};
