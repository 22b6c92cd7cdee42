/** The arrows of the selection: its direct causes and effects, or all causes back to the first. */
import { useMemo } from 'react';
import { laneOfRow } from '../analysis/lanes.ts';
import { rowOf } from '../analysis/rowWindow.ts';
import { chainLinks, directLinks } from './causes.ts';
import type { LaneLayout } from './laneLayout.ts';
import { laneMiddle } from './overlayGeometry.ts';
import type { Arrow } from './TimelineOverlay.tsx';
import type { TimelineProps } from './timelineProps.ts';
import { pxOfTime } from './viewport.ts';

const NONE: readonly Arrow[] = [];

export function useArrows(
  props: Pick<TimelineProps, 'rows' | 'info' | 'viewport'>,
  selectedRow: number,
  isChain: boolean,
  layout: LaneLayout,
  widthPx: number,
): readonly Arrow[] {
  const { rows, info, viewport } = props;
  const links = useMemo(() => {
    if (rows === undefined || selectedRow < 0) return [];
    return (isChain ? chainLinks : directLinks)(rows, selectedRow).links;
  }, [rows, selectedRow, isChain]);
  return useMemo(() => {
    if (links.length === 0) return NONE;
    const end = (index: number) => {
      const row = rows && rowOf(rows, index);
      const yPx = row && laneMiddle(layout, laneOfRow(row, info));
      if (row === undefined || yPx === undefined) return undefined;
      return { xPx: pxOfTime(viewport, widthPx, row.timeNs), yPx };
    };
    return links.flatMap(({ fromRow, toRow }) => {
      const from = end(fromRow);
      const to = end(toRow);
      const isSeen = from && to && Math.max(from.xPx, to.xPx) > 0 && Math.min(from.xPx, to.xPx) < widthPx;
      // Far outside the screen only the direction matters, and SVG dislikes coordinates in the billions.
      const near = (xPx: number) => Math.min(Math.max(xPx, -200), widthPx + 200);
      if (!isSeen) return [];
      const key = `${fromRow} ${toRow}`;
      return [{ key, from: { ...from, xPx: near(from.xPx) }, to: { ...to, xPx: near(to.xPx) } }];
    });
  }, [links, rows, info, viewport, layout, widthPx]);
}
