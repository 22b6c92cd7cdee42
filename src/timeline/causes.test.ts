import { describe, expect, it } from 'vitest';
import { chainLinks, directLinks } from './causes.ts';
import { rowWindow } from './laneView.testkit.ts';

/** Rows 10..14: 10 is caused by row 3 (not loaded), 11 and 12 by 10, 13 by 12, 14 by 10. */
const rows = rowWindow(
  [
    [0, 3],
    [1, 10],
    [2, 10],
    [3, 12],
    [4, 10],
  ],
  10,
  100,
);

describe('cause links', () => {
  it('are the cause of a row and what it caused itself', () => {
    expect(directLinks(rows, 12)).toEqual({
      links: [
        { fromRow: 10, toRow: 12 },
        { fromRow: 12, toRow: 13 },
      ],
      isCut: false,
    });
  });

  it('say when a cause is not loaded', () => {
    expect(directLinks(rows, 10)).toEqual({
      links: [
        { fromRow: 10, toRow: 11 },
        { fromRow: 10, toRow: 12 },
        { fromRow: 10, toRow: 14 },
      ],
      isCut: true,
    });
    expect(directLinks(rows, 50)).toEqual({ links: [], isCut: true });
  });

  it('lead back to the first cause as far as it is loaded', () => {
    expect(chainLinks(rows, 13)).toEqual({
      links: [
        { fromRow: 12, toRow: 13 },
        { fromRow: 10, toRow: 12 },
        { fromRow: 3, toRow: 10 },
      ],
      isCut: true,
    });
    const whole = rowWindow([
      [0, -1],
      [1, 0],
      [2, 1],
    ]);
    expect(chainLinks(whole, 2)).toEqual({
      links: [
        { fromRow: 1, toRow: 2 },
        { fromRow: 0, toRow: 1 },
      ],
      isCut: false,
    });
  });

  it('are limited where a row causes hundreds', () => {
    const many = rowWindow(Array.from({ length: 200 }, (_, i) => [i, i === 0 ? -1 : 0] as const));
    const { links, isCut } = directLinks(many, 0);
    expect(isCut).toBe(true);
    expect(links.length).toBeLessThan(40);
  });
});
