/** What the timeline shows and what it asks for. Plain data in, callbacks out: it knows no store and no worker. */
import type { ReactNode } from 'react';
import type { LaneInfo, LaneView } from '../analysis/laneTypes.ts';
import type { RowWindow, SelectionStats } from '../analysis/types.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { TimelineSelection } from './overlayGeometry.ts';
import type { TimelineItem } from './timelineItem.ts';
import type { Viewport } from './viewport.ts';
import type { WindowRequest } from './viewRequest.ts';

/** Rows that are wanted: around a time, or around a row. */
export type RowPlace = { readonly timeNs: number } | { readonly row: number };

export interface TimelineProps {
  readonly info: RunInfo;
  /** Virtual time reached, ns. */
  readonly endNs: number;
  /** All lanes of the run in their order. */
  readonly lanes: readonly LaneInfo[];
  /** The worker's last answer. It is shown, stretched, until the next one comes. */
  readonly view: readonly LaneView[];
  /** Lanes of the whole run for the minimap, which shows those of grace periods and workers. */
  readonly overview: readonly LaneView[];
  /** Rows for single polls, arrows and the table; those of the visible window if they are few enough. */
  readonly rows: RowWindow | undefined;
  readonly viewport: Viewport;
  readonly cursorNs: number;
  readonly selection: TimelineSelection | undefined;
  readonly range: Viewport | undefined;
  /** Statistics of `range`; undefined until they are there. */
  readonly rangeStats: SelectionStats | undefined;
  readonly onViewport: (viewport: Viewport) => void;
  readonly onCursor: (timeNs: number) => void;
  /** Something was clicked or stepped to; undefined: nothing is selected any more. */
  readonly onSelect: (item: TimelineItem | undefined) => void;
  /** A row of the table was chosen. */
  readonly onSelectRow: (row: number) => void;
  /** A range was dragged out (called while dragging), or cleared. */
  readonly onRange: (range: Viewport | undefined) => void;
  /** The visible window is not covered by what was asked for last. */
  readonly onNeedView: (request: WindowRequest) => void;
  /** The table, or the arrows, miss rows. */
  readonly onNeedRows: (place: RowPlace) => void;
  /** Step to the previous or next event of a track, seen from `fromNs`, where the loaded window does not tell. */
  readonly onStepBeyond: (direction: 1 | -1, track: number, fromNs: number) => void;
  /** Buttons of the host for the heading: hide, full screen. */
  readonly tools?: ReactNode;
}
