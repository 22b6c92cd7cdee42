/** One grace period and one reader: the worked examples (spec srcu §7). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const HOLDS_MS = [0, 0.3, 1, 2, 5, 12, 40];
const API = { expedited: 'synchronize_srcu_expedited', normal: 'synchronize_srcu' } as const;

function parse(variant: string): { holdMs: number; isNormal: boolean } {
  const match = /^hold-([\d.]+)ms(-normal)?$/.exec(variant);
  const holdMs = Number(match?.[1]);
  if (!HOLDS_MS.includes(holdMs)) throw new Error(`one-reader has no variant ${variant}`);
  return { holdMs, isNormal: match?.[2] !== undefined };
}

function config(variant: string): ConfigInput {
  const { holdMs, isNormal } = parse(variant);
  // Both act in the middle of a jiffy; the reader, listed first, is in its section when the call looks.
  const start = { ticks: 1, plus: '2ms' };
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 2,
    machine: { preset: 'plain' },
    // Never auto-expedited, so that the normal form is one.
    params: isNormal ? { 'srcutree.exp_holdoff': 0 } : {},
    actors: [
      { kind: 'reader', cpu: 1, start, hold: `${holdMs}ms`, idle: '10s' },
      { kind: 'updater', cpu: 0, start, calls: 1, gap: 0, api: isNormal ? API.normal : API.expedited },
    ],
  };
}

function expectations(variant: string): Expectation[] {
  const { holdMs, isNormal } = parse(variant);
  const series = isNormal ? API.normal : API.expedited;
  return [
    {
      text: 'the call returns after the reader has left',
      holds: ({ latency }) => (latency?.[series]?.p0 ?? -1) >= holdMs * 1e6,
    },
    {
      text: 'a reader that is gone within the polling window costs no sleep, any other at least one',
      holds: ({ srcu }) => (srcu?.sleeps === 0) === (!isNormal && holdMs < 6),
    },
  ];
}

const variants = [false, true].flatMap((isNormal) =>
  HOLDS_MS.map((holdMs) => ({
    id: `hold-${holdMs}ms${isNormal ? '-normal' : ''}`,
    title: `reader of ${holdMs} ms, ${isNormal ? 'normal' : 'expedited'}`,
  })),
);

/** One reader, one call. */
export const oneReader: Scenario = {
  id: 'one-reader',
  title: 'One reader, one grace period',
  shows: 'how polling, the age of the grace period and jiffies turn a reader of 12 ms into a wait of 14 ms',
  lookAt: [
    'The flip divides the readers: the one on the old index is waited for, whoever comes later is not.',
    'Drag the hold across 6 ms: up to there the grace period ends with the reader, beyond it the end snaps to a tick.',
    'Compare 40 ms expedited with 40 ms normal: both sleep by age, and the expedited one may end later.',
  ],
  fitted: [],
  variants,
  defaultVariant: 'hold-12ms',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
