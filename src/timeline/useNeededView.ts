/** Asks for the visible window whenever what was asked for last does not do. */
import { useEffect, useRef } from 'react';
import type { LaneRow } from './laneLayout.ts';
import type { TimelineProps } from './timelineProps.ts';
import { suffices, type WindowRequest, windowFor } from './viewRequest.ts';

/** From so many lanes on only those that are scrolled into view are asked for. */
const MANY_LANES = 48;

export function useNeededView(
  props: Pick<TimelineProps, 'viewport' | 'lanes' | 'onNeedView'>,
  widthPx: number,
  shownRows: readonly LaneRow[],
): void {
  const { viewport, lanes, onNeedView } = props;
  const asked = useRef<WindowRequest>(undefined);
  useEffect(() => {
    if (widthPx <= 0) return;
    const wanted =
      lanes.length > MANY_LANES
        ? shownRows.flatMap((row) => (row.kind === 'lane' ? [row.lane.id] : []))
        : undefined;
    if (asked.current && suffices(asked.current, viewport, widthPx, wanted)) return;
    asked.current = windowFor(viewport, widthPx, wanted);
    onNeedView(asked.current);
  }, [viewport, widthPx, lanes, shownRows, onNeedView]);
}
