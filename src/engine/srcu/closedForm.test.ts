import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BurstInput, burstPasses } from './closedForm.ts';

/** More passes than the loop will follow. */
const ENOUGH = 3000;

/** One pass after the other by 2.4 and 3.1, until one would not decide a zero delay in the present jiffy. */
function naivePasses(input: BurstInput): number {
  let { n, leftInJiffy } = input;
  for (let passes = 0; passes < ENOUGH; passes++) {
    const decidedNs = input.startNs + passes * input.passNs + input.decisionNs;
    n += input.countsPerPass;
    if (n > input.phaseLimit || decidedNs >= input.ageNs) return passes;
    if (leftInJiffy !== Number.POSITIVE_INFINITY && decidedNs >= input.nextTickNs) return passes;
    if (leftInJiffy-- <= 0) return passes;
  }
  return ENOUGH;
}

const infinity = fc.constant(Number.POSITIVE_INFINITY);
const burst: fc.Arbitrary<BurstInput> = fc
  .record({
    startNs: fc.nat(20_000_000),
    passNs: fc.integer({ min: 1000, max: 200_000 }),
    decided: fc.nat(1000),
    n: fc.nat(30),
    countsPerPass: fc.constantFrom(2, 3, 4),
    phaseLimit: fc.oneof(fc.nat(40), fc.nat(2000), infinity),
    ageNs: fc.oneof(fc.nat(24_000_000), infinity),
    leftInJiffy: fc.oneof(fc.integer({ min: -2, max: 6 }), fc.nat(1000), infinity),
    toTickNs: fc.integer({ min: 1, max: 4_000_000 }),
  })
  .map(({ decided, toTickNs, ...rest }) => ({
    ...rest,
    decisionNs: Math.floor((rest.passNs * decided) / 1000),
    nextTickNs: rest.startNs + toTickNs,
  }));

describe('burstPasses (4.1, 4.2, 4.8)', () => {
  it('is the number of passes that a loop can take', () => {
    fc.assert(
      fc.property(burst, (input) => {
        expect(Math.max(0, Math.min(burstPasses(input), ENOUGH))).toBe(naivePasses(input));
      }),
      { numRuns: 3000 },
    );
  });

  it('has no end where nothing but a leaving reader ends it', () => {
    const free = {
      startNs: 0,
      passNs: 15_000,
      decisionNs: 15_000,
      n: 0,
      countsPerPass: 4,
      nextTickNs: 4_000_000,
    };
    const limits = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
    const [phaseLimit, ageNs, leftInJiffy] = limits;
    expect(burstPasses({ ...free, phaseLimit, ageNs, leftInJiffy })).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts a decision at the very tick to the next jiffy (3.7)', () => {
    const pass = { startNs: 0, passNs: 1000, decisionNs: 1000, n: 0, countsPerPass: 2, leftInJiffy: 100 };
    const limit = { ...pass, phaseLimit: 1000, ageNs: Number.POSITIVE_INFINITY };
    expect(burstPasses({ ...limit, nextTickNs: 5000 })).toBe(4);
    expect(burstPasses({ ...limit, nextTickNs: 5001 })).toBe(5);
    expect(burstPasses({ ...limit, nextTickNs: 50_000, ageNs: 5000 })).toBe(4);
    expect(burstPasses({ ...limit, nextTickNs: 50_000, ageNs: 5001 })).toBe(5);
  });
});
