/** The strip of the minimap: every lane a few pixels high, whatever the worker sent it as. */
import type { LaneView } from '../analysis/laneTypes.ts';
import { SPAN_CLASS, SPAN_CLASSES } from '../analysis/laneTypes.ts';
import { type ClassInk, type PixelLayer, paintCoverage } from './pixelLayer.ts';
import type { ViewportLimits } from './viewport.ts';

type SpanView = Extract<LaneView, { mode: 'spans' }>;
type CoverageView = Extract<LaneView, { mode: 'coverage' }>;

/** Paints the lanes one below the other, `laneHeightPx` each with a line of air. */
export function overviewPixels(
  layer: PixelLayer,
  overview: readonly LaneView[],
  limits: ViewportLimits,
  laneHeightPx: number,
  inkOf: (cls: number) => ClassInk,
): void {
  for (const [i, view] of overview.entries()) {
    const dense = view.mode === 'coverage' ? view : coverageOf(view, layer.widthPx);
    paintCoverage(layer, dense, limits, i * laneHeightPx, laneHeightPx - 1, inkOf);
  }
}

/** A lane of spans as shares of pixel columns. */
export function coverageOf(view: SpanView, widthPx: number): CoverageView {
  const { spans, t0Ns, t1Ns } = view;
  const planeOf = new Int8Array(SPAN_CLASSES).fill(-1);
  const classes: number[] = [];
  for (let i = 0; i < spans.length; i++) {
    const cls = spans.cls[i] ?? 0;
    if (planeOf[cls] !== -1 || cls === SPAN_CLASS.idle) continue;
    planeOf[cls] = classes.length;
    classes.push(cls);
  }
  const coverage = new Float32Array(classes.length * widthPx);
  const pxPerNs = widthPx / (t1Ns - t0Ns);
  for (let i = 0; i < spans.length; i++) {
    const plane = planeOf[spans.cls[i] ?? 0] ?? -1;
    if (plane < 0 || spans.depth[i] !== 0) continue;
    const from = Math.max(0, ((spans.startNs[i] ?? 0) - t0Ns) * pxPerNs);
    const to = Math.min(widthPx, ((spans.endNs[i] ?? 0) - t0Ns) * pxPerNs);
    for (let px = Math.floor(from); px < to; px++) {
      const at = plane * widthPx + px;
      coverage[at] = (coverage[at] ?? 0) + Math.min(px + 1, to) - Math.max(px, from);
    }
  }
  const { spans: _spans, ...rest } = view;
  return {
    ...rest,
    mode: 'coverage',
    widthPx,
    classes: Uint8Array.from(classes),
    coverage,
    spanCount: spans.length,
  };
}
