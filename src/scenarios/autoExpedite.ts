/** When synchronize_srcu() is expedited by itself (spec srcu 2.2). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const SERIES = 'synchronize_srcu';
const CALLS = 40;
const MS = 1_000_000;

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

function expectations(variant: string): Expectation[] {
  const p50 = (holds: (ns: number) => boolean, text: string): Expectation => ({
    text,
    holds: ({ latency }) => holds(latency?.[SERIES]?.p50 ?? -1),
  });
  switch (variant) {
    case 'holdoff-0':
      return [p50((ns) => Math.abs(ns - 16 * MS) < 0.5 * MS, 'calls are normal: two sleeps of two ticks')];
    case 'gap-0':
    case 'gap-10us':
      return [
        {
          text: 'every other call is expedited',
          holds: ({ srcu, latency }) =>
            Math.abs((srcu?.sleeps ?? 0) - CALLS / 2) < 3 && (latency?.[SERIES]?.p0 ?? MS) < 0.1 * MS,
        },
      ];
    default:
      return [p50((ns) => ns > 0 && ns < 0.1 * MS, 'calls are expedited')];
  }
}

/** synchronize_srcu() around exp_holdoff. */
export const autoExpedite: Scenario = {
  id: 'auto-expedite',
  title: 'Auto-expediting and its holdoff',
  shows:
    'synchronize_srcu() takes microseconds on an idle domain and four ticks within 25 us of the last grace period',
  lookAt: [
    'The end of a grace period starts the holdoff of exp_holdoff ns; a call within it is normal: its first pass waits for a tick, and its callback comes two ticks after the end.',
    'By then the holdoff is over, so the next call is expedited, takes 7 us, and puts the one after it into the holdoff again: calls alternate.',
    'Drag exp_holdoff or the gap until gap and call together exceed the holdoff: all calls are expedited. With exp_holdoff=0 none ever is.',
  ],
  fitted: [],
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
  reported: () => [],
  expectations,
};
