/** Spans as shapes: bars with a texture each, labels where they fit, single checks where there is room for them. */
import { type LaneView, SPAN_CLASS } from '../analysis/laneTypes.ts';
import { depthBox } from './laneLayout.ts';
import type { PaintContext, PaintTools } from './paintTools.ts';
import { inkOn, mix } from './palette.ts';
import { checkGapNs, type PollBurst, visitChecks } from './polls.ts';
import { spanLabel } from './spanLabel.ts';
import { type SpanStyle, spanStyle } from './spanStyles.ts';
import { objectGapNs, visitObjects } from './unitObjects.ts';
import { pxOfTime, spanNs } from './viewport.ts';

/** Spans narrower than this are pixels, not shapes. */
export const MIN_SHAPE_PX = 1.5;
/** Checks are drawn singly from this distance on. */
const MIN_CHECK_GAP_PX = 3;
/** The same of the objects of a unit: their notches, as shares of the bar's height and of their distance. */
const MIN_OBJECT_GAP_PX = 3;
const NOTCH_SHARE = 0.4;
const NOTCH_GAP_SHARE = 0.15;
const MOST_NOTCH_PX = 3;
const ROUND_FROM_PX = 6;
const LABEL_FROM_PX = 22;
/** Lower bars have no words: letters would stand over their edges. */
const LABEL_HEIGHT_PX = 9;
const CHAR_PX = 6.1;
const LABEL_PAD_PX = 4;
/** Height of a low bar, as a share of a full one. */
const LOW_SHARE = 0.6;

/** A bar on the screen. */
interface Bar {
  readonly index: number;
  readonly cls: number;
  readonly xPx: number;
  readonly widthPx: number;
  readonly yPx: number;
  readonly heightPx: number;
}

/** Spans of one lane, sorted by what has to become of them. */
export interface SortedSpans {
  readonly barsByClass: ReadonlyMap<number, Bar[]>;
  /** Narrow ones, by sub-row. */
  readonly narrow: ReadonlyMap<
    number,
    { x: Int32Array; share: Float32Array; cls: Uint8Array; count: number }
  >;
}

/** Places every visible span of a lane whose row begins at `topPx`. */
export function sortSpans(
  view: Extract<LaneView, { mode: 'spans' }>,
  tools: PaintTools,
  topPx: number,
  heightPx: number,
): SortedSpans {
  const { spans } = view;
  const { viewport, widthPx, depths } = tools.scene;
  const barsByClass = new Map<number, Bar[]>();
  const narrow = new Map<number, { x: Int32Array; share: Float32Array; cls: Uint8Array; count: number }>();
  const rows = depths.get(view.id) ?? 1;
  for (let i = 0; i < spans.length; i++) {
    const cls = spans.cls[i] ?? 0;
    const x0 = pxOfTime(viewport, widthPx, spans.startNs[i] ?? 0);
    const x1 = pxOfTime(viewport, widthPx, spans.endNs[i] ?? 0);
    if (x1 < 0 || x0 > widthPx || cls === SPAN_CLASS.idle) continue;
    const depth = spans.depth[i] ?? 0;
    if (x1 - x0 < MIN_SHAPE_PX) {
      let columns = narrow.get(depth);
      if (columns === undefined) {
        const n = spans.length;
        columns = { x: new Int32Array(n), share: new Float32Array(n), cls: new Uint8Array(n), count: 0 };
        narrow.set(depth, columns);
      }
      columns.x[columns.count] = Math.floor((x0 + x1) / 2);
      columns.share[columns.count] = x1 - x0;
      columns.cls[columns.count++] = cls;
      continue;
    }
    const box = depthBox(view.kind, heightPx, depth, rows);
    // Beyond the edges nothing is seen, and canvases dislike coordinates in the billions.
    const left = Math.max(x0, -8);
    const right = Math.min(x1, widthPx + 8);
    const gapPx = x1 - x0 > 4 ? 0.75 : 0;
    const bar = {
      index: i,
      cls,
      xPx: left,
      widthPx: right - left - gapPx,
      yPx: topPx + box.topPx,
      heightPx: box.heightPx,
    };
    const bars = barsByClass.get(cls);
    if (bars) bars.push(bar);
    else barsByClass.set(cls, [bar]);
  }
  return { barsByClass, narrow };
}

