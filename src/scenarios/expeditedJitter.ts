/** What expedited grace periods cost those who have nothing to do with them (tree 5, R5.4, R5.7). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** Calls in all. */
export const CALLS = 40;

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 8,
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 0 },
    params: {
      'rcutree.rcu_normal_wake_from_gp': 1,
      ...(variant === 'isolated' ? { nohz_full: '2-7' } : {}),
    },
    actors: [
      { kind: 'load', cpu: 2, count: 6, mode: 'user' },
      {
        kind: 'updater',
        cpu: 1,
        start: '10ms',
        api: variant === 'normal' ? 'synchronize_rcu' : 'synchronize_rcu_expedited',
        calls: CALLS,
        gap: '200us',
      },
    ],
  };
}

/** IPIs to CPUs that only compute. */
export const expeditedJitter: Scenario = {
  id: 'expedited-jitter',
  title: 'Jitter from expedited grace periods',
  variants: [
    { id: 'expedited', title: 'synchronize_rcu_expedited()' },
    { id: 'isolated', title: 'the same, nohz_full=2-7' },
    { id: 'normal', title: 'synchronize_rcu()' },
  ],
  defaultVariant: 'expedited',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
