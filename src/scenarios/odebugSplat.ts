/** "ODEBUG: free active" from the first version of kfree_bulk() in kfree_rcu_work() (kvfree K31 to K34). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

const LOOPS = 10;
const ALLOCS = 1000;
/** Objects in all. */
export const OBJECTS = LOOPS * ALLOCS;

function config(variant: string): ConfigInput {
  return {
    kernel: variant === 'merged' ? 'v5.7' : 'kfree-bulk-2019-12-31',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    kconfig: variant === 'no-debug' ? {} : { DEBUG_OBJECTS_RCU_HEAD: true },
    actors: [{ kind: 'kfree', cpu: 1, loops: LOOPS, allocs: ALLOCS, sizes: [256], nice: 0 }],
  };
}

/** A splat about bookkeeping, and none about memory. */
export const odebugSplat: Scenario = {
  id: 'odebug-splat',
  title: 'An ODEBUG splat that is a false alarm',
  variants: [
    { id: 'posted', title: 'as posted, debug objects on' },
    { id: 'merged', title: 'as merged in 5.7, debug objects on' },
    { id: 'no-debug', title: 'as posted, debug objects off' },
  ],
  defaultVariant: 'posted',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
