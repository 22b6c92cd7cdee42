import { formatDuration } from './duration.ts';

/** A time, rounded to four digits: "5.734 ms". */
export function shortTime(ns: number): string {
  const unit = ns >= 1e9 ? 1e9 : ns >= 1e6 ? 1e6 : ns >= 1e3 ? 1e3 : 1;
  const rounded = Math.round(Number((ns / unit).toPrecision(4)) * unit);
  return formatDuration(rounded).replace(/([a-z]+)$/, ' $1');
}
