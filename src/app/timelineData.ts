import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LaneView } from '../analysis/laneTypes.ts';
import type { RowWindow, SelectionStats } from '../analysis/types.ts';
import type { TimelineSelection } from '../timeline/overlayGeometry.ts';
import type { WindowRequest } from '../timeline/viewRequest.ts';

/** What the timeline draws besides the view. */
export interface TimelineData {
  /** The last answer for a window. */
  readonly lanes: readonly LaneView[];
  /** The whole run, for the minimap. */
  readonly overview: readonly LaneView[];
  /** Rows of the visible window, if it asked for them. */
  readonly rows: RowWindow | undefined;
  /** The frame around what is selected. */
  readonly selection: TimelineSelection | undefined;
  readonly rangeStats: SelectionStats | undefined;
  /** The window that the timeline asked for last: it relies on `lanes` to cover that. */
  readonly asked: WindowRequest | undefined;
  /** Width of the plot; undefined until it has asked for a window. */
  readonly widthPx: number | undefined;
}

export function createTimelineData(): StoreApi<TimelineData> {
  return createStore<TimelineData>(() => ({
    lanes: [],
    overview: [],
    rows: undefined,
    selection: undefined,
    rangeStats: undefined,
    asked: undefined,
    widthPx: undefined,
  }));
}
