/** A thing on the timeline that can be pointed at, selected and stepped to, and how it is told in words. */
import {
  type LaneInfo,
  type LaneKind,
  type LaneView,
  MARK_CLASS,
  SPAN_CLASS,
  type UnitObjects,
} from '../analysis/laneTypes.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { formatDuration, formatTime, groupDigits } from './formatTime.ts';
import { markStyle, spanStyle } from './spanStyles.ts';
import { tickAt } from './ticks.ts';

/** A span or a mark of a lane. Times in ns; a mark has startNs = endNs. */
export interface TimelineItem {
  readonly laneId: string;
  readonly laneKind: LaneKind;
  readonly shape: 'span' | 'mark';
  /** SPAN_CLASS or MARK_CLASS. */
  readonly cls: number;
  /** The log row it begins with. */
  readonly row: number;
  readonly startNs: number;
  readonly endNs: number;
  /** Who (Spans.track); the lane's own track for a mark. */
  readonly track: number;
  /** Spans.value; 0 for a mark. */
  readonly value: number;
  /** What the unit of kvfree_rcu() took that it stands for; absent: not known, or something else. */
  readonly unit?: UnitObjects;
  /** The grace period it is a part of, on lanes of grace periods; its times are then those of the whole one. */
  readonly gp?: { readonly domain: number; readonly number: number; readonly isExpedited: boolean };
}

type SpanLane = Extract<LaneView, { mode: 'spans' }>;

/** Spans with the number of a unit or a batch, from 0; -1: the monitor frees. */
const KFREE_CLASSES: ReadonlySet<number> = new Set([
  SPAN_CLASS.kfreeFill,
  SPAN_CLASS.kfreeHead,
  SPAN_CLASS.kfreeWait,
  SPAN_CLASS.kfreeFree,
]);
/** A call, and the phases of one of RCU. */
const CALL_CLASSES: ReadonlySet<number> = new Set([
  ...[SPAN_CLASS.call, SPAN_CLASS.callNumber, SPAN_CLASS.callResidual],
  ...[SPAN_CLASS.callGp, SPAN_CLASS.callCallback],
]);
const GP_CLASSES: ReadonlySet<number> = new Set([
  ...[SPAN_CLASS.gpWait, SPAN_CLASS.gpScan1, SPAN_CLASS.gpScan2],
  ...[SPAN_CLASS.gpInit, SPAN_CLASS.gpFqsWait, SPAN_CLASS.gpFqsScan, SPAN_CLASS.gpCleanup],
  ...[SPAN_CLASS.expSelect, SPAN_CLASS.expWait, SPAN_CLASS.expWake],
  ...[SPAN_CLASS.tasksInner, SPAN_CLASS.tasksScan, SPAN_CLASS.tasksWait],
]);

/** The item that a span stands for. The phases of one grace period are one item. */
export function itemOfSpan(lane: SpanLane, index: number): TimelineItem {
  const { spans } = lane;
  const cls = spans.cls[index] ?? 0;
  const base = {
    laneId: lane.id,
    laneKind: lane.kind,
    shape: 'span' as const,
    cls,
    track: spans.track[index] ?? -1,
  };
  const value = spans.value[index] ?? 0;
  if (!GP_CLASSES.has(cls)) {
    const objects = lane.units?.objects[index] ?? 0;
    const lastNs = lane.units?.lastNs[index] ?? 0;
    return {
      ...base,
      value,
      ...(objects > 0 ? { unit: { objects, lastNs } } : {}),
      row: spans.row[index] ?? -1,
      startNs: spans.startNs[index] ?? 0,
      endNs: spans.endNs[index] ?? 0,
    };
  }
  let first = index;
  let last = index;
  const isPart = (i: number) => spans.value[i] === value && GP_CLASSES.has(spans.cls[i] ?? 0);
  while (first > 0 && isPart(first - 1)) first--;
  while (last + 1 < spans.length && isPart(last + 1)) last++;
  return {
    ...base,
    value,
    row: spans.row[first] ?? -1,
    startNs: spans.startNs[first] ?? 0,
    endNs: spans.endNs[last] ?? 0,
    gp: { domain: lane.track, number: value, isExpedited: lane.kind === 'exp' },
  };
}

/** The item that a mark stands for. */
export function itemOfMark(lane: LaneView, index: number): TimelineItem {
  const timeNs = lane.marks.timeNs[index] ?? 0;
  return {
    laneId: lane.id,
    laneKind: lane.kind,
    shape: 'mark',
    cls: lane.marks.cls[index] ?? 0,
    row: lane.marks.row[index] ?? -1,
    startNs: timeNs,
    endNs: timeNs,
    track: lane.track,
    value: 0,
  };
}

/** Said once where a number is negative (RCU_SEQ_CTR of the initial gp_seq, tree R1.1). */
const COUNTS_FROM = 'the kernel counts from -300 on';

