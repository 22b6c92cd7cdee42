import type { Stores } from './session.ts';

/** Where the cursor stands in the window after it had left it, as a share from the side that it came from. */
const LANDING_SHARE = 0.1;
/** Air left and right of the run, as a share of it (timeline/viewport.ts). */
const AIR = 0.01;

/** Turns the page when a time is outside the window: keeps the zoom, puts the time near the edge. */
export function bringIntoView({ view, run }: Stores, timeNs: number): void {
  const { window } = view.getState();
  const endNs = run.getState().summary?.endNs;
  if (window === undefined || endNs === undefined) return;
  if (timeNs >= window.fromNs && timeNs <= window.toNs) return;
  const spanNs = window.toNs - window.fromNs;
  const isBack = timeNs < window.fromNs;
  const wantedNs = timeNs - spanNs * (isBack ? 1 - LANDING_SHARE : LANDING_SHARE);
  const fromNs = Math.max(Math.min(wantedNs, endNs * (1 + AIR) - spanNs), -endNs * AIR);
  view.setState({ window: { fromNs, toNs: fromNs + spanNs } });
}
