import { describe, expect, it } from 'vitest';
import { rowWindow } from './laneView.testkit.ts';
import { rowsInWindow } from './rowTable.ts';

const times = [0, 10, 10, 20, 30, 30, 40];
const rows = rowWindow(
  times.map((timeNs) => [timeNs, -1] as const),
  100,
  500,
);

describe('rows of the table', () => {
  it('are those of the window, both edges included', () => {
    for (const [fromNs, toNs] of [
      [0, 40],
      [10, 30],
      [9.5, 30.5],
      [11, 19],
      [35, 36],
      [-5, -1],
      [41, 90],
    ] as const) {
      const { first, end } = rowsInWindow(rows, { fromNs, toNs });
      const expected = times.flatMap((timeNs, i) => (timeNs >= fromNs && timeNs <= toNs ? [100 + i] : []));
      expect(Array.from({ length: end - first }, (_, i) => first + i)).toEqual(expected);
    }
  });

  it('say on which side there are more that are not loaded', () => {
    expect(rowsInWindow(rows, { fromNs: 10, toNs: 30 })).toMatchObject({
      missesBefore: false,
      missesAfter: false,
    });
    expect(rowsInWindow(rows, { fromNs: -10, toNs: 30 })).toMatchObject({
      missesBefore: true,
      missesAfter: false,
    });
    expect(rowsInWindow(rows, { fromNs: 10, toNs: 90 })).toMatchObject({
      missesBefore: false,
      missesAfter: true,
    });
    const whole = rowWindow([
      [0, -1],
      [5, 0],
    ]);
    expect(rowsInWindow(whole, { fromNs: -10, toNs: 90 })).toMatchObject({
      missesBefore: false,
      missesAfter: false,
    });
  });
});
