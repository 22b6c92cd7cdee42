import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_ROWS } from './logMemory.ts';
import { RowPacker } from './rowPacker.ts';
import { CAUSE_UNIT, createRows, ORIGIN, ROW_WORDS, type RowData, TRACK_UNIT } from './rows.ts';

type Words = readonly number[];

/** A block that begins with these rows of time, a, b, c, d, cause, track, kind, again and again. */
function makeBlock(rows: readonly Words[]): RowData {
  const block = createRows(BLOCK_ROWS);
  for (let i = 0; i < BLOCK_ROWS; i++) {
    const [timeNs, a, b, c, d, cause, track, kind] = rows[i % rows.length] as Words;
    const origin = (cause as number) * CAUSE_UNIT + (track as number) * TRACK_UNIT + (kind as number);
    block.floats.set([timeNs, a, b, c, d, origin] as number[], i * ROW_WORDS);
  }
  return block;
}

/** Number of the first row. */
const FIRST = 300 * BLOCK_ROWS;

/** The first word that is another one when the block comes back; -1: none. -0 and 0 are one. */
function firstLost(packer: RowPacker, { floats }: RowData): number {
  const into = createRows(BLOCK_ROWS);
  into.floats.fill(7);
  packer.unpack(packer.pack({ floats }, FIRST), FIRST, into);
  return floats.findIndex((word, i) => !Object.is(word + 0, (into.floats[i] as number) + 0));
}

/** Every edge of a width, on both sides of what is expected. */
const EDGES = [
  0,
  1,
  -1,
  127,
  128,
  -128,
  -129,
  255,
  256,
  32_767,
  32_768,
  -32_768,
  -32_769,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 48,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  0.1,
  1.1,
  -0.5,
  1e300,
  Number.MIN_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];

const payload = fc.oneof(fc.constantFrom(...EDGES), fc.integer(), fc.double());
const time = fc.oneof(fc.nat(), fc.constantFrom(0, 255, 256, 65_535, 65_536, 7e12));
const cause = fc.integer({ min: -1, max: FIRST + BLOCK_ROWS });
const row = fc.tuple(
  time,
  payload,
  payload,
  payload,
  payload,
  cause,
  fc.nat(CAUSE_UNIT / TRACK_UNIT - 1),
  fc.nat(TRACK_UNIT - 1),
);

describe('RowPacker', () => {
  it('gives back every row', () => {
    const packer = new RowPacker();
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 50 }), (rows) => {
        expect(firstLost(packer, makeBlock(rows))).toBe(-1);
      }),
      { numRuns: 60 },
    );
  });

  it('gives back every step from one edge to another, of times, payloads, tracks and causes', () => {
    const packer = new RowPacker();
    const pairs = EDGES.flatMap((x) => EDGES.map((y) => [x, y] as const));
    const rows = pairs.map(([x, y], i) => [
      Math.abs(y) < 2 ** 53 ? Math.abs(y) : i,
      x,
      y,
      x + y,
      -x,
      FIRST + i - (i % 2 === 0 ? 1 : 2 ** (i % 18)),
      i % 3 === 0 ? 0 : 2 ** (i % 16),
      5,
    ]);
    expect(firstLost(packer, makeBlock(rows))).toBe(-1);
  });

  it.each([0, 200, 65_535, 65_536, 7e12])('knows the first time, %d ns, without unpacking', (timeNs) => {
    const packer = new RowPacker();
    const packed = packer.pack(makeBlock([[timeNs, 0, 0, 0, 0, -1, 0, 1]]), 0);
    expect(packer.firstNs(packed)).toBe(timeNs);
  });

  it('is small: rows like those before take the three bytes of kind and widths, and one for a count', () => {
    const block = createRows(BLOCK_ROWS);
    for (let i = 0; i < BLOCK_ROWS; i++) {
      const origin = (FIRST + i - 1) * CAUSE_UNIT + 9 * TRACK_UNIT + 3;
      block.floats.set([10 ** 9, i, 511, 0, 64], i * ROW_WORDS);
      block.floats[i * ROW_WORDS + ORIGIN] = origin;
    }
    expect(new RowPacker().pack(block, FIRST).length).toBeLessThan(4 * BLOCK_ROWS + 20);
  });
});
