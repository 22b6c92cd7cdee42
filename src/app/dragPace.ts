/**
 * When a drag may change the configuration. Frames come first: the thumb follows the pointer in each of them, the
 * picture as often as the machine can afford. A step that makes the page miss frames has to be paid for with frames
 * that were met, so that a re-run per frame is done where that is fast, and a few per second where it is not.
 */

/** Of all frames so many may be missed. */
const MISSED_SHARE = 1 / 16;
/** Missed frames that may be paid for afterwards. */
const CREDIT_FRAMES = 1;
/** However many are missed, the picture follows within so long. */
const LONGEST_WAIT_MS = 800;
/** Frames are watched for so long after a step. */
const WATCH_MS = 500;
/** Of a display that is faster than this only every second or third frame counts. */
const FRAME_MS = 1000 / 60;

export interface DragPace {
  /** Does `step` in the next frame that can afford it. A newer one takes its place. */
  readonly step: (step: () => void) => void;
  /** Does the step that waits, at once. */
  readonly flush: () => void;
}

/** `requestFrame`: as requestAnimationFrame, times in ms. */
export function createDragPace(
  requestFrame: (frame: (nowMs: number) => void) => void = (frame) => requestAnimationFrame(frame),
): DragPace {
  let waiting: (() => void) | undefined;
  let isWatching = false;
  let credit = CREDIT_FRAMES;
  let lastFrameMs: number | undefined;
  let lastStepMs = Number.NEGATIVE_INFINITY;
  /** The display may be slower than 60 Hz: the shortest frame that no step began in is what it can do. */
  let shortestMs: number | undefined;
  let isStepped = false;

  const flush = () => {
    const step = waiting;
    waiting = undefined;
    step?.();
  };
  const count = (frameMs: number) => {
    if (!isStepped) shortestMs = Math.min(shortestMs ?? frameMs, frameMs);
    isStepped = false;
    const frames = Math.max(1, Math.round(frameMs / Math.max(FRAME_MS, shortestMs ?? 0)));
    credit = Math.min(CREDIT_FRAMES, credit + frames * MISSED_SHARE - (frames - 1));
  };
  const frame = (nowMs: number) => {
    if (lastFrameMs !== undefined) count(nowMs - lastFrameMs);
    lastFrameMs = nowMs;
    const isDue = credit >= 0 || nowMs - lastStepMs >= LONGEST_WAIT_MS;
    if (waiting !== undefined && isDue) {
      lastStepMs = nowMs;
      isStepped = true;
      flush();
    }
    if (waiting !== undefined || nowMs - lastStepMs < WATCH_MS) {
      requestFrame(frame);
      return;
    }
    isWatching = false;
    lastFrameMs = undefined;
    credit = CREDIT_FRAMES;
  };

  return {
    step: (step) => {
      waiting = step;
      if (isWatching) return;
      isWatching = true;
      requestFrame(frame);
    },
    flush,
  };
}
