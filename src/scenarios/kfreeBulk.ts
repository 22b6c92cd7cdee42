/** The kfree test on 12 CPUs with lists and with kfree_bulk(), SLAB and SLUB, as posted at the end of 2019 (kvfree 6.2). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** CPUs, each with a thread that floods. */
export const CPUS = 12;
/** Objects of a loop. */
export const ALLOCS = 1000;
const FULL_LOOPS = 200_000;
const SHORT_LOOPS = 2000;
/** 16, 32, 48 and 80 bytes and an rcu_head: one of four kmalloc caches after the other. */
const SIZES = [32, 64, 96, 128];
/** One miss of all caches, ns: what a cold object costs where it is touched (kvfree K25). */
const MISS_NS = 74;
/** What one call of kfree_bulk() saves an object with SLUB, ns. */
const BULK_SAVES_NS = 3;
/** Allocating and queueing, freeing, without misses, ns: 120 with SLAB, 108 with SLUB, shared out as on `typical`. */
const BASE_NS = { slab: { queue: 66, free: 54 }, slub: { queue: 59, free: 49 } } as const;

/** "slub-bulk-short" and the like. */
export function parseBulk(variant: string): {
  readonly allocator: 'slab' | 'slub';
  readonly isBulk: boolean;
  readonly loops: number;
} {
  const [allocator, form, length] = variant.split('-');
  return {
    allocator: allocator === 'slab' ? 'slab' : 'slub',
    isBulk: form === 'bulk',
    loops: length === 'short' ? SHORT_LOOPS : FULL_LOOPS,
  };
}

/** The sum of what an object costs where its thread and its reclaim share a CPU, and the share of the freeing. */
function costs(allocator: 'slab' | 'slub', isBulk: boolean) {
  const { queue, free } = BASE_NS[allocator];
  // SLUB keeps its free list inside the objects; SLAB touches one only where the list of kfree_rcu() is in it
  const queueMissNs = allocator === 'slub' || !isBulk ? MISS_NS : 0;
  const savedNs = allocator === 'slub' && isBulk ? BULK_SAVES_NS : 0;
  return { kfreeAllocQueueNs: queue + queueMissNs, kfreeFreeNs: free - savedNs, kfreeFreeListNs: MISS_NS };
}

function config(variant: string): ConfigInput {
  const { allocator, isBulk, loops } = parseBulk(variant);
  return {
    kernel: isBulk ? 'kfree-bulk-2019-12-31' : 'v5.6',
    hz: 250,
    preempt: 'none',
    cpus: CPUS,
    machine: { preset: 'typical', allocator, memoryBytes: 16 * 2 ** 30, ...costs(allocator, isBulk) },
    actors: [{ kind: 'kfree', cpu: 0, count: CPUS, loops, allocs: ALLOCS, sizes: SIZES }],
  };
}

const NAMES = [
  ['slab-list', 'SLAB, list'],
  ['slab-bulk', 'SLAB, kfree_bulk()'],
  ['slub-list', 'SLUB, list'],
  ['slub-bulk', 'SLUB, kfree_bulk()'],
] as const;

/** Four configurations, each as posted and in short. */
export const kfreeBulk: Scenario = {
  id: 'kfree-bulk',
  title: 'kfree_bulk() with SLAB and SLUB',
  variants: [
    ...NAMES.map(([id, title]) => ({ id: `${id}-short`, title: `${title}, 1/100 of the loops` })),
    ...NAMES.map(([id, title]) => ({
      id,
      title: `${title}, all 2.4·10⁹ objects`,
      isLong: true as const,
      ...(id.endsWith('bulk') ? { note: '14 million rows, half a minute' } : {}),
    })),
  ],
  defaultVariant: 'slab-bulk-short',
  startView: { at: 'begin', spanNs: 120_000_000 },
  config,
};
