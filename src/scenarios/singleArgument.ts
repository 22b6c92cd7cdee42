/** kvfree_rcu_mightsleep() and kfree_rcu() where memory is short: only the first can wait (kvfree K17). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** Objects that a thread that gets memory queues. */
export const OBJECTS = 100_000;
const LOOPS = 100;
/** Free memory, bytes. */
export const MEMORY_BYTES = 16 * 2 ** 20;

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips', memoryBytes: MEMORY_BYTES },
    actors: [
      {
        kind: 'kfree',
        cpu: 1,
        loops: LOOPS,
        allocs: OBJECTS / LOOPS,
        sizes: [256],
        nice: 0,
        form: variant === 'single' ? 'single' : 'double',
        sampleNs: '1ms',
      },
    ],
  };
}

/** The one form that throttles. */
export const singleArgument: Scenario = {
  id: 'single-argument',
  title: 'The one-argument form',
  variants: [
    { id: 'single', title: 'one argument: kvfree_rcu_mightsleep()' },
    { id: 'double', title: 'two arguments: kfree_rcu()' },
  ],
  defaultVariant: 'single',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
