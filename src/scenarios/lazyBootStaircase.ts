/** A boot that waited for lazy callbacks, as posted in 2022 (tree R3.11; RCU_LAZY). */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

const STEPS = 4;

function actors(variant: string): ActorInput[] {
  const steps = {
    kind: 'updater' as const,
    cpu: 0,
    start: '2.3s',
    calls: STEPS,
    gap: { list: [0, '10.3s', '10.3s', '10.3s'] },
  };
  switch (variant) {
    case 'hurry':
      return [{ ...steps, api: 'synchronize_rcu' }];
    case 'barrier':
      return [{ ...steps, api: 'call_rcu', wait: 'barrier' }];
    case 'company':
      return [
        { ...steps, api: 'call_rcu', wait: 'none', calls: 1 },
        { kind: 'updater', cpu: 0, start: '5.3s', api: 'synchronize_rcu', calls: 1 },
      ];
    default:
      return [{ ...steps, api: 'call_rcu', wait: 'none' }];
  }
}

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.3',
    hz: 250,
    cpus: 4,
    kconfig: { RCU_LAZY: true },
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 1 },
    params: { rcu_nocbs: '0-3', 'rcutree.enable_rcu_lazy': variant === 'not-lazy' ? 0 : 1 },
    actors: actors(variant),
  };
}

/** Steps of ten seconds in a boot log. */
export const lazyBootStaircase: Scenario = {
  id: 'lazy-boot-staircase',
  title: 'Ten-second steps in a boot',
  variants: [
    { id: 'lazy', title: 'waiting for lazy callbacks' },
    { id: 'hurry', title: 'synchronize_rcu(), never lazy' },
    { id: 'barrier', title: 'with rcu_barrier()' },
    { id: 'company', title: 'another callback of that CPU is not lazy' },
    { id: 'not-lazy', title: 'enable_rcu_lazy = 0' },
  ],
  defaultVariant: 'lazy',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
