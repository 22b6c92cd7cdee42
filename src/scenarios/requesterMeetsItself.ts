/** How an update-side call becomes the reader that its own grace period waits for (spec srcu 5.6, 8.6). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

/** The api that is called. */
export const SERIES = 'synchronize_srcu_expedited';

const CALLS = 40;

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

/** A requester that spins between expedited calls, and the scheduler that puts the worker in its way. */
export const requesterMeetsItself: Scenario = {
  id: 'requester-meets-itself',
  title: 'The requester meets itself',
  variants: VARIANTS,
  defaultVariant: 'v5.19-rc1',
  // The microseconds in which the caller is preempted, not the milliseconds that follow.
  startView: { at: 'firstSleepingGracePeriod', spanNs: 28_000 },
  config,
};