/** What, when, how long, who: the lines of a tooltip. The first one is the heading. */
export function describeItem(item: TimelineItem, info: RunInfo): readonly string[] {
  const jiffies = info.config.startJiffies + tickAt(item.startNs, info.config.hz);
  const when = `${formatTime(item.startNs)}, jiffy ${groupDigits(jiffies)}`;
  if (item.shape === 'mark') return [capital(markStyle(item.cls).words), `at ${when}`];
  const long = `for ${formatDuration(item.endNs - item.startNs)}`;
  const who = whoOf(item, info);
  const isBeforeZero = item.gp !== undefined && item.gp.number < 0;
  const notes = [...(who === '' ? [] : [who]), ...(isBeforeZero ? [COUNTS_FROM] : [])];
  return [headingOf(item), `${long} from ${when}`, ...notes];
}

/** What an item is, in a few words, with its number. */
function headingOf(item: TimelineItem): string {
  if (item.gp)
    return `${item.gp.isExpedited ? 'Expedited grace' : 'Grace'} period ${groupDigits(item.gp.number)}`;
  const words = capital(spanStyle(item.cls).words);
  const count = countOf(item);
  return count === '' ? words : `${words} (${count})`;
}

/** What the value of a span counts, with its noun. The calls lane numbers its calls from 0; CPU lanes do not. */
function countOf({ laneKind, cls, value }: TimelineItem): string {
  const isCall = CALL_CLASSES.has(cls);
  if (isCall ? laneKind !== 'calls' : value < (KFREE_CLASSES.has(cls) ? 0 : 1)) return '';
  const noun = (one: string, many: string) => `${groupDigits(value)} ${value === 1 ? one : many}`;
  switch (cls) {
    case SPAN_CLASS.poll:
    case SPAN_CLASS.kworker:
      return noun('pass', 'passes');
    case SPAN_CLASS.sleepHeld:
    case SPAN_CLASS.sleepWaste:
    case SPAN_CLASS.sleepFirst:
      return `delay ${noun('jiffy', 'jiffies')}`;
    case SPAN_CLASS.call:
    case SPAN_CLASS.callNumber:
    case SPAN_CLASS.callResidual:
    case SPAN_CLASS.callGp:
    case SPAN_CLASS.callCallback:
      return `call ${groupDigits(value)}`;
    case SPAN_CLASS.kfreeFill:
    case SPAN_CLASS.kfreeHead:
      return `unit ${groupDigits(value)}`;
    case SPAN_CLASS.kfreeWait:
    case SPAN_CLASS.kfreeFree:
      return `batch ${groupDigits(value)}`;
    case SPAN_CLASS.owedQuarter:
    case SPAN_CLASS.owedHalf:
    case SPAN_CLASS.owedMost:
    case SPAN_CLASS.owedAll:
      return noun('CPU', 'CPUs');
    case SPAN_CLASS.cbWait:
    case SPAN_CLASS.cbDelay:
    case SPAN_CLASS.callback:
    case SPAN_CLASS.rcuBatch:
      return noun('callback', 'callbacks');
    default:
      return '';
  }
}

function whoOf(item: TimelineItem, info: RunInfo): string {
  const track = info.tracks[item.track];
  if (track === undefined) return '';
  if (track.kind === 'srcu') return `domain ${track.name}`;
  if (track.kind === 'rcu') return '';
  return track.cpu >= 0 ? `${track.name} on CPU ${track.cpu}` : track.name;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The next (1) or previous (-1) item that begins on a lane, seen from the item at `fromNs` / `fromRow`; undefined where the loaded part
 * of the lane has none. Spans and marks count alike, in order of time, then of their log row.
 */
export function neighbour(
  lane: LaneView,
  fromNs: number,
  fromRow: number,
  direction: 1 | -1,
): TimelineItem | undefined {
  let best: TimelineItem | undefined;
  const consider = (timeNs: number, row: number, make: () => TimelineItem) => {
    const isBeyond = direction * (timeNs - fromNs || row - fromRow) > 0;
    const isNearer = best === undefined || direction * (timeNs - best.startNs || row - best.row) < 0;
    if (isBeyond && isNearer) best = make();
  };
  const { marks } = lane;
  for (let i = 0; i < marks.length; i++) {
    if (marks.cls[i] === MARK_CLASS.tick) continue;
    consider(marks.timeNs[i] ?? 0, marks.row[i] ?? -1, () => itemOfMark(lane, i));
  }
  if (lane.mode === 'spans') {
    const { spans } = lane;
    for (let i = 0; i < spans.length; i++) {
      // A grace period is one item: it begins with its first phase.
      if (i > 0 && GP_CLASSES.has(spans.cls[i] ?? 0) && spans.value[i] === spans.value[i - 1]) continue;
      consider(spans.startNs[i] ?? 0, spans.row[i] ?? -1, () => itemOfSpan(lane, i));
    }
  }
  return best;
}

/** True if stepping on this lane has to ask the whole log: the window shows densities, or left marks out. */
export function isLossy(lane: LaneView): boolean {
  return lane.mode === 'coverage' || lane.marksOmitted > 0;
}

/** The heading of a lane for the screen reader. */
export function laneWords(lane: LaneInfo): string {
  return lane.detail === '' ? lane.name : `${lane.name}, ${lane.detail}`;
}
