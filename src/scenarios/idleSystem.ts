/** One caller and nothing else to do: the closed forms (a) to (d) of tree 4.2. */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const CALLS = 8;
const MS = 1_000_000;
/** Median of a looping caller, ms: (2 + n(j+1)) T by callback, n(j+1) T woken by the kthread. */
const MEDIAN_MS: Readonly<Record<string, number>> = {
  hz250: 16,
  'hz250-wake': 8,
  hz1000: 6,
  'hz1000-wake': 4,
  hz100: 40,
  'hz250-immediate': 24,
  'one-cpu': 12,
};

function config(variant: string): ConfigInput {
  const hz = Number(/^hz(\d+)/.exec(variant)?.[1] ?? 250);
  return {
    kernel: 'v6.12',
    hz,
    cpus: variant === 'one-cpu' ? 1 : 4,
    machine: { preset: 'virtual-1gips', ...(variant === 'hz250-immediate' ? { idleTick: 'immediate' } : {}) },
    // a caller on the kthread's own CPU would keep its tick running
    initial: { gpKthreadCpu: variant === 'hz250-immediate' ? 1 : 0 },
    params: { 'rcutree.rcu_normal_wake_from_gp': variant.endsWith('-wake') ? 1 : 0 },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        start: { ticks: 6, plus: '33us' },
        api: 'synchronize_rcu',
        calls: CALLS,
        gap: 0,
      },
    ],
  };
}

function expectations(variant: string): Expectation[] {
  const expected = MEDIAN_MS[variant] as number;
  return [
    {
      text: `half of the calls take ${expected} ms or less, as the closed form says`,
      holds: ({ latency }) => Math.abs((latency?.synchronize_rcu?.p50 ?? 0) / MS - expected) < 0.1,
    },
  ];
}

/** What a grace period costs when nobody holds it up. */
export const idleSystem: Scenario = {
  id: 'idle-system',
  title: 'An idle system',
  shows: 'that synchronize_rcu() takes whole ticks even when every CPU is idle',
  lookAt: [
    'The wait before the first scan is armed right after a tick, so jiffies_till_first_fqs = 1 means two ticks.',
    'Idle CPUs do nothing: the scan reads their counters and reports for them.',
    'With idleTick immediate the CPU of the kthread cannot be found idle in the first scan (it runs the scan), so there is a second one.',
  ],
  fitted: [],
  variants: [
    { id: 'hz250', title: 'HZ 250, woken by a callback' },
    { id: 'hz250-wake', title: 'HZ 250, woken by the kthread' },
    { id: 'hz1000', title: 'HZ 1000, woken by a callback' },
    { id: 'hz1000-wake', title: 'HZ 1000, woken by the kthread' },
    { id: 'hz100', title: 'HZ 100, woken by a callback' },
    { id: 'hz250-immediate', title: 'HZ 250, ticks stop at once' },
    { id: 'one-cpu', title: 'one CPU' },
  ],
  defaultVariant: 'hz250',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