/** Paints the bars of one lane, class by class, then their labels. */
export function paintBars(
  ctx: PaintContext,
  view: Extract<LaneView, { mode: 'spans' }>,
  sorted: SortedSpans,
  tools: PaintTools,
): void {
  for (const [cls, bars] of sorted.barsByClass) {
    const style = spanStyle(cls);
    const fill = fillOf(style, tools);
    if (style.texture === 'comb') {
      for (const bar of bars) paintComb(ctx, view, bar, style, tools);
    } else {
      ctx.fillStyle = fill;
      fillBars(ctx, bars, heightShare(style));
      const pattern = tools.textures(style.texture, cls);
      if (pattern !== undefined) {
        ctx.fillStyle = pattern;
        fillBars(ctx, bars, 1);
      }
      if (style.texture === 'frame') strokeBars(ctx, bars, tools.palette.colours[style.colour]);
    }
    if (view.units !== undefined) for (const bar of bars) paintObjects(ctx, view, bar, style, tools);
    for (const bar of bars) paintLabel(ctx, view, bar, style, fill, tools);
  }
}

function heightShare({ height, texture }: SpanStyle): number {
  return height ?? (texture === 'low' ? LOW_SHARE : 1);
}

function fillOf(style: SpanStyle, tools: PaintTools): string {
  const { colours } = tools.palette;
  return mix(colours[style.colour], colours.panel, style.strength);
}

function fillBars(ctx: PaintContext, bars: readonly Bar[], heightShare: number): void {
  ctx.beginPath();
  for (const bar of bars) {
    const heightPx = bar.heightPx * heightShare;
    const yPx = bar.yPx + bar.heightPx - heightPx;
    if (bar.widthPx >= ROUND_FROM_PX) ctx.roundRect(bar.xPx, yPx, bar.widthPx, heightPx, 2);
    else ctx.rect(bar.xPx, yPx, bar.widthPx, heightPx);
  }
  ctx.fill();
}

function strokeBars(ctx: PaintContext, bars: readonly Bar[], colour: string): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const bar of bars) {
    if (bar.widthPx < 3) continue;
    ctx.rect(bar.xPx + 0.5, bar.yPx + 0.5, bar.widthPx - 1, bar.heightPx - 1);
  }
  ctx.stroke();
}

/** Polling: a tooth per check where they are far enough apart, per pass where that fits, else an even comb. */
function paintComb(
  ctx: PaintContext,
  view: Extract<LaneView, { mode: 'spans' }>,
  bar: Bar,
  style: SpanStyle,
  tools: PaintTools,
): void {
  const { colours } = tools.palette;
  const colour = colours[style.colour];
  const { viewport, widthPx } = tools.scene;
  const pxPerNs = widthPx / spanNs(viewport);
  const burst = burstOf(view, bar.index, tools);
  const isSingle = burst !== undefined && checkGapNs(burst) * pxPerNs >= MIN_CHECK_GAP_PX;
  ctx.fillStyle = mix(colour, colours.panel, isSingle ? 0.28 : 0.92);
  ctx.fillRect(bar.xPx, bar.yPx, bar.widthPx, bar.heightPx);
  if (!isSingle || burst === undefined) {
    const pattern = tools.textures('comb', bar.cls);
    if (pattern === undefined || bar.widthPx < 4) return;
    ctx.fillStyle = pattern;
    ctx.fillRect(bar.xPx, bar.yPx, bar.widthPx, bar.heightPx);
    return;
  }
  const toothPx = Math.min(4, Math.max(1, checkGapNs(burst) * pxPerNs * 0.3));
  const fromNs = Math.max(view.spans.startNs[bar.index] ?? 0, viewport.fromNs);
  // The last check stands at the very end of its pass (spec srcu 4.1).
  const toNs = Math.min((view.spans.endNs[bar.index] ?? 0) + 0.5, viewport.toNs);
  visitChecks(burst, fromNs, toNs, (timeNs, failed, isFirstOfPass) => {
    ctx.fillStyle = failed ? colour : colours.gp;
    // The first tooth of a pass is the longest: where one execution of process_srcu ends and the next begins.
    const heightPx = isFirstOfPass ? bar.heightPx : bar.heightPx * 0.7;
    const xPx = pxOfTime(viewport, widthPx, timeNs) - toothPx / 2;
    ctx.fillRect(xPx, bar.yPx + bar.heightPx - heightPx, toothPx, heightPx);
  });
}

