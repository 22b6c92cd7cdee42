/** Durations: integer nanoseconds inside, "1.5ms" for people. */

const UNIT_NS = { ns: 1, us: 1_000, ms: 1_000_000, s: 1_000_000_000 } as const;
type Unit = keyof typeof UNIT_NS;

/** Longest duration that is accepted, ns (11.5 days): sums of a few of them stay safe integers. */
export const MAX_DURATION_NS = 1_000_000_000_000_000;
/** What a duration may look like, for messages. */
export const DURATION_ALLOWED =
  'a duration: whole nanoseconds from 0 to 10^15, as a number or as text with a unit (ns, us, ms, s)';
/** How long each may be, behind what names several forms. */
export const DURATION_RANGE = 'each from 0 to 10^15 ns';

/** Digits, at most one point, optional space, unit; both micro signs are read as "u". */
const PATTERN = /^(\d{1,20})(?:\.(\d{1,20}))?\s?(ns|us|µs|μs|ms|s)$/;

/**
 * Nanoseconds of "1.5ms", "20us", "3s"; undefined for anything that is not a duration, not a whole number of
 * nanoseconds, or too long. Exact: no floating point on the way.
 */
export function parseDurationText(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', unitText = ''] = match;
  const unit = unitText.replace(/[µμ]/, 'u') as Unit;
  const scaled = BigInt(whole + fraction) * BigInt(UNIT_NS[unit]);
  const divisor = 10n ** BigInt(fraction.length);
  if (scaled % divisor !== 0n) return undefined;
  const ns = scaled / divisor;
  return ns <= BigInt(MAX_DURATION_NS) ? Number(ns) : undefined;
}

/** Nanoseconds of a number or a text with a unit; undefined for anything else. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === 'string') return parseDurationText(value);
  const isInRange = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_DURATION_NS;
  return isInRange ? (value as number) + 0 : undefined;
}

/** The inverse of `parseDurationText` for whole ns: the largest unit that gives at least 1, as "1.5ms" or "0ns". */
export function formatDuration(ns: number): string {
  if (ns < 0) return `-${formatDuration(-ns)}`;
  const units: Unit[] = ['s', 'ms', 'us', 'ns'];
  const unit = units.find((candidate) => ns >= UNIT_NS[candidate]) ?? 'ns';
  const digits = String(UNIT_NS[unit]).length - 1;
  if (digits === 0) return `${ns}ns`;
  const padded = String(ns).padStart(digits + 1, '0');
  const fraction = padded.slice(-digits).replace(/0+$/, '');
  return `${padded.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}${unit}`;
}
