/** Where the ruler's lines stand and what they say, in time and in jiffies. */
import { formatUnitNs, type TimeUnit, unitOf } from './formatTime.ts';
import { spanNs, type Viewport } from './viewport.ts';

/** One line of a ruler. `label` is empty on lines between labelled ones. */
export interface RulerTick {
  readonly timeNs: number;
  readonly label: string;
}

/** The upper row of the ruler. */
export interface TimeRuler {
  readonly ticks: readonly RulerTick[];
  /** Deep in a long run the labels count from here: "21.384 ms +". Empty when they are absolute. */
  readonly base: string;
}

/** The lower row: jiffies. */
export interface JiffyRuler {
  readonly ticks: readonly RulerTick[];
  /** True if every jiffy of the window has its line. */
  readonly isComplete: boolean;
  /** "jiffy 1217": what `jiffies` is at the left edge, where no line in the window has a number; else ''. */
  readonly base: string;
}

/** Time of tick `k`, ns: the contract's floor(k * 1e9 / hz). */
export function tickNs(k: number, hz: number): number {
  return Math.floor((k * 1e9) / hz);
}

/** The last tick at or before `timeNs`, which need not be whole; negative before t = 0. */
export function tickAt(timeNs: number, hz: number): number {
  // The floor in tickNs lets a tick stand up to 1 ns before k * 1e9 / hz: the estimate is at most one too low or high.
  let k = Math.floor((timeNs * hz) / 1e9);
  while (tickNs(k + 1, hz) <= timeNs) k++;
  while (tickNs(k, hz) > timeNs) k--;
  return k;
}

/** Smallest of 1, 2, 5, 10, 20, 50 ... that is at least `least`. */
function roundStep(least: number): number {
  if (least <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  for (const digit of [1, 2, 5, 10]) if (digit * power >= least * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

/** So many digits may a label have before it counts from a base. */
const MAX_DIGITS = 7;
const LABEL_GAP_PX = 76;

/** Lines of the time row for a window `widthPx` wide: round times, not closer than a label is wide. None at no width. */
export function timeRuler(viewport: Viewport, widthPx: number): TimeRuler {
  if (!(widthPx > 0)) return { ticks: [], base: '' };
  const nsPerPx = spanNs(viewport) / widthPx;
  const stepNs = roundStep(nsPerPx * LABEL_GAP_PX);
  const firstIndex = Math.ceil(viewport.fromNs / stepNs);
  const lastIndex = Math.floor(viewport.toNs / stepNs);
  const farthestNs = Math.max(Math.abs(viewport.fromNs), Math.abs(viewport.toNs));
  const isOffset = farthestNs / stepNs >= 10 ** MAX_DIGITS;
  // A base below every label, round in units a hundred times as large as the window.
  const roundNs = 10 ** Math.ceil(Math.log10(spanNs(viewport) * 10));
  const baseNs = isOffset ? Math.floor(viewport.fromNs / roundNs) * roundNs : 0;
  const unit: TimeUnit = unitOf(isOffset ? viewport.toNs - baseNs : farthestNs);
  const ticks: RulerTick[] = [];
  for (let i = firstIndex; i <= lastIndex; i++) {
    const timeNs = i * stepNs;
    const label = `${isOffset ? '+' : ''}${formatUnitNs(timeNs - baseNs, unit, stepNs)}`;
    ticks.push({ timeNs, label });
  }
  return { ticks, base: isOffset ? formatUnitNs(baseNs, unitOf(baseNs), roundNs) : '' };
}

const JIFFY_LINE_GAP_PX = 7;
const JIFFY_LABEL_GAP_PX = 54;

/**
 * Lines of the jiffy row. A line stands exactly where the kernel's tick is; when they would be closer than a few pixels only
 * every 2nd, 5th, 10th ... is left. The label is the value that `jiffies` has from there on.
 */
export function jiffyRuler(
  viewport: Viewport,
  widthPx: number,
  hz: number,
  startJiffies: number,
): JiffyRuler {
  if (!(widthPx > 0)) return { ticks: [], isComplete: false, base: '' };
  const pxPerTick = (1e9 / hz / spanNs(viewport)) * widthPx;
  const lineStep = roundStep(JIFFY_LINE_GAP_PX / pxPerTick);
  const labelStep = Math.max(lineStep, roundStep(JIFFY_LABEL_GAP_PX / pxPerTick));
  const firstTick = Math.max(0, Math.ceil(tickAt(viewport.fromNs, hz) / lineStep) * lineStep);
  const ticks: RulerTick[] = [];
  for (let k = firstTick; ; k += lineStep) {
    const timeNs = tickNs(k, hz);
    if (!(timeNs <= viewport.toNs)) break;
    if (timeNs < viewport.fromNs) continue;
    ticks.push({ timeNs, label: k % labelStep === 0 ? String(startJiffies + k) : '' });
  }
  const isNumbered = ticks.some(({ label }) => label !== '');
  const atLeft = startJiffies + Math.max(0, tickAt(viewport.fromNs, hz));
  return { ticks, isComplete: lineStep === 1, base: isNumbered ? '' : `jiffy ${atLeft}` };
}
