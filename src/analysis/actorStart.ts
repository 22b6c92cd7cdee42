/** When a thread first acts (docs/configuration.md `start`, `stagger`). */
import type { RunInfo, Track } from '../engine/core/info.ts';
import { Ticks } from '../engine/core/ticks.ts';

/** ns of virtual time; Infinity for a track that is no actor's thread. */
export function actorStartNs(track: Track, info: RunInfo): number {
  const actor = info.config.actors[track.actor];
  if (actor === undefined) return Number.POSITIVE_INFINITY;
  const { start, stagger } = actor;
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const startNs = typeof start === 'number' ? start : ticks.timeNs(start.ticks) + start.plus;
  return startNs + stagger * track.number;
}
