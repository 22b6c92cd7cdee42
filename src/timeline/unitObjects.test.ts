import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectNs } from '../analysis/kvfreeLife.ts';
import { objectAt, objectGapNs, visitObjects } from './unitObjects.ts';

const unit = { startNs: 1_000, lastNs: 142_680, objects: 507 };

function timesOf(fromNs: number, toNs: number): number[] {
  const times: number[] = [];
  visitObjects(unit, fromNs, toNs, (timeNs) => times.push(timeNs));
  return times;
}

describe('objects of a unit', () => {
  it('come evenly from its first row to its last', () => {
    expect(objectGapNs(unit)).toBe(280);
    const all = timesOf(0, 1e9);
    expect(all).toHaveLength(507);
    expect([all[0], all[1], all.at(-1)]).toEqual([1_000, 1_280, 142_680]);
    expect(objectGapNs({ startNs: 0, lastNs: 0, objects: 1 })).toBe(Number.POSITIVE_INFINITY);
  });

  it('are visited in a window as in the whole, and no others', () => {
    const all = timesOf(0, 1e9);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 150_000 }),
        fc.integer({ min: 0, max: 9_000 }),
        (fromNs, longNs) => {
          const inside = all.filter((timeNs) => timeNs >= fromNs && timeNs <= fromNs + longNs);
          expect(timesOf(fromNs, fromNs + longNs)).toEqual(inside);
        },
      ),
    );
  });

  it('have the number of the last one that came', () => {
    for (const object of [0, 1, 250, 506])
      expect(objectAt(unit, objectNs(unit.startNs, unit.lastNs, unit.objects, object))).toBe(object + 1);
    expect([objectAt(unit, 0), objectAt(unit, 1_279), objectAt(unit, 1e9)]).toEqual([1, 1, 507]);
    expect(objectAt({ startNs: 5, lastNs: 5, objects: 1 }, 5)).toBe(1);
  });
});
