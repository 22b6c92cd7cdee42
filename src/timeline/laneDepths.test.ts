import { describe, expect, it } from 'vitest';
import { LaneDepths } from './laneDepths.ts';
import { laneInfo, spanLane } from './laneView.testkit.ts';

const calls = laneInfo('calls');
const withDepth = (depth: number) => [spanLane(calls, [['call', 0, 10, 1, depth]])];

describe('sub-rows of a lane', () => {
  it('never become fewer, so that bars do not jump while panning', () => {
    const depths = new LaneDepths();
    const deep = depths.update([calls], withDepth(2));
    expect(deep.get('calls:0')).toBe(3);
    expect(depths.update([calls], withDepth(0))).toBe(deep);
  });

  it('start anew with other lanes', () => {
    const depths = new LaneDepths();
    depths.update([calls], withDepth(2));
    expect(depths.update([calls, laneInfo('cpu')], []).get('calls:0')).toBeUndefined();
  });
});
