import { memo, useId } from 'react';
import { formatDuration } from './formatTime.ts';
import type { LaneLayout } from './laneLayout.ts';
import { type ArrowEnd, arrowPath, type Box, frameOf, type TimelineSelection } from './overlayGeometry.ts';
import { pxOfTime, type Viewport } from './viewport.ts';

/** An arrow between two log rows, where they are on the screen. */
export interface Arrow {
  readonly key: string;
  readonly from: ArrowEnd;
  readonly to: ArrowEnd;
}

export interface TimelineOverlayProps {
  readonly layout: LaneLayout;
  readonly viewport: Viewport;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly scrollPx: number;
  readonly selection: TimelineSelection | undefined;
  readonly hover: TimelineSelection | undefined;
  readonly range: Viewport | undefined;
  readonly arrows: readonly Arrow[];
  readonly cursorNs: number;
}

/** The interactive layer: range, frames, arrows, cursor. Few shapes, so SVG. */
export function TimelineOverlay(props: TimelineOverlayProps) {
  const { viewport, widthPx, heightPx, cursorNs } = props;
  const cursorPx = pxOfTime(viewport, widthPx, cursorNs);
  return (
    <svg className="tl-overlay" width={widthPx} height={heightPx} aria-hidden="true">
      <Marks {...props} cursorNs={0} />
      {cursorPx >= -1 && cursorPx <= widthPx + 1 && (
        <line
          className="tl-cursor"
          x1={0}
          x2={0}
          y1={0}
          y2={heightPx}
          transform={`translate(${cursorPx} 0)`}
        />
      )}
    </svg>
  );
}

/** Everything but the cursor, which moves with every frame while playing. */
const Marks = memo(function Marks(props: TimelineOverlayProps) {
  const { layout, viewport, widthPx, heightPx, scrollPx, selection, hover, range, arrows } = props;
  const arrowId = useId();
  const selected = selection && frameOf(layout, viewport, widthPx, selection);
  const hovered = hover && frameOf(layout, viewport, widthPx, hover);
  const from = range ? pxOfTime(viewport, widthPx, range.fromNs) : 0;
  const to = range ? pxOfTime(viewport, widthPx, range.toNs) : 0;
  const left = Math.max(from, -2);
  const right = Math.min(to, widthPx + 2);
  return (
    <>
      <marker
        id={arrowId}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="5"
        markerHeight="5"
        orient="auto-start-reverse"
      >
        <path d="M0 0 8 4 0 8z" className="tl-arrow-head" />
      </marker>
      {range && right > left && (
        <g className="tl-range">
          <rect x={left} y={0} width={right - left} height={heightPx} />
          <path d={`M${left} 0V${heightPx}M${right} 0V${heightPx}`} />
          <text x={(left + right) / 2} y={heightPx - 6} textAnchor="middle">
            {formatDuration(range.toNs - range.fromNs)}
          </text>
        </g>
      )}
      <g transform={`translate(0 ${-scrollPx})`}>
        {hovered && <Frame box={hovered} className="tl-hover" />}
        {selected && <Frame box={selected} className="tl-selected" />}
        {arrows.map((arrow) => {
          const path = arrowPath(arrow.from, arrow.to);
          return (
            <g key={arrow.key} className="tl-arrow">
              <path d={path} className="tl-arrow-ground" />
              <path d={path} markerEnd={`url(#${arrowId})`} />
            </g>
          );
        })}
      </g>
    </>
  );
});

function Frame({ box, className }: { readonly box: Box; readonly className: string }) {
  return (
    <rect className={className} x={box.xPx} y={box.yPx} width={box.widthPx} height={box.heightPx} rx={3} />
  );
}
