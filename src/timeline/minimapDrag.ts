/** Dragging the window of the minimap: its middle moves it, its edges make it longer or shorter. */
import { constrain, MIN_SPAN_NS, panBy, type Viewport, type ViewportLimits } from './viewport.ts';

export type GrabbedPart = 'from' | 'middle' | 'to' | 'outside';

/** So far to both sides an edge can be caught. */
const EDGE_PX = 6;

/** What of a window [fromPx, toPx] is at xPx. In a window too narrow for three parts it is the middle. */
export function grabbedPart(xPx: number, fromPx: number, toPx: number): GrabbedPart {
  const edgePx = toPx - fromPx < 3 * EDGE_PX ? 0 : EDGE_PX;
  const outsidePx = edgePx === 0 ? EDGE_PX : edgePx;
  if (xPx < fromPx - outsidePx || xPx > toPx + outsidePx) return 'outside';
  if (edgePx > 0 && xPx <= fromPx + edgePx) return 'from';
  if (edgePx > 0 && xPx >= toPx - edgePx) return 'to';
  return 'middle';
}

/** The window after a drag by `deltaNs` of one of its parts. */
export function dragWindow(
  viewport: Viewport,
  part: GrabbedPart,
  deltaNs: number,
  limits: ViewportLimits,
): Viewport {
  switch (part) {
    case 'middle':
    case 'outside':
      return panBy(viewport, deltaNs, limits);
    case 'from':
      return constrain(
        {
          fromNs: Math.min(Math.max(viewport.fromNs + deltaNs, limits.fromNs), viewport.toNs - MIN_SPAN_NS),
          toNs: viewport.toNs,
        },
        limits,
      );
    case 'to':
      return constrain(
        {
          fromNs: viewport.fromNs,
          toNs: Math.max(Math.min(viewport.toNs + deltaNs, limits.toNs), viewport.fromNs + MIN_SPAN_NS),
        },
        limits,
      );
  }
}
