import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findProfile, type ProfileId } from '../engine/profiles/profiles.ts';
import { jiffyLimitOf, phaseLimitOf } from '../engine/srcu/params.ts';
import { type PollingModel, windowAt, windowRange } from './pollWindow.ts';

const R = 5_000;

function modelOf(kernel: ProfileId, hz: number, passNs: number, retryNs = R): PollingModel {
  const { rules } = findProfile(kernel) as NonNullable<ReturnType<typeof findProfile>>;
  return {
    tickNs: Math.floor(1e9 / hz),
    retryNs,
    secondRetryNs: retryNs,
    passNs,
    phaseLimit: phaseLimitOf(rules, hz),
    jiffyLimit: jiffyLimitOf(rules, hz),
    rules,
  };
}

/** Spec srcu 2.4, 3.1 and 3.2 step by step: passes with a reader that never leaves, until one decides to sleep. */
function walk(model: PollingModel, phaseNs: number): { passes: number; windowNs: number } {
  const { tickNs, retryNs, secondRetryNs, passNs, phaseLimit, rules } = model;
  const jiffyAt = (ns: number) => Math.floor((ns + phaseNs) / tickNs);
  const freeAge = rules['srcu.delay'] === 'age-1' ? 1 : 2;
  let count = 0;
  let atNs = 0;
  const isDelayed = () => {
    if (jiffyAt(atNs) >= freeAge) return true;
    count += 1;
    return count > phaseLimit;
  };
  let inJiffy = 0;
  let jiffy = -1;
  for (let passes = 1; ; passes++) {
    atNs += passNs;
    if (rules['srcu.tryCheck'] === 'once') {
      atNs += isDelayed() ? retryNs : retryNs + secondRetryNs;
    } else {
      isDelayed();
      atNs += retryNs;
      if (!isDelayed()) {
        atNs += secondRetryNs;
        isDelayed();
      }
    }
    const answer = isDelayed();
    if (!answer && jiffy === jiffyAt(atNs)) {
      inJiffy += 1;
      if (inJiffy > model.jiffyLimit) return { passes, windowNs: atNs };
    } else if (!answer) {
      jiffy = jiffyAt(atNs);
      inJiffy = 1;
    }
    if (answer) return { passes, windowNs: atNs };
  }
}

/** docs/model 4.7: min, mean and max over 400 phases, whole passes, rounded to us. */
const TABLE: [number, ProfileId, number, number, number, number][] = [
  [250, 'v5.19-rc1', 5, 15, 15, 15],
  [250, 'v5.19-640a', 20, 30, 30, 30],
  [100, 'v5.19-patch-v1', 2, 1212, 1285, 2400],
  [100, 'v5.19-patch-v1', 20, 3030, 3486, 6030],
  [100, 'v6.12', 5, 7515, 7515, 7515],
  [250, 'v5.19-patch-v1', 5, 1515, 1798, 3015],
  [250, 'v6.12', 5, 4020, 5979, 7515],
  [250, 'v6.12', 10, 4020, 6010, 8000],
  [300, 'v6.12', 20, 3360, 5018, 6690],
  [1000, 'v6.12', 2, 1008, 1507, 2004],
  [1000, 'v5.19-patch-v1', 20, 1020, 1515, 2010],
];

describe('the window of a single phase', () => {
  it.each(TABLE)('HZ=%d %s c=%d us', (hz, kernel, passUs, min, mean, max) => {
    const model = modelOf(kernel, hz, passUs * 1000);
    const windows = Array.from({ length: 400 }, (_, i) => {
      const passes = windowAt(model, Math.floor((model.tickNs * i) / 400))?.passes as number;
      return passes * (2 * R + passUs * 1000);
    });
    const sum = windows.reduce((total, ns) => total + ns, 0);
    const figures = [Math.min(...windows), sum / 400, Math.max(...windows)];
    expect(figures.map((ns) => Math.round(ns / 1000))).toEqual([min, mean, max]);
  });

  const KERNELS: ProfileId[] = ['v5.19-rc1', 'v5.19-640a', 'v5.19-fix4', 'v5.19-patch-v1', 'v6.12'];
  const models = fc
    .record({
      kernel: fc.constantFrom(...KERNELS),
      hz: fc.constantFrom(100, 250, 300, 1000),
      passNs: fc.integer({ min: 200, max: 40_000 }),
      retryNs: fc.integer({ min: 0, max: 120_000 }),
      phaseLimit: fc.constantFrom(0, 1, 3, 4, 7, 50, 100, 101, 400, 1000, 1e6),
      jiffyLimit: fc.constantFrom(0, 1, 2, 30, 100, 1000, 1e6),
    })
    .map(({ kernel, hz, passNs, retryNs, ...limits }) => ({
      ...modelOf(kernel, hz, passNs, retryNs),
      ...limits,
    }));

  it('is what walking through the passes gives', () => {
    fc.assert(
      fc.property(models, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (model, share) => {
        const phaseNs = Math.floor(model.tickNs * share);
        expect(windowAt(model, phaseNs)).toMatchObject(walk(model, phaseNs));
      }),
      { numRuns: 1000 },
    );
  });

  it('has a range that holds every phase and is met at both ends', () => {
    fc.assert(
      fc.property(models, fc.array(fc.nat(9_999_999), { minLength: 20, maxLength: 20 }), (model, draws) => {
        const range = windowRange(model) as NonNullable<ReturnType<typeof windowRange>>;
        for (const draw of draws) {
          const { windowNs } = windowAt(model, draw % model.tickNs) as { windowNs: number };
          expect(windowNs).toBeGreaterThanOrEqual(range.minNs);
          expect(windowNs).toBeLessThanOrEqual(range.maxNs);
        }
        expect(range.maxNs).toBeLessThanOrEqual(2 * model.tickNs + model.passNs + model.retryNs * 2);
      }),
      { numRuns: 200 },
    );
  });

  it('has no end in 5.18', () => {
    expect(windowRange(modelOf('v5.18', 250, 5000))).toBeUndefined();
  });
});
