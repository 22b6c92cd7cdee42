/** Objects that a leak detector reports although kfree_rcu() has them (kvfree K7; a kmemleak report of 2023). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** Objects that are queued, by variant. */
const OBJECTS: Readonly<Record<string, number>> = {
  'few-objects': 100,
  'full-block': 600,
  'before-6.1': 100,
};

function config(variant: string): ConfigInput {
  return {
    kernel: variant === 'before-6.1' ? 'v5.19' : 'v6.6',
    hz: 1000,
    cpus: 4,
    // a program that frees an object every 20 us
    machine: { preset: 'typical', kfreeAllocQueueNs: '20us' },
    actors: [{ kind: 'kfree', cpu: 1, loops: 1, allocs: OBJECTS[variant] as number, sizes: [64], nice: 0 }],
  };
}

/** Five seconds in a block are no leak. */
export const kmemleakFalseAlarm: Scenario = {
  id: 'kmemleak-false-alarm',
  title: 'A false alarm of kmemleak',
  variants: [
    { id: 'few-objects', title: '100 objects, 6.6' },
    { id: 'full-block', title: '600 objects, more than a block, 6.6' },
    { id: 'before-6.1', title: '100 objects, 5.19' },
  ],
  defaultVariant: 'few-objects',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
