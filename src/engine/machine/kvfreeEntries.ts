/** Machine entries of kfree_rcu() and kvfree_rcu() (spec kvfree K23): the steps of its paths in ns, and the memory. */
import type { BySize } from './bySize.ts';

/** What they read as in the engine. */
export interface KvfreeCosts {
  readonly kfreeAllocQueueNs: BySize;
  readonly kfreeOneArgSavesNs: number;
  readonly kfreeFreeNs: BySize;
  readonly kfreeFreeListNs: number;
  readonly kfreePageNs: number;
  readonly kvfreeMonitorNs: number;
  readonly kvfreeWorkStartNs: number;
  readonly kvfreeWorkEndNs: number;
  readonly kvfreeFillNs: number;
  readonly kvfreeSampleNs: number;
  readonly kfreeIrqOffNs: number;
  readonly kfreeRemoteFactor: number;
  readonly kfreeRetention: number;
  readonly kfreeStuckCpus: number;
  readonly memoryBytes: number;
  readonly pageSize: 4096 | 16384 | 65536;
  readonly allocator: 'slub' | 'slab';
}

/** Those that are numbers and no costs. */
export type KvfreeQuantity = 'kfreeRemoteFactor' | 'kfreeRetention' | 'kfreeStuckCpus' | 'memoryBytes';

const GIB = 2 ** 30;

function step(meaning: string, plain: number, virtual: number, typical: number) {
  return { meaning, unit: 'ns', plain, virtual, typical } as const;
}
function bySize(meaning: string, plain: BySize, virtual: BySize, typical: BySize) {
  return { meaning, unit: 'ns by size', plain, virtual, typical } as const;
}

/** Meaning, unit and value in each preset. */
export const KVFREE_ENTRIES = {
  kfreeAllocQueueNs: bySize(
    'kmalloc() and kfree_rcu() of one object, by its bytes',
    1,
    // 345 at 1024 bytes in the model's rules: too much by the floods that use freed objects again (docs/MODEL.md)
    { '32': 238, '256': 280, '1024': 290, '4096': 335 },
    55,
  ),
  kfreeOneArgSavesNs: step('the one-argument form takes this much less', 0, 9, 0),
  kfreeFreeNs: bySize(
    'freeing one object with kfree_bulk(), by its bytes',
    0,
    { '32': 49, '256': 56, '1024': 70, '4096': 100 },
    45,
  ),
  kfreeFreeListNs: step(
    'added per object of the head channel; cold objects: about 10 where they still lie in a cache',
    0,
    // 85 in the model's rules, as if a flood had freed everything at its end; a quarter waits then (docs/MODEL.md)
    120,
    74,
  ),
  kfreePageNs: step('page of a block: allocated and freed', 0, 400, 300),
  kvfreeMonitorNs: step('kfree_rcu_monitor() before it looks', 0, 500, 1000),
  kvfreeWorkStartNs: step('kfree_rcu_work() before its first block', 0, 700, 1500),
  kvfreeWorkEndNs: step('kfree_rcu_work() after its last object', 0, 300, 500),
  kvfreeFillNs: step('one filling of the page cache', 0, 2600, 4000),
  kvfreeSampleNs: step('one sample of free memory (sampleNs)', 0, 300, 300),
  kfreeIrqOffNs: step(
    'interrupts are off inside kmalloc() and kfree_rcu(): ticks of a CPU that floods arrive up to this much later',
    0,
    1000,
    1000,
  ),
  kfreeRemoteFactor: {
    meaning:
      'cost of freeing on another CPU than the one that allocated, in costs of freeing there; 1 or more',
    unit: 'factor',
    plain: 1,
    virtual: 1,
    typical: 1,
  },
  kfreeRetention: {
    meaning: 'pages that the allocator holds, in pages that its objects need; 1 or more',
    unit: 'factor',
    plain: 1,
    virtual: 1,
    typical: 1,
  },
  kfreeStuckCpus: {
    meaning:
      'what if: on the CPUs of the first so many threads of a flood nothing is freed before all floods are over',
    unit: 'CPUs',
    plain: 0,
    virtual: 0,
    typical: 0,
  },
  memoryBytes: {
    meaning: 'free memory at t = 0',
    unit: 'bytes',
    plain: 4 * GIB,
    virtual: GIB,
    typical: 4 * GIB,
  },
  pageSize: {
    meaning: 'bytes of a page, and so of a block: 4096, 16384 or 65536',
    unit: 'habit',
    plain: 4096,
    virtual: 4096,
    typical: 4096,
  },
  allocator: {
    meaning: 'what kfree_bulk() gains: slub (by objects of one slab page) or slab (by all of them)',
    unit: 'habit',
    plain: 'slub',
    virtual: 'slub',
    typical: 'slub',
  },
} as const;
