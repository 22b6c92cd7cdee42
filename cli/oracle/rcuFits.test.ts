import { expect, test } from 'vitest';
import { figureError, firstCallError, firstCalls, medianFigures, smallest } from './rcuFits.ts';
import type { RcuRecord } from './rcuRecords.ts';

const run = (ns: number, first: readonly number[] = []) => ({
  figures: { p50: ns, p90: 2 * ns, mean: 3 * ns },
  firstCalls: first,
});

test('a record counts by the median of each figure', () => {
  expect(medianFigures([run(5), run(1), run(3)])).toEqual({ p50: 3, p90: 6, mean: 9 });
});

test('the best fit is the first of equal ones', () => {
  expect(smallest([2, 1, 1, 3])).toBe(1);
  expect(figureError({ p50: 11, p90: 10, mean: 5 }, { p50: 10, p90: 10, mean: 10 })).toBeCloseTo(0.6);
});

test('first calls are found by caller: number 0 comes first with all its calls', () => {
  expect(firstCalls([10, 11, 12, 20, 21, 22], 2)).toEqual([10, 20]);
  const record = { callers: 2, measured: { values: [10, 11, 20, 21] } } as unknown as RcuRecord;
  const runs = [run(1, [10, 25]), run(1, [14, 20]), run(1, [40, 40])];
  expect(firstCallError(runs, record)).toBe(5);
});
