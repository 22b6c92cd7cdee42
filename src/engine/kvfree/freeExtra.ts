/** What a mix of object sizes adds to kfree_bulk() (kvfree K25, K26). */
import type { Costs } from '../machine/presets.ts';
import { groupsPerBlock } from './grouping.ts';

/** Bytes of a slab of small objects. */
const SLAB_BYTES = 4096;

/**
 * ns added per object, whole: SLUB frees a group of objects of one slab page at a time, so that groups beyond those of
 * a single size cost what freeing one by one costs. SLAB frees the whole array under one lock. `classes`: the cycle of
 * size classes.
 */
export function freeExtraNs(
  classes: readonly number[],
  records: number,
  { allocator, kfreeFreeListNs }: Pick<Costs, 'allocator' | 'kfreeFreeListNs'>,
): number {
  if (allocator === 'slab' || records === 0 || new Set(classes).size < 2) return 0;
  const alone = classes.reduce((sum, size) => sum + groupsPerBlock(records, [size], SLAB_BYTES), 0);
  const groups = groupsPerBlock(records, classes, SLAB_BYTES) - alone / classes.length;
  return Math.round((Math.max(0, groups) * kfreeFreeListNs) / records);
}
