import { describe, expect, it } from 'vitest';
import type { SeriesSummary } from '../../analysis/types.ts';
import { typed } from '../panelData.testkit.ts';
import { binPosition, labelledEdges } from './bins.ts';
import { chooseSeries, funclatencyText, latencyView } from './model.ts';

const floats = (...values: number[]) => Float64Array.from(values);
const stats = {
  n: 7,
  mean: 9_428,
  p0: 4_000,
  p10: 4_000,
  p25: 5_000,
  p50: 6_000,
  p75: 9_000,
  p90: 9_500,
  p99: 9_500,
  p100: 20_100,
  log2Ns: {},
};
const log2 = {
  lo: floats(4_000, 8_000, 16_000),
  hi: floats(8_000, 16_000, 32_000),
  count: floats(4, 2, 1),
  slept: floats(0, 1, 1),
};
const series: SeriesSummary = { name: 'synchronize_srcu', stats, log2, linear: log2 };

describe('latency', () => {
  it('prints the histogram as funclatency does, empty buckets below the first included', () => {
    const row = (lo: number, hi: number, count: number, stars: number) =>
      `${String(lo).padStart(10)} -> ${String(hi).padEnd(10)} : ${String(count).padEnd(8)} |${'*'.repeat(stars).padEnd(40)}|`;
    expect(funclatencyText(log2, stats).split('\n')).toEqual([
      '     usecs               : count     distribution',
      row(0, 1, 0, 0),
      row(2, 3, 0, 0),
      row(4, 7, 4, 40),
      row(8, 15, 2, 20),
      row(16, 31, 1, 10),
      '',
      'avg = 9 usecs, total: 65 usecs, count: 7',
      '',
    ]);
  });

  it('shows n, percentiles and the largest, and says of each bar what slept', () => {
    const view = latencyView(series, 'log2');
    expect(view.statistics.map(({ name, text }) => `${name} ${typed(text)}`)).toEqual([
      'n 7',
      'p50 6 µs',
      'p90 9.50 µs',
      'p99 9.50 µs',
      'max 20.1 µs',
    ]);
    expect(view.tellsSleep).toBe(true);
    expect(view.bars.map(({ text }) => typed(text))).toEqual([
      '2 µs to 4 µs: 0',
      '4 µs to 8 µs: 4',
      '8 µs to 16 µs: 2, 1 of them slept',
      '16 µs to 32 µs: 1, 1 of them slept',
      '32 µs to 64 µs: 0',
    ]);
    expect(latencyView(series, 'linear').bars).toHaveLength(3);
  });

  it('keeps the wanted series where it is, else takes the first', () => {
    const other = { ...series, name: 'call_srcu' };
    expect(chooseSeries([series, other], 'call_srcu')).toBe(other);
    expect(chooseSeries([series, other], 'gone')).toBe(series);
    expect(chooseSeries([], 'call_srcu')).toBeUndefined();
  });
});

describe('bins', () => {
  const { bars } = latencyView(series, 'linear');

  it('an octave is shared out by ratio, a linear bin evenly', () => {
    expect(binPosition(bars, 4_000)).toBe(0);
    expect(binPosition(bars, 8_000 * Math.SQRT2)).toBeCloseTo(1.5, 12);
    expect(binPosition(bars, 1e9)).toBe(3);
    expect(binPosition([{ loNs: 0, hiNs: 10, count: 1, slept: 0, text: '' }], 5)).toBe(0.5);
  });

  it('labels as many edges as there is room for, the first one always', () => {
    expect(labelledEdges(bars, 4).map(({ ns }) => ns)).toEqual([4_000, 8_000, 16_000, 32_000]);
    expect(labelledEdges(bars, 2).map(({ at }) => at)).toEqual([0, 2]);
    expect(labelledEdges([], 3)).toEqual([]);
  });
});
