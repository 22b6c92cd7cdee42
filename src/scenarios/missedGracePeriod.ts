/** An expedited grace period inside a normal one: what the two forms of a cookie see of it (tree 6, R6.5). */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

function config(variant: string): ConfigInput {
  const call = { kind: 'updater' as const, calls: 1, gap: 0 };
  const cookie: ActorInput = {
    ...call,
    cpu: 1,
    start: variant === 'earlier' ? '9ms' : '11ms',
    api: 'get_state_synchronize_rcu',
    cookie: variant === 'full' ? 'full' : 'compressed',
  };
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: { 'rcutree.rcu_normal_wake_from_gp': 1 },
    actors: [
      cookie,
      { ...call, cpu: 0, start: '10ms', api: 'synchronize_rcu' },
      { ...call, cpu: 2, start: '12ms', api: 'synchronize_rcu_expedited' },
      { ...call, cpu: 2, start: '40ms', api: 'synchronize_rcu' },
    ],
  };
}

/** Why there are cookies of two words. */
export const missedGracePeriod: Scenario = {
  id: 'missed-grace-period',
  title: 'The missed grace period',
  variants: [
    { id: 'compressed', title: 'cookie of one word' },
    { id: 'full', title: 'full cookie' },
    { id: 'earlier', title: 'cookie of one word, taken before both' },
  ],
  defaultVariant: 'compressed',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
