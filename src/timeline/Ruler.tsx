import { memo, type PointerEvent as ReactPointerEvent } from 'react';
import { formatTime } from './formatTime.ts';
import type { JiffyRuler, TimeRuler } from './ticks.ts';
import { pxOfTime, timeOfPx, type Viewport } from './viewport.ts';

export interface RulerProps {
  readonly viewport: Viewport;
  readonly widthPx: number;
  readonly endNs: number;
  readonly time: TimeRuler;
  readonly jiffies: JiffyRuler;
  /** Size of 1rem in px. */
  readonly remPx: number;
  readonly cursorNs: number;
  readonly range: Viewport | undefined;
  readonly onCursor: (timeNs: number) => void;
}

/** Times above, jiffies below. Pressing and dragging moves the cursor. */
export function Ruler(props: RulerProps) {
  const { viewport, widthPx, endNs, cursorNs, range, onCursor } = props;
  const seek = (event: ReactPointerEvent<HTMLDivElement>) => {
    const xPx = event.clientX - event.currentTarget.getBoundingClientRect().left;
    onCursor(Math.min(Math.max(Math.round(timeOfPx(viewport, widthPx, xPx)), 0), endNs));
  };
  const cursorPx = pxOfTime(viewport, widthPx, cursorNs);
  const isSeen = cursorPx >= 0 && cursorPx <= widthPx;
  return (
    <div
      className="tl-ruler"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(event);
      }}
    >
      <Scale
        viewport={viewport}
        widthPx={widthPx}
        remPx={props.remPx}
        time={props.time}
        jiffies={props.jiffies}
      />
      {range && (
        <div
          className="tl-ruler-range"
          style={{
            left: Math.max(0, pxOfTime(viewport, widthPx, range.fromNs)),
            right: Math.max(0, widthPx - pxOfTime(viewport, widthPx, range.toNs)),
          }}
        />
      )}
      {isSeen && (
        <div
          className="tl-cursor-flag"
          style={{ transform: `translateX(${cursorPx}px)` }}
          title={formatTime(cursorNs)}
        />
      )}
    </div>
  );
}

interface ScaleProps {
  readonly viewport: Viewport;
  readonly widthPx: number;
  readonly remPx: number;
  readonly time: TimeRuler;
  readonly jiffies: JiffyRuler;
}

/** Heights in rem: base lines of the two rows of labels, and where the lines of ticks begin and end. */
const ROWS = {
  timeText: 0.85,
  timeFrom: 0.2,
  timeTo: 1.15,
  jiffyText: 1.95,
  jiffyFrom: 1.3,
  jiffyMinor: 1.9,
  bottom: 2.25,
};

/** The lines and labels, which stay while the cursor moves. */
const Scale = memo(function Scale({ viewport, widthPx, remPx, time, jiffies }: ScaleProps) {
  const x = (timeNs: number) => Math.round(pxOfTime(viewport, widthPx, timeNs)) + 0.5;
  const y = (row: keyof typeof ROWS) => ROWS[row] * remPx;
  return (
    <svg className="tl-scale" width={widthPx} height={y('bottom')} aria-hidden="true">
      {time.ticks.map((tick) => (
        <g key={tick.timeNs} transform={`translate(${x(tick.timeNs)} 0)`}>
          <path d={`M0 ${y('timeFrom')}V${y('timeTo')}`} />
          <text x={3} y={y('timeText')} className="tl-scale-time">
            {tick.label}
          </text>
        </g>
      ))}
      {jiffies.ticks.map((tick) => (
        <g key={tick.timeNs} transform={`translate(${x(tick.timeNs)} 0)`} className="tl-scale-jiffy">
          <path d={`M0 ${y(tick.label === '' ? 'jiffyMinor' : 'jiffyFrom')}V${y('bottom')}`} />
          {tick.label !== '' && (
            <text x={3} y={y('jiffyText')}>
              {tick.label}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
});
