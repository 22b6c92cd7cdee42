/** The life of one object for debug objects (kvfree K31 to K34): none, QUEUED, READY, freed. */
import { KIND, KVFREE_DEBUG } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { lastObjectNs, UNIT_FATE } from './kvfreeTypes.ts';
import type { RunIndex } from './types.ts';

/** States of a rcu_head: not queued; debug_rcu_head_queue(); debug_rcu_head_unqueue(); its memory is gone. */
export type ObjectState = 'none' | 'QUEUED' | 'READY' | 'freed';

/** A state of an object from a time on. */
export interface ObjectStage {
  readonly state: ObjectState;
  /** When it began, and the row that says so. */
  readonly sinceNs: number;
  readonly row: number;
}

/** What an object goes through. */
export interface ObjectLife {
  readonly unit: number;
  /** Number of the object in its unit, from 0. */
  readonly object: number;
  /** In order; what the run does not reach is absent. Without debug objects QUEUED and READY are what they would be. */
  readonly stages: readonly ObjectStage[];
  /** Row that tells that it was freed while QUEUED ("free active"), -1: it was not; then it is never READY. */
  readonly splatRow: number;
  readonly isLeaked: boolean;
}

/**
 * When object `object` of a unit of `objects`, counted from 0, was queued: the first when the unit opens, the last at
 * `lastNs` (lastObjectNs()), the others evenly between (kvfree K20).
 */
export function objectNs(openNs: number, lastNs: number, objects: number, object: number): number {
  const last = objects - 1;
  return last > 0 ? Math.round(openNs + (Math.min(object, last) / last) * (lastNs - openNs)) : openNs;
}

/** The life of object `object` of a unit; it was queued linearly between the first and the last of the unit. */
export function objectLife(log: EventLog, { kvfree }: RunIndex, unit: number, object: number): ObjectLife {
  if (kvfree === undefined || unit < 0 || unit >= kvfree.units.length)
    throw new Error(`why: no unit ${unit}, there are ${kvfree?.units.length ?? 0}`);
  const { openRow, closeRow, freeRow, fate } = kvfree.units;
  const opened = openRow[unit] as number;
  const closed = closeRow[unit] as number;
  const freed = freeRow[unit] as number;
  const isLeaked = fate[unit] === UNIT_FATE.leaked;
  const openNs = log.timeNs(opened);
  const queuedNs =
    closed < 0 ? openNs : objectNs(openNs, lastObjectNs(log, kvfree, unit), log.row(closed).b, object);
  const stages: ObjectStage[] = [
    { state: 'none', sinceNs: 0, row: -1 },
    { state: 'QUEUED', sinceNs: queuedNs, row: opened },
  ];
  if (freed < 0 || isLeaked) return { unit, object, stages, splatRow: -1, isLeaked };
  const splatRow = splatBefore(log, freed, unit);
  const freeNs = log.timeNs(freed);
  if (splatRow < 0) stages.push({ state: 'READY', sinceNs: freeNs, row: freed });
  stages.push({ state: 'freed', sinceNs: freeNs + log.row(freed).d, row: freed });
  return { unit, object, stages, splatRow, isLeaked };
}

/** The row behind which a block is freed and that debug objects complain in; it is the one before, -1: there is none. */
function splatBefore(log: EventLog, freeRow: number, unit: number): number {
  const before = freeRow > 0 ? log.row(freeRow - 1) : undefined;
  const isSplat =
    before?.kind === KIND.kvfree_debug && before.a === KVFREE_DEBUG.freeActive && before.b === unit;
  return isSplat ? freeRow - 1 : -1;
}
