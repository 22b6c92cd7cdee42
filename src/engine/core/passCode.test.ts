import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isBurstShape,
  PASS_OUTCOME,
  type PassInfo,
  packPass,
  shapeOf,
  unpackPass,
  withNAfter,
} from './passCode.ts';

const N_MAX = 2 ** 21 - 1;

const passInfo: fc.Arbitrary<PassInfo> = fc.record({
  scanStart: fc.nat(2),
  scanEnd: fc.nat(2),
  failedChecks: fc.nat(15),
  checks: fc.nat(15),
  delay: fc.nat(10),
  outcome: fc.constantFrom(...Object.values(PASS_OUTCOME)),
  cpu: fc.nat(4095),
  nAfter: fc.nat(N_MAX),
});

describe('passCode', () => {
  it('unpacks what it packed, in a safe integer', () => {
    fc.assert(
      fc.property(passInfo, (pass) => {
        const code = packPass(pass);
        expect(Number.isSafeInteger(code)).toBe(true);
        expect(unpackPass(code)).toEqual(pass);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the shape apart from srcu_n_exp_nodelay', () => {
    fc.assert(
      fc.property(passInfo, fc.nat(N_MAX), (pass, nAfter) => {
        const shape = shapeOf(packPass(pass));
        expect(shapeOf(packPass({ ...pass, nAfter }))).toBe(shape);
        expect(withNAfter(shape, nAfter)).toBe(packPass({ ...pass, nAfter }));
      }),
    );
  });

  it('has different codes for different passes', () => {
    fc.assert(
      fc.property(passInfo, passInfo, (x, y) => {
        expect(packPass(x) === packPass(y)).toBe(JSON.stringify(x) === JSON.stringify(y));
      }),
    );
  });

  it('says "so many and more" of counts beyond 21 bits', () => {
    const pass = { scanStart: 2, scanEnd: 2, failedChecks: 3, checks: 3, delay: 0, outcome: 0, cpu: 4095 };
    expect(unpackPass(packPass({ ...pass, nAfter: N_MAX + 1 }))).toEqual({ ...pass, nAfter: N_MAX });
    expect(unpackPass(packPass({ ...pass, nAfter: Number.MAX_SAFE_INTEGER })).nAfter).toBe(N_MAX);
  });

  it('makes bursts of passes that found a reader and do not wait, on whatever CPU', () => {
    fc.assert(
      fc.property(passInfo, (pass) => {
        expect(isBurstShape(shapeOf(packPass(pass)))).toBe(
          pass.outcome === PASS_OUTCOME.again && pass.delay === 0,
        );
      }),
    );
  });
});
