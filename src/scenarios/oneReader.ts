/** One grace period and one reader: the worked examples (spec srcu §7). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

const HOLDS_MS = [0, 0.3, 1, 2, 5, 12, 40];

/** The apis that are called. */
export const API = { expedited: 'synchronize_srcu_expedited', normal: 'synchronize_srcu' } as const;

/** What a variant stands for. */
export function parse(variant: string): { holdMs: number; isNormal: boolean } {
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
  variants,
  defaultVariant: 'hold-12ms',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
