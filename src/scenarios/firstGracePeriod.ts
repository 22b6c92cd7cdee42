/** One reader, one synchronize_rcu(), four CPUs: what the page opens with (tree §2, §3, §4). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const MS = 1_000_000;
const READER_LEAVES_MS = 14;

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    // many virtual machines keep the tick of an idle CPU for one more period: the shorter story
    machine: { preset: 'typical', idleTick: 'retain-one' },
    initial: { gpKthreadCpu: 1 },
    params: { 'rcutree.rcu_normal_wake_from_gp': variant === 'wake-from-gp' ? 1 : 0 },
    actors: [
      { kind: 'reader', domain: 'rcu', cpu: 2, start: '5ms', hold: '9ms', idle: 0, times: 1 },
      { kind: 'updater', cpu: 0, start: '6ms', api: 'synchronize_rcu', calls: 1, gap: 0 },
    ],
  };
}

function expectations(variant: string): Expectation[] {
  return [
    {
      text: 'the call returns after the reader that was there before it has left',
      holds: ({ virtualNs }) => virtualNs > READER_LEAVES_MS * MS,
    },
    {
      text: 'one grace period serves the call',
      holds: ({ gracePeriods }) => gracePeriods?.rcu?.n === 1,
    },
    {
      text: 'waiting for a callback costs two more ticks than being woken by the kthread',
      holds: ({ latency }) => {
        const ms = (latency?.synchronize_rcu?.p0 ?? 0) / MS;
        return variant === 'wake-from-gp' ? ms < 13 : ms > 13;
      },
    },
  ];
}

/** The first thing that a visitor sees. */
export const firstGracePeriod: Scenario = {
  id: 'first-grace-period',
  title: 'A first grace period',
  shows: 'how a reader of 9 ms makes synchronize_rcu() wait, and where the rest of its 14 ms goes',
  lookAt: [
    'The callback has no number until the next tick of its CPU: that is where the grace period is asked for.',
    'Every CPU owes a quiescent state: idle ones are found by a scan, CPU 2 has to leave its section first.',
    'With the last bit of qsmask gone the grace period ends at once; the caller waits for one more tick of its CPU, unless rcu_normal_wake_from_gp is 1.',
  ],
  fitted: [],
  variants: [
    { id: 'callback', title: 'woken by a callback' },
    { id: 'wake-from-gp', title: 'woken by the kthread', note: 'rcu_normal_wake_from_gp = 1' },
  ],
  defaultVariant: 'callback',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
