/** Which lane stands where. Heights follow from lanes and room alone: nothing on the screen moves because data changed. */
import type { LaneInfo, LaneKind } from '../analysis/laneTypes.ts';

/** A lane on the screen, or the heading of a group of CPUs. Pixels from the top of all lanes. */
export type LaneRow =
  | {
      readonly kind: 'lane';
      readonly lane: LaneInfo;
      readonly topPx: number;
      readonly heightPx: number;
      /** The lane of a leaf: the group of its CPUs. */
      readonly leaf?: { readonly index: number; readonly isOpen: boolean };
    }
  | { readonly kind: 'group'; readonly group: CpuGroup; readonly topPx: number; readonly heightPx: number };

/** CPUs that are shown or hidden together. */
export interface CpuGroup {
  /** Number of the group, from 0. */
  readonly index: number;
  readonly firstCpu: number;
  readonly lastCpu: number;
  readonly isOpen: boolean;
}

export interface LaneLayout {
  readonly rows: readonly LaneRow[];
  readonly heightPx: number;
}

/** Up to so many CPUs stand one below the other; more are put in groups of this size. */
export const CPU_GROUP_SIZE = 16;
const LANE_REM = 2.25;
/** CPUs that no thread is on; a worker may still come by. */
const IDLE_CPU_REM = 1.25;
const GROUPED_CPU_REM = 1.625;
const GROUP_HEAD_REM = 1.75;
const GAP_REM = 0.375;
/** In a low box lanes become lower, down to this share, before they have to be scrolled. */
const LEAST_SHRINK = 0.64;
/** In a high box they become higher, up to this. */
const MOST_GROWTH = 1.6;

/** The group that a CPU belongs to where there are no leaves. */
function groupOfCpu(cpu: number): number {
  return Math.floor(cpu / CPU_GROUP_SIZE);
}

/**
 * The order on the screen: as they come, but on machines with leaves, where the CPUs fill many screens, what they are
 * for stands above them.
 */
export function inScreenOrder(lanes: readonly LaneInfo[]): readonly LaneInfo[] {
  if (!lanes.some(({ kind }) => kind === 'leaf')) return lanes;
  return [...lanes.filter((lane) => !isOfCpus(lane)), ...lanes.filter(isOfCpus)];
}

/** Between CPUs and domains, and between domains, there is a gap. */
function startsPart(previous: LaneInfo, lane: LaneInfo): boolean {
  return isOfCpus(lane) !== isOfCpus(previous) || (!isOfCpus(lane) && previous.track !== lane.track);
}

function isOfCpus(lane: LaneInfo): boolean {
  return lane.kind === 'cpu' || lane.kind === 'leaf';
}

/** The group of each lane, undefined for lanes that are in none. Leaves and the CPUs behind them count from 0. */
function groupsOf(lanes: readonly LaneInfo[]): readonly (number | undefined)[] {
  const hasLeaves = lanes.some((lane) => lane.kind === 'leaf');
  const isGrouped = isGroupedBy(lanes);
  let leaf = -1;
  return lanes.map((lane) => {
    if (lane.kind === 'leaf') return ++leaf;
    if (lane.kind !== 'cpu' || !isGrouped) return undefined;
    return hasLeaves ? leaf : groupOfCpu(lane.track);
  });
}

/** The lanes that are not in a closed group, in their order. */
export function lanesShown(lanes: readonly LaneInfo[], openGroups: ReadonlySet<number>): readonly LaneInfo[] {
  const groups = groupsOf(lanes);
  return lanes.filter((lane, i) => {
    const group = groups[i];
    return group === undefined || lane.kind === 'leaf' || openGroups.has(group);
  });
}

function cpuCountOf(lanes: readonly LaneInfo[]): number {
  return lanes.reduce((count, lane) => count + (lane.kind === 'cpu' ? 1 : 0), 0);
}

function isGroupedBy(lanes: readonly LaneInfo[]): boolean {
  return cpuCountOf(lanes) > CPU_GROUP_SIZE;
}

/** Height of a lane in rem before it is fitted to the room. */
function heightRemOf(lane: LaneInfo, isGrouped: boolean): number {
  if (lane.kind === 'leaf') return GROUP_HEAD_REM;
  if (lane.kind !== 'cpu') return LANE_REM;
  if (lane.detail === '') return IDLE_CPU_REM;
  return isGrouped ? GROUPED_CPU_REM : LANE_REM;
}

/**
 * Lays out lanes in the order they come in. `openGroups` are the numbers of the open groups; `remPx` is the root font
 * size, which everything scales with; `roomPx` is the height there is.
 */
