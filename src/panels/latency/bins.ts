import type { Bar } from './model.ts';

/**
 * Where a latency falls on an axis that gives every bin the same width: bin number plus the share of the bin, 0 to
 * bars.length. Log2 buckets share out logarithmically (the first one, from 0, evenly), so that equal ratios are
 * equal lengths.
 */
export function binPosition(bars: readonly Bar[], ns: number): number {
  const i = bars.findIndex(({ hiNs }) => ns < hiNs);
  const bar = bars[i];
  if (bar === undefined) return bars.length;
  const { loNs, hiNs } = bar;
  if (ns <= loNs) return i;
  const isOctave = loNs > 0 && hiNs === 2 * loNs;
  return i + (isOctave ? Math.log2(ns / loNs) : (ns - loNs) / (hiNs - loNs));
}

/** Every nth bin edge gets a label, so that at most `most` stand side by side. */
export function labelledEdges(
  bars: readonly Bar[],
  most: number,
): readonly { readonly at: number; readonly ns: number }[] {
  const edges = bars.length === 0 ? [] : [...bars.map(({ loNs }) => loNs), bars.at(-1)?.hiNs ?? 0];
  const every = Math.max(1, Math.ceil(edges.length / most));
  return edges.map((ns, at) => ({ at, ns })).filter(({ at }) => at % every === 0);
}
