/** call_srcu() in batches, each followed by srcu_barrier() (spec srcu 2.6, 2.7, 2.8). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** Callbacks of a batch, by variant. */
export const BATCHES: Readonly<Record<string, number>> = {
  'batch-1': 1,
  'batch-16': 16,
  'batch-128': 128,
  big: 16,
};

/** Batches in all. */
export const CALLS = 10;

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: variant === 'big' ? { 'srcutree.convert_to_big': 1 } : {},
    actors: [
      {
        kind: 'updater',
        cpu: 1,
        start: { ticks: 3, plus: '31us' },
        api: 'call_srcu',
        calls: CALLS,
        batch: BATCHES[variant] as number,
        wait: 'barrier',
      },
    ],
  };
}

/** Callbacks from queueing to invocation, and the barrier behind them. */
export const callbacksAndBarrier: Scenario = {
  id: 'callbacks-and-barrier',
  title: 'Callbacks and srcu_barrier()',
  variants: [
    { id: 'batch-1', title: 'one callback at a time' },
    { id: 'batch-16', title: 'batches of 16' },
    { id: 'batch-128', title: 'batches of 128' },
    { id: 'big', title: 'batches of 16, big domain' },
  ],
  defaultVariant: 'batch-16',
  startView: { at: 'begin', spanNs: 40_000_000 },
  config,
};
