/**
 * Level of detail: what a window of a lane shows at so many pixels. Few spans are handed out as they are; many become
 * coverage per pixel and class, from a pyramid of power-of-two buckets that is built once per lane:
 *
 *   level 0   [ 2^m ns | 2^m ns | ... ]        share of each bucket that each class covers, in ns
 *   level 1   [    2^(m+1) ns   | ... ]        sums of two
 */
import { takeSpans } from './laneBuilder.ts';
import {
  type Lane,
  type LaneChart,
  type LaneView,
  type Marks,
  SPAN_CLASS,
  SPAN_CLASSES,
  type Spans,
} from './laneTypes.ts';

/** Spans per pixel up to which they are handed out singly. */
const SPANS_PER_PX = 2;
/** One mark per so many pixels at most. */
const PX_PER_MARK = 2;
/** Points of a chart per pixel up to which all are handed out. */
const POINTS_PER_PX = 2;
const MIN_BUCKETS = 256;
const MAX_BUCKETS = 2 ** 17;

/** Covered ns, class by class: plane p of level l is sums[l][p * buckets .. ]. */
interface Pyramid {
  readonly bucketNs: number;
  readonly planeOf: Int8Array;
  readonly classes: Uint8Array;
  readonly levels: readonly { readonly buckets: number; readonly sums: Float32Array }[];
}

/** A lane with what makes its windows cheap. */
export class LaneDetail {
  readonly lane: Lane;
  readonly #endNs: number;
  /** Span numbers by depth: inside one depth spans never overlap, so that bisection finds a window's. */
  readonly #byDepth: readonly Int32Array[];
  #pyramid: Pyramid | undefined;

  constructor(lane: Lane, endNs: number) {
    this.lane = lane;
    this.#endNs = endNs;
    this.#byDepth = spansByDepth(lane.spans);
  }

