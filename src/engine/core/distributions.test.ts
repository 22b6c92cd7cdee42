import { describe, expect, it } from 'vitest';
import type { Dist } from '../config.ts';
import { createHoldAndIdle, createSampler, type DrawOwner } from './distributions.ts';
import { Lcg } from './random.ts';

function owner(part: Partial<DrawOwner> = {}): DrawOwner {
  return { seed: 1, actor: 0, number: 0, lcgs: new Map(), ...part };
}

function draws(dist: Dist, n: number, who = owner(), purpose = 'gap'): number[] {
  const sampler = createSampler(dist, who, purpose);
  return Array.from({ length: n }, () => sampler());
}

describe('createSampler', () => {
  it('repeats a constant and cycles a list', () => {
    expect(draws(700, 3)).toEqual([700, 700, 700]);
    expect(draws({ list: [1, 5, 2] }, 7)).toEqual([1, 5, 2, 1, 5, 2, 1]);
  });

  it('draws whole ns from both ends of a range and nothing outside', () => {
    const values = draws({ uniform: [10, 14] }, 2000);
    expect([...new Set(values)].sort((x, y) => x - y)).toEqual([10, 11, 12, 13, 14]);
    expect(draws({ uniform: [3, 3] }, 5)).toEqual([3, 3, 3, 3, 3]);
  });

  it('draws a uniform mean', () => {
    const values = draws({ uniform: [0, 3_000_000] }, 10_000);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    // five deviations of the mean: 3 ms / sqrt(12 * 10 000)
    expect(Math.abs(mean - 1_500_000)).toBeLessThan((5 * 3_000_000) / Math.sqrt(12 * 10_000));
  });

  it('draws exponentially, in whole ns, up to 32 ln 2 times the mean', () => {
    const meanNs = 1_000_000;
    const values = draws({ exp: meanNs }, 20_000);
    expect(values.every((x) => Number.isSafeInteger(x) && x >= 0 && x <= 32 * Math.LN2 * meanNs)).toBe(true);
    const shareAbove = (ns: number) => values.filter((x) => x > ns).length / values.length;
    for (const times of [0.1, 0.5, 1, 2, 4]) {
      const expected = Math.exp(-times);
      const deviation = Math.sqrt((expected * (1 - expected)) / values.length);
      expect(Math.abs(shareAbove(times * meanNs) - expected)).toBeLessThan(5 * deviation);
    }
    expect(draws({ exp: 0 }, 3)).toEqual([0, 0, 0]);
  });

  it.each(['uniform', 'exp'])('has a stream of its own for seed, actor, number and purpose: %s', (kind) => {
    const dist: Dist = kind === 'exp' ? { exp: 10 ** 9 } : { uniform: [0, 10 ** 9] };
    const base = draws(dist, 4);
    expect(draws(dist, 4)).toEqual(base);
    for (const part of [{ seed: 2 }, { actor: 1 }, { number: 1 }]) {
      expect(draws(dist, 4, owner(part))).not.toEqual(base);
    }
    expect(draws(dist, 4, owner(), 'hold')).not.toEqual(base);
  });

  it('takes the numbers of the named lcg, stream + number for number i of several', () => {
    const dist: Dist = { lcg: { seed: 9, stream: 3, lo: 5, hi: 2_000_000 } };
    for (const number of [0, 1, 2]) {
      const lcg = new Lcg(9, 3 + number);
      const expected = Array.from({ length: 6 }, () => lcg.next(5, 2_000_000));
      // neither the seed of the run nor the actor have a say
      expect(draws(dist, 6, owner({ number, seed: 44, actor: 5 }))).toEqual(expected);
    }
  });

  it('shares one generator between equal names of a thread', () => {
    const who = owner();
    const x = createSampler({ lcg: { seed: 1, stream: 0, lo: 0, hi: 999 } }, who, 'gap');
    const y = createSampler({ lcg: { seed: 1, stream: 0, lo: 0, hi: 9 } }, who, 'spin');
    const lcg = new Lcg(1, 0);
    const expected = [lcg.next(0, 999), lcg.next(0, 9), lcg.next(0, 999), lcg.next(0, 9)];
    expect([x(), y(), x(), y()]).toEqual(expected);
  });
});

describe('createHoldAndIdle', () => {
  const lcgDist = { lcg: { seed: 4, stream: 1, lo: 0, hi: 3_000_000 } } as const;
  const iterations = (hold: Dist, idle: Dist, n: number) => {
    const samplers = createHoldAndIdle(hold, idle, owner({ number: 2 }));
    return Array.from({ length: n }, () => [samplers.hold(), samplers.idle()]);
  };
  const numbers = () => {
    const lcg = new Lcg(4, 3);
    return () => lcg.next(0, 3_000_000);
  };

  it('takes one number for hold, then one for idle', () => {
    const next = numbers();
    const expected = [1, 2, 3].map(() => [next(), next()]);
    expect(iterations(lcgDist, lcgDist, 3)).toEqual(expected);
  });

  it('throws the number of a constant idle away', () => {
    const next = numbers();
    const expected = [1, 2, 3].map(() => {
      const hold = next();
      next();
      return [hold, 7];
    });
    expect(iterations(lcgDist, 7, 3)).toEqual(expected);
  });

  it('throws the number of a constant hold away', () => {
    const next = numbers();
    const expected = [1, 2, 3].map(() => {
      next();
      return [7, next()];
    });
    expect(iterations(7, lcgDist, 3)).toEqual(expected);
  });

  it('takes none where neither is an lcg', () => {
    expect(iterations(7, { list: [1, 2] }, 3)).toEqual([
      [7, 1],
      [7, 2],
      [7, 1],
    ]);
  });
});
