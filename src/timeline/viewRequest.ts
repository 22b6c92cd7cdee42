/** Which window to ask the worker for: somewhat more than is visible, and only when what is there does not do. */
import { spanNs, type Viewport } from './viewport.ts';

/** A window of the lanes at a resolution, as the worker takes it: [t0Ns, t1Ns) in whole ns at `widthPx` pixels. */
export interface WindowRequest {
  readonly t0Ns: number;
  readonly t1Ns: number;
  readonly widthPx: number;
  /** Ids of the lanes; absent: all. */
  readonly lanes?: readonly string[];
}

/** Loaded on each side, as a share of the visible window: panning starts with a picture. */
const SIDE = 0.5;
/** Zoomed by more than this since the last answer, shapes are worth loading anew. */
const ZOOM = 1.25;

/** The request for a viewport that is `widthPx` wide. */
export function windowFor(viewport: Viewport, widthPx: number, lanes?: readonly string[]): WindowRequest {
  const sideNs = spanNs(viewport) * SIDE;
  const request = {
    t0Ns: Math.floor(viewport.fromNs - sideNs),
    t1Ns: Math.ceil(viewport.toNs + sideNs),
    widthPx: Math.round(widthPx * (1 + 2 * SIDE)),
  };
  return lanes === undefined ? request : { ...request, lanes };
}

/**
 * True if what was asked for last covers the viewport at about its resolution, and all of its lanes, so that nothing has to be asked.
 */
export function suffices(
  asked: WindowRequest,
  viewport: Viewport,
  widthPx: number,
  lanes?: readonly string[],
): boolean {
  if (viewport.fromNs < asked.t0Ns || viewport.toNs > asked.t1Ns) return false;
  const wanted = spanNs(viewport) / widthPx;
  const had = (asked.t1Ns - asked.t0Ns) / asked.widthPx;
  const zoom = wanted > had ? wanted / had : had / wanted;
  // A window of a few ns cannot be asked for any finer: its edges are whole nanoseconds.
  if (zoom > ZOOM && asked.t1Ns - asked.t0Ns > 1_000) return false;
  if (asked.lanes === undefined) return true;
  const has = new Set(asked.lanes);
  return lanes?.every((id) => has.has(id)) ?? false;
}
