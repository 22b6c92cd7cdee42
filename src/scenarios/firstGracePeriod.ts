/** One reader, one synchronize_rcu(), four CPUs: what the page opens with (tree §2, §3, §4). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const MS = 1_000_000;
const READER_LEAVES_MS = 19;
/** What the call takes, ms: [at least, at most]. */
const LATENCY_MS: Readonly<Record<string, readonly [number, number]>> = {
  callback: [18, 18.2],
  'wake-from-gp': [14, 14.2],
  'no-reader': [14, 14.2],
};

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    // the shorter story: an idle CPU keeps its tick for one more period, and no timer is late by chance
    machine: { preset: 'typical', idleTick: 'retain-one', jiffyRace: 'none' },
    initial: { gpKthreadCpu: 1 },
    params: { 'rcutree.rcu_normal_wake_from_gp': variant === 'wake-from-gp' ? 1 : 0 },
    actors: [
      ...(variant === 'no-reader'
        ? []
        : [
            {
              kind: 'reader' as const,
              domain: 'rcu',
              cpu: 2,
              start: '5ms',
              hold: '14ms',
              idle: 0,
              times: 1,
            },
          ]),
      { kind: 'updater', cpu: 0, start: '6ms', api: 'synchronize_rcu', calls: 1, gap: 0 },
    ],
  };
}

function expectations(variant: string): Expectation[] {
  const [atLeast, atMost] = LATENCY_MS[variant] as readonly [number, number];
  const common: Expectation[] = [
    {
      text: `the call takes ${atLeast} to ${atMost} ms`,
      holds: ({ latency }) => {
        const ms = (latency?.synchronize_rcu?.p0 ?? 0) / MS;
        return ms >= atLeast && ms <= atMost;
      },
    },
    {
      text: 'one grace period serves the call',
      holds: ({ gracePeriods }) => gracePeriods?.rcu?.n === 1,
    },
  ];
  if (variant === 'no-reader') return common;
  return [
    ...common,
    {
      text: 'the call returns after the reader that was there before it has left',
      holds: ({ virtualNs }) => virtualNs > READER_LEAVES_MS * MS,
    },
  ];
}

/** The first thing that a visitor sees. */
export const firstGracePeriod: Scenario = {
  id: 'first-grace-period',
  title: 'A first grace period',
  shows: 'one reader, one synchronize_rcu(), four CPUs: where the 18 ms of the call go',
  lookAt: [
    '6 ms: the call queues a callback, and nothing else happens. 8 ms: the next tick of CPU 0 gives the callback a number and asks for a grace period; the kthread starts it on CPU 1 and goes to sleep for two ticks.',
    '16 ms: the first scan finds CPUs 0 and 3 idle and reports for them; CPU 1 has reported itself at 12 ms. One bit of qsmask is left: CPU 2 is in its section, and nobody can report for it. Without the reader this scan ends it.',
    '19 ms: the reader leaves. CPU 2 reports at its next tick (20 ms), the grace period ends at once, and the tick after that runs the callback (24 ms). With rcu_normal_wake_from_gp the call asks for the grace period itself and the kthread wakes it: no waiting for a tick at either end.',
  ],
  fitted: [],
  variants: [
    { id: 'callback', title: 'woken by a callback' },
    { id: 'wake-from-gp', title: 'woken by the kthread', note: 'rcu_normal_wake_from_gp = 1' },
    { id: 'no-reader', title: 'without the reader' },
  ],
  defaultVariant: 'callback',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
