/**
 * The window of time that is on the screen, and every gesture on it as a pure function (viewport, gesture) -> viewport.
 *
 * Times are float nanoseconds. Precision: a run of 230 s is 2.3e11 ns, where neighbouring doubles are 3e-5 ns apart;
 * at the deepest zoom (100 ns over some 1,000 pixels) a pixel is 0.1 ns, so that a pixel is thousands of steps wide.
 */

/** The visible time, `fromNs` at the left edge and `toNs` at the right one. `fromNs < toNs`. */
export interface Viewport {
  readonly fromNs: number;
  readonly toNs: number;
}

/** How far the window may go: the run with a little air on both sides. */
export interface ViewportLimits {
  readonly fromNs: number;
  readonly toNs: number;
}

/** The deepest zoom: so much time across the whole screen, ns. */
export const MIN_SPAN_NS = 100;
/** Air left and right of the run, as a share of its length. */
const AIR = 0.01;
/** Air around a range that was asked for, as a share of its length. */
const RANGE_AIR = 0.08;
/** Air around an instant: a pass of process_srcu is some 15 us long. */
const INSTANT_AIR_NS = 20_000;

/** Length of the window in ns. */
export function spanNs(viewport: Viewport): number {
  return viewport.toNs - viewport.fromNs;
}

/** Limits for a run of `durationNs`. An empty run gets a window of the smallest length. */
export function limitsOf(durationNs: number): ViewportLimits {
  const lengthNs = Math.max(durationNs, MIN_SPAN_NS);
  return { fromNs: -lengthNs * AIR, toNs: lengthNs * (1 + AIR) };
}

/** The window nearest to `viewport` that keeps the limits: its length first, then its place. */
export function constrain(viewport: Viewport, limits: ViewportLimits): Viewport {
  const widestNs = limits.toNs - limits.fromNs;
  const lengthNs = Math.min(Math.max(spanNs(viewport), MIN_SPAN_NS), widestNs);
  const middleNs = (viewport.fromNs + viewport.toNs) / 2;
  const wantedNs = lengthNs === spanNs(viewport) ? viewport.fromNs : middleNs - lengthNs / 2;
  const fromNs = Math.min(Math.max(wantedNs, limits.fromNs), limits.toNs - lengthNs);
  return { fromNs, toNs: fromNs + lengthNs };
}

/** The whole run. */
export function fitAll(limits: ViewportLimits): Viewport {
  return { fromNs: limits.fromNs, toNs: limits.toNs };
}

/** A range with some air around it, e.g. the selected grace period. An instant gets a few passes' worth. */
export function fitRange(fromNs: number, toNs: number, limits: ViewportLimits): Viewport {
  const airNs = toNs > fromNs ? Math.max((toNs - fromNs) * RANGE_AIR, MIN_SPAN_NS / 2) : INSTANT_AIR_NS;
  return constrain({ fromNs: fromNs - airNs, toNs: toNs + airNs }, limits);
}

/**
 * Makes the window `factor` times as long (below 1 zooms in) and keeps `aboutNs` where it is on the screen, except
 * where a limit forbids it.
 */
export function zoomAbout(
  viewport: Viewport,
  aboutNs: number,
  factor: number,
  limits: ViewportLimits,
): Viewport {
  const lengthNs = spanNs(viewport);
  const widestNs = limits.toNs - limits.fromNs;
  const nextNs = Math.min(Math.max(lengthNs * factor, MIN_SPAN_NS), widestNs);
  const fromNs = aboutNs - ((aboutNs - viewport.fromNs) / lengthNs) * nextNs;
  return constrain({ fromNs, toNs: fromNs + nextNs }, limits);
}

/** Moves the window by `deltaNs`, to later times if positive, as far as the limits allow. */
export function panBy(viewport: Viewport, deltaNs: number, limits: ViewportLimits): Viewport {
  const lengthNs = spanNs(viewport);
  const fromNs = Math.min(Math.max(viewport.fromNs + deltaNs, limits.fromNs), limits.toNs - lengthNs);
  return { fromNs, toNs: fromNs + lengthNs };
}

/** Moves the window no further than needed for `timeNs` to be inside it, a tenth away from the edge. */
export function reveal(viewport: Viewport, timeNs: number, limits: ViewportLimits): Viewport {
  if (timeNs >= viewport.fromNs && timeNs <= viewport.toNs) return viewport;
  const edgeNs = spanNs(viewport) / 10;
  const deltaNs =
    timeNs < viewport.fromNs ? timeNs - edgeNs - viewport.fromNs : timeNs + edgeNs - viewport.toNs;
  return panBy(viewport, deltaNs, limits);
}

/**
 * Two fingers: the times that were under them when they came down stay under them. `timesNs` are those times, `xsPx`
 * where the fingers are now. Fingers on one spot, or crossed, leave the window as it is.
 */
export function pinch(
  viewport: Viewport,
  timesNs: readonly [number, number],
  xsPx: readonly [number, number],
  widthPx: number,
  limits: ViewportLimits,
): Viewport {
  const nsPerPx = (timesNs[1] - timesNs[0]) / (xsPx[1] - xsPx[0]);
  if (!(nsPerPx > 0) || !Number.isFinite(nsPerPx)) return viewport;
  const fromNs = timesNs[0] - xsPx[0] * nsPerPx;
  return constrain({ fromNs, toNs: fromNs + nsPerPx * widthPx }, limits);
}

/** Pixel (from the left edge, not rounded) of a time. */
export function pxOfTime(viewport: Viewport, widthPx: number, timeNs: number): number {
  return ((timeNs - viewport.fromNs) / spanNs(viewport)) * widthPx;
}

/** Time at a pixel, ns, not rounded. */
export function timeOfPx(viewport: Viewport, widthPx: number, xPx: number): number {
  return viewport.fromNs + (xPx / widthPx) * spanNs(viewport);
}

/** `WheelEvent.deltaMode` of lines and pages, in pixels. */
const WHEEL_UNIT_PX = [1, 16, 400];
/** So many pixels of wheel travel double or halve the window. One notch of a mouse wheel is 100 or 120. */
const PX_PER_DOUBLING = 250;

/** Wheel travel in pixels, whatever unit the device reports. `deltaMode` as in WheelEvent (0 pixels, 1 lines, 2 pages). */
export function wheelPx(delta: number, deltaMode: number): number {
  return delta * (WHEEL_UNIT_PX[deltaMode] ?? 1);
}

/** Zoom factor of so much wheel travel. A pinch on a touchpad arrives as small travel with ctrl held: `isPinch`. */
export function wheelFactor(deltaPx: number, isPinch: boolean): number {
  return 2 ** ((deltaPx * (isPinch ? 4 : 1)) / PX_PER_DOUBLING);
}
