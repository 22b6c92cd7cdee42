/** Ticks and jiffies of a run: tick k is at floor(k * 1e9 / hz) ns, jiffies at tick k are startJiffies + k. */
import type { SimConfig } from '../engine/config.ts';

const NS_PER_SEC = 1_000_000_000;

/** Time of tick k in ns. Whole seconds are taken apart so that k * 1e9 never leaves the safe integers. */
export function tickNs(k: number, hz: number): number {
  const seconds = Math.floor(k / hz);
  return seconds * NS_PER_SEC + Math.floor(((k - seconds * hz) * NS_PER_SEC) / hz);
}

/** The last tick at or before `timeNs`. */
export function tickAt(timeNs: number, hz: number): number {
  let k = Math.floor((timeNs / NS_PER_SEC) * hz);
  while (tickNs(k + 1, hz) <= timeNs) k++;
  while (tickNs(k, hz) > timeNs) k--;
  return k;
}

/** jiffies at `timeNs`; a time on a tick counts as after it (spec srcu 3.7). */
export function jiffiesAt(timeNs: number, config: SimConfig): number {
  return config.startJiffies + tickAt(timeNs, config.hz);
}

/** Time at which jiffies become `jiffies`. */
export function jiffyNs(jiffies: number, config: SimConfig): number {
  return tickNs(jiffies - config.startJiffies, config.hz);
}
