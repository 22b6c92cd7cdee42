/** Scrolls to a lane that somebody asked for. */
import { type RefObject, useEffect, useRef } from 'react';
import type { LaneLayout } from './laneLayout.ts';

/** A wish to see a lane; another object is another wish. */
export interface Reveal {
  readonly laneId: string;
}

/** Brings the lane into the middle as soon as the layout has it, once per wish. */
export function useReveal(
  scroller: RefObject<HTMLDivElement | null>,
  reveal: Reveal | undefined,
  layout: LaneLayout,
  roomPx: number,
): void {
  const done = useRef<Reveal>(undefined);
  useEffect(() => {
    if (reveal === undefined || reveal === done.current) return;
    const row = layout.rows.find((other) => other.kind === 'lane' && other.lane.id === reveal.laneId);
    if (row === undefined || scroller.current === null) return;
    done.current = reveal;
    scroller.current.scrollTop = Math.max(0, row.topPx - roomPx / 2);
  }, [scroller, reveal, layout, roomPx]);
}