/** A notch at the foot of the bar for every object of a unit, where they are far enough apart. */
function paintObjects(
  ctx: PaintContext,
  view: Extract<LaneView, { mode: 'spans' }>,
  bar: Bar,
  style: SpanStyle,
  tools: PaintTools,
): void {
  const objects = view.units?.objects[bar.index] ?? 0;
  if (objects === 0) return;
  const { viewport, widthPx } = tools.scene;
  const startNs = view.spans.startNs[bar.index] ?? 0;
  const unit = { startNs, objects, lastNs: view.units?.lastNs[bar.index] ?? 0 };
  const gapPx = (objectGapNs(unit) * widthPx) / spanNs(viewport);
  if (!(gapPx >= MIN_OBJECT_GAP_PX) || bar.widthPx < MIN_OBJECT_GAP_PX) return;
  ctx.fillStyle = tools.palette.colours.panel;
  const heightPx = bar.heightPx * heightShare(style) * NOTCH_SHARE;
  const notchPx = Math.min(MOST_NOTCH_PX, Math.max(1, gapPx * NOTCH_GAP_SHARE));
  visitObjects(unit, viewport.fromNs, viewport.toNs, (timeNs) => {
    const xPx = Math.min(pxOfTime(viewport, widthPx, timeNs), bar.xPx + bar.widthPx - notchPx);
    ctx.fillRect(xPx, bar.yPx + bar.heightPx - heightPx, notchPx, heightPx);
  });
}

/** The burst behind a poll span. Without its row the passes alone are known: their number, and so their length. */
function burstOf(
  view: Extract<LaneView, { mode: 'spans' }>,
  index: number,
  tools: PaintTools,
): PollBurst | undefined {
  const { spans } = view;
  const found = tools.findBurst(spans.row[index] ?? -1);
  if (found) return found;
  const count = spans.value[index] ?? 0;
  const startNs = spans.startNs[index] ?? 0;
  if (count <= 0) return undefined;
  return {
    startNs,
    count,
    passNs: ((spans.endNs[index] ?? 0) - startNs) / count,
    offsetsNs: [0],
    failed: [true],
  };
}

function paintLabel(
  ctx: PaintContext,
  view: Extract<LaneView, { mode: 'spans' }>,
  bar: Bar,
  style: SpanStyle,
  fill: string,
  tools: PaintTools,
): void {
  const roomPx =
    Math.min(bar.xPx + bar.widthPx, tools.scene.widthPx) - Math.max(bar.xPx, 0) - 2 * LABEL_PAD_PX;
  if (roomPx < LABEL_FROM_PX || bar.heightPx < 11 || bar.heightPx * heightShare(style) < LABEL_HEIGHT_PX)
    return;
  const { spans } = view;
  const label = spanLabel(
    {
      laneKind: view.kind,
      cls: bar.cls,
      value: spans.value[bar.index] ?? 0,
      name: tools.nameOf(spans.track[bar.index] ?? -1),
    },
    Math.floor(roomPx / CHAR_PX),
  );
  if (label === '') return;
  const xPx = Math.max(bar.xPx, 0) + LABEL_PAD_PX;
  const share = heightShare(style);
  const yPx = bar.yPx + bar.heightPx * (1 - share / 2) + 0.5;
  const { colours } = tools.palette;
  const isTextured = style.texture === 'hatch' || style.texture === 'cross' || style.texture === 'comb';
  if (isTextured) {
    // On a texture the letters need a ground of their own.
    ctx.fillStyle = colours.panel;
    ctx.beginPath();
    ctx.roundRect(xPx - 2, yPx - 6.5, label.length * CHAR_PX + 4, 12.5, 2);
    ctx.fill();
  }
  ctx.fillStyle = isTextured || style.texture === 'frame' ? colours.text : inkOn(fill);
  ctx.fillText(label, xPx, yPx);
}