export function layoutLanes(
  lanes: readonly LaneInfo[],
  openGroups: ReadonlySet<number>,
  remPx: number,
  roomPx: number,
): LaneLayout {
  const natural = placeLanes(lanes, openGroups, remPx);
  const fit = Math.min(MOST_GROWTH, Math.max(LEAST_SHRINK, roomPx / natural.heightPx));
  return placeLanes(lanes, openGroups, remPx * fit);
}

function placeLanes(lanes: readonly LaneInfo[], openGroups: ReadonlySet<number>, unitPx: number): LaneLayout {
  const cpuCount = cpuCountOf(lanes);
  const isGrouped = isGroupedBy(lanes);
  const groups = groupsOf(lanes);
  const hasLeaves = lanes.some((lane) => lane.kind === 'leaf');
  const rows: LaneRow[] = [];
  let topPx = 0;
  let previous: LaneInfo | undefined;
  for (const [i, lane] of lanes.entries()) {
    if (previous !== undefined && startsPart(previous, lane)) topPx += GAP_REM * unitPx;
    previous = lane;
    const group = groups[i];
    const isOpen = group === undefined || openGroups.has(group);
    if (group !== undefined && !hasLeaves && lane.track % CPU_GROUP_SIZE === 0) {
      const heightPx = GROUP_HEAD_REM * unitPx;
      const lastCpu = Math.min(lane.track + CPU_GROUP_SIZE, cpuCount) - 1;
      rows.push({
        kind: 'group',
        group: { index: group, firstCpu: lane.track, lastCpu, isOpen },
        topPx,
        heightPx,
      });
      topPx += heightPx;
    }
    if (!isOpen && lane.kind !== 'leaf') continue;
    const heightPx = heightRemOf(lane, isGrouped) * unitPx;
    const isLeaf = group !== undefined && lane.kind === 'leaf';
    rows.push({ kind: 'lane', lane, topPx, heightPx, ...(isLeaf ? { leaf: { index: group, isOpen } } : {}) });
    topPx += heightPx;
  }
  return { rows, heightPx: topPx };
}

/** The rows that are at least partly between two heights, in order. */
export function rowsBetween(layout: LaneLayout, topPx: number, bottomPx: number): readonly LaneRow[] {
  const { rows } = layout;
  let lo = 0;
  let hi = rows.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    const row = rows[mid];
    if (row !== undefined && row.topPx + row.heightPx <= topPx) lo = mid + 1;
    else hi = mid;
  }
  let end = lo;
  while (end < rows.length && (rows[end]?.topPx ?? 0) < bottomPx) end++;
  return rows.slice(lo, end);
}

/** The row at a height, or undefined in a gap and below the last one. */
export function rowAt(layout: LaneLayout, yPx: number): LaneRow | undefined {
  const row = rowsBetween(layout, yPx, yPx + 1e-6)[0];
  return row !== undefined && row.topPx <= yPx && yPx < row.topPx + row.heightPx ? row : undefined;
}

/** Where the bars of a lane are inside its row: top and height in px, room for marks and a gap left out. */
export function barBox(heightPx: number): { readonly topPx: number; readonly heightPx: number } {
  const padPx = Math.max(2, Math.round(heightPx * 0.2));
  return { topPx: padPx, heightPx: heightPx - 2 * padPx };
}

/** Share of the bar box that the main sub-row keeps where the others only say what else was the case. */
const MAIN_SHARE = 0.68;

/**
 * The part of a bar box that a sub-row gets, of `depths`. Calls and grace periods share it evenly. On CPUs and workers the
 * main row is what happens, and below it is what waits meanwhile (preempted readers, a worker off its CPU).
 */
export function depthBox(
  kind: LaneKind,
  heightPx: number,
  depth: number,
  depths: number,
): { readonly topPx: number; readonly heightPx: number } {
  const box = barBox(heightPx);
  if (depths <= 1) return box;
  const hasMain = kind === 'cpu' || kind === 'worker';
  const mainPx = hasMain ? box.heightPx * MAIN_SHARE : box.heightPx / depths;
  if (depth === 0) return { topPx: box.topPx, heightPx: mainPx - 1 };
  const eachPx = (box.heightPx - mainPx) / (depths - 1);
  return { topPx: box.topPx + mainPx + (Math.min(depth, depths - 1) - 1) * eachPx, heightPx: eachPx - 1 };
}

/** The group that must be open for a CPU's lane to be shown; undefined: it always is, or there is no such CPU. */
export function groupToOpen(lanes: readonly LaneInfo[], cpu: number): number | undefined {
  return groupsOf(lanes)[lanes.findIndex((lane) => lane.kind === 'cpu' && lane.track === cpu)];
}
