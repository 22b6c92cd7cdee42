/** The same wait, normal and expedited (tree §4, §5). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const US = 1000;
const MS = 1_000_000;
const API = { normal: 'synchronize_rcu', expedited: 'synchronize_rcu_expedited' } as const;

function config(variant: string): ConfigInput {
  const isExpedited = variant === 'expedited' || variant === 'rcu-normal';
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: {
      'rcutree.rcu_normal_wake_from_gp': 1,
      'rcupdate.rcu_expedited': variant === 'rcu-expedited' ? 1 : 0,
      'rcupdate.rcu_normal': variant === 'rcu-normal' ? 1 : 0,
    },
    actors: [
      { kind: 'load', cpu: 1, count: 2, mode: 'kernel', spin: '1ms' },
      {
        kind: 'updater',
        cpu: 0,
        start: { ticks: 6, plus: '33us' },
        api: isExpedited ? API.expedited : API.normal,
        calls: 12,
        gap: { lcg: { seed: 1, stream: 1000, lo: 0, hi: '8ms' } },
      },
    ],
  };
}

function expectations(variant: string): Expectation[] {
  const isFast = variant === 'expedited' || variant === 'rcu-expedited';
  const series = variant === 'expedited' || variant === 'rcu-normal' ? API.expedited : API.normal;
  return [
    {
      text: isFast ? 'a call takes microseconds' : 'a call takes ticks',
      holds: ({ latency }) =>
        isFast ? (latency?.[series]?.p50 ?? 0) < 100 * US : (latency?.[series]?.p50 ?? 0) > 4 * MS,
    },
    {
      text: isFast ? 'no normal grace period runs' : 'no expedited grace period runs',
      holds: ({ gracePeriods }) => (isFast ? gracePeriods?.rcu : gracePeriods?.exp) === undefined,
    },
  ];
}

/** What an IPI saves, and what it costs others. */
export const normalVsExpedited: Scenario = {
  id: 'normal-vs-expedited',
  title: 'Normal against expedited',
  shows: 'ticks against microseconds, and which of rcu_expedited and rcu_normal wins',
  lookAt: [
    'A normal grace period waits until CPUs pass by a quiescent state; an expedited one sends them an IPI.',
    'rcupdate.rcu_expedited=1 makes every synchronize_rcu() expedited; rcu_normal=1 makes every synchronize_rcu_expedited() normal, and wins if both are set.',
    'Look at CPUs 1 and 2 in the expedited run: each IPI takes a few microseconds from whoever runs there.',
  ],
  fitted: [],
  variants: [
    { id: 'normal', title: 'synchronize_rcu()' },
    { id: 'expedited', title: 'synchronize_rcu_expedited()' },
    { id: 'rcu-expedited', title: 'synchronize_rcu() with rcu_expedited = 1' },
    { id: 'rcu-normal', title: 'synchronize_rcu_expedited() with rcu_normal = 1' },
  ],
  defaultVariant: 'normal',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
