/** Everything that follows from lanes, viewport and the room there is: places, ruler, what is scrolled into view. */
import { useMemo, useState } from 'react';
import type { Scene } from './hitTest.ts';
import { LaneDepths } from './laneDepths.ts';
import { type LaneLayout, type LaneRow, rowsBetween } from './laneLayout.ts';
import { type JiffyRuler, jiffyRuler, type TimeRuler, timeRuler } from './ticks.ts';
import type { TimelineProps } from './timelineProps.ts';
import type { Size } from './useSize.ts';

export interface SceneParts {
  readonly scene: Scene;
  readonly time: TimeRuler;
  readonly jiffies: JiffyRuler;
  readonly gridNs: readonly number[];
  /** Height of the visible part of the lanes, and how far they are scrolled. */
  readonly heightPx: number;
  readonly topPx: number;
  readonly shownRows: readonly LaneRow[];
}

/** `room`: width of the plot, height there is for lanes; `scrollPx`: as the scroller says. */
export function useScene(
  props: Pick<TimelineProps, 'lanes' | 'view' | 'viewport' | 'info'>,
  layout: LaneLayout,
  views: Scene['views'],
  room: Size,
  scrollPx: number,
): SceneParts {
  const { lanes, view, viewport, info } = props;
  const { widthPx } = room;
  const { hz, startJiffies } = info.config;
  const [depthMemory] = useState(() => new LaneDepths());
  const depths = useMemo(() => depthMemory.update(lanes, view), [depthMemory, lanes, view]);
  const scene = useMemo<Scene>(
    () => ({ layout, views, depths, viewport, widthPx }),
    [layout, views, depths, viewport, widthPx],
  );
  const time = useMemo(() => timeRuler(viewport, widthPx), [viewport, widthPx]);
  const jiffies = useMemo(
    () => jiffyRuler(viewport, widthPx, hz, startJiffies),
    [viewport, widthPx, hz, startJiffies],
  );
  // Every tick, or, where they are too many, those that have a number.
  const gridNs = useMemo(
    () => jiffies.ticks.filter((tick) => jiffies.isComplete || tick.label !== '').map((tick) => tick.timeNs),
    [jiffies],
  );
  const heightPx = Math.max(Math.min(room.heightPx, layout.heightPx), 1);
  const topPx = Math.min(scrollPx, Math.max(0, layout.heightPx - heightPx));
  const shownRows = useMemo(() => rowsBetween(layout, topPx, topPx + heightPx), [layout, topPx, heightPx]);
  return { scene, time, jiffies, gridNs, heightPx, topPx, shownRows };
}
