/** Pointer gestures on the plot as a pure machine: what was going on, what the pointer did, what comes of it. */
import { panBy, pinch, pxOfTime, spanNs, timeOfPx, type Viewport, type ViewportLimits } from './viewport.ts';

/** One pointer event, in pixels of the plot. */
export interface PointerInput {
  readonly type: 'down' | 'move' | 'up' | 'cancel';
  readonly id: number;
  readonly xPx: number;
  readonly yPx: number;
  readonly isTouch: boolean;
  /** With shift, or the middle button: drag moves the window instead of selecting. */
  readonly wantsPan: boolean;
}

/** Where the pointer is in terms of time. */
export interface GestureContext {
  readonly viewport: Viewport;
  readonly limits: ViewportLimits;
  readonly widthPx: number;
  readonly cursorNs: number;
  /** End of the run. */
  readonly endNs: number;
}

interface Finger {
  readonly id: number;
  readonly xPx: number;
}

/** What is going on between two pointer events. */
export type Gesture =
  | { readonly mode: 'idle' }
  | {
      readonly mode: 'press';
      readonly finger: Finger;
      readonly yPx: number;
      /** A press on the cursor line that does not move is a click on what lies under it. */
      readonly becomes: 'range' | 'pan' | 'cursor';
      readonly viewport: Viewport;
    }
  | { readonly mode: 'range'; readonly id: number; readonly anchorNs: number }
  | { readonly mode: 'pan'; readonly finger: Finger; readonly viewport: Viewport }
  | { readonly mode: 'cursor'; readonly id: number }
  | {
      readonly mode: 'pinch';
      readonly fingers: readonly [Finger, Finger];
      readonly timesNs: readonly [number, number];
    };

/** What a pointer event brings about. */
export type GestureEffect =
  | { readonly type: 'viewport'; readonly viewport: Viewport }
  | { readonly type: 'cursor'; readonly timeNs: number }
  /** `isFinal`: the pointer was released. */
  | { readonly type: 'range'; readonly range: Viewport; readonly isFinal: boolean }
  | { readonly type: 'click'; readonly xPx: number; readonly yPx: number };

export interface GestureStep {
  readonly gesture: Gesture;
  readonly effect?: GestureEffect;
}

export const IDLE: Gesture = { mode: 'idle' };
/** A press becomes a drag when it has moved so far. */
const DRAG_FROM_PX = 4;
/** The cursor line is caught from so far away. */
const CURSOR_REACH_PX = 5;
const CURSOR_TOUCH_REACH_PX = 14;

/** Advances the machine by one pointer event. */
export function stepGesture(gesture: Gesture, input: PointerInput, context: GestureContext): GestureStep {
  switch (input.type) {
    case 'down':
      return down(gesture, input, context);
    case 'move':
      return move(gesture, input, context);
    case 'up':
      return up(gesture, input, context);
    case 'cancel':
      return { gesture: IDLE };
  }
}

function down(gesture: Gesture, input: PointerInput, context: GestureContext): GestureStep {
  const finger = { id: input.id, xPx: input.xPx };
  const first = fingerOf(gesture);
  if (input.isTouch && first !== undefined && first.id !== input.id)
    return startPinch(first, finger, context);
  if (gesture.mode !== 'idle') return { gesture };
  const awayPx = Math.abs(pxOfTime(context.viewport, context.widthPx, context.cursorNs) - input.xPx);
  const reachPx = input.isTouch ? CURSOR_TOUCH_REACH_PX : CURSOR_REACH_PX;
  const isOnCursor = awayPx <= reachPx && !input.wantsPan;
  return {
    gesture: {
      mode: 'press',
      finger,
      yPx: input.yPx,
      becomes: isOnCursor ? 'cursor' : input.isTouch || input.wantsPan ? 'pan' : 'range',
      viewport: context.viewport,
    },
  };
}

/** The finger that a second one can join. */
function fingerOf(gesture: Gesture): Finger | undefined {
  return gesture.mode === 'press' || gesture.mode === 'pan' ? gesture.finger : undefined;
}

function startPinch(a: Finger, b: Finger, context: GestureContext): GestureStep {
  const fingers: [Finger, Finger] = a.xPx <= b.xPx ? [a, b] : [b, a];
  const timeOf = (finger: Finger) => timeOfPx(context.viewport, context.widthPx, finger.xPx);
  return { gesture: { mode: 'pinch', fingers, timesNs: [timeOf(fingers[0]), timeOf(fingers[1])] } };
}

