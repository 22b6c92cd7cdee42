/** Size classes, grouping, footprint, records per block and monitor delays: test-data/kvfree-worked.json (K3, K7, K21, K23, K26). */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Lcg } from '../core/random.ts';
import { wheelExpiry } from '../core/ticks.ts';
import { findProfile } from '../profiles/profiles.ts';
import { footprintBytes, printedMb } from './footprint.ts';
import { countGroups, groupsPerBlock, slabPages } from './grouping.ts';
import { recordsPerBlock } from './params.ts';
import { sizeClass } from './sizeClass.ts';

interface Table<Row> {
  readonly rows: readonly Row[];
}
const worked = JSON.parse(readFileSync('test-data/kvfree-worked.json', 'utf8')) as {
  recordsPerBlock: Table<readonly [kernel: string, header: number, k4: number, k16: number, k64: number]>;
  sizeClasses: Table<readonly [bytes: number, sizeClass: number]>;
  groups: Table<readonly [records: number, sizeClasses: readonly number[], groups: number]>;
  randomGroups: Table<readonly [sizeClasses: readonly number[], groups: number]>;
  footprint: Table<readonly [m0: number, later: readonly number[], bytes: number, mb: number]>;
  monitorDelay: Table<readonly [hz: number, delay: number, minTicks: number, maxTicks: number]>;
};
const PAGE = 4096;

test.each(worked.recordsPerBlock.rows)(
  'a block of %s, with a header of %i bytes',
  (kernel, _header, ...counts) => {
    const rule = findProfile(kernel)?.rules['kvfree.block'] ?? 'none';
    expect([4096, 16_384, 65_536].map((pageSize) => recordsPerBlock(rule, pageSize))).toEqual(counts);
  },
);

test.each(worked.monitorDelay.rows)(
  'HZ=%i: a monitor of %i jiffies fires after %i to %i ticks',
  (_hz, delay, minTicks, maxTicks) => {
    const ticks = Array.from({ length: 4096 }, (_, jiffies) => wheelExpiry(jiffies, delay) - jiffies);
    expect([Math.min(...ticks), Math.max(...ticks)]).toEqual([minTicks, maxTicks]);
  },
);

describe('size classes', () => {
  it.each(worked.sizeClasses.rows)('%i bytes are of class %i', (bytes, expected) => {
    expect(sizeClass(bytes)).toBe(expected);
  });

  it('hold the object, waste less than half, and are classes of themselves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 100_000 }), (bytes) => {
        const size = sizeClass(bytes);
        expect(size).toBeGreaterThanOrEqual(bytes);
        expect(size).toBeLessThan(2 * bytes);
        expect(sizeClass(size)).toBe(size);
      }),
    );
  });
});

describe('grouping of kfree_bulk()', () => {
  it.each([
    [[32], 4],
    [[32, 64], 139],
    [[32, 64, 96], 254],
    [[32, 64, 96, 128], 507],
  ])('a full block of the classes %j makes %i groups', (cycle, groups) => {
    expect(groupsPerBlock(507, cycle, PAGE)).toBe(groups);
  });

  it.each(worked.groups.rows)('%i records of the classes %j make %i groups', (records, cycle, groups) => {
    expect(groupsPerBlock(records, cycle, PAGE)).toBe(groups);
  });

  it.each(worked.randomGroups.rows)('a given list of random classes %#', (sizeClasses, groups) => {
    expect(countGroups(slabPages(sizeClasses, PAGE))).toBe(groups);
  });

  it('makes 225 groups of a random mix of four classes on average, 214 being one of them', () => {
    const counts = Array.from({ length: 200 }, (_, stream) => {
      const lcg = new Lcg(1, stream);
      const classes = Array.from({ length: 507 }, () => [32, 64, 96, 128][lcg.next(0, 3)] as number);
      return countGroups(slabPages(classes, PAGE));
    });
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(mean).toBeGreaterThan(223);
    expect(mean).toBeLessThan(227);
    expect(Math.min(...counts)).toBeLessThanOrEqual(214);
  });

  it('puts every object into one group: at most as many as objects, at least as many as pages', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 200 }), (pages) => {
        const groups = countGroups(pages);
        expect(groups).toBeLessThanOrEqual(pages.length);
        expect(groups).toBeGreaterThanOrEqual(new Set(pages).size);
      }),
    );
  });

  it('skips two others, not three', () => {
    expect(countGroups([1, 2, 3, 1, 2, 3])).toBe(3);
    expect(countGroups([1, 2, 3, 4, 1, 2, 3, 4])).toBe(8);
    expect(countGroups([])).toBe(0);
  });
});

describe('memory footprint', () => {
  it.each(worked.footprint.rows)('%i pages, then %j: %i bytes, %i MB', (m0, later, bytes, mb) => {
    expect(footprintBytes(m0, later, PAGE)).toBe(bytes);
    expect(printedMb(bytes)).toBe(mb);
  });

  it('is d1/8 + d2/4 + d3/2, up to a page more', () => {
    const pages = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(pages, pages, pages, pages, (m0, a1, a2, a3) => {
        const formula = ((m0 - a1) / 8 + (m0 - a2) / 4 + (m0 - a3) / 2) * PAGE;
        const excess = footprintBytes(m0, [a1, a2, a3], PAGE) - formula;
        expect(excess).toBeGreaterThanOrEqual(0);
        expect(excess).toBeLessThan(PAGE);
      }),
    );
  });

  it('shows 0.875 of a constant level and 0.531 of linear growth', () => {
    const gb = 262_144;
    const level = 80_000;
    expect(footprintBytes(gb, [gb - level, gb - level, gb - level], PAGE) / PAGE / level).toBe(0.875);
    const grown = [0.25, 0.5, 0.75].map((part) => gb - level * part);
    expect(footprintBytes(gb, grown, PAGE) / PAGE / level).toBeCloseTo(0.531, 3);
  });
});
