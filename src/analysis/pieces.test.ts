import { expect, test } from 'vitest';
import { atOnce, countTo, type Pieces, part, readRows } from './pieces.ts';
import { config, run, updater } from './runs.testkit.ts';

const ROWS = 2 ** 16;

function sharesOf<T>(work: Pieces<T>): { readonly shares: number[]; readonly value: T } {
  const shares: number[] = [];
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return { shares, value };
    shares.push(value);
  }
}

test('counts in pieces', () => {
  const seen: number[] = [];
  const { shares } = sharesOf(countTo(2 * ROWS + 1, (i) => seen.push(i)));
  expect(seen).toHaveLength(2 * ROWS + 1);
  expect(seen.at(-1)).toBe(2 * ROWS);
  expect(shares).toHaveLength(2);
  expect(sharesOf(countTo(0, () => seen.push(0))).shares).toEqual([]);
});

test('reads every row once, with its number', () => {
  const { log } = run(config([updater({ calls: 5 })]));
  const rows: number[] = [];
  atOnce(readRows(log, (_, row) => rows.push(row)));
  expect(rows).toEqual(Array.from({ length: log.length }, (_, row) => row));
});

test('a part keeps to its shares, and hands on what it is for', () => {
  function* work(): Pieces<string> {
    yield 0;
    yield 0.5;
    yield 1;
    return 'done';
  }
  expect(sharesOf(part(work(), 0.4, 0.8))).toEqual({ shares: [0.4, 0.4 + 0.5 * 0.4, 0.8], value: 'done' });
  expect(atOnce(work())).toBe('done');
});
