/** Both batches of a CPU wait for a grace period that a reader holds up (kvfree K10). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

function config(variant: string): ConfigInput {
  const reader = {
    kind: 'reader',
    cpu: 2,
    domain: 'rcu',
    hold: '50ms',
    idle: '1ms',
    times: 3,
  } as const;
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    actors: [
      {
        kind: 'kfree',
        cpu: 1,
        loops: 100,
        allocs: 2000,
        sizes: [256],
        nice: 0,
        sampleNs: '1ms',
      },
      ...(variant === 'reader' ? [reader] : []),
    ],
  };
}

/** Where memory goes when both are taken. */
export const bothBatchesBusy: Scenario = {
  id: 'both-batches-busy',
  title: 'Both batches are busy',
  variants: [
    { id: 'reader', title: 'a reader holds up grace periods' },
    { id: 'no-reader', title: 'nobody does' },
  ],
  defaultVariant: 'reader',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
