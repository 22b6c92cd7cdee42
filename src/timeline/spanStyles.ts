/** How each class of span and mark looks and what it is called. A class is never told by its colour alone. */
import type { LaneInfo, LaneKind, MarkClassName, SpanClassName } from '../analysis/laneTypes.ts';
import { MARK_CLASS, SPAN_CLASS } from '../analysis/laneTypes.ts';
import type { ColourName } from './palette.ts';

/**
 * Texture of a span.
 *
 *   solid    full bar                          readers, scans, callbacks
 *   comb     vertical teeth, one per check when there is room   polling
 *   hatch    rising diagonals                  sleeping
 *   cross    diagonals both ways               slept for nothing
 *   frame    outline, nearly empty             waiting for something to begin
 *   low      half as tall                      there, but not doing what the lane is about
 */
export type Texture = 'solid' | 'comb' | 'hatch' | 'cross' | 'frame' | 'low';

export interface SpanStyle {
  readonly colour: ColourName;
  readonly texture: Texture;
  /** Opacity of the fill over the lane, 0..1. */
  readonly strength: number;
  /** Share of the height; absent: that of the texture. */
  readonly height?: number;
  /** What it is, for tooltips, labels and the screen reader. */
  readonly words: string;
}

const BY_NAME: Readonly<Record<SpanClassName, SpanStyle>> = {
  idle: { colour: 'idle', texture: 'frame', strength: 0, words: 'idle' },
  reader: { colour: 'reader', texture: 'solid', strength: 1, words: 'reader section' },
  readerOff: { colour: 'reader', texture: 'frame', strength: 0.35, words: 'reader section, off the CPU' },
  readerOut: { colour: 'reader', texture: 'low', strength: 0.45, words: 'reader outside its section' },
  readerFetched: {
    colour: 'reader',
    texture: 'hatch',
    strength: 0.7,
    words: 'reader has read srcu_idx and has not counted itself yet',
  },
  updater: { colour: 'muted', texture: 'low', strength: 0.6, words: 'updater between calls' },
  call: { colour: 'expedited', texture: 'low', strength: 0.8, words: 'update-side call' },
  load: { colour: 'muted', texture: 'low', strength: 0.4, words: 'other load' },
  kworker: { colour: 'poll', texture: 'solid', strength: 0.75, words: 'kworker, no reader found' },
  poll: { colour: 'poll', texture: 'comb', strength: 1, words: 'polling, a reader was found' },
  sleepHeld: { colour: 'sleep', texture: 'hatch', strength: 0.85, words: 'asleep, a reader holds' },
  sleepWaste: { colour: 'sleep', texture: 'cross', strength: 1, words: 'asleep, nobody holds any more' },
  sleepFirst: { colour: 'sleep', texture: 'hatch', strength: 0.5, words: 'asleep before the first pass' },
  offCpu: { colour: 'error', texture: 'frame', strength: 0.2, words: 'kworker waits for its CPU' },
  gpWait: { colour: 'gp', texture: 'frame', strength: 0.15, words: 'grace period, before its first pass' },
  gpScan1: { colour: 'gp', texture: 'solid', strength: 0.6, words: 'grace period, SCAN1' },
  gpScan2: { colour: 'gp', texture: 'solid', strength: 1, words: 'grace period, SCAN2' },
  cbWait: { colour: 'callback', texture: 'low', strength: 0.4, words: 'callbacks wait for a grace period' },
  cbDelay: {
    colour: 'callback',
    texture: 'hatch',
    strength: 0.7,
    words: 'callbacks ready, waiting for timer or work',
  },
  callback: { colour: 'callback', texture: 'solid', strength: 1, words: 'callbacks run' },
  eqs: { colour: 'idle', texture: 'solid', strength: 0.8, words: 'idle, not watched by RCU' },
  kthread: { colour: 'gp', texture: 'low', strength: 0.9, words: 'kthread of RCU' },
  rcuCore: { colour: 'poll', texture: 'solid', strength: 0.9, words: 'rcu_core() in softirq' },
  rcuBatch: { colour: 'callback', texture: 'solid', strength: 0.9, words: 'callbacks run in softirq' },
  gpRequested: {
    colour: 'gp',
    texture: 'frame',
    strength: 0.05,
    words: 'grace period asked for, not started',
  },
  gpInit: { colour: 'gp', texture: 'solid', strength: 0.85, words: 'rcu_gp_init()' },
  gpFqsWait: {
    colour: 'gp',
    texture: 'low',
    strength: 0.45,
    words: 'grace period, waiting for the next scan',
  },
  gpFqsScan: { colour: 'gp', texture: 'solid', strength: 0.9, words: 'scan for quiescent states' },
  gpCleanup: { colour: 'gp', texture: 'solid', strength: 0.75, words: 'rcu_gp_cleanup()' },
  expSelect: { colour: 'expedited', texture: 'solid', strength: 0.9, words: 'expedited, choosing CPUs' },
  expWait: { colour: 'expedited', texture: 'hatch', strength: 0.6, words: 'expedited, waiting for CPUs' },
  expWake: { colour: 'expedited', texture: 'solid', strength: 0.45, words: 'expedited, waking callers' },
  callNumber: {
    colour: 'callback',
    texture: 'frame',
    strength: 0.3,
    words: 'call, callback without a number',
  },
  callResidual: {
    colour: 'gp',
    texture: 'frame',
    strength: 0.3,
    words: 'call, an earlier grace period runs',
  },
  callGp: { colour: 'gp', texture: 'solid', strength: 0.5, words: 'call, its grace period runs' },
  callCallback: { colour: 'callback', texture: 'solid', strength: 0.75, words: 'call, callback and wake-up' },
  owedQuarter: {
    colour: 'gp',
    texture: 'solid',
    strength: 0.95,
    height: 0.25,
    words: 'at most a quarter owes',
  },
  owedHalf: { colour: 'gp', texture: 'solid', strength: 0.94, height: 0.5, words: 'at most half owes' },
  owedMost: { colour: 'gp', texture: 'solid', strength: 0.93, height: 0.75, words: 'more than half owes' },
  owedAll: { colour: 'gp', texture: 'solid', strength: 0.92, words: 'nearly all owe' },
  kfreeFill: { colour: 'memory', texture: 'solid', strength: 1, words: 'block takes objects' },
  kfreeHead: { colour: 'memory', texture: 'low', strength: 0.6, words: 'head channel takes objects' },
  kfreeWait: { colour: 'gp', texture: 'low', strength: 0.5, words: 'batch waits for its grace period' },
  kfreeFree: { colour: 'memory', texture: 'hatch', strength: 0.8, words: 'batch is being freed' },
  kfreeWork: { colour: 'memory', texture: 'solid', strength: 0.75, words: 'worker of kvfree_rcu()' },
  tasksInner: {
    colour: 'gp',
    texture: 'low',
    strength: 0.52,
    words: 'RCU Tasks, a grace period inside its own',
  },
  tasksScan: { colour: 'gp', texture: 'solid', strength: 0.88, words: 'RCU Tasks, scan' },
  tasksWait: {
    colour: 'sleep',
    texture: 'hatch',
    strength: 0.66,
    words: 'RCU Tasks, asleep before the next scan',
  },
  tasksSleep: {
    colour: 'sleep',
    texture: 'frame',
    strength: 0.22,
    words: 'RCU Tasks, callbacks, then gp_sleep',
  },
  holdout: { colour: 'reader', texture: 'low', strength: 0.82, words: 'holdout of RCU Tasks' },
  holdoutLeft: {
    colour: 'sleep',
    texture: 'cross',
    strength: 0.96,
    words: 'no holdout any more, until a scan notices',
  },
};

