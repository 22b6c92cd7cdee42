/** How an update-side call becomes the reader that its own grace period waits for (spec srcu 5.6, 8.6). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario, Variant } from './scenario.ts';

const SERIES = 'synchronize_srcu_expedited';
const CALLS = 40;
const MS = 1_000_000;

const VARIANTS: readonly Variant[] = [
  { id: 'v5.18', title: '5.18: polls until the tick', note: '8 s in the boot storm' },
  { id: 'v5.19-rc1', title: '5.19-rc1: sleeps after one pass', note: '161 s in the boot storm' },
  { id: 'v5.19-640a', title: '640a: two jiffies of age are free', note: '163 s in the boot storm' },
  { id: 'v5.19-fix4', title: 'fix4: callbacks at once', note: '84 s in the boot storm' },
  { id: 'v6.1', title: '6.1: the patch as merged', note: 'about 9.7 s in the boot storm' },
  { id: 'v6.12', title: '6.12: EEVDF scheduler' },
  { id: 'v6.12-none', title: '6.12 without preemption' },
];

function config(variant: string): ConfigInput {
  const isPreemptible = variant !== 'v6.12-none';
  return {
    kernel: isPreemptible ? variant : 'v6.12',
    hz: 250,
    cpus: 8,
    preempt: isPreemptible ? 'full' : 'none',
    machine: { preset: 'virtual-1gips' },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        start: { ticks: 3, plus: '31us' },
        api: SERIES,
        calls: CALLS,
        gap: '160us',
        gapMode: 'spin',
      },
    ],
  };
}

function expectations(variant: string): Expectation[] {
  const p50 = (holds: (ns: number) => boolean, text: string): Expectation => ({
    text,
    holds: ({ latency }) => holds(latency?.[SERIES]?.p50 ?? -1),
  });
  switch (variant) {
    case 'v6.12-none':
      return [
        {
          text: 'without preemption no call meets itself',
          holds: ({ srcu, latency }) =>
            srcu?.requesterHits === 0 && (latency?.[SERIES]?.p100 ?? MS) < 0.1 * MS,
        },
      ];
    case 'v5.19-rc1':
    case 'v5.19-640a':
      return [p50((ns) => Math.abs(ns - 16 * MS) < 0.3 * MS, 'a call takes four ticks')];
    case 'v5.19-fix4':
      return [p50((ns) => Math.abs(ns - 8 * MS) < 0.3 * MS, 'a call takes two ticks')];
    default:
      return [p50((ns) => ns > 0 && ns < 0.1 * MS, 'most calls take some microseconds')];
  }
}

/** A requester that spins between expedited calls, and the scheduler that puts the worker in its way. */
export const requesterMeetsItself: Scenario = {
  id: 'requester-meets-itself',
  title: 'The requester meets itself',
  shows:
    'why 8 s became 161 s, step by step: the worker preempts the caller inside the read-side section of its own call',
  lookAt: [
    'CPU 0: the caller queues process_srcu and is preempted before its own srcu_read_unlock(); the worker then polls for a reader that cannot run. Step through these microseconds, then zoom out to the ticks that they cost.',
    "Whether that happens is the scheduler's choice: a caller that has spun long enough owes the worker time. With 5.18 the worker polls its credit away in one call, so few calls are hit.",
    'With 5.19-rc1 the worker polls for 11 µs only and keeps its credit, so every call is hit, and each costs four ticks of 4 ms: 9785 of them are 157 s.',
  ],
  fitted: [],
  variants: VARIANTS,
  defaultVariant: 'v5.19-rc1',
  // The microseconds in which the caller is preempted, not the milliseconds that follow.
  startView: { at: 'firstSleepingGracePeriod', spanNs: 28_000 },
  config,
  reported: () => [],
  expectations,
};
