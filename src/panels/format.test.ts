import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatDistance,
  formatDuration,
  formatMs,
  formatShare,
  plural,
  splitDurations,
} from './format.ts';

/** Thin spaces written as ordinary ones, to keep the table readable. */
const plain = (text: string | undefined) => text?.replaceAll('\u202f', ' ').replaceAll('\u2212', '-');

describe('numbers in panels', () => {
  it.each([
    [0, '0 ms'],
    [5, '5 ns'],
    [5000, '5 µs'],
    [11_445, '11.4 µs'],
    [999_600, '1.00 ms'],
    [999_400, '999 µs'],
    [5_870_000, '5.87 ms'],
    [16_012_100, '16.0 ms'],
    [161_433_000_000, '161 s'],
    [1_234_567_000_000, '1 235 s'],
    [-3_300_000, '-3.30 ms'],
  ])('%d ns reads %s', (ns, text) => expect(plain(formatDuration(ns))).toBe(text));

  it('puts figures that stand side by side in one unit, unless one would be lost in it', () => {
    const joined = (...ns: number[]) =>
      splitDurations(ns)
        .map(({ value, unit }) => `${value} ${unit}`.trim())
        .join(' / ');
    expect(joined(305_000, 9_600_000)).toBe('0.30 / 9.60 ms');
    expect(joined(18_200, 6_950_000)).toBe('18.2 µs / 6.95 ms');
    expect(joined(17_000, 1_130_000)).toBe('17 µs / 1.13 ms');
    expect(joined(0, 0)).toBe('0 / 0 ms');
  });

  it.each([
    [0, '0'],
    [402, '0.0004'],
    [5000, '0.005'],
    [710_000, '0.71'],
    [12_345_678, '12.3'],
    [1_234_000_000, '1 234'],
  ])('%d ns in a column of ms reads %s', (ns, text) => expect(plain(formatMs(ns))).toBe(text));

  it.each([
    [0, '0 %'],
    [0.0004, '< 0.1 %'],
    [0.056, '5.6 %'],
    [0.45, '45 %'],
    [0.998, '99.8 %'],
    [0.9999, '> 99.9 %'],
    [1, '100 %'],
  ])('the share %d reads %s', (share, text) => expect(plain(formatShare(share))).toBe(text));

  it('signs a distance, and has none to show without a reported figure', () => {
    expect(plain(formatDistance(17.708, 20.704))).toBe('-14.5 %');
    expect(plain(formatDistance(11.489, 11.443))).toBe('+0.4 %');
    expect(plain(formatDistance(161.43, 161.433))).toBe('±0.0 %');
    expect(formatDistance(1, 0)).toBeUndefined();
  });

  it('counts, with a word for endless and a dash for unknown', () => {
    expect(plain(formatCount(9785))).toBe('9 785');
    expect(formatCount(Number.POSITIVE_INFINITY)).toBe('∞');
    expect(formatCount(undefined)).toBe('–');
    expect(plain(plural(1, 'reader'))).toBe('1 reader');
    expect(plain(plural(6000, 'callback'))).toBe('6 000 callbacks');
  });
});
