import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowOf } from '../analysis/rowWindow.testkit.ts';
import type { SrcuConstants } from '../engine/core/info.ts';
import { packPass } from '../engine/core/passCode.ts';
import { checkGapNs, createFindBurst, visitChecks } from './polls.ts';

/** Spec srcu 4.1 with c = 5 us and r = 5 us: checks of a pass at c, c + r, c + 2r; P = 15 us. */
const constants = {
  passFirstCheckNs: 5_000,
  checkNs: 0,
  retryNs: 5_000,
  secondRetryNs: 5_000,
} as SrcuConstants;

function burstRows() {
  const c = packPass({
    scanStart: 2,
    scanEnd: 2,
    failedChecks: 3,
    checks: 3,
    delay: 0,
    outcome: 0,
    cpu: 1,
    nAfter: 0,
  });
  return windowOf([{ timeNs: 6_000_000, cause: -1, a: 100, b: 6_000_000, c, d: 15_000 }], 40, 100);
}

describe('single polls', () => {
  it('stand where spec srcu 4.1 puts them', () => {
    const burst = createFindBurst(burstRows(), constants)(40);
    expect(burst?.offsetsNs).toEqual([5_000, 10_000, 15_000]);
    const times: number[] = [];
    if (burst) visitChecks(burst, 0, 1e9, (timeNs) => times.push(timeNs));
    expect(times).toHaveLength(300);
    expect(times.slice(0, 4)).toEqual([6_005_000, 6_010_000, 6_015_000, 6_020_000]);
    expect(times.at(-1)).toBe(7_500_000);
    expect(burst && checkGapNs(burst)).toBe(5_000);
  });

  it('are visited in a window as in the whole, and no others', () => {
    const burst = createFindBurst(burstRows(), constants)(40);
    if (!burst) throw new Error('no burst');
    const all: number[] = [];
    visitChecks(burst, 0, 1e9, (timeNs) => all.push(timeNs));
    fc.assert(
      fc.property(
        fc.integer({ min: 1_180, max: 1_520 }).map((n) => n * 5_000 + (n % 3)),
        fc.integer({ min: 0, max: 1e6 }),
        (fromNs, lengthNs) => {
          const seen: number[] = [];
          visitChecks(burst, fromNs, fromNs + lengthNs, (timeNs) => seen.push(timeNs));
          expect(seen).toEqual(all.filter((timeNs) => timeNs >= fromNs && timeNs < fromNs + lengthNs));
        },
      ),
    );
  });

  it('are not known where the row is not loaded', () => {
    expect(createFindBurst(burstRows(), constants)(39)).toBeUndefined();
    expect(createFindBurst(burstRows(), constants)(41)).toBeUndefined();
    expect(createFindBurst(undefined, constants)(40)).toBeUndefined();
  });
});
