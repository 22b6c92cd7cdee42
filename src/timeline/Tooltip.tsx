import { useLayoutEffect, useRef, useState } from 'react';

export interface TooltipProps {
  readonly lines: readonly string[];
  /** The pointer, px from the corner of the nearest positioned ancestor. */
  readonly xPx: number;
  readonly yPx: number;
}

const AWAY_PX = 14;

/** A box beside the pointer that stays inside its ancestor. */
export function Tooltip({ lines, xPx, yPx }: TooltipProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    const node = ref.current;
    const room = node?.offsetParent;
    if (!node || !room) return;
    const fitsRight = xPx + AWAY_PX + node.offsetWidth <= room.clientWidth;
    const fitsBelow = yPx + AWAY_PX + node.offsetHeight <= room.clientHeight;
    setPlace({
      left: fitsRight ? xPx + AWAY_PX : Math.max(0, xPx - AWAY_PX - node.offsetWidth),
      top: fitsBelow ? yPx + AWAY_PX : Math.max(0, yPx - AWAY_PX - node.offsetHeight),
    });
  }, [xPx, yPx]);
  const [heading, ...rest] = lines;
  return (
    <div ref={ref} className="tl-tooltip" style={place} aria-hidden="true">
      <strong>{heading}</strong>
      {rest.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}
