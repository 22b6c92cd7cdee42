/** A pause of the page (another tab in front) must not become a jump of the cursor. */
const maxFrameMs = 100;

/** Where the cursor is after a frame of `frameMs` real milliseconds, and whether the run's end is reached. */
export function playedTo(
  timeNs: number,
  frameMs: number,
  speedNsPerSec: number,
  endNs: number,
): { readonly timeNs: number; readonly isAtEnd: boolean } {
  const next = timeNs + Math.min(frameMs, maxFrameMs) * (speedNsPerSec / 1000);
  return next >= endNs ? { timeNs: endNs, isAtEnd: true } : { timeNs: next, isAtEnd: false };
}
