/** Numbers as the panels print them: a unit on everything, three significant digits, thin spaces in thousands. */

import { groupDigits } from '../timeline/formatTime.ts';

/** U+202F, narrow and never broken: "6 000" stays one word. */
const THIN_SPACE = '\u202f';
/** U+2212: the sign that is as wide as a plus. */
const MINUS = '\u2212';
const NO_VALUE = '\u2013';

/** Units of time, largest first, with their length in ns. */
const TIME_UNITS = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
] as const;

/** A number and its unit, for places that set them apart. */
export interface Quantity {
  readonly value: string;
  readonly unit: string;
}

/** Groups the integer digits of a decimal number by threes and gives it a proper minus sign. */
function group(decimal: string): string {
  const negative = decimal.startsWith('-');
  const [whole = '', fraction] = (negative ? decimal.slice(1) : decimal).split('.');
  const grouped = groupDigits(Number(whole));
  const sign = negative && /[1-9]/.test(decimal) ? MINUS : '';
  return `${sign}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Decimals that leave three significant digits of `value` (1.23, 12.3, 123, 1 234). */
function decimalsOf(value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude >= 99.95) return 0;
  return magnitude >= 9.995 ? 1 : 2;
}

/** An integer, or a dash where there is none: 9 785, ∞. */
export function formatCount(count: number | undefined): string {
  if (count === undefined || Number.isNaN(count)) return NO_VALUE;
  if (count === Number.POSITIVE_INFINITY) return '∞';
  return group(String(Math.round(count)));
}

/** A number of the kernel's (gp_seq, a grace period) as its traces print it, so that it is found there: -1199. */
export function formatSeq(number: number): string {
  return String(number);
}

/** With so many decimals, no unit: 161.433. */
export function formatFixed(value: number, decimals: number): string {
  return group(value.toFixed(decimals));
}

/** A duration in ns with the unit that suits it; whole numbers are not dressed up: 5.87 ms, 20.7 s, 5 µs, 0 ms. */
export function splitDuration(durationNs: number | undefined): Quantity {
  if (durationNs === undefined || Number.isNaN(durationNs)) return { value: NO_VALUE, unit: '' };
  if (durationNs === 0) return { value: '0', unit: 'ms' };
  // 999.6 µs would round to "1 000 µs": the next unit takes over where three digits end.
  const found = TIME_UNITS.find(([, length]) => Math.abs(durationNs) >= length * 0.9995);
  const [unit, length] = found ?? TIME_UNITS[3];
  const value = durationNs / length;
  return { value: group(Number.isInteger(value) ? String(value) : value.toFixed(decimalsOf(value))), unit };
}

/** `splitDuration` in one piece. */
export function formatDuration(durationNs: number | undefined): string {
  const { value, unit } = splitDuration(durationNs);
  return unit === '' ? value : `${value}${THIN_SPACE}${unit}`;
}

/** Where the smallest is below this in the unit of the largest each gets its own: 0.02 ms says too little. */
const UNIT_EACH_BELOW = 0.1;

/**
 * Durations that stand side by side, small to large: in the unit of the largest, named once, where that leaves the
 * smallest something to say ("2.10 / 9.60 ms"), else with a unit each ("18.2 µs / 6.95 ms").
 */
export function splitDurations(durationsNs: readonly number[]): readonly Quantity[] {
  const largestNs = Math.max(...durationsNs);
  const smallestNs = Math.min(...durationsNs.filter((ns) => ns > 0));
  const { unit } = splitDuration(largestNs);
  const length = TIME_UNITS.find(([name]) => name === unit)?.[1] ?? 1;
  if (smallestNs < UNIT_EACH_BELOW * length) return durationsNs.map(splitDuration);
  return durationsNs.map((ns, i) => ({
    value: group((ns / length).toFixed(ns === 0 ? 0 : decimalsOf(ns / length))),
    unit: i === durationsNs.length - 1 ? unit : '',
  }));
}

/** A duration in ms without its unit, for columns headed "ms": 0.71, 12.3, 0.005, 0.0004. */
export function formatMs(durationNs: number): string {
  const ms = durationNs / 1e6;
  const size = Math.abs(ms);
  if (ms === 0) return '0';
  if (size < 0.0995) return group(ms.toFixed(size < 0.00095 ? 4 : 3));
  return group(ms.toFixed(decimalsOf(ms)));
}

/** Units of memory, largest first, powers of 1000 as in the narrated log. */
const BYTE_UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
  ['B', 1],
] as const;

/** Bytes with the unit that suits them: 2.60 MB, 4.10 kB, 32 B. */
export function splitBytes(bytes: number | undefined): Quantity {
  if (bytes === undefined || Number.isNaN(bytes)) return { value: NO_VALUE, unit: '' };
  const found = BYTE_UNITS.find(([, size]) => Math.abs(bytes) >= size * 0.9995);
  const [unit, size] = found ?? BYTE_UNITS[3];
  const value = bytes / size;
  return { value: group(Number.isInteger(value) ? String(value) : value.toFixed(decimalsOf(value))), unit };
}

/** `splitBytes` in one piece. */
export function formatBytes(bytes: number | undefined): string {
  const { value, unit } = splitBytes(bytes);
  return unit === '' ? value : `${value}${THIN_SPACE}${unit}`;
}

/** A share of one: 45 %, 0.4 %, < 0.1 %, 99.8 %. Neither 0 nor 100 % unless it is. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return `<${THIN_SPACE}0.1${THIN_SPACE}%`;
  if (percent > 99.9 && percent < 100) return `>${THIN_SPACE}99.9${THIN_SPACE}%`;
  const isWhole = percent === 0 || percent >= 100 || (percent >= 9.95 && percent < 99.5);
  return `${group(percent.toFixed(isWhole ? 0 : 1))}${THIN_SPACE}%`;
}

/** How far `simulated` is from `reported`, with its sign: +0.3 %, −14.5 %. Undefined without a figure to compare. */
export function formatDistance(simulated: number, reported: number): string | undefined {
  if (reported === 0 || !Number.isFinite(simulated) || !Number.isFinite(reported)) return undefined;
  const percent = (simulated / reported - 1) * 100;
  const text = percent.toFixed(1);
  const sign = /[1-9]/.test(text) ? (percent > 0 ? '+' : MINUS) : '±';
  return `${sign}${group(text.replace('-', ''))}${THIN_SPACE}%`;
}

/** "1 reader", "2 readers". */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : many}`;
}
