import { describe, expect, it } from 'vitest';
import { typed } from '../panelData.testkit.ts';
import { recordsView } from './records.ts';
import { makeFigures } from './state.testkit.ts';

describe('records per block', () => {
  it('has a bar of its own for full blocks', () => {
    const blocksByRecords = new Float64Array(508);
    blocksByRecords[1] = 2;
    blocksByRecords[43] = 1;
    blocksByRecords[44] = 5;
    blocksByRecords[507] = 92;
    const view = recordsView(makeFigures({ blocksByRecords }));
    expect(view?.bars.map(({ count }) => count)).toEqual([3, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 92]);
    expect(view?.bars[0]?.text).toBe('1 to 43: 3 blocks');
    expect(view?.bars.at(-1)?.text).toBe('507, full: 92 blocks');
    expect(typed(view?.label ?? '')).toContain('blocks 100, full 92 %, mean 469.1, of 507');
  });

  it('covers every number of records once', () => {
    for (const records of [2, 13, 507, 510, 2043]) {
      const view = recordsView(
        makeFigures({ records, blocksByRecords: new Float64Array(records + 1).fill(1, 1) }),
      );
      expect(view?.bars.reduce((sum, { count }) => sum + count, 0)).toBe(records);
    }
  });

  it('is not there where no block was freed', () => {
    expect(recordsView(makeFigures())).toBeUndefined();
  });
});
