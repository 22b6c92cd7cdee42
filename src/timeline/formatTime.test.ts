import { describe, expect, it } from 'vitest';
import { formatDuration, formatTime, formatUnitNs, groupDigits, unitOf } from './formatTime.ts';

describe('formatTime', () => {
  it('writes durations to four digits in the unit that fits', () => {
    expect([0, 350, 5_210, 14_005_000, 161_433_000_000].map(formatDuration)).toEqual([
      '0 ns',
      '350 ns',
      '5.21 µs',
      '14.01 ms',
      '161.4 s',
    ]);
  });

  it('writes points in time to the nanosecond', () => {
    expect(formatTime(21_384_005)).toBe('21.384 005 ms');
    expect(formatTime(0)).toBe('0.000 000 ms');
    expect(formatTime(-1_500)).toBe('-0.001 500 ms');
    expect(formatTime(161_433_000_120)).toBe('161\u202f433.000 120 ms');
  });

  it('has as many digits as the step of an axis needs', () => {
    const ms = unitOf(4e6);
    expect(formatUnitNs(4e6, ms, 1e6)).toBe('4 ms');
    expect(formatUnitNs(4.5e6, ms, 5e5)).toBe('4.5 ms');
    expect(formatUnitNs(4.25e6, ms, 2e4)).toBe('4.25 ms');
    expect(formatUnitNs(-1e-9, ms, 1e6)).toBe('0 ms');
  });

  it('groups digits', () => {
    expect(groupDigits(903)).toBe('903');
    expect(groupDigits(1_234_567)).toBe('1\u202f234\u202f567');
  });
});
