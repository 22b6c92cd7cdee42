import { playedTo } from '../state/playback.ts';
import type { Session } from './session.ts';

/** Moves the cursor while the view says that it plays. It moves nothing else: the run is there already. */
export function followPlaying({ view, run, navigate }: Session): void {
  let lastMs: number | undefined;
  const frame = (nowMs: number) => {
    const { isPlaying, cursor, speedNsPerSec } = view.getState();
    const endNs = run.getState().summary?.endNs;
    if (!isPlaying || endNs === undefined) {
      lastMs = undefined;
      return;
    }
    if (lastMs !== undefined) {
      const { timeNs, isAtEnd } = playedTo(cursor.timeNs, nowMs - lastMs, speedNsPerSec, endNs);
      navigate.playTo(timeNs);
      if (isAtEnd) view.setState({ isPlaying: false });
    }
    lastMs = nowMs;
    requestAnimationFrame(frame);
  };
  view.subscribe((state, before) => {
    if (state.isPlaying && !before.isPlaying) requestAnimationFrame(frame);
  });
}
