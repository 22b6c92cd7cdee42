/** Small lanes for tests, written as lists. */
import type { LaneInfo, LaneKind, LaneView, MarkClassName, SpanClassName } from '../analysis/laneTypes.ts';
import { MARK_CLASS, SPAN_CLASS } from '../analysis/laneTypes.ts';
import { windowOf } from '../analysis/rowWindow.testkit.ts';
import type { RowWindow } from '../analysis/types.ts';

/** [class, start, end, value, depth] in ns; its log row is its place in the list. */
export type SpanSketch = readonly [SpanClassName, number, number, number?, number?];
/** [class, time] in ns; its log row is 100 + its place in the list. */
export type MarkSketch = readonly [MarkClassName, number];

export function laneInfo(kind: LaneKind, track = 0): LaneInfo {
  return { id: `${kind}:${track}`, kind, track, name: `${kind} ${track}`, detail: '' };
}

export function spanLane(
  lane: LaneInfo,
  spans: readonly SpanSketch[],
  marks: readonly MarkSketch[] = [],
  window: readonly [number, number] = [0, 1_000],
  units?: readonly (readonly [objects: number, lastNs: number])[],
): Extract<LaneView, { mode: 'spans' }> {
  return {
    ...lane,
    t0Ns: window[0],
    t1Ns: window[1],
    mode: 'spans',
    marksOmitted: 0,
    spans: {
      length: spans.length,
      startNs: Float64Array.from(spans, (span) => span[1]),
      endNs: Float64Array.from(spans, (span) => span[2]),
      cls: Uint8Array.from(spans, (span) => SPAN_CLASS[span[0]]),
      depth: Uint8Array.from(spans, (span) => span[4] ?? 0),
      row: Int32Array.from(spans, (_, i) => i),
      track: Int32Array.from(spans, () => lane.track),
      value: Float64Array.from(spans, (span) => span[3] ?? 0),
    },
    ...(units === undefined
      ? {}
      : {
          units: {
            objects: Float64Array.from(units, ([objects]) => objects),
            lastNs: Float64Array.from(units, ([, lastNs]) => lastNs),
          },
        }),
    marks: {
      length: marks.length,
      timeNs: Float64Array.from(marks, (mark) => mark[1]),
      cls: Uint8Array.from(marks, (mark) => MARK_CLASS[mark[0]]),
      row: Int32Array.from(marks, (_, i) => 100 + i),
    },
  };
}

/** A lane of densities: one list of shares per class, all of one length. */
export function denseLane(
  lane: LaneInfo,
  shares: readonly (readonly [SpanClassName, readonly number[]])[],
  window: readonly [number, number] = [0, 1_000],
): Extract<LaneView, { mode: 'coverage' }> {
  const widthPx = shares[0]?.[1].length ?? 0;
  return {
    ...lane,
    t0Ns: window[0],
    t1Ns: window[1],
    mode: 'coverage',
    marksOmitted: 0,
    marks: { length: 0, timeNs: new Float64Array(), cls: new Uint8Array(), row: new Int32Array() },
    widthPx,
    classes: Uint8Array.from(shares, ([cls]) => SPAN_CLASS[cls]),
    coverage: Float32Array.from(shares.flatMap(([, values]) => values)),
    spanCount: 1_000,
  };
}

/** Rows from [time, cause] pairs, the first one being log row `first`. */
export function rowWindow(
  rows: readonly (readonly [number, number])[],
  first = 0,
  total = rows.length,
): RowWindow {
  return windowOf(
    rows.map(([timeNs, cause]) => ({ timeNs, cause })),
    first,
    total,
  );
}
