/** Instants of a lane as small shapes. Each is told by its shape; the colour only repeats it. */
import type { LaneView } from '../analysis/laneTypes.ts';
import { barBox } from './laneLayout.ts';
import type { PaintContext, PaintTools } from './paintTools.ts';
import { markStyle } from './spanStyles.ts';
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
  const barBottom = barTop + box.heightPx;
  const lastX = new Map<number, number>();
  for (let i = 0; i < view.marks.length; i++) {
    const cls = view.marks.cls[i] ?? 0;
    const x = pxOfTime(viewport, widthPx, view.marks.timeNs[i] ?? 0);
    if (x < -SIZE_PX || x > widthPx + SIZE_PX) continue;
    const { colour, shape } = markStyle(cls);
    const before = lastX.get(cls);
    if (before !== undefined && x - before < (shape === 'line' ? MERGE_LINE_PX : MERGE_PX)) continue;
    lastX.set(cls, x);
    ctx.fillStyle = colours[colour];
    ctx.strokeStyle = colours.panel;
    ctx.lineWidth = 1;
    const middle = (barTop + barBottom) / 2;
    switch (shape) {
      case 'line':
        ctx.fillRect(x - 0.5, barBottom, 1, heightPx - box.topPx - box.heightPx);
        break;
      case 'diamond':
      case 'hollowDiamond':
        ctx.beginPath();
        diamond(ctx, x, middle, Math.min(SIZE_PX + 1, box.heightPx / 2));
        if (shape === 'hollowDiamond') {
          ctx.fillStyle = colours.panel;
          ctx.strokeStyle = colours[colour];
        }
        ctx.fill();
        ctx.stroke();
        break;
      case 'triangleDown':
      case 'hollowTriangleDown':
      case 'triangleUp':
      case 'hollowTriangleUp': {
        const isDown = shape === 'triangleDown' || shape === 'hollowTriangleDown';
        ctx.beginPath();
        triangle(ctx, x, isDown ? barTop - 1 : barBottom + 1, isDown ? 1 : -1);
        if (shape === 'hollowTriangleDown' || shape === 'hollowTriangleUp') {
          ctx.fillStyle = colours.panel;
          ctx.strokeStyle = colours[colour];
        }
        ctx.fill();
        ctx.stroke();
        break;
      }
      case 'cross':
        ctx.strokeStyle = colours[colour];
        ctx.lineWidth = 1.5;
        ctx.beginPath();
        ctx.moveTo(x - SIZE_PX, middle - SIZE_PX);
        ctx.lineTo(x + SIZE_PX, middle + SIZE_PX);
        ctx.moveTo(x + SIZE_PX, middle - SIZE_PX);
        ctx.lineTo(x - SIZE_PX, middle + SIZE_PX);
        ctx.stroke();
        break;
      case 'circle':
        ctx.beginPath();
        ctx.arc(x, middle, SIZE_PX - 0.5, 0, 2 * Math.PI);
        ctx.fill();
        ctx.stroke();
        break;
      case 'flag':
        ctx.fillRect(x - 0.5, barTop - 2, 1.5, barBottom - barTop + 2);
        ctx.beginPath();
        ctx.moveTo(x, barTop - 4);
        ctx.lineTo(x + 6, barTop - 1);
        ctx.lineTo(x, barTop + 2);
        ctx.closePath();
        ctx.fill();
        break;
    }
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
