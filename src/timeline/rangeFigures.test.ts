import { describe, expect, it } from 'vitest';
import type { LatencyStats, SelectionStats } from '../analysis/types.ts';
import { rangeFigures } from './rangeFigures.ts';

const lengths = (n: number, ms: number): LatencyStats => {
  const ns = ms * 1e6;
  const percentiles = { p0: ns, p10: ns, p25: ns, p50: ns, p75: ns, p90: ns, p99: 2 * ns, p100: 3 * ns };
  return { n, mean: ns, ...percentiles, log2Ns: {} };
};
const selection = (changes: Partial<SelectionStats>): SelectionStats => ({
  ...{ t0Ns: 0, t1Ns: 1e9, rows: 1234, gracePeriods: [], series: [], srcu: undefined },
  ...changes,
});
const text = (stats: SelectionStats) =>
  rangeFigures(stats).map(([name, value]) => `${name}: ${value}`.replaceAll('\u202f', ' '));

describe('figures of a selection', () => {
  it('has a line per flavour, and nothing of SRCU where there is none', () => {
    const gracePeriods = [
      { flavor: 1, stats: lengths(12, 8), scans: 14 },
      { flavor: 2, stats: lengths(1, 0.02), scans: 0 },
      { flavor: 3, stats: lengths(1, 1000), scans: 1 },
    ];
    expect(text(selection({ gracePeriods }))).toEqual([
      'RCU, normal: 12 GPs ended: p50 8 ms, p99 16 ms, max 24 ms, 14 scans in them',
      'RCU, expedited: 1 GP ended: 20 µs',
      'RCU Tasks: 1 GP ended: 1 s, 1 scan in it',
      'events: 1 234',
    ]);
  });

  it('has what SRCU did, and says that no grace period has ended', () => {
    const srcu = { polls: 3, pollNs: 5000, sleeps: 1, sleptNs: 4e6, wastedNs: 1e6 };
    expect(text(selection({ srcu }))).toEqual([
      'grace periods: none ended',
      'polls: 3',
      'polling: 5 µs',
      'sleeps: 1',
      'asleep: 4 ms',
      'past the last reader: 1 ms',
      'events: 1 234',
    ]);
  });
});
