/** How kmem_cache_free_bulk() of SLUB groups the objects of a block by slab page (kvfree K26). */

/** Objects of other pages that are looked at before a group is closed (build_detached_freelist()). */
const LOOKAHEAD = 3;

/**
 * Number of groups, each freed by one slab_free(), of a block whose i-th record lies in slab page `pages[i]`. From the
 * end of the array: take an object, add those of its page until LOOKAHEAD others were met; one that matches is swapped
 * to the end of what is left.
 */
export function countGroups(pages: readonly number[]): number {
  const left = [...pages];
  let groups = 0;
  for (let size = left.length; size > 0; groups++) {
    let end = size - 1;
    const page = left[end];
    let others = 0;
    for (let i = end - 1; i >= 0 && others < LOOKAHEAD; i--) {
      if (left[i] !== page) others++;
      else {
        end--;
        left[i] = left[end] as number;
      }
    }
    size = end;
  }
  return groups;
}

/**
 * A number for the slab page of each object, given their size classes in the order in which they were allocated: every
 * class fills pages of its own, one after the other. `slabBytes`: size of a slab.
 */
export function slabPages(sizeClasses: readonly number[], slabBytes: number): number[] {
  const current = new Map<number, { page: number; room: number }>();
  let pages = 0;
  return sizeClasses.map((size) => {
    let open = current.get(size);
    if (open === undefined || open.room === 0) {
      open = { page: pages++, room: Math.max(1, Math.floor(slabBytes / size)) };
      current.set(size, open);
    }
    open.room--;
    return open.page;
  });
}

/** Groups of a block of `records` objects whose size classes repeat the pattern `cycle`, the first page being new. */
export function groupsPerBlock(records: number, cycle: readonly number[], slabBytes: number): number {
  const sizeClasses = Array.from({ length: records }, (_, i) => cycle[i % cycle.length] as number);
  return countGroups(slabPages(sizeClasses, slabBytes));
}
