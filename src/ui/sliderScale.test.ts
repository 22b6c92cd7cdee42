import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SliderScale, shareOf, steppedValue, valueAt } from './sliderScale.ts';

const phase: SliderScale = { kind: 'log', min: 0, max: 1_000_000 };
const hz: SliderScale = { kind: 'linear', min: 24, max: 1200 };

const anyScale = fc
  .record({
    kind: fc.constantFrom('linear' as const, 'log' as const),
    min: fc.integer({ min: 0, max: 1000 }),
    length: fc.integer({ min: 1, max: 10_000_000 }),
  })
  .map(({ kind, min, length }): SliderScale => ({ kind, min, max: min + length }));

describe('sliderScale', () => {
  it('a log scale gives each decade the same room', () => {
    const decade = shareOf(phase, 100) - shareOf(phase, 10);
    expect(shareOf(phase, 100_000) - shareOf(phase, 10_000)).toBeCloseTo(decade);
  });

  it('0 has a place of its own on a log scale', () => {
    expect(valueAt(phase, 0)).toBe(0);
    expect(shareOf(phase, 1)).toBeGreaterThan(0);
    expect(valueAt(phase, shareOf(phase, 1))).toBe(1);
  });

  it('what is dragged to has two significant digits', () => {
    expect(valueAt(phase, shareOf(phase, 4237))).toBe(4200);
    expect(valueAt(hz, shareOf(hz, 250))).toBe(250);
  });

  it('arrows move by the second digit, page keys by ten of them', () => {
    expect(steppedValue(phase, 200, 1, false)).toBe(210);
    expect(steppedValue(phase, 200, 1, true)).toBe(300);
    expect(steppedValue(phase, 100, -1, false)).toBe(99);
    expect(steppedValue(phase, 0, -1, false)).toBe(0);
    expect(steppedValue(hz, 250, 1, false)).toBe(251);
  });

  it('values stay in the range, places in 0..1, and order is kept', () => {
    fc.assert(
      fc.property(
        anyScale,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (scale, p, q) => {
          const [low, high] = [valueAt(scale, Math.min(p, q)), valueAt(scale, Math.max(p, q))];
          expect(low).toBeLessThanOrEqual(high);
          expect(low).toBeGreaterThanOrEqual(scale.min);
          expect(high).toBeLessThanOrEqual(scale.max);
          expect(shareOf(scale, low)).toBeLessThanOrEqual(shareOf(scale, high));
        },
      ),
    );
  });

  it('a key always moves, except at the end', () => {
    fc.assert(
      fc.property(anyScale, fc.double({ min: 0, max: 1, noNaN: true }), (scale, share) => {
        const value = valueAt(scale, share);
        if (value < scale.max) expect(steppedValue(scale, value, 1, false)).toBeGreaterThan(value);
        if (value > scale.min) expect(steppedValue(scale, value, -1, false)).toBeLessThan(value);
      }),
    );
  });
});
