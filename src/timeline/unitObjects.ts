/** The single objects of a block or run of kvfree_rcu(), for drawing and naming them one by one (kvfree K20). */
import { objectNs } from '../analysis/kvfreeLife.ts';
import type { UnitObjects } from '../analysis/laneTypes.ts';

/** A unit that was closed, and when its first object came. */
export interface FilledUnit extends UnitObjects {
  readonly startNs: number;
}

/** Time between two objects, ns; Infinity where there is one only. */
export function objectGapNs({ startNs, lastNs, objects }: FilledUnit): number {
  return objects > 1 ? (lastNs - startNs) / (objects - 1) : Number.POSITIVE_INFINITY;
}

/** Calls `visit` for every object in [fromNs, toNs], in order. The cost is that of the objects visited. */
export function visitObjects(
  unit: FilledUnit,
  fromNs: number,
  toNs: number,
  visit: (timeNs: number) => void,
): void {
  const gapNs = objectGapNs(unit);
  const first = Math.max(0, Math.ceil((fromNs - unit.startNs) / gapNs - 1));
  for (let object = first; object < unit.objects; object++) {
    const timeNs = objectNs(unit.startNs, unit.lastNs, unit.objects, object);
    if (timeNs > toNs) return;
    if (timeNs >= fromNs) visit(timeNs);
  }
}

/** Number of the object, from 1, that was the last to come by `timeNs`. */
export function objectAt(unit: FilledUnit, timeNs: number): number {
  const object = Math.floor((timeNs - unit.startNs) / objectGapNs(unit));
  return 1 + Math.min(unit.objects - 1, Math.max(0, object));
}
