/** How long ago a grace period that is under way at t = 0 may have begun (initial.rcuGp). */
import type { Actor, SimConfig } from '../engine/index.ts';

/** Start of number 0 of an actor, ns; tick k is at floor(k * 1e9 / hz). */
function startNs({ start }: Actor, hz: number): number {
  return typeof start === 'number' ? start : Math.floor((start.ticks * 1e9) / hz) + start.plus;
}

/**
 * The most that startedTicksAgo may say: the number of the last tick at or before the start of the first updater or
 * flood; such a grace period begins with the run. 0 without any.
 */
export function mostTicksAgo({ actors, hz }: Pick<SimConfig, 'actors' | 'hz'>): number {
  const starts = actors
    .filter(({ kind }) => kind === 'updater' || kind === 'kfree')
    .map((actor) => startNs(actor, hz));
  if (starts.length === 0) return 0;
  return Math.floor(((starts.reduce((a, b) => Math.min(a, b)) + 1) * hz - 1) / 1e9);
}
