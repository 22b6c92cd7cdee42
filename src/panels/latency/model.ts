/** Which latencies the histogram panel shows, as bars, as figures and as the text that funclatency would print. */
import type { Histogram, LatencyStats, SeriesSummary } from '../../analysis/types.ts';
import { formatCount, formatDuration } from '../format.ts';

export type HistogramScale = 'log2' | 'linear';

/** A bin [loNs, hiNs): how many values fell into it, and how many of those slept. */
export interface Bar {
  readonly loNs: number;
  readonly hiNs: number;
  readonly count: number;
  readonly slept: number;
  /** "512 µs to 1.02 ms: 120 calls, 12 of them slept". */
  readonly text: string;
}

export interface Statistic {
  readonly name: string;
  readonly text: string;
}

export interface LatencyView {
  readonly name: string;
  readonly bars: readonly Bar[];
  /** Some of the calls slept (SRCU): bars are parted by it. */
  readonly tellsSleep: boolean;
  readonly statistics: readonly Statistic[];
  /** Where to mark the axis, ns. */
  readonly marks: readonly { readonly name: string; readonly ns: number }[];
  /** The histogram as text. */
  readonly text: string;
}

const FIGURES = [
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p99', 'p99'],
  ['max', 'p100'],
] as const satisfies readonly (readonly [string, keyof LatencyStats])[];
const MARKED = ['p50', 'p90', 'p99'] as const satisfies readonly (keyof LatencyStats)[];

/** Width of the widest row of stars, as bcc has it. */
const STARS = 40;

/** Fewer octaves than this are no picture: empty ones are put around them. */
const LEAST_OCTAVES = 5;

function barOf(loNs: number, hiNs: number, count: number, slept: number): Bar {
  const range = `${formatDuration(loNs)} to ${formatDuration(hiNs)}`;
  const text = `${range}: ${formatCount(count)}${slept === 0 ? '' : `, ${formatCount(slept)} of them slept`}`;
  return { loNs, hiNs, count, slept, text };
}

function barsOf(histogram: Histogram): readonly Bar[] {
  return Array.from(histogram.count, (count, i) =>
    barOf(histogram.lo[i] ?? 0, histogram.hi[i] ?? 0, count, histogram.slept[i] ?? 0),
  );
}

/** Octaves with empty ones on both sides, so that one that holds everything is seen as one among others. */
function withNeighbours(bars: readonly Bar[]): readonly Bar[] {
  const all = [...bars];
  while (all.length > 0 && all.length < LEAST_OCTAVES) {
    const [first] = all as [Bar];
    const { hiNs } = all.at(-1) as Bar;
    all.push(barOf(hiNs, 2 * hiNs, 0, 0));
    if (first.loNs > 1 && all.length < LEAST_OCTAVES) all.unshift(barOf(first.loNs / 2, first.loNs, 0, 0));
  }
  return all;
}

/**
 * The log2 histogram as bcc's funclatency -u prints it: "lo -> hi : count |stars|" in whole microseconds, from
 * 0 -> 1 up to the last bucket that is not empty, then average, total and count.
 */
export function funclatencyText(histogram: Histogram, stats: LatencyStats): string {
  const largest = histogram.count.reduce((max, count) => Math.max(max, count), 0);
  const lastHiUs = (histogram.hi.at(-1) ?? 0) / 1000;
  const countFrom = new Map(Array.from(histogram.lo, (lo, i) => [lo / 1000, histogram.count[i] ?? 0]));
  const lines = [`     ${'usecs'.padEnd(19)} : count     distribution`];
  for (let hiUs = 2; hiUs <= lastHiUs; hiUs *= 2) {
    const loUs = hiUs === 2 ? 0 : hiUs / 2;
    const count = countFrom.get(loUs) ?? 0;
    const stars = '*'.repeat(Math.floor((STARS * count) / largest));
    const range = `${String(loUs).padStart(10)} -> ${String(hiUs - 1).padEnd(10)}`;
    lines.push(`${range} : ${String(count).padEnd(8)} |${stars.padEnd(STARS)}|`);
  }
  const totalUs = Math.floor((stats.mean * stats.n) / 1000);
  lines.push('', `avg = ${Math.floor(stats.mean / 1000)} usecs, total: ${totalUs} usecs, count: ${stats.n}`);
  return `${lines.join('\n')}\n`;
}

/** The series to show: the wanted one if it is there, else the first. */
export function chooseSeries(
  series: readonly SeriesSummary[],
  wanted: string | undefined,
): SeriesSummary | undefined {
  return series.find(({ name }) => name === wanted) ?? series[0];
}

/** What the panel shows of one series. */
export function latencyView(series: SeriesSummary, scale: HistogramScale): LatencyView {
  const { name, stats } = series;
  return {
    name,
    tellsSleep: series.log2.slept.some((slept) => slept > 0) || name.includes('srcu'),
    bars: scale === 'log2' ? withNeighbours(barsOf(series.log2)) : barsOf(series.linear),
    statistics: [
      { name: 'n', text: formatCount(stats.n) },
      ...FIGURES.map(([label, key]) => ({ name: label, text: formatDuration(stats[key]) })),
    ],
    marks: MARKED.map((key) => ({ name: key, ns: stats[key] })),
    text: funclatencyText(series.log2, stats),
  };
}
