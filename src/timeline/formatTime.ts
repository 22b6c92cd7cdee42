/** Times in words: one place for the digits and units that rulers, tooltips and the table show. */

/** A unit with its length in ns. */
export interface TimeUnit {
  readonly name: 's' | 'ms' | 'µs' | 'ns';
  readonly ns: number;
}

const UNITS: readonly TimeUnit[] = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
  { name: 'ns', ns: 1 },
];
const NS: TimeUnit = { name: 'ns', ns: 1 };
/** Times from here on are shown in seconds. Below, milliseconds: what this page is about is milliseconds long. */
const SECONDS_FROM_NS = 1e10;

/** The unit in which a time of this size reads best: the largest one that it fills, seconds from 10 s on. */
export function unitOf(ns: number): TimeUnit {
  const size = Math.abs(ns);
  if (size >= SECONDS_FROM_NS) return UNITS[0] ?? NS;
  return UNITS.find((unit) => unit.name !== 's' && size >= unit.ns) ?? NS;
}

/** Digits after the point that tell apart times which are `stepNs` apart, in a unit. */
function decimalsOf(unit: TimeUnit, stepNs: number): number {
  return Math.max(0, Math.round(Math.log10(unit.ns)) - Math.floor(Math.log10(stepNs) + 1e-9));
}

/** "12 ms", "12.5 ms": a time in a given unit with as many digits as steps of `stepNs` need. */
export function formatUnitNs(ns: number, unit: TimeUnit, stepNs: number): string {
  const text = (ns / unit.ns).toFixed(decimalsOf(unit, stepNs));
  return `${/^-0(\.0*)?$/.test(text) ? text.slice(1) : text} ${unit.name}`;
}

/** A duration to four digits: "0 ns", "350 ns", "5.21 µs", "14.01 ms", "161.4 s". */
export function formatDuration(ns: number): string {
  if (ns === 0) return '0 ns';
  const size = Math.abs(ns);
  const unit = size >= 1e9 ? (UNITS[0] ?? NS) : unitOf(ns);
  if (unit.name === 'ns') return `${Math.round(ns)} ns`;
  return `${Number((ns / unit.ns).toPrecision(4))} ${unit.name}`;
}

/** A point in time in full, to the nanosecond, in groups of three: "21.384 005 ms". */
export function formatTime(ns: number): string {
  const whole = Math.round(ns);
  const sign = whole < 0 ? '-' : '';
  const size = Math.abs(whole);
  const ms = Math.floor(size / 1e6);
  const rest = String(size % 1e6).padStart(6, '0');
  return `${sign}${groupDigits(ms)}.${rest.slice(0, 3)} ${rest.slice(3)} ms`;
}

/** "1 903": thousands apart by a narrow space that does not break. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}
