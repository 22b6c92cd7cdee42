/** The static layer: everything on the lanes, from back to front. Cursor, hover and selection are not on it. */
import type { LaneView } from '../analysis/laneTypes.ts';
import { barBox, depthBox, type LaneRow, rowsBetween } from './laneLayout.ts';
import { paintChart } from './paintChart.ts';
import { paintMarks } from './paintMarks.ts';
import { paintBars, type SortedSpans, sortSpans } from './paintSpans.ts';
import type { PaintContext, PaintTools, Picture } from './paintTools.ts';
import { mix, type Palette } from './palette.ts';
import { type PixelLayer, paintCoverage, paintNarrow, pixelOf } from './pixelLayer.ts';
import { pxOfTime } from './viewport.ts';

/** Draws rows [topPx, bottomPx) of pixels over what is there already, where they are not transparent. */
export type DrawPixels = (layer: PixelLayer, topPx: number, bottomPx: number) => void;

/** How strong a lane's empty ground stands out from the panel. */
const GROUND = 0.35;

/**
 * Prepares a context for the letters of a palette. Once per size and theme, not per picture: a context looks up a font
 * in the style of its element, and where the page has just changed that costs more than all the painting.
 */
export function prepareText(ctx: PaintContext, palette: Palette): void {
  ctx.font = `10px ${palette.font}`;
  ctx.textBaseline = 'middle';
}

/** Paints the visible lanes. `layer` is scratch space of the picture's size; it is cleared here. */
export function paintLanes(
  ctx: PaintContext,
  picture: Picture,
  tools: PaintTools,
  layer: PixelLayer,
  drawPixels: DrawPixels,
): void {
  const { scene } = tools;
  const rows = rowsBetween(scene.layout, picture.scrollPx, picture.scrollPx + picture.heightPx);
  ctx.clearRect(0, 0, picture.widthPx, picture.heightPx);
  paintGround(ctx, picture, tools, rows);
  const sorted = paintPixels(picture, tools, rows, layer, drawPixels);
  for (const row of rows) {
    const view = viewOf(row, tools);
    if (view === undefined) continue;
    const topPx = row.topPx - picture.scrollPx;
    const spans = sorted.get(view.id);
    if (view.mode === 'spans' && spans) paintBars(ctx, view, spans, tools);
    if (view.mode === 'spans' && view.chart) paintChart(ctx, view.chart, tools, topPx, row.heightPx);
    paintMarks(ctx, view, tools, topPx, row.heightPx);
  }
}

function viewOf(row: LaneRow, tools: PaintTools): LaneView | undefined {
  return row.kind === 'lane' ? tools.scene.views.get(row.lane.id) : undefined;
}

/** Empty lanes and the lines of the jiffies. */
function paintGround(ctx: PaintContext, picture: Picture, tools: PaintTools, rows: readonly LaneRow[]): void {
  const { colours } = tools.palette;
  ctx.fillStyle = groundOf(tools.palette);
  for (const row of rows) {
    if (row.kind === 'group') continue;
    const box = barBox(row.heightPx);
    ctx.fillRect(0, row.topPx - picture.scrollPx + box.topPx, picture.widthPx, box.heightPx);
  }
  ctx.fillStyle = colours.line;
  for (const timeNs of picture.gridNs) {
    const xPx = Math.round(pxOfTime(tools.scene.viewport, picture.widthPx, timeNs));
    ctx.fillRect(xPx, 0, 1, picture.heightPx);
  }
}

function groundOf(palette: Palette): string {
  return mix(palette.colours.idle, palette.colours.panel, GROUND);
}

/** Dense lanes and narrow spans; gives back the places of the others. */
function paintPixels(
  picture: Picture,
  tools: PaintTools,
  rows: readonly LaneRow[],
  layer: PixelLayer,
  drawPixels: DrawPixels,
): ReadonlyMap<string, SortedSpans> {
  const sorted = new Map<string, SortedSpans>();
  const ground = pixelOf(groundOf(tools.palette));
  let usedTopPx = layer.heightPx;
  let usedBottomPx = 0;
  const use = (boxTopPx: number, boxHeightPx: number) => {
    usedTopPx = Math.min(usedTopPx, Math.max(0, Math.floor(boxTopPx)));
    usedBottomPx = Math.max(usedBottomPx, Math.min(layer.heightPx, Math.ceil(boxTopPx + boxHeightPx)));
  };
  layer.pixels.fill(0);
  for (const row of rows) {
    const view = viewOf(row, tools);
    if (view === undefined) continue;
    const topPx = row.topPx - picture.scrollPx;
    if (view.mode === 'coverage') {
      const box = barBox(row.heightPx);
      const top = Math.round(topPx + box.topPx);
      paintCoverage(layer, view, tools.scene.viewport, top, Math.round(box.heightPx), tools.inkOf);
      use(top, Math.round(box.heightPx));
      continue;
    }
    const spans = sortSpans(view, tools, topPx, row.heightPx);
    sorted.set(view.id, spans);
    const depths = tools.scene.depths.get(view.id) ?? 1;
    for (const [depth, columns] of spans.narrow) {
      const box = depthBox(view.kind, row.heightPx, depth, depths);
      paintNarrow(layer, columns, topPx + box.topPx, box.heightPx, tools.inkOf, ground);
      use(topPx + box.topPx - 1, box.heightPx + 2);
    }
  }
  if (usedBottomPx > usedTopPx) drawPixels(layer, usedTopPx, usedBottomPx);
  return sorted;
}
