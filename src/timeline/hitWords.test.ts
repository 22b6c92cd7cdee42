import { describe, expect, it } from 'vitest';
import { SPAN_CLASS } from '../analysis/laneTypes.ts';
import type { Hit } from './hitTest.ts';
import { hitWords } from './hitWords.ts';
import { laneInfo, spanLane } from './laneView.testkit.ts';
import { TEST_INFO } from './runInfo.testkit.ts';
import { itemOfSpan } from './timelineItem.ts';

const lane = laneInfo('worker', 3);
const row = { kind: 'lane', lane, topPx: 0, heightPx: 38 } as const;

describe('tooltips', () => {
  it('name the pass under the pointer', () => {
    const item = itemOfSpan(spanLane(lane, [['poll', 1_000, 4_000, 200]]), 0);
    const burst = {
      startNs: 1_000,
      count: 200,
      passNs: 15,
      offsetsNs: [5, 10, 15],
      failed: [true, true, true],
    };
    const words = hitWords({ kind: 'item', item, row }, 1_047, TEST_INFO, () => burst);
    expect(words.at(-1)).toBe('here: pass 4 of 200, 3 checks each');
    expect(hitWords({ kind: 'item', item, row }, 1_047, TEST_INFO, () => undefined)).toHaveLength(3);
  });

  it('name the object of a unit under the pointer', () => {
    const view = spanLane(lane, [['kfreeFill', 1_000, 3_000, 12]], [], [0, 4_000], [[501, 2_000]]);
    const item = itemOfSpan(view, 0);
    const at = (timeNs: number) =>
      hitWords({ kind: 'item', item, row }, timeNs, TEST_INFO, () => undefined).at(-1);
    expect(at(1_000)).toBe('here: object 1 of 501, evenly spaced');
    expect(at(1_005)).toBe('here: object 3 of 501, evenly spaced');
    expect(at(2_000)).toBe('here: object 501 of 501, evenly spaced');
    expect(at(2_001)).toBe('here: all 501 objects have come');
    const open = itemOfSpan(spanLane(lane, [['kfreeFill', 1_000, 3_000, 12]], [], [0, 4_000], [[0, 0]]), 0);
    expect(hitWords({ kind: 'item', item: open, row }, 1_500, TEST_INFO, () => undefined)).toHaveLength(3);
  });

  it('say what a dense spot is made of', () => {
    const hit: Hit = {
      kind: 'dense',
      lane,
      row,
      spanCount: 12_345,
      shares: [
        { cls: SPAN_CLASS.sleepHeld, share: 0.71 },
        { cls: SPAN_CLASS.poll, share: 0.004 },
      ],
    };
    expect(hitWords(hit, 0, TEST_INFO, () => undefined)).toEqual([
      'worker 3, 12\u202f345 sections',
      '71 % asleep, a reader holds',
      '<1 % polling, a reader was found',
      'zoom in to tell them apart',
    ]);
  });

  it('are absent over an empty lane', () => {
    expect(hitWords({ kind: 'empty', lane, row }, 0, TEST_INFO, () => undefined)).toEqual([]);
  });
});
