import {
  type KeyboardEvent,
  memo,
  type PointerEvent as ReactPointerEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import type { LaneView } from '../analysis/laneTypes.ts';
import { formatTime } from './formatTime.ts';
import { dragWindow, type GrabbedPart, grabbedPart } from './minimapDrag.ts';
import { overviewPixels } from './overviewPixels.ts';
import type { Palette } from './palette.ts';
import { createInks } from './pixelLayer.ts';
import { panBy, pxOfTime, spanNs, timeOfPx, type Viewport, type ViewportLimits } from './viewport.ts';

export interface MinimapProps {
  /** Lanes of the whole run, each of any resolution; those of grace periods and workers are shown. */
  readonly overview: readonly LaneView[];
  readonly limits: ViewportLimits;
  readonly viewport: Viewport;
  readonly range: Viewport | undefined;
  readonly cursorNs: number;
  readonly widthPx: number;
  readonly palette: Palette;
  /** Id of the element that shows the window. */
  readonly controls: string;
  readonly onViewport: (viewport: Viewport) => void;
}

/** Height of a lane in the strip, px. */
const STRIP_PX = 7;
/** Arrow keys move the window by this share of its length. */
const KEY_STEP = 0.2;

/** The whole run in a strip, with a handle for the visible window. */
export function Minimap(props: MinimapProps) {
  const { limits, viewport, range, cursorNs, widthPx, onViewport } = props;
  const grab = useRef<{ part: GrabbedPart; xPx: number; viewport: Viewport }>(undefined);
  const x = (timeNs: number) => pxOfTime(limits, widthPx, timeNs);
  const place = (event: ReactPointerEvent<HTMLElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const onPointerDown = (event: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const xPx = place(event);
    const part = grabbedPart(xPx, x(viewport.fromNs), x(viewport.toNs));
    if (part !== 'outside') {
      grab.current = { part, xPx, viewport };
      return;
    }
    const timeNs = timeOfPx(limits, widthPx, xPx);
    const centred = panBy(viewport, timeNs - (viewport.fromNs + viewport.toNs) / 2, limits);
    grab.current = { part: 'middle', xPx, viewport: centred };
    onViewport(centred);
  };
  const onPointerMove = (event: ReactPointerEvent<HTMLElement>) => {
    const held = grab.current;
    if (held === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const deltaNs = ((place(event) - held.xPx) / widthPx) * spanNs(limits);
    onViewport(dragWindow(held.viewport, held.part, deltaNs, limits));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onViewport(panBy(viewport, direction * KEY_STEP * spanNs(viewport), limits));
  };
  const left = x(viewport.fromNs);
  const width = Math.max(8, x(viewport.toNs) - left);
  const share = (viewport.fromNs - limits.fromNs) / Math.max(1, spanNs(limits) - spanNs(viewport));
  return (
    <div
      className="tl-minimap"
      style={{ width: widthPx }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    >
      <Strip {...props} />
      {range && (
        <div
          className="tl-minimap-range"
          style={{ left: x(range.fromNs), width: Math.max(2, x(range.toNs) - x(range.fromNs)) }}
        />
      )}
      <div className="tl-minimap-cursor" style={{ transform: `translateX(${x(cursorNs)}px)` }} />
      <div
        className="tl-minimap-window"
        style={{ left: Math.min(left, widthPx - 8), width }}
        role="scrollbar"
        aria-label="Visible part of the run"
        aria-controls={props.controls}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(Math.min(1, Math.max(0, share)) * 100)}
        aria-valuetext={`${formatTime(viewport.fromNs)} to ${formatTime(viewport.toNs)}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

/** The picture, which changes with the run only: grace periods and passes, domain by domain. */
const Strip = memo(
  function Strip({ overview, limits, widthPx, palette }: MinimapProps) {
    const ref = useRef<HTMLCanvasElement>(null);
    const lanes = overview.filter((lane) => lane.kind === 'gp' || lane.kind === 'worker');
    const columns = Math.max(1, Math.round(widthPx));
    const rows = Math.max(1, lanes.length) * STRIP_PX;
    useLayoutEffect(() => {
      const canvas = ref.current;
      const context = canvas?.getContext('2d');
      if (!canvas || !context) return;
      canvas.width = columns;
      canvas.height = rows;
      const image = new ImageData(columns, rows);
      const layer = { widthPx: columns, heightPx: rows, pixels: new Uint32Array(image.data.buffer) };
      overviewPixels(layer, lanes, limits, STRIP_PX, createInks(palette));
      context.putImageData(image, 0, 0);
    }, [lanes, limits, columns, rows, palette]);
    return <canvas ref={ref} className="tl-minimap-strip" />;
  },
  (a, b) =>
    a.overview === b.overview && a.limits === b.limits && a.widthPx === b.widthPx && a.palette === b.palette,
);
