/** One caller and nothing else to do: the closed forms (a) to (d) of tree 4.2. */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

const CALLS = 8;

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

/** What a grace period costs when nobody holds it up. */
export const idleSystem: Scenario = {
  id: 'idle-system',
  title: 'An idle system',
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
};