/** Styles by SPAN_CLASS number. */
export const SPAN_STYLES: readonly SpanStyle[] = Object.entries(SPAN_CLASS)
  .sort(([, a], [, b]) => a - b)
  .map(([name]) => BY_NAME[name as SpanClassName]);

/** The style of a class; of an unknown one that of idle, so that a newer worker never breaks the picture. */
export function spanStyle(cls: number): SpanStyle {
  return SPAN_STYLES[cls] ?? BY_NAME.idle;
}

/** Shape of a mark. */
export type Shape =
  | 'line'
  | 'diamond'
  | 'hollowDiamond'
  | 'triangleDown'
  | 'hollowTriangleDown'
  | 'triangleUp'
  | 'hollowTriangleUp'
  | 'circle'
  | 'cross'
  | 'flag';

export interface MarkStyle {
  readonly colour: ColourName;
  readonly shape: Shape;
  readonly words: string;
}

const MARK_BY_NAME: Readonly<Record<MarkClassName, MarkStyle>> = {
  tick: { colour: 'muted', shape: 'line', words: 'tick' },
  timerFires: { colour: 'sleep', shape: 'triangleDown', words: 'timer fires' },
  checkZero: { colour: 'gp', shape: 'circle', words: 'check found no reader' },
  flip: { colour: 'gp', shape: 'flag', words: 'srcu_idx flipped' },
  cbQueued: { colour: 'callback', shape: 'hollowDiamond', words: 'callback queued' },
  cbInvoked: { colour: 'callback', shape: 'diamond', words: 'callback invoked' },
  callReturns: { colour: 'expedited', shape: 'circle', words: 'call returns' },
  wakeup: { colour: 'text', shape: 'triangleUp', words: 'wake-up' },
  request: { colour: 'expedited', shape: 'triangleDown', words: 'grace period requested' },
  rcuLearn: { colour: 'gp', shape: 'hollowTriangleUp', words: 'learns of the grace period' },
  rcuNote: { colour: 'gp', shape: 'circle', words: 'notes a quiescent state' },
  rcuReport: { colour: 'gp', shape: 'triangleDown', words: 'reports its quiescent state' },
  rcuFound: { colour: 'gp', shape: 'hollowTriangleDown', words: 'found idle by the scan' },
  preempted: { colour: 'reader', shape: 'cross', words: 'reader preempted inside its section' },
  ipiSent: { colour: 'expedited', shape: 'hollowDiamond', words: 'IPI sent' },
  ipi: { colour: 'expedited', shape: 'diamond', words: 'IPI handled' },
  stall: { colour: 'error', shape: 'flag', words: 'stall warning' },
  kfreeMonitor: { colour: 'memory', shape: 'triangleDown', words: 'kfree_rcu_monitor() runs' },
  holdoutOff: { colour: 'gp', shape: 'flag', words: 'off the list of holdouts' },
};

