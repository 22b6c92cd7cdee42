/** Pointer and wheel of the plot, turned into the callbacks of the timeline. */
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef } from 'react';
import { type Gesture, type GestureContext, IDLE, type PointerInput, stepGesture } from './gestures.ts';
import { panBy, spanNs, timeOfPx, type Viewport, wheelFactor, wheelPx, zoomAbout } from './viewport.ts';

export interface PointerCallbacks {
  readonly onViewport: (viewport: Viewport) => void;
  readonly onCursor: (timeNs: number) => void;
  readonly onRange: (range: Viewport) => void;
  readonly onClick: (xPx: number, yPx: number) => void;
  /** The pointer is there, or away (undefined), and no gesture is going on. */
  readonly onHover: (at: { readonly xPx: number; readonly yPx: number } | undefined) => void;
}

type StageEvent = ReactPointerEvent<HTMLElement>;

function inputOf(type: PointerInput['type'], event: StageEvent): PointerInput {
  const box = event.currentTarget.getBoundingClientRect();
  return {
    type,
    id: event.pointerId,
    xPx: event.clientX - box.left,
    yPx: event.clientY - box.top,
    isTouch: event.pointerType === 'touch',
    wantsPan: event.shiftKey || event.button === 1,
  };
}

/** Handlers for the stage. `context` is that of the last render; `scrolls`: a plain wheel scrolls the lanes. */
export function useTimelinePointer(
  stage: RefObject<HTMLElement | null>,
  context: GestureContext,
  scrolls: boolean,
  callbacks: PointerCallbacks,
) {
  const gesture = useRef<Gesture>(IDLE);
  // Several events may come between two renders: each has to start from what the one before it made of the viewport.
  const latest = useRef({ context, scrolls, callbacks });
  useEffect(() => {
    latest.current = { context, scrolls, callbacks };
  });

  const show = (viewport: Viewport) => {
    latest.current = { ...latest.current, context: { ...latest.current.context, viewport } };
    latest.current.callbacks.onViewport(viewport);
  };
  useWheel(stage, latest, show);

  const handle = (type: PointerInput['type'], event: StageEvent) => {
    const step = stepGesture(gesture.current, inputOf(type, event), latest.current.context);
    gesture.current = step.gesture;
    const { effect } = step;
    const { onCursor, onRange, onClick } = latest.current.callbacks;
    if (effect?.type === 'viewport') show(effect.viewport);
    if (effect?.type === 'cursor') onCursor(Math.round(effect.timeNs));
    if (effect?.type === 'range') onRange(effect.range);
    if (effect?.type === 'click') onClick(effect.xPx, effect.yPx);
  };

  return {
    onPointerDown: (event: StageEvent) => {
      if (event.button > 1) return;
      if (event.button === 1) event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      callbacks.onHover(undefined);
      handle('down', event);
    },
    onPointerMove: (event: StageEvent) => {
      handle('move', event);
      const { xPx, yPx, isTouch } = inputOf('move', event);
      if (gesture.current.mode === 'idle' && !isTouch) callbacks.onHover({ xPx, yPx });
    },
    onPointerUp: (event: StageEvent) => handle('up', event),
    onPointerCancel: (event: StageEvent) => handle('cancel', event),
    onPointerLeave: () => callbacks.onHover(undefined),
  };
}

interface Latest {
  readonly context: GestureContext;
  readonly scrolls: boolean;
}

/** React registers wheel handlers as passive ones, which may not stop the page from scrolling or zooming. */
function useWheel(
  stage: RefObject<HTMLElement | null>,
  latest: RefObject<Latest>,
  show: (viewport: Viewport) => void,
): void {
  const showRef = useRef(show);
  useEffect(() => {
    showRef.current = show;
  });
  useEffect(() => {
    const node = stage.current;
    if (node === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      const { context, scrolls } = latest.current;
      const { viewport, widthPx, limits } = context;
      const isZoom = event.ctrlKey || event.metaKey;
      const sidewaysPx = wheelPx(
        event.shiftKey ? event.deltaY || event.deltaX : event.deltaX,
        event.deltaMode,
      );
      if (!isZoom && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
        event.preventDefault();
        showRef.current(panBy(viewport, (sidewaysPx / widthPx) * spanNs(viewport), limits));
        return;
      }
      if (scrolls && !isZoom) return;
      event.preventDefault();
      const deltaPx = wheelPx(event.deltaY, event.deltaMode);
      // A touchpad pinch comes as a wheel with ctrl and steps far smaller than those of a wheel.
      const isPinch = event.ctrlKey && Math.abs(deltaPx) < 40;
      const xPx = event.clientX - node.getBoundingClientRect().left;
      showRef.current(
        zoomAbout(viewport, timeOfPx(viewport, widthPx, xPx), wheelFactor(deltaPx, isPinch), limits),
      );
    };
    node.addEventListener('wheel', onWheel, { passive: false });
    return () => node.removeEventListener('wheel', onWheel);
  }, [stage, latest]);
}
