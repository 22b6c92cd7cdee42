/** What is under the pointer. */
import type { LaneInfo, LaneView } from '../analysis/laneTypes.ts';
import { depthBox, type LaneLayout, type LaneRow, rowAt } from './laneLayout.ts';
import { itemOfMark, itemOfSpan, type TimelineItem } from './timelineItem.ts';
import { pxOfTime, timeOfPx, type Viewport } from './viewport.ts';

/** Everything that decides where things are on the screen. */
export interface Scene {
  readonly layout: LaneLayout;
  /** The last answer of the worker, by lane id. Its window need not be the viewport. */
  readonly views: ReadonlyMap<string, LaneView>;
  /** Sub-rows of a lane, by lane id; 1 where absent. */
  readonly depths: ReadonlyMap<string, number>;
  readonly viewport: Viewport;
  readonly widthPx: number;
}

/** Share of a pixel's time that a class takes, in a lane that is shown as densities. */
export interface DenseShare {
  readonly cls: number;
  readonly share: number;
}

export type Hit =
  | { readonly kind: 'item'; readonly item: TimelineItem; readonly row: LaneRow }
  | {
      readonly kind: 'dense';
      readonly lane: LaneInfo;
      readonly shares: readonly DenseShare[];
      readonly spanCount: number;
      readonly row: LaneRow;
    }
  | { readonly kind: 'empty'; readonly lane: LaneInfo; readonly row: LaneRow };

/** A mark is hit from so far away, a span that is thinner than the pointer's tip from half of it. */
const MARK_REACH_PX = 5;
const SPAN_REACH_PX = 3;

/** What is at (xPx, yPx) of the plot, yPx counted from the top of all lanes; undefined outside every lane. */
export function hitTest(scene: Scene, xPx: number, yPx: number): Hit | undefined {
  const row = rowAt(scene.layout, yPx);
  if (row === undefined || row.kind === 'group') return undefined;
  const view = scene.views.get(row.lane.id);
  if (view === undefined) return { kind: 'empty', lane: row.lane, row };
  const mark = nearestMark(scene, view, xPx);
  if (mark >= 0) return { kind: 'item', item: itemOfMark(view, mark), row };
  if (view.mode === 'coverage') {
    const shares = sharesAt(view, timeOfPx(scene.viewport, scene.widthPx, xPx));
    if (shares.length === 0) return { kind: 'empty', lane: row.lane, row };
    return { kind: 'dense', lane: row.lane, shares, spanCount: view.spanCount, row };
  }
  const span = nearestSpan(scene, view, xPx, yPx - row.topPx, row.heightPx);
  if (span >= 0) return { kind: 'item', item: itemOfSpan(view, span), row };
  return { kind: 'empty', lane: row.lane, row };
}

function nearestMark(scene: Scene, view: LaneView, xPx: number): number {
  let best = -1;
  let bestPx = MARK_REACH_PX;
  for (let i = 0; i < view.marks.length; i++) {
    const awayPx = Math.abs(pxOfTime(scene.viewport, scene.widthPx, view.marks.timeNs[i] ?? 0) - xPx);
    if (awayPx <= bestPx) {
      best = i;
      bestPx = awayPx;
    }
  }
  return best;
}

/** The span nearest to the pointer: in time first, then in its sub-row. */
function nearestSpan(
  scene: Scene,
  view: Extract<LaneView, { mode: 'spans' }>,
  xPx: number,
  yPx: number,
  heightPx: number,
): number {
  const { spans } = view;
  const depths = scene.depths.get(view.id) ?? 1;
  let best = -1;
  let bestPx = Number.POSITIVE_INFINITY;
  for (let i = 0; i < spans.length; i++) {
    const x0 = pxOfTime(scene.viewport, scene.widthPx, spans.startNs[i] ?? 0);
    const x1 = pxOfTime(scene.viewport, scene.widthPx, spans.endNs[i] ?? 0);
    const awayXPx = Math.max(x0 - xPx, xPx - x1, 0);
    if (awayXPx > SPAN_REACH_PX) continue;
    const box = depthBox(view.kind, heightPx, spans.depth[i] ?? 0, depths);
    const awayYPx = Math.max(box.topPx - yPx, yPx - box.topPx - box.heightPx, 0);
    // Later ones win ties: what begins under the pointer hides what has just ended.
    const awayPx = awayXPx + awayYPx;
    if (awayPx <= bestPx) {
      best = i;
      bestPx = awayPx;
    }
  }
  return best;
}

/** Shares of the classes at a time, the largest first. */
export function sharesAt(
  view: Extract<LaneView, { mode: 'coverage' }>,
  timeNs: number,
): readonly DenseShare[] {
  const px = Math.floor(((timeNs - view.t0Ns) / (view.t1Ns - view.t0Ns)) * view.widthPx);
  if (px < 0 || px >= view.widthPx) return [];
  const shares: DenseShare[] = [];
  for (const [plane, cls] of view.classes.entries()) {
    const share = view.coverage[plane * view.widthPx + px] ?? 0;
    if (share > 0) shares.push({ cls, share });
  }
  return shares.sort((a, b) => b.share - a.share);
}
