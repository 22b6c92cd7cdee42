/** Words for numbers, shared by the narrated log and the explanations. */
import type { RunInfo } from '../engine/core/info.ts';

const UNITS = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
] as const;

/** A duration with its unit and at most three digits after the point: "350 ns", "5.22 µs", "14.005 ms". */
export function duration(ns: number): string {
  const unit = UNITS.find(([, size]) => Math.abs(ns) >= size);
  if (unit === undefined) return `${ns} ns`;
  const [name, size] = unit;
  return `${Number((ns / size).toFixed(3))} ${name}`;
}

const BYTE_UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** An amount of memory with its unit (powers of 1000) and at most three digits after the point. */
export function bytes(n: number): string {
  const unit = BYTE_UNITS.find(([, size]) => Math.abs(n) >= size);
  if (unit === undefined) return `${n} B`;
  const [name, size] = unit;
  return `${Number((n / size).toFixed(3))} ${name}`;
}

/** "1 pass", "3 passes": a count with its noun. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** Name of a track, "nobody" for -1. */
export function trackName(track: number, info: RunInfo): string {
  return info.tracks[track]?.name ?? 'nobody';
}
