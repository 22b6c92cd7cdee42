/** Instants of a lane as small shapes. Each is told by its shape; the colour only repeats it. */
import type { LaneView } from '../analysis/laneTypes.ts';
import { barBox } from './laneLayout.ts';
import type { PaintContext, PaintTools } from './paintTools.ts';
import { markStyle, type Shape } from './spanStyles.ts';
import { pxOfTime } from './viewport.ts';

/** Two marks of one class nearer than this are drawn as one: ticks, and what is wider. */
const MERGE_LINE_PX = 2;
const MERGE_PX = 7;
const SIZE_PX = 4;

/** Paints the marks of a lane whose row begins at `topPx`. */
export function paintMarks(
  ctx: PaintContext,
  view: LaneView,
  tools: PaintTools,
  topPx: number,
  heightPx: number,
): void {
  const { viewport, widthPx } = tools.scene;
  const { colours } = tools.palette;
  const box = barBox(heightPx);
  const barTop = topPx + box.topPx;
  const lastX = new Map<number, number>();
  for (let i = 0; i < view.marks.length; i++) {
    const cls = view.marks.cls[i] ?? 0;
    const x = pxOfTime(viewport, widthPx, view.marks.timeNs[i] ?? 0);
    if (x < -SIZE_PX || x > widthPx + SIZE_PX) continue;
    const { colour, shape } = markStyle(cls);
    const before = lastX.get(cls);
    if (before !== undefined && x - before < (shape === 'line' ? MERGE_LINE_PX : MERGE_PX)) continue;
    lastX.set(cls, x);
    paintMark(ctx, shape, colours[colour], colours.panel, {
      ...{ xPx: x, topPx: barTop, bottomPx: barTop + box.heightPx, lineEndPx: topPx + heightPx },
    });
  }
}

/** Where a mark stands: the upper and lower edge of the bars, and how far down the line of a tick goes. */
interface MarkPlace {
  readonly xPx: number;
  readonly topPx: number;
  readonly bottomPx: number;
  readonly lineEndPx: number;
}

/** One mark. A hollow one has the colour of the lane inside and its own around. */
function paintMark(ctx: PaintContext, shape: Shape, colour: string, ground: string, place: MarkPlace): void {
  const { xPx: x, topPx, bottomPx } = place;
  const middle = (topPx + bottomPx) / 2;
  const isHollow =
    shape === 'hollowDiamond' || shape === 'hollowTriangleDown' || shape === 'hollowTriangleUp';
  ctx.fillStyle = isHollow ? ground : colour;
  ctx.strokeStyle = isHollow || shape === 'cross' ? colour : ground;
  ctx.lineWidth = shape === 'cross' ? 1.5 : 1;
  switch (shape) {
    case 'line':
      ctx.fillRect(x - 0.5, bottomPx, 1, place.lineEndPx - bottomPx);
      return;
    case 'cross':
      ctx.beginPath();
      ctx.moveTo(x - SIZE_PX, middle - SIZE_PX);
      ctx.lineTo(x + SIZE_PX, middle + SIZE_PX);
      ctx.moveTo(x + SIZE_PX, middle - SIZE_PX);
      ctx.lineTo(x - SIZE_PX, middle + SIZE_PX);
      ctx.stroke();
      return;
    case 'flag':
      ctx.fillRect(x - 0.5, topPx - 2, 1.5, bottomPx - topPx + 2);
      ctx.beginPath();
      ctx.moveTo(x, topPx - 4);
      ctx.lineTo(x + 6, topPx - 1);
      ctx.lineTo(x, topPx + 2);
      ctx.closePath();
      ctx.fill();
      return;
    default:
      ctx.beginPath();
      outline(ctx, shape, place);
      ctx.fill();
      ctx.stroke();
  }
}

/** The path of a mark that is an area. */
function outline(
  ctx: PaintContext,
  shape: Exclude<Shape, 'line' | 'cross' | 'flag'>,
  { xPx: x, topPx, bottomPx }: MarkPlace,
): void {
  const middle = (topPx + bottomPx) / 2;
  switch (shape) {
    case 'diamond':
    case 'hollowDiamond':
      diamond(ctx, x, middle, Math.min(SIZE_PX + 1, (bottomPx - topPx) / 2));
      return;
    case 'triangleDown':
    case 'hollowTriangleDown':
      triangle(ctx, x, topPx - 1, 1);
      return;
    case 'triangleUp':
    case 'hollowTriangleUp':
      triangle(ctx, x, bottomPx + 1, -1);
      return;
    case 'circle':
      ctx.arc(x, middle, SIZE_PX - 0.5, 0, 2 * Math.PI);
  }
}

function diamond(ctx: PaintContext, x: number, y: number, size: number): void {
  ctx.moveTo(x, y - size);
  ctx.lineTo(x + size, y);
  ctx.lineTo(x, y + size);
  ctx.lineTo(x - size, y);
  ctx.closePath();
}

/** A triangle whose tip is `SIZE_PX` further in `direction` than its base at y. */
function triangle(ctx: PaintContext, x: number, y: number, direction: 1 | -1): void {
  ctx.moveTo(x - SIZE_PX, y - direction * 2);
  ctx.lineTo(x + SIZE_PX, y - direction * 2);
  ctx.lineTo(x, y + direction * (SIZE_PX - 1));
  ctx.closePath();
}
