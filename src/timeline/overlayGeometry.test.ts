import { describe, expect, it } from 'vitest';
import { layoutLanes } from './laneLayout.ts';
import { laneInfo, spanLane } from './laneView.testkit.ts';
import { arrowPath, frameOf, laneMiddle, selectionOfItem, selectionOfUnit } from './overlayGeometry.ts';
import { itemOfSpan } from './timelineItem.ts';

const lanes = [
  laneInfo('cpu', 0),
  laneInfo('gp', 5),
  laneInfo('worker', 5),
  laneInfo('callbacks', 5),
  laneInfo('gp', 6),
];
const layout = layoutLanes(lanes, new Set(), 16, 1e6);
const viewport = { fromNs: 0, toNs: 1_000 };

describe('frames', () => {
  it('of a grace period span its lane and its passes', () => {
    const lane = spanLane(laneInfo('gp', 5), [['gpScan2', 200, 600, 7]]);
    const selection = selectionOfItem(itemOfSpan(lane, 0), lanes);
    expect(selection).toEqual({ row: 0, startNs: 200, endNs: 600, laneIds: ['gp:5', 'worker:5'] });
    const frame = frameOf(layout, viewport, 1_000, selection);
    expect(frame?.xPx).toBeCloseTo(199, 6);
    expect(frame?.widthPx).toBeCloseTo(402, 6);
    expect(frame?.yPx).toBeLessThan(laneMiddle(layout, 'gp:5') ?? 0);
    expect((frame?.yPx ?? 0) + (frame?.heightPx ?? 0)).toBeGreaterThan(laneMiddle(layout, 'worker:5') ?? 0);
    expect((frame?.yPx ?? 0) + (frame?.heightPx ?? 0)).toBeLessThan(laneMiddle(layout, 'callbacks:5') ?? 0);
  });

  it('of a unit of kvfree_rcu() span the lane of its CPU', () => {
    const krcs = layoutLanes([...lanes, laneInfo('kfree', 0), laneInfo('kfree', 2)], new Set(), 16, 1e6);
    const frame = frameOf(krcs, viewport, 1_000, selectionOfUnit(2, { row: 4, startNs: 20, endNs: 70 }));
    const middle = laneMiddle(krcs, 'kfree:2') ?? 0;
    expect(frame?.yPx).toBeGreaterThan(laneMiddle(krcs, 'kfree:0') ?? 0);
    expect(frame?.yPx).toBeLessThan(middle);
    expect((frame?.yPx ?? 0) + (frame?.heightPx ?? 0)).toBeGreaterThan(middle);
  });

  it('of an instant are wide enough to be seen', () => {
    const frame = frameOf(layout, viewport, 1_000, { startNs: 500, endNs: 500, laneIds: ['cpu:0'] });
    expect(frame?.widthPx).toBeGreaterThanOrEqual(7);
    expect((frame?.xPx ?? 0) + (frame?.widthPx ?? 0) / 2).toBeCloseTo(500, 6);
  });

  it('are absent off the screen and without a lane, and bounded at any zoom', () => {
    const laneIds = ['cpu:0'];
    expect(frameOf(layout, viewport, 1_000, { startNs: 2_000, endNs: 3_000, laneIds })).toBeUndefined();
    expect(frameOf(layout, viewport, 1_000, { startNs: 0, endNs: 10, laneIds: ['cpu:99'] })).toBeUndefined();
    const deep = frameOf(layout, { fromNs: 1e11, toNs: 1e11 + 100 }, 1_000, {
      startNs: 0,
      endNs: 2e11,
      laneIds,
    });
    expect(deep?.widthPx).toBeLessThan(1_100);
  });
});

describe('arrows', () => {
  it('begin at the cause and end at the effect', () => {
    expect(arrowPath({ xPx: 10, yPx: 20 }, { xPx: 110, yPx: 60 })).toBe('M10 20C60 20 60 60 110 60');
  });

  it('bow out where cause and effect share an instant', () => {
    const path = arrowPath({ xPx: 10, yPx: 20 }, { xPx: 10, yPx: 60 });
    const xs = [...path.matchAll(/[MC ]([\d.]+) [\d.]+/g)].map((match) => Number(match[1]));
    expect(Math.max(...xs)).toBeGreaterThan(20);
  });
});