const MARK_STYLES: readonly MarkStyle[] = Object.entries(MARK_CLASS)
  .sort(([, a], [, b]) => a - b)
  .map(([name]) => MARK_BY_NAME[name as MarkClassName]);

/** The style of a MARK_CLASS; of an unknown one that of a tick. */
export function markStyle(cls: number): MarkStyle {
  return MARK_STYLES[cls] ?? MARK_BY_NAME.tick;
}

/** An entry of the legend: how a span looks, or a mark. */
export type LegendEntry = { readonly words: string; readonly colour: ColourName } & (
  | { readonly texture: Texture }
  | { readonly shape: Shape }
);

const READER: LegendEntry = { words: 'reader', colour: 'reader', texture: 'solid' };
const GRACE_PERIOD: LegendEntry = { words: 'grace period', colour: 'gp', texture: 'solid' };
const CALLBACKS: LegendEntry = { words: 'callbacks', colour: 'callback', shape: 'diamond' };
const OF_SRCU: readonly LegendEntry[] = [
  { words: 'polling', colour: 'poll', texture: 'comb' },
  { words: 'sleeping', colour: 'sleep', texture: 'hatch' },
  { words: 'wasted sleep', colour: 'sleep', texture: 'cross' },
];
const OF_RCU: readonly LegendEntry[] = [
  { words: 'softirq', colour: 'poll', texture: 'solid' },
  { words: 'learns', colour: 'gp', shape: 'hollowTriangleUp' },
  { words: 'notes', colour: 'gp', shape: 'circle' },
  { words: 'reports', colour: 'gp', shape: 'triangleDown' },
  { words: 'found idle', colour: 'gp', shape: 'hollowTriangleDown' },
];
const OF_KVFREE: readonly LegendEntry[] = [
  { words: 'block fills', colour: 'memory', texture: 'solid' },
  { words: 'freeing', colour: 'memory', texture: 'hatch' },
];
const OF_TASKS: readonly LegendEntry[] = [
  { words: 'holdout', colour: 'reader', texture: 'low' },
  { words: 'left, not noticed', colour: 'sleep', texture: 'cross' },
];
const OF_EXPEDITED: readonly LegendEntry[] = [{ words: 'IPI', colour: 'expedited', shape: 'diamond' }];

/** The legend above the lanes: what the mechanisms of this run draw. It follows from the lanes alone, as they do. */
export function legendOf(lanes: readonly LaneInfo[]): readonly LegendEntry[] {
  const has = (kind: LaneKind) => lanes.some((lane) => lane.kind === kind);
  const hasSrcu = has('worker');
  const hasRcu = lanes.some(({ kind, id }) => kind === 'gp' && id === 'gp:rcu');
  return [
    READER,
    ...(hasSrcu ? OF_SRCU : []),
    GRACE_PERIOD,
    CALLBACKS,
    ...(hasRcu ? OF_RCU : []),
    ...(has('exp') ? OF_EXPEDITED : []),
    ...(lanes.some(({ id }) => id.startsWith('gp:rcu_tasks')) ? OF_TASKS : []),
    ...(has('kfree') ? OF_KVFREE : []),
  ];
}