  /** The window [t0Ns, t1Ns) at `widthPx` pixels. The cost depends on the pixels, not on the spans. */
  view(t0Ns: number, t1Ns: number, widthPx: number): LaneView {
    const { id, kind, track, name, detail, spans } = this.lane;
    const ranges = this.#byDepth.map((numbers) => rangeIn(spans, numbers, t0Ns, t1Ns));
    const total = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    const marks = marksIn(this.lane.marks, t0Ns, t1Ns, widthPx);
    const head = { id, kind, track, name, detail, t0Ns, t1Ns, ...marks };
    if (total <= SPANS_PER_PX * widthPx) {
      const { chart, unitOf } = this.lane;
      const shown = takeSpans(spans, this.#numbersIn(ranges, total));
      return {
        ...head,
        ...{ mode: 'spans', spans: shown },
        ...(chart === undefined ? {} : { chart: chartIn(chart, t0Ns, t1Ns, widthPx) }),
        ...(unitOf === undefined ? {} : { units: unitsIn(shown, unitOf) }),
      };
    }
    const width = Math.max(1, Math.floor(widthPx));
    const pxNs = (t1Ns - t0Ns) / width;
    this.#pyramid ??= createPyramid(spans, this.#endNs);
    const planes =
      pxNs < this.#pyramid.bucketNs
        ? directCoverage(spans, this.#numbersIn(ranges, total), this.#pyramid, t0Ns, pxNs, width)
        : pyramidCoverage(this.#pyramid, t0Ns, pxNs, width);
    const { classes } = this.#pyramid;
    return {
      ...head,
      mode: 'coverage',
      widthPx: width,
      classes: classes.slice(),
      coverage: planes,
      spanCount: total,
    };
  }

  #numbersIn(ranges: readonly { readonly from: number; readonly to: number }[], total: number): Int32Array {
    const numbers = new Int32Array(total);
    let n = 0;
    ranges.forEach(({ from, to }, depth) => {
      numbers.set((this.#byDepth[depth] as Int32Array).subarray(from, to), n);
      n += to - from;
    });
    return ranges.length > 1 ? numbers.sort() : numbers;
  }
}

/** LaneView.units; a span that stands for several has none. */
function unitsIn({ cls, value, endNs }: Spans, unitOf: NonNullable<Lane['unitOf']>) {
  const objects = new Float64Array(cls.length);
  const lastNs = new Float64Array(cls.length);
  cls.forEach((of, i) => {
    if (of !== SPAN_CLASS.kfreeFill && of !== SPAN_CLASS.kfreeHead) return;
    const unit = unitOf(value[i] as number, endNs[i] as number);
    objects[i] = unit?.objects ?? 0;
    lastNs[i] = unit?.lastNs ?? 0;
  });
  return { objects, lastNs };
}

function spansByDepth(spans: Spans): Int32Array[] {
  const counts: number[] = [];
  for (let i = 0; i < spans.length; i++) {
    const depth = spans.depth[i] as number;
    while (counts.length <= depth) counts.push(0);
    counts[depth] = (counts[depth] as number) + 1;
  }
  const lists = counts.map((count) => new Int32Array(count));
  const filled = counts.map(() => 0);
  for (let i = 0; i < spans.length; i++) {
    const depth = spans.depth[i] as number;
    const at = filled[depth] as number;
    (lists[depth] as Int32Array)[at] = i;
    filled[depth] = at + 1;
  }
  return lists;
}

/** Spans of one depth that touch [t0, t1): both their starts and their ends ascend. */
function rangeIn(
  spans: Spans,
  numbers: Int32Array,
  t0Ns: number,
  t1Ns: number,
): { from: number; to: number } {
  const from = bisect(numbers.length, (i) => (spans.endNs[numbers[i] as number] as number) > t0Ns);
  const to = bisect(numbers.length, (i) => (spans.startNs[numbers[i] as number] as number) >= t1Ns);
  return { from, to: Math.max(from, to) };
}

/** The first i in [0, length) for which the ascending condition holds; `length` if none. */
function bisect(length: number, holds: (i: number) => boolean): number {
  let lo = 0;
  let hi = length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (holds(mid)) hi = mid;
    else lo = mid + 1;
  }
  return lo;
}

function marksIn(
  all: Marks,
  t0Ns: number,
  t1Ns: number,
  widthPx: number,
): { marks: Marks; marksOmitted: number } {
  const from = bisect(all.length, (i) => (all.timeNs[i] as number) >= t0Ns);
  const to = Math.max(
    from,
    bisect(all.length, (i) => (all.timeNs[i] as number) >= t1Ns),
  );
  const isTooMany = (to - from) * PX_PER_MARK > widthPx;
  const end = isTooMany ? from : to;
  const marks = {
    length: end - from,
    timeNs: all.timeNs.slice(from, end),
    cls: all.cls.slice(from, end),
    row: all.row.slice(from, end),
  };
  return { marks, marksOmitted: to - end };
}

/** The part of a chart that a window shows: of each pixel the point with the largest sum, and one beyond each edge. */
function chartIn({ timeNs, parts, most }: LaneChart, t0Ns: number, t1Ns: number, widthPx: number): LaneChart {
  const { length } = timeNs;
  const from = Math.max(0, bisect(length, (i) => (timeNs[i] as number) > t0Ns) - 1);
  const to = Math.min(length, bisect(length, (i) => (timeNs[i] as number) >= t1Ns) + 1);
  const pxNs = (t1Ns - t0Ns) / widthPx;
  const isDense = to - from > POINTS_PER_PX * widthPx;
  const sumAt = (i: number) => parts.reduce((sum, part) => sum + (part[i] as number), 0);
  const kept: number[] = [];
  for (let i = from; i < to; i++) {
    const last = kept.at(-1);
    const isSamePx =
      isDense &&
      last !== undefined &&
      Math.floor((timeNs[last] as number) / pxNs) === Math.floor((timeNs[i] as number) / pxNs);
    if (!isSamePx) kept.push(i);
    else if (sumAt(i) > sumAt(last)) kept[kept.length - 1] = i;
  }
  const take = (column: Float64Array) => Float64Array.from(kept, (i) => column[i] as number);
  return { timeNs: take(timeNs), parts: parts.map(take), most };
}

function createPyramid(spans: Spans, endNs: number): Pyramid {
  const planeOf = new Int8Array(SPAN_CLASSES).fill(-1);
  for (let i = 0; i < spans.length; i++) planeOf[spans.cls[i] as number] = 0;
  const classes = Uint8Array.from([...planeOf.keys()].filter((cls) => planeOf[cls] === 0));
  classes.forEach((cls, plane) => {
    planeOf[cls] = plane;
  });
  const wanted = Math.min(MAX_BUCKETS, Math.max(MIN_BUCKETS, spans.length));
  let bucketNs = 1;
  while (bucketNs * wanted < endNs) bucketNs *= 2;
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, Math.ceil(endNs / bucketNs))));
  const base = new Float32Array(buckets * classes.length);
  for (let i = 0; i < spans.length; i++) {
    const plane = (planeOf[spans.cls[i] as number] as number) * buckets;
    addShare(
      base,
      plane,
      buckets,
      (spans.startNs[i] as number) / bucketNs,
      (spans.endNs[i] as number) / bucketNs,
      bucketNs,
    );
  }
  const levels = [{ buckets, sums: base }];
  for (let n = buckets / 2; n >= 1; n /= 2) {
    const below = levels[levels.length - 1] as { buckets: number; sums: Float32Array };
    const sums = new Float32Array(n * classes.length);
    for (let plane = 0; plane < classes.length; plane++) {
      for (let i = 0; i < n; i++) {
        const at = plane * below.buckets + 2 * i;
        sums[plane * n + i] = (below.sums[at] as number) + (below.sums[at + 1] as number);
      }
    }
    levels.push({ buckets: n, sums });
  }
  return { bucketNs, planeOf, classes, levels };
}

