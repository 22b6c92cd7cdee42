import { memo, type PointerEvent as ReactPointerEvent } from 'react';
import { formatTime } from './formatTime.ts';
import type { JiffyRuler, RulerTick, TimeRuler } from './ticks.ts';
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
  // One path for all lines of a row: hundreds of elements a frame would cost more than everything on the lanes.
  const lines = (ticks: readonly RulerTick[], from: keyof typeof ROWS, to: keyof typeof ROWS) =>
    ticks.map((tick) => `M${x(tick.timeNs)} ${y(from)}V${y(to)}`).join('');
  const numbered = jiffies.ticks.filter((tick) => tick.label !== '');
  return (
    <svg className="tl-scale" width={widthPx} height={y('bottom')} aria-hidden="true">
      <path d={lines(time.ticks, 'timeFrom', 'timeTo')} />
      <path className="tl-scale-minor" d={lines(jiffies.ticks, 'jiffyMinor', 'bottom')} />
      <path className="tl-scale-minor" d={lines(numbered, 'jiffyFrom', 'bottom')} />
      {time.ticks.map((tick) => (
        <text key={tick.timeNs} x={x(tick.timeNs) + 3} y={y('timeText')}>
          {tick.label}
        </text>
      ))}
      {jiffies.base !== '' && (
        <text x={3} y={y('jiffyText')} className="tl-scale-jiffy">
          {jiffies.base}
        </text>
      )}
      {numbered.map((tick) => (
        <text key={tick.timeNs} x={x(tick.timeNs) + 3} y={y('jiffyText')} className="tl-scale-jiffy">
          {tick.label}
        </text>
      ))}
    </svg>
  );
});
