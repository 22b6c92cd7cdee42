/** A light load of kfree_rcu(), drained every 20 ms and every 5 s (kvfree K7; 6.1). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** By variant: 20 ms, then 5 s with rcu_work, then blocks that know their grace period. */
const KERNELS: Readonly<Record<string, string>> = { 'hz-50': 'v5.18', '5hz': 'v6.1', ready: 'v6.12' };
/** Objects by thread: three in a hurry, one at leisure; the size only says how fast. */
const HURRIED = { size: 32, pace: '1ms', objects: 5200 };
const LEISURELY = { size: 64, pace: '16ms', objects: 330 };

function config(variant: string): ConfigInput {
  return {
    kernel: KERNELS[variant] as string,
    hz: 250,
    cpus: 4,
    machine: {
      preset: 'typical',
      kfreeAllocQueueNs: { [HURRIED.size]: HURRIED.pace, [LEISURELY.size]: LEISURELY.pace },
    },
    actors: [
      { kind: 'kfree', cpu: 0, count: 3, loops: 1, allocs: HURRIED.objects, sizes: [HURRIED.size], nice: 0 },
      { kind: 'kfree', cpu: 3, loops: 1, allocs: LEISURELY.objects, sizes: [LEISURELY.size], nice: 0 },
    ],
  };
}

/** What waiting for a full block saves. */
export const drainInterval: Scenario = {
  id: 'drain-interval',
  title: 'Drain interval of kfree_rcu()',
  variants: [
    { id: '5hz', title: '5 s, or 1 jiffy once a block is full (6.1)' },
    { id: 'hz-50', title: '20 ms, whatever is queued (5.18)' },
    { id: 'ready', title: '5 s, and blocks know their grace period (6.12)' },
  ],
  defaultVariant: '5hz',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
