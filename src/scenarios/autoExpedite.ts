/** When synchronize_srcu() is expedited by itself (spec srcu 2.2). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** The api that is called. */
export const SERIES = 'synchronize_srcu';

/** Calls in all. */
export const CALLS = 40;

const GAPS: Readonly<Record<string, string>> = {
  'gap-0': '0ns',
  'gap-10us': '10us',
  'gap-20us': '20us',
  'gap-1ms': '1ms',
};

function config(variant: string): ConfigInput {
  const isOff = variant === 'holdoff-0';
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: isOff ? { 'srcutree.exp_holdoff': 0 } : {},
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        start: { ticks: 3, plus: '31us' },
        api: SERIES,
        calls: CALLS,
        gap: isOff ? '20us' : (GAPS[variant] as string),
      },
    ],
  };
}

/** synchronize_srcu() around exp_holdoff. */
export const autoExpedite: Scenario = {
  id: 'auto-expedite',
  title: 'Auto-expediting and its holdoff',
  variants: [
    { id: 'gap-0', title: 'back to back' },
    { id: 'gap-10us', title: 'gap 10 us' },
    { id: 'gap-20us', title: 'gap 20 us' },
    { id: 'gap-1ms', title: 'gap 1 ms' },
    { id: 'holdoff-0', title: 'exp_holdoff=0, gap 20 us' },
  ],
  defaultVariant: 'gap-10us',
  startView: { at: 'begin', spanNs: 40_000_000 },
  config,
};
