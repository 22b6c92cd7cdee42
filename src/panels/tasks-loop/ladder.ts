/** The back-off ladder as a picture: a line a kernel, a tick a scan, from the beginning of the hold-out phase. */
import { BACKOFF_RULES, backoffLadder } from '../../analysis/tasksLadder.ts';
import type { TasksFlavorAt } from '../../analysis/tasksStateTypes.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatDuration } from '../format.ts';

/** A line of the ladder. */
export interface LadderLine {
  readonly rule: string;
  /** Kernels that have it. */
  readonly name: string;
  readonly isOwn: boolean;
  /** Places of scans, 0 to 1 of the width; the one that notices the last release so far, -1: none yet. */
  readonly scans: readonly number[];
  readonly notices: number;
}

export interface LadderView {
  readonly lines: readonly LadderLine[];
  /** Places of the cursor and of the last release, 0 to 1; NaN: outside, none. */
  readonly now: number;
  readonly released: number;
  /** Marks below: place and words. */
  readonly axis: readonly { readonly at: number; readonly text: string }[];
  /** The picture in words. */
  readonly label: string;
}

const NAMES = {
  hz: 'up to 4.17',
  'seed-v2': 'posted patch',
  fract: '4.19 to 5.10',
  jiffies: '5.11 and later',
} as const;
const TRACE = 2;
/** Shortest stretch shown, ns: the first scan of every kernel; of Trace some scans. */
const LEAST_NS = 1_150_000_000;
const LEAST_TRACE_NS = 60_000_000;
/** Scans of a line at most. */
const MOST_SCANS = 200;
/** Scans that the words name. */
const NAMED = 5;
const AXIS_STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000];
const MOST_MARKS = 4;
const MS = 1e6;

/** The ladder at the cursor; undefined before the first sleep of a grace period. */
export function ladderView(flavor: TasksFlavorAt, info: RunInfo, timeNs: number): LadderView | undefined {
  const { phase } = flavor;
  if (phase === undefined) return undefined;
  const isTrace = flavor.flavor === TRACE;
  const ageNs = (Number.isNaN(phase.endNs) ? timeNs : phase.endNs) - phase.startNs;
  const spanNs = Math.max(isTrace ? LEAST_TRACE_NS : LEAST_NS, ageNs * 1.15);
  const own = isTrace ? 'jiffies' : info.rules['tasks.backoff'];
  const releaseNs = phase.lastReleaseNs - phase.startNs;
  const rules = isTrace ? (['jiffies'] as const) : BACKOFF_RULES;
  // init_fract and gp_sleep are the same number of jiffies (tasks 2.2, 8)
  const ladders = rules.map((rule) => ({
    rule,
    scans: backoffLadder(info, rule, flavor.gpSleep, phase.startNs, spanNs, MOST_SCANS),
  }));
  const inside = (ns: number) => (ns >= 0 && ns <= spanNs ? ns / spanNs : Number.NaN);
  const lines = ladders.map(({ rule, scans }) => ({
    rule,
    name: isTrace ? 'RCU Tasks Trace' : NAMES[rule],
    isOwn: rule === own,
    scans: scans.map(({ atNs }) => inside(atNs)).filter((at) => !Number.isNaN(at)),
    notices: scans.findIndex(({ atNs }) => atNs >= releaseNs && atNs <= spanNs),
  }));
  const shown = ladders.find(({ rule }) => rule === own)?.scans.slice(0, NAMED) ?? [];
  const times = shown.map(({ atNs }) => formatDuration(Math.round(atNs / MS) * MS)).join(', ');
  return {
    lines,
    now: inside(timeNs - phase.startNs),
    released: inside(releaseNs),
    axis: axisOf(spanNs),
    label: `When holdouts are scanned, from the beginning of the hold-out phase. This kernel: after ${times}${ladders.length > 1 ? '; other kernels are drawn beside it' : ''}.`,
  };
}

function axisOf(spanNs: number): LadderView['axis'] {
  const step = AXIS_STEPS.find((ms) => spanNs / (ms * MS) <= MOST_MARKS) ?? spanNs / MS;
  const marks: { at: number; text: string }[] = [];
  for (let ms = 0; ms * MS <= spanNs; ms += step)
    marks.push({ at: (ms * MS) / spanNs, text: ms === 0 ? '0' : formatDuration(ms * MS) });
  return marks;
}
