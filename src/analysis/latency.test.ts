import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { latencyStats, linearHistogram, log2Histogram, percentile } from './latency.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, reader, run, updater } from './runs.testkit.ts';

describe('statistics', () => {
  test('percentiles are nearest rank, index floor(p (n - 1) / 100)', () => {
    const list = [10, 20, 30, 40, 50];
    expect([0, 24, 25, 50, 74, 75, 99, 100].map((p) => percentile(list, p))).toEqual([
      10, 10, 20, 30, 30, 40, 40, 50,
    ]);
    expect(percentile([], 50)).toBeNaN();
  });

  test('mean is floored, also where the sum leaves the safe integers', () => {
    expect(latencyStats(Float64Array.of(1, 2, 2)).mean).toBe(1);
    const huge = new Float64Array(3000).fill(7e12);
    huge[0] = 7e12 + 2999;
    expect(latencyStats(huge).mean).toBe(7e12);
    huge[0] = 7e12 + 3000;
    expect(latencyStats(huge).mean).toBe(7e12 + 1);
  });

  test('log2 buckets are those of funclatency in us', () => {
    const values = Float64Array.of(0, 1999, 2000, 3999, 4000, 1_000_000);
    const { lo, hi, count } = log2Histogram(values, new Uint8Array(6));
    expect([...lo].slice(0, 3)).toEqual([0, 2000, 4000]);
    expect([...hi].slice(0, 3)).toEqual([2000, 4000, 8000]);
    // 1 000 us is in 512 -> 1023.
    expect([...count]).toEqual([2, 2, 1, 0, 0, 0, 0, 0, 0, 1]);
    expect(lo.at(-1)).toBe(512_000);
  });

  test('every value is in the one bin that contains it, at most 40 linear ones', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e9), { minLength: 1, maxLength: 50 }), (list) => {
        const values = Float64Array.from(list);
        const slept = Uint8Array.from(list, (value) => value % 2);
        for (const { lo, hi, count, slept: sleptCount } of [
          log2Histogram(values, slept),
          linearHistogram(values, slept),
        ]) {
          lo.forEach((from, i) => {
            const inside = list.filter((value) => value >= from && value < (hi[i] as number));
            expect(count[i]).toBe(inside.length);
            expect(sleptCount[i]).toBe(inside.filter((value) => value % 2 === 1).length);
            if (i > 0) expect(from).toBe(hi[i - 1]);
          });
          expect(count.reduce((sum, n) => sum + n, 0)).toBe(list.length);
          expect(count[0]).toBeGreaterThan(0);
        }
        expect(linearHistogram(values, slept).lo.length).toBeLessThanOrEqual(40);
      }),
    );
  });
});

describe('series', () => {
  test('call_srcu has the batch up to its barrier, the queueing and every callback', () => {
    const { log, info } = run(config([updater({ api: 'call_srcu', batch: 3, calls: 4, gap: MS })]));
    const { series } = createRunIndex(log, info);
    expect(series.map(({ name, values }) => [name, values.length])).toEqual([
      ['call_srcu', 4],
      ['call_srcu.enqueue', 4],
      ['call_srcu.callback', 12],
    ]);
    // plain: queueing takes no time, and the barrier's callback runs with the last of the batch.
    const [batch, enqueue, callback] = series;
    expect([...(enqueue?.values ?? [])]).toEqual([0, 0, 0, 0]);
    expect(Math.max(...(callback?.values ?? []))).toBe(Math.max(...(batch?.values ?? [])));
  });

  test("number 0's calls come before number 1's", () => {
    const { log, info } = run(config([reader({ idle: MS }), updater({ count: 2, calls: 5, gap: MS / 2 })]));
    const { series, calls } = createRunIndex(log, info);
    const threads = [...(series[0]?.row ?? [])].map((row) => log.row(row).track);
    const numbers = [...(series[0]?.row ?? [])].map((row) => log.row(row).b);
    expect(numbers).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    expect(new Set(threads.slice(0, 5)).size).toBe(1);
    expect((threads[0] as number) < (threads[5] as number)).toBe(true);
    expect(calls.length).toBe(10);
  });

  test('values say whether their grace period slept', () => {
    const { log, info } = run(config([reader({ hold: 12 * MS, idle: MS }), updater({ calls: 20, gap: MS })]));
    const { series, gps, calls } = createRunIndex(log, info);
    const slept = series[0]?.slept ?? new Uint8Array(0);
    expect(new Set(slept)).toEqual(new Set([0, 1]));
    slept.forEach((flag, n) => {
      expect(flag).toBe((gps.sleeps[calls.gp[n] as number] as number) > 0 ? 1 : 0);
    });
  });
});