/** Adds `unit` per bucket to [from, to) (in buckets, fractions allowed) of one plane of `cells` buckets. */
function addShare(
  target: Float32Array,
  plane: number,
  cells: number,
  from: number,
  to: number,
  unit: number,
): void {
  const start = Math.max(0, from);
  const end = Math.min(cells, to);
  if (end <= start) return;
  const first = Math.floor(start);
  const last = Math.min(cells - 1, Math.floor(end));
  const add = (cell: number, share: number) => {
    target[plane + cell] = (target[plane + cell] as number) + share * unit;
  };
  if (first === last) {
    add(first, end - start);
    return;
  }
  add(first, first + 1 - start);
  for (let cell = first + 1; cell < last; cell++) add(cell, 1);
  add(last, end - last);
}

/** Coverage from the spans themselves: windows that are narrower than the pyramid is fine. */
function directCoverage(
  spans: Spans,
  numbers: Int32Array,
  pyramid: Pyramid,
  t0Ns: number,
  pxNs: number,
  width: number,
): Float32Array {
  const planes = new Float32Array(width * pyramid.classes.length);
  for (const i of numbers) {
    const plane = (pyramid.planeOf[spans.cls[i] as number] as number) * width;
    const from = ((spans.startNs[i] as number) - t0Ns) / pxNs;
    const to = ((spans.endNs[i] as number) - t0Ns) / pxNs;
    addShare(planes, plane, width, from, to, 1);
  }
  return atMostOne(planes);
}

/** Coverage from the coarsest level whose buckets are no wider than a pixel. */
function pyramidCoverage(pyramid: Pyramid, t0Ns: number, pxNs: number, width: number): Float32Array {
  let level = 0;
  let bucketNs = pyramid.bucketNs;
  while (level + 1 < pyramid.levels.length && bucketNs * 2 <= pxNs) {
    level++;
    bucketNs *= 2;
  }
  const { buckets, sums } = pyramid.levels[level] as { buckets: number; sums: Float32Array };
  const planes = new Float32Array(width * pyramid.classes.length);
  const first = Math.max(0, Math.floor(t0Ns / bucketNs));
  const last = Math.min(buckets - 1, Math.floor((t0Ns + pxNs * width) / bucketNs));
  for (let plane = 0; plane < pyramid.classes.length; plane++) {
    for (let bucket = first; bucket <= last; bucket++) {
      const coveredNs = sums[plane * buckets + bucket] as number;
      if (coveredNs === 0) continue;
      const from = (bucket * bucketNs - t0Ns) / pxNs;
      addShare(planes, plane * width, width, from, from + bucketNs / pxNs, coveredNs / bucketNs);
    }
  }
  return atMostOne(planes);
}

/** Where spans of one class overlap (several sub-rows) their sum may pass 1. */
function atMostOne(planes: Float32Array): Float32Array {
  for (let i = 0; i < planes.length; i++) planes[i] = Math.min(1, planes[i] as number);
  return planes;
}

/** All arrays of a view, to be transferred. */
export function viewBuffers(view: LaneView): ArrayBufferLike[] {
  const { marks } = view;
  const own =
    view.mode === 'coverage'
      ? [view.classes, view.coverage]
      : [
          ...[view.spans.startNs, view.spans.endNs, view.spans.cls, view.spans.depth],
          ...[view.spans.row, view.spans.track, view.spans.value],
          ...(view.chart === undefined ? [] : [view.chart.timeNs, ...view.chart.parts]),
          ...(view.units === undefined ? [] : [view.units.objects, view.units.lastNs]),
        ];
  return [marks.timeNs, marks.cls, marks.row, ...own].map((array) => array.buffer);
}