function move(gesture: Gesture, input: PointerInput, context: GestureContext): GestureStep {
  const timeNs = timeOfPx(context.viewport, context.widthPx, input.xPx);
  switch (gesture.mode) {
    case 'idle':
      return { gesture };
    case 'press': {
      const { finger } = gesture;
      if (finger.id !== input.id || Math.abs(input.xPx - finger.xPx) < DRAG_FROM_PX) return { gesture };
      const next = dragOf(gesture, finger, context);
      return move(next, input, context);
    }
    case 'range':
      if (gesture.id !== input.id) return { gesture };
      return {
        gesture,
        effect: { type: 'range', range: rangeOf(gesture.anchorNs, timeNs, context), isFinal: false },
      };
    case 'pan': {
      if (gesture.finger.id !== input.id) return { gesture };
      const deltaNs = ((gesture.finger.xPx - input.xPx) / context.widthPx) * spanNs(gesture.viewport);
      return {
        gesture,
        effect: { type: 'viewport', viewport: panBy(gesture.viewport, deltaNs, context.limits) },
      };
    }
    case 'cursor':
      if (gesture.id !== input.id) return { gesture };
      return { gesture, effect: { type: 'cursor', timeNs: inRun(timeNs, context) } };
    case 'pinch':
      return movePinch(gesture, input, context);
  }
}

/** What a press becomes when it moves. */
function dragOf(
  press: Extract<Gesture, { mode: 'press' }>,
  finger: Finger,
  context: GestureContext,
): Gesture {
  if (press.becomes === 'pan') return { mode: 'pan', finger, viewport: press.viewport };
  if (press.becomes === 'cursor') return { mode: 'cursor', id: finger.id };
  return {
    mode: 'range',
    id: finger.id,
    anchorNs: timeOfPx(context.viewport, context.widthPx, finger.xPx),
  };
}

function movePinch(
  gesture: Extract<Gesture, { mode: 'pinch' }>,
  input: PointerInput,
  context: GestureContext,
): GestureStep {
  const moved = (finger: Finger) => (finger.id === input.id ? { ...finger, xPx: input.xPx } : finger);
  const fingers: [Finger, Finger] = [moved(gesture.fingers[0]), moved(gesture.fingers[1])];
  const viewport = pinch(
    context.viewport,
    gesture.timesNs,
    [fingers[0].xPx, fingers[1].xPx],
    context.widthPx,
    context.limits,
  );
  return { gesture: { ...gesture, fingers }, effect: { type: 'viewport', viewport } };
}

function up(gesture: Gesture, input: PointerInput, context: GestureContext): GestureStep {
  if (gesture.mode === 'press' && gesture.finger.id === input.id) {
    return { gesture: IDLE, effect: { type: 'click', xPx: input.xPx, yPx: input.yPx } };
  }
  if (gesture.mode === 'range' && gesture.id === input.id) {
    const timeNs = timeOfPx(context.viewport, context.widthPx, input.xPx);
    return {
      gesture: IDLE,
      effect: { type: 'range', range: rangeOf(gesture.anchorNs, timeNs, context), isFinal: true },
    };
  }
  if (gesture.mode === 'pinch') {
    // The finger that stays goes on to move the window.
    const rest = gesture.fingers.find((finger) => finger.id !== input.id);
    return { gesture: rest ? { mode: 'pan', finger: rest, viewport: context.viewport } : IDLE };
  }
  return { gesture: IDLE };
}

/** A range in whole ns inside the run, at least 1 ns long. */
function rangeOf(aNs: number, bNs: number, context: GestureContext): Viewport {
  const lastNs = Math.max(0, context.endNs - 1);
  const fromNs = Math.min(Math.floor(inRun(Math.min(aNs, bNs), context)), lastNs);
  return { fromNs, toNs: Math.max(Math.ceil(inRun(Math.max(aNs, bNs), context)), fromNs + 1) };
}

/** The nearest time that is not outside the run: the window shows more. */
function inRun(timeNs: number, context: GestureContext): number {
  return Math.min(Math.max(timeNs, 0), context.endNs);
}
