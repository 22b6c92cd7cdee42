import { describe, expect, it } from 'vitest';
import type { LaneView } from '../analysis/laneTypes.ts';
import { SPAN_CLASS } from '../analysis/laneTypes.ts';
import { hitTest, type Scene } from './hitTest.ts';
import { layoutLanes } from './laneLayout.ts';
import { denseLane, laneInfo, spanLane } from './laneView.testkit.ts';

/** 1,000 ns on 1,000 px: a pixel is a nanosecond. */
function scene(views: readonly LaneView[], depths: readonly (readonly [string, number])[] = []): Scene {
  return {
    layout: layoutLanes(views, new Set(), 16, 1e6),
    views: new Map(views.map((view) => [view.id, view])),
    depths: new Map(depths),
    viewport: { fromNs: 0, toNs: 1_000 },
    widthPx: 1_000,
  };
}

/** Vertical middle of the n-th lane. */
function middle(of: Scene, n: number): number {
  const row = of.layout.rows[n];
  return (row?.topPx ?? 0) + (row?.heightPx ?? 0) / 2;
}

const cpu = laneInfo('cpu', 0);
const gp = laneInfo('gp', 5);

describe('hit test', () => {
  it('finds the span under the pointer, and nothing beside it', () => {
    const at = scene([spanLane(cpu, [['reader', 100, 200]])]);
    const hit = hitTest(at, 150, middle(at, 0));
    expect(hit).toMatchObject({ kind: 'item', item: { row: 0, startNs: 100, endNs: 200, laneId: 'cpu:0' } });
    expect(hitTest(at, 220, middle(at, 0))).toMatchObject({ kind: 'empty', lane: { id: 'cpu:0' } });
    expect(hitTest(at, 150, 10_000)).toBeUndefined();
  });

  it('reaches spans of no width, and takes the later one where two touch', () => {
    const at = scene([
      spanLane(cpu, [
        ['reader', 100, 100.2],
        ['reader', 500, 600],
        ['readerOut', 600, 700],
      ]),
    ]);
    expect(hitTest(at, 102, middle(at, 0))).toMatchObject({ item: { row: 0 } });
    expect(hitTest(at, 600, middle(at, 0))).toMatchObject({ item: { row: 2 } });
  });

  it('prefers a mark to the span it stands on', () => {
    const at = scene([spanLane(gp, [['gpScan2', 100, 900, 7]], [['flip', 300]])]);
    expect(hitTest(at, 303, middle(at, 0))).toMatchObject({ item: { shape: 'mark', row: 100 } });
    expect(hitTest(at, 320, middle(at, 0))).toMatchObject({ item: { shape: 'span' } });
  });

  it('gives the whole grace period for any of its phases', () => {
    const at = scene([
      spanLane(gp, [
        ['gpScan2', 0, 50, 6],
        ['gpWait', 100, 150, 7],
        ['gpScan1', 150, 300, 7],
        ['gpScan2', 300, 900, 7],
        ['gpScan1', 900, 950, 8],
      ]),
    ]);
    const expected = { item: { gp: { domain: 5, number: 7 }, startNs: 100, endNs: 900, row: 1 } };
    for (const xPx of [120, 200, 600]) expect(hitTest(at, xPx, middle(at, 0))).toMatchObject(expected);
  });

  it('tells sub-rows apart by height', () => {
    const at = scene(
      [
        spanLane(laneInfo('calls'), [
          ['call', 100, 900, 1, 0],
          ['call', 200, 800, 2, 1],
        ]),
      ],
      [['calls:0', 2]],
    );
    const row = at.layout.rows[0];
    expect(hitTest(at, 500, (row?.heightPx ?? 0) * 0.3)).toMatchObject({ item: { value: 1 } });
    expect(hitTest(at, 500, (row?.heightPx ?? 0) * 0.7)).toMatchObject({ item: { value: 2 } });
  });

  it('names the shares of a dense lane, the largest first', () => {
    const at = scene([
      denseLane(cpu, [
        ['poll', [0, 0.25, 0, 0]],
        ['sleepHeld', [0, 0.5, 0, 1]],
      ]),
    ]);
    expect(hitTest(at, 300, middle(at, 0))).toMatchObject({
      kind: 'dense',
      shares: [
        { cls: SPAN_CLASS.sleepHeld, share: 0.5 },
        { cls: SPAN_CLASS.poll, share: 0.25 },
      ],
    });
    expect(hitTest(at, 100, middle(at, 0))).toMatchObject({ kind: 'empty' });
  });

  it('follows the viewport, whatever window the lane was loaded for', () => {
    const at = { ...scene([spanLane(cpu, [['reader', 100, 200]])]), viewport: { fromNs: 150, toNs: 160 } };
    expect(hitTest(at, 999, middle(at, 0))).toMatchObject({ item: { row: 0 } });
  });
});
