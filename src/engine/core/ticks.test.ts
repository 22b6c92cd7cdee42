import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TIME_NS, Ticks, wheelExpiry } from './ticks.ts';

/** The definition of tick k (docs/DETERMINISM.md): floor(k * 1e9 / hz). */
function tickNs(k: number, hz: number): number {
  return Number((BigInt(k) * 1_000_000_000n) / BigInt(hz));
}

const anyHz = fc.integer({ min: 24, max: 1200 });
/** A tick within the longest run, and so many ns beside it. */
const nearTick = anyHz.chain((hz) =>
  fc.record({
    hz: fc.constant(hz),
    k: fc.integer({ min: 0, max: Math.floor((MAX_TIME_NS / 1e9) * hz) - 1 }),
    beside: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: 3, max: 800_000 })),
  }),
);

describe('Ticks', () => {
  it('has tick k at floor(k * 1e9 / hz)', () => {
    fc.assert(
      fc.property(nearTick, ({ hz, k }) => {
        expect(new Ticks(hz, 0).timeNs(k)).toBe(tickNs(k, hz));
      }),
      { numRuns: 2000 },
    );
  });

  it('numbers a time by the last tick at or before it', () => {
    fc.assert(
      fc.property(nearTick, ({ hz, k, beside }) => {
        const timeNs = Math.max(0, tickNs(k, hz) + beside);
        const number = new Ticks(hz, 0).numberAt(timeNs);
        expect(tickNs(number, hz)).toBeLessThanOrEqual(timeNs);
        expect(tickNs(number + 1, hz)).toBeGreaterThan(timeNs);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives the first tick after a time, also on a tick', () => {
    fc.assert(
      fc.property(nearTick, ({ hz, k, beside }) => {
        const timeNs = Math.max(0, tickNs(k, hz) + beside);
        const nextNs = new Ticks(hz, 0).nextTickNs(timeNs);
        expect(nextNs).toBeGreaterThan(timeNs);
        expect(nextNs - timeNs).toBeLessThanOrEqual(Math.ceil(1e9 / hz));
        expect(tickNs(Math.round((nextNs * hz) / 1e9), hz)).toBe(nextNs);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([0, 1, 4_294_667_296])('counts jiffies from %i at t = 0', (startJiffies) => {
    const ticks = new Ticks(300, startJiffies);
    expect(ticks.jiffiesAt(0)).toBe(startJiffies);
    expect(ticks.jiffiesAt(3_333_332)).toBe(startJiffies);
    expect(ticks.jiffiesAt(3_333_333)).toBe(startJiffies + 1);
    expect(ticks.jiffiesAt(6_666_665)).toBe(startJiffies + 1);
    expect(ticks.jiffiesAt(6_666_666)).toBe(startJiffies + 2);
    expect(ticks.jiffiesAt(10_000_000)).toBe(startJiffies + 3);
    expect(ticks.timeOfJiffyNs(startJiffies + 2)).toBe(6_666_666);
    expect(ticks.periodNs).toBe(3_333_333);
  });
});

const LEVELS = 5;
const BUCKETS = 64;

/**
 * The wheel itself (kernel/time/timer.c), run jiffy by jiffy: a timer goes into a bucket of its level, a bucket is
 * looked at when the low bits of the clock are 0 for all levels below. Gives the jiffy at which the timer is found.
 */
function naiveWheel(now: number, delay: number): number {
  const expires = now + delay;
  let level = 0;
  while (delay >= 63 * 8 ** level) level++;
  const bucket = level * BUCKETS + (Math.floor((expires + 8 ** level) / 8 ** level) % BUCKETS);
  for (let clock = now + 1; ; clock++) {
    for (let l = 0, rest = clock; l < LEVELS; l++, rest = Math.floor(rest / 8)) {
      if (l * BUCKETS + (rest % BUCKETS) === bucket) return clock;
      if (rest % 8 !== 0) break;
    }
  }
}

describe('wheelExpiry (3.6, R1.15)', () => {
  const boundaries = [63, 504, 4032, 32_256].flatMap((limit) => [limit - 1, limit, limit + 1]);

  it.each([...boundaries, 1, 2, 3, 5, 7, 10])(
    'fires a delay of %i jiffies where the wheel finds it',
    (delay) => {
      for (const now of [0, 1, 7, 8, 63, 64, 511, 513, 4095, 999_999]) {
        expect(wheelExpiry(now, delay)).toBe(naiveWheel(now, delay));
      }
    },
  );

  it('agrees with the wheel for any delay on the first four levels', () => {
    const delays = fc.oneof(
      fc.integer({ min: 0, max: 62 }),
      fc.integer({ min: 63, max: 503 }),
      fc.integer({ min: 504, max: 4031 }),
      fc.integer({ min: 4032, max: 32_256 }),
    );
    fc.assert(
      fc.property(fc.nat(2_000_000), delays, (now, delay) => {
        expect(wheelExpiry(now, delay)).toBe(naiveWheel(now, delay));
      }),
      { numRuns: 400 },
    );
  });

  it('is k + 1 ticks away for the delays that SRCU asks for', () => {
    for (let delay = 1; delay <= 10; delay++) expect(wheelExpiry(1234, delay)).toBe(1234 + delay + 1);
  });
});
