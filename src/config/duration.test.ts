import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, MAX_DURATION_NS, parseDurationText, readDuration } from './duration.ts';

describe('durations', () => {
  it.each([
    ['1.5ms', 1_500_000],
    ['20us', 20_000],
    ['20µs', 20_000],
    ['20μs', 20_000],
    ['3s', 3_000_000_000],
    ['4.87s', 4_870_000_000],
    ['9.785 ms', 9_785_000],
    ['0.3ms', 300_000],
    ['0ns', 0],
    ['1000000s', MAX_DURATION_NS],
  ])('reads %s', (text, ns) => {
    expect(parseDurationText(text)).toBe(ns);
  });

  it.each([
    '',
    '5',
    '5 ',
    'ms',
    '-1ms',
    '1e3ns',
    '0.5ns',
    '1.0000001ms',
    '1..2ms',
    '1000001s',
    '5us ',
    '0x5us',
  ])('refuses %j', (text) => {
    expect(parseDurationText(text)).toBeUndefined();
  });

  it.each([[-1], [0.5], [Number.NaN], [MAX_DURATION_NS + 1], [null], [true], [[]]])('refuses %j', (value) => {
    expect(readDuration(value)).toBeUndefined();
  });

  it('writes the largest unit that gives at least 1', () => {
    const texts = [0, 999, 1_000, 160_000, 1_078_940, 4_870_000_000, 60_000_000_001].map(formatDuration);
    expect(texts).toEqual(['0ns', '999ns', '1us', '160us', '1.07894ms', '4.87s', '60.000000001s']);
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_DURATION_NS }), (ns) => {
        expect(parseDurationText(formatDuration(ns))).toBe(ns);
      }),
      { numRuns: 2000 },
    );
  });
});
