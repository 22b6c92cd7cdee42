/** Where things of the interactive layer are: frames around what is selected, and the arrows of causes. */
import { krcLaneId, type LaneInfo, type LaneKind } from '../analysis/laneTypes.ts';
import type { LaneLayout } from './laneLayout.ts';
import type { TimelineItem } from './timelineItem.ts';
import { pxOfTime, type Viewport } from './viewport.ts';

/** What is selected, as far as the timeline draws it. */
export interface TimelineSelection {
  /** Log row whose causes the arrows show; -1: none. */
  readonly row: number;
  readonly startNs: number;
  readonly endNs: number;
  /** Lanes inside the frame. */
  readonly laneIds: readonly string[];
}

/** Selects an item; a grace period with the passes that served it. */
export function selectionOfItem(item: TimelineItem, lanes: readonly LaneInfo[]): TimelineSelection {
  if (item.gp) return selectionOfGp(item.gp.domain, item, lanes, item.gp.isExpedited);
  return { row: item.row, startNs: item.startNs, endNs: item.endNs, laneIds: [item.laneId] };
}

/** Selects a grace period of a domain: the frame spans its lane and, of SRCU, the one of its passes. */
export function selectionOfGp(
  domain: number,
  gp: { readonly row: number; readonly startNs: number; readonly endNs: number },
  lanes: readonly LaneInfo[],
  isExpedited = false,
): TimelineSelection {
  const kinds: readonly LaneKind[] = isExpedited ? ['exp'] : ['gp', 'worker'];
  const laneIds = lanes
    .filter((lane) => lane.track === domain && kinds.includes(lane.kind))
    .map((lane) => lane.id);
  return { row: gp.row, startNs: gp.startNs, endNs: gp.endNs, laneIds };
}

/** Selects a unit of kvfree_rcu() on a CPU: the frame spans the lane of what is queued there. */
export function selectionOfUnit(
  cpu: number,
  unit: { readonly row: number; readonly startNs: number; readonly endNs: number },
): TimelineSelection {
  return { row: unit.row, startNs: unit.startNs, endNs: unit.endNs, laneIds: [krcLaneId(cpu)] };
}

export interface Box {
  readonly xPx: number;
  readonly yPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

const MIN_FRAME_PX = 7;
const FRAME_PAD_PX = 3;

/** The frame around a stretch of some lanes; undefined where none of it is on the screen. yPx counts from the top of all lanes. */
export function frameOf(
  layout: LaneLayout,
  viewport: Viewport,
  widthPx: number,
  selection: Pick<TimelineSelection, 'startNs' | 'endNs' | 'laneIds'>,
): Box | undefined {
  const rows = layout.rows.filter((row) => row.kind === 'lane' && selection.laneIds.includes(row.lane.id));
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const x0 = pxOfTime(viewport, widthPx, selection.startNs);
  const x1 = pxOfTime(viewport, widthPx, selection.endNs);
  if (x1 < -FRAME_PAD_PX || x0 > widthPx + FRAME_PAD_PX) return undefined;
  const growPx = Math.max(0, (MIN_FRAME_PX - (x1 - x0)) / 2);
  const left = Math.max(x0 - growPx, -20) - 1;
  const right = Math.min(x1 + growPx, widthPx + 20) + 1;
  const top = first.topPx + FRAME_PAD_PX;
  const bottom = last.topPx + last.heightPx - FRAME_PAD_PX;
  return { xPx: left, yPx: top, widthPx: right - left, heightPx: bottom - top };
}

/** Vertical middle of a lane; undefined where it is in a closed group. */
export function laneMiddle(layout: LaneLayout, laneId: string): number | undefined {
  const row = layout.rows.find((other) => other.kind === 'lane' && other.lane.id === laneId);
  return row === undefined ? undefined : row.topPx + row.heightPx / 2;
}

/** One end of an arrow, in px. */
export interface ArrowEnd {
  readonly xPx: number;
  readonly yPx: number;
}

/**
 * Path of an arrow between two events: leaves sideways and arrives sideways. An arrow whose ends are above each other, as cause and effect at one
 * instant are, bows to the right so that it is seen.
 */
export function arrowPath(from: ArrowEnd, to: ArrowEnd): string {
  const bowPx = Math.min(60, Math.max(14, Math.abs(to.xPx - from.xPx) / 2));
  const arrivePx = to.xPx - from.xPx < 8 ? to.xPx + bowPx : to.xPx - bowPx;
  const n = (value: number) => Math.round(value * 10) / 10;
  return `M${n(from.xPx)} ${n(from.yPx)}C${n(from.xPx + bowPx)} ${n(from.yPx)} ${n(arrivePx)} ${n(to.yPx)} ${n(to.xPx)} ${n(to.yPx)}`;
}
