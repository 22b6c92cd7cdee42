/** A lane that shows amounts: areas one on the other, and how much the height of the lane stands for. */
import type { LaneChart } from '../analysis/laneTypes.ts';
import { barBox } from './laneLayout.ts';
import type { PaintContext, PaintTools } from './paintTools.ts';
import { mix } from './palette.ts';
import { pxOfTime } from './viewport.ts';

/** How strong each part stands out from the panel, from the bottom up. */
const STRENGTHS = [0.35, 0.6, 0.9, 0.2] as const;
/** Labels need so much height. */
const LABEL_HEIGHT_PX = 14;
const CHAR_PX = 6.1;
const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** "3.4 MB". */
export function shortBytes(n: number): string {
  const [name, size] = UNITS.find(([, least]) => n >= least) ?? ['B', 1];
  return `${Number((n / size).toPrecision(3))} ${name}`;
}

/** Paints the chart of a lane whose row begins at `topPx`; the full height is the most there is in the whole run. */
export function paintChart(
  ctx: PaintContext,
  { timeNs, parts, most }: LaneChart,
  { scene, palette }: PaintTools,
  topPx: number,
  heightPx: number,
): void {
  if (timeNs.length === 0 || most === 0) return;
  const { colours } = palette;
  const box = barBox(heightPx);
  const bottomPx = topPx + box.topPx + box.heightPx;
  const xs = Array.from(timeNs, (ns) =>
    Math.min(scene.widthPx + 8, Math.max(-8, pxOfTime(scene.viewport, scene.widthPx, ns))),
  );
  let below = new Float64Array(timeNs.length);
  parts.forEach((part, i) => {
    const above = below.map((sum, at) => sum + (part[at] as number));
    ctx.fillStyle = mix(colours.memory, colours.panel, STRENGTHS[i % STRENGTHS.length] as number);
    paintBand(
      ctx,
      xs,
      (at) => bottomPx - (box.heightPx * (below[at] as number)) / most,
      (at) => bottomPx - (box.heightPx * (above[at] as number)) / most,
    );
    below = above;
  });
  if (box.heightPx < LABEL_HEIGHT_PX) return;
  const label = `most ${shortBytes(most)}`;
  ctx.fillStyle = colours.panel;
  ctx.fillRect(2, topPx + box.topPx, label.length * CHAR_PX + 4, 12);
  ctx.fillStyle = colours.muted;
  ctx.fillText(label, 4, topPx + box.topPx + 6.5);
}

/** The area between two lines that share their x. */
function paintBand(
  ctx: PaintContext,
  xs: readonly number[],
  lower: (at: number) => number,
  upper: (at: number) => number,
): void {
  const last = xs.length - 1;
  ctx.beginPath();
  ctx.moveTo(xs[0] as number, lower(0));
  for (let at = 0; at <= last; at++) ctx.lineTo(xs[at] as number, upper(at));
  for (let at = last; at >= 0; at--) ctx.lineTo(xs[at] as number, lower(at));
  ctx.closePath();
  ctx.fill();
}
