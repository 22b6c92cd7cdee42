/** Costs by object size (spec kvfree K23). */
import { describe, expect, it } from 'vitest';
import { costOfSize } from './bySize.ts';

describe('costs by size', () => {
  const measured = { '32': 238, '256': 280, '1024': 345, '4096': 335 };

  it.each([
    [32, 238],
    [256, 280],
    [1024, 345],
    [4096, 335],
    // between 256 and 1024, and where larger is cheaper
    [640, 313],
    [2560, 340],
    // 238 + 42 * 32/224, exactly
    [64, 244],
    // 280 + 65 * 1/768 = 280.08
    [257, 280],
    // outside: the nearest
    [1, 238],
    [8192, 335],
  ])('%i bytes take %i ns', (bytes, ns) => {
    expect(costOfSize(measured, bytes)).toBe(ns);
  });

  it('do not depend on the order of the sizes', () => {
    const entry = { '1024': 345, '4096': 335, '32': 238, '256': 280 };
    for (let bytes = 1; bytes <= 8192; bytes += 13)
      expect(costOfSize(entry, bytes)).toBe(costOfSize(measured, bytes));
  });

  it('may be one number, or known of one size', () => {
    expect([1, 32, 8192].map((bytes) => costOfSize(55, bytes))).toEqual([55, 55, 55]);
    expect([1, 32, 8192].map((bytes) => costOfSize({ '64': 70 }, bytes))).toEqual([70, 70, 70]);
  });
});
