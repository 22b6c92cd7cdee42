/** Many callbacks of one CPU: how they are invoked, and what rcu_barrier() waits for (tree 3.1 to 3.4). */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

/** Callbacks queued in all. */
export const CALLBACKS = 1500;

const CALLBACK_NS = 2000;

const VARIANTS: readonly Variant[] = [
  { id: 'softirq', title: 'busy CPU, batches of 10' },
  { id: 'idle-cpu', title: 'idle CPU, one batch' },
  { id: 'qhimark', title: 'busy CPU, qhimark = 1000' },
  { id: 'offloaded', title: 'busy CPU, offloaded' },
  { id: 'barrier', title: 'rcu_barrier() of somebody else', note: 'as at the end of a network namespace' },
  { id: 'barriers', title: 'six rcu_barrier() at once' },
];

const CALLBACKS_OF: ActorInput = {
  kind: 'updater',
  cpu: 0,
  start: '10ms',
  api: 'call_rcu',
  calls: 1,
  batch: CALLBACKS,
  wait: 'none',
};

function actors(variant: string): ActorInput[] {
  switch (variant) {
    case 'idle-cpu':
      return [CALLBACKS_OF];
    case 'barrier':
      return [CALLBACKS_OF, { kind: 'updater', cpu: 3, start: '13ms', api: 'rcu_barrier', calls: 1 }];
    case 'barriers':
      return [
        CALLBACKS_OF,
        {
          kind: 'updater',
          cpu: 1,
          count: 6,
          start: '13ms',
          stagger: '500us',
          api: 'rcu_barrier',
          calls: 1,
        },
      ];
    default:
      // it comes when they have been queued
      return [CALLBACKS_OF, { kind: 'load', cpu: 0, mode: 'user', start: '11.5ms' }];
  }
}

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'typical', rcuCbNs: CALLBACK_NS },
    initial: { gpKthreadCpu: 1 },
    params: {
      ...(variant === 'qhimark' ? { 'rcutree.qhimark': 1000 } : {}),
      ...(variant === 'offloaded' ? { rcu_nocbs: '0-3' } : {}),
    },
    actors: actors(variant),
  };
}

/** What call_rcu() in bulk does to a CPU. */
export const callbackFlood: Scenario = {
  id: 'callback-flood',
  title: 'A flood of callbacks',
  variants: VARIANTS,
  defaultVariant: 'softirq',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
