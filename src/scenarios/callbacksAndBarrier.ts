/** call_srcu() in batches, each followed by srcu_barrier() (spec srcu 2.6, 2.7, 2.8). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const BATCHES: Readonly<Record<string, number>> = { 'batch-1': 1, 'batch-16': 16, 'batch-128': 128, big: 16 };
const CALLS = 10;
const MS = 1_000_000;

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

function expectations(variant: string): Expectation[] {
  const batch = BATCHES[variant] as number;
  return [
    {
      text: 'every callback runs once',
      holds: ({ latency }) => latency?.['call_srcu.callback']?.n === CALLS * batch,
    },
    {
      text: 'a batch takes two sleeps of two ticks, whatever its size',
      holds: ({ latency }) => Math.abs((latency?.call_srcu?.p50 ?? 0) - 16 * MS) < 0.5 * MS,
    },
  ];
}

/** Callbacks from queueing to invocation, and the barrier behind them. */
export const callbacksAndBarrier: Scenario = {
  id: 'callbacks-and-barrier',
  title: 'Callbacks and srcu_barrier()',
  shows: 'how call_srcu() callbacks are queued, wait for their grace period and are invoked together',
  lookAt: [
    'The first callback of a batch starts a grace period; the others come too late for it and wait for the next one, which starts in the pass that ends the first.',
    'Both grace periods share one callback timer, so a batch of 128 takes as long as a batch of 2: four ticks.',
    'A small domain invokes all callbacks on CPU 0, a big one (convert_to_big=1) on the CPU that queued them.',
  ],
  fitted: [],
  variants: [
    { id: 'batch-1', title: 'one callback at a time' },
    { id: 'batch-16', title: 'batches of 16' },
    { id: 'batch-128', title: 'batches of 128' },
    { id: 'big', title: 'batches of 16, big domain' },
  ],
  defaultVariant: 'batch-16',
  startView: { at: 'begin', spanNs: 40_000_000 },
  config,
  reported: () => [],
  expectations,
};
