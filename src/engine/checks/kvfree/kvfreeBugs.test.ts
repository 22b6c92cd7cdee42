/** Every checker of kfree_rcu() finds its bug: each is put into the engine, and the invariants that it breaks are named. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SimConfig } from '../../config.ts';
import { KFREE_TEST, KIND, KVFREE_CHANNEL, WORK_FN } from '../../core/eventKinds.ts';
import { Sim } from '../../core/sim.ts';
import { KfreeRcuWork } from '../../kvfree/batch.ts';
import { Krc } from '../../kvfree/krc.ts';
import { Kvfree } from '../../kvfree/kvfree.ts';
import { Memory } from '../../kvfree/memory.ts';
import { KfreeRcuMonitor } from '../../kvfree/monitor.ts';
import { PageCache } from '../../kvfree/pageCache.ts';
import { type KvfreeConstants, kvfreeConstants } from '../../kvfree/params.ts';
import { Reclaim } from '../../kvfree/reclaim.ts';
import { presetMachine } from '../../machine/presets.ts';
import { kfree } from '../../reference/randomKfreeConfig.testkit.ts';
import { reader, simConfig, updater } from '../../reference/simConfig.testkit.ts';
import type { FullCookie } from '../../tree/polledSeq.ts';
import { idsFound } from '../found.testkit.ts';

vi.mock('../../kvfree/params.ts', { spy: true });

const real = await vi.importActual<typeof import('../../kvfree/params.ts')>('../../kvfree/params.ts');

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

const MS = 1_000_000;
const stop = { afterNs: 400 * MS, whenDone: true };
const machine = { kfreeAllocQueueNs: 1000, kvfreeFillNs: 2600, hrtimerBusyNs: 1200 };
/** Two threads with 60 blocks each, and head runs while the cache is empty. */
const flood = simConfig({
  preset: 'virtual-1gips',
  machine,
  actors: [kfree({ count: 2, loops: 40, allocs: 800 })],
  stop,
});
/** Grace periods of others, so that blocks are ready when the monitor comes. */
const ready = {
  ...flood,
  actors: [
    kfree({ loops: 40, allocs: 800 }),
    updater({ cpu: 2, api: 'synchronize_rcu_expedited', domain: 'rcu', calls: 60, gap: MS / 2 }),
  ],
} satisfies SimConfig;
/**
 * Attaching as it was before commit 5da7cb193db3: an object of the head channel waits for a grace period that a reader
 * prolongs when a block is attached to the same batch.
 */
const oldAttach = simConfig({
  kernel: 'v5.19',
  preset: 'virtual-1gips',
  machine,
  actors: [
    kfree({ loops: 1, allocs: 1 }),
    kfree({ start: 32 * MS, loops: 1, allocs: 600 }),
    reader({ cpu: 1, domain: 'rcu', start: 10 * MS, hold: 90 * MS, times: 1 }),
  ],
  stop,
});

/** So little memory that kswapd comes, while a thread goes on queueing. */
const shortage = simConfig({
  preset: 'virtual-1gips',
  machine: { ...machine, memoryBytes: 6_500_000 },
  actors: [kfree({ cpu: 1, loops: 150, allocs: 1000, sizes: [256], nice: 0, form: 'mixed' })],
  stop,
});

interface Bug {
  readonly id: string;
  readonly bug: string;
  readonly config: SimConfig;
  readonly inject: () => void;
  /** Other invariants that the same bug cannot but break. */
  readonly also?: readonly string[];
}

/** The engine goes by other constants than the rules and parameters say. */
function constants(other: (right: KvfreeConstants) => Partial<KvfreeConstants>): () => void {
  return () => {
    vi.mocked(kvfreeConstants).mockImplementation((config, rules) => {
      const right = real.kvfreeConstants(config, rules);
      return { ...right, ...other(right) };
    });
  };
}

/** The krc that was looked at last: the one whose monitor runs next. */
function lastKrc(): () => Krc {
  let last: Krc | undefined;
  const { settle } = Krc.prototype;
  vi.spyOn(Krc.prototype, 'settle').mockImplementation(function (this: Krc) {
    last = this;
    settle.call(this);
  });
  return () => last as Krc;
}

const BUGS: readonly Bug[] = [
  {
    id: 'W1',
    bug: 'nothing is freed',
    also: ['W13'],
    config: flood,
    inject: () => vi.spyOn(Reclaim.prototype, 'step').mockReturnValue(false),
  },
  {
    id: 'W2',
    bug: 'every grace period has passed',
    config: flood,
    inject: () => vi.spyOn(Kvfree.prototype, 'isDone').mockReturnValue(true),
  },
  {
    id: 'W3',
    bug: 'every append counts an object more',
    config: flood,
    inject: () => {
      const { append } = Krc.prototype;
      vi.spyOn(Krc.prototype, 'append').mockImplementation(function (this: Krc, ...args) {
        append.apply(this, args);
        this.count++;
      });
    },
  },
  {
    id: 'W4',
    bug: 'the head channel stays behind',
    config: { ...flood, stop: { afterNs: 30 * MS } },
    inject: () => {
      const krc = lastKrc();
      const { attach } = KfreeRcuMonitor.prototype;
      vi.spyOn(KfreeRcuMonitor.prototype, 'attach').mockImplementation(function (
        this: KfreeRcuMonitor,
        task,
      ) {
        const runs = krc().channels[KVFREE_CHANNEL.head]?.splice(0) ?? [];
        const attached = attach.call(this, task);
        krc().channels[KVFREE_CHANNEL.head]?.push(...runs);
        return attached;
      });
    },
  },
  {
    id: 'W5',
    bug: 'a block takes an object more than it has records',
    config: flood,
    inject: constants(({ records }) => ({ records: records + 1 })),
  },
  {
    id: 'W5',
    bug: 'every other snapshot asks for a grace period more',
    config: ready,
    inject: () => {
      const { snapshot } = Kvfree.prototype;
      let taken = 0;
      vi.spyOn(Kvfree.prototype, 'snapshot').mockImplementation(function (this: Kvfree, channel) {
        const right = snapshot.call(this, channel) as FullCookie;
        taken++;
        return taken % 2 === 0 ? right : { ...right, normal: right.normal + 4 };
      });
    },
  },
  {
    id: 'W6',
    bug: 'channels are moved to a batch that waits already',
    also: ['W2'],
    config: { ...oldAttach, rules: { 'kvfree.attach': 'v6.1' } },
    inject: constants(() => ({ attachesEmptyOnly: false })),
  },
  {
    id: 'W7',
    bug: 'the monitor is not armed',
    config: flood,
    inject: () => vi.spyOn(KfreeRcuMonitor.prototype, 'arm').mockImplementation(() => {}),
  },
  {
    id: 'W8',
    bug: 'the monitor comes after 5 s, however much is queued',
    config: flood,
    inject: constants(() => ({ isAdaptive: false })),
  },
  {
    id: 'W9',
    bug: 'a block more is cached',
    config: flood,
    inject: constants(({ maxCached }) => ({ maxCached: maxCached + 1 })),
  },
  {
    id: 'W9',
    bug: 'after a shortage blocks are filled in at once',
    config: shortage,
    inject: constants(() => ({ backoffJiffies: 0 })),
  },
  {
    id: 'W10',
    bug: 'cached blocks are not found',
    config: flood,
    inject: () => vi.spyOn(PageCache.prototype, 'take').mockReturnValue(false),
  },
  {
    id: 'W11',
    bug: 'the oldest block stays behind',
    also: ['W3'],
    config: ready,
    inject: () => {
      const krc = lastKrc();
      const { drainReady } = KfreeRcuMonitor.prototype;
      vi.spyOn(KfreeRcuMonitor.prototype, 'drainReady').mockImplementation(function (this: KfreeRcuMonitor) {
        const blocks = krc().channels[KVFREE_CHANNEL.bulk] ?? [];
        const oldest = blocks.splice(0, 1);
        const drained = drainReady.call(this);
        blocks.unshift(...oldest);
        return drained;
      });
    },
  },
  {
    id: 'W12',
    bug: 'the end of a work item is not seen',
    config: flood,
    inject: () => {
      const { emit } = Sim.prototype;
      vi.spyOn(Sim.prototype, 'emit').mockImplementation(function (this: Sim, kind, track, a, ...rest) {
        const isEnd = kind === KIND.workqueue_execute_end && a === WORK_FN.kfree_rcu_monitor;
        return isEnd ? this.cause : emit.call(this, kind, track, a, ...rest);
      });
    },
  },
  {
    id: 'W13',
    bug: 'the barrier does not wait for batches',
    also: ['W1'],
    config: flood,
    inject: () => vi.spyOn(KfreeRcuWork.prototype, 'flush').mockReturnValue(true),
  },
  {
    id: 'W14',
    bug: 'a page more is available',
    config: flood,
    inject: () => {
      const { get } = Object.getOwnPropertyDescriptor(Memory.prototype, 'freeBytes') as { get: () => number };
      vi.spyOn(Memory.prototype, 'freeBytes', 'get').mockImplementation(function (this: Memory) {
        return get.call(this) + 4096;
      });
    },
  },
  {
    id: 'W14',
    bug: 'the drain counts a grace period more',
    config: flood,
    inject: () => {
      const { emit } = Sim.prototype;
      vi.spyOn(Sim.prototype, 'emit').mockImplementation(function (
        this: Sim,
        kind,
        track,
        a,
        b = 0,
        ...rest
      ) {
        const isDrained = kind === KIND.kfree_test && a === KFREE_TEST.drained;
        return emit.call(this, kind, track, a, isDrained ? b + 4 : b, ...rest);
      });
    },
  },
];

describe('a bug in the engine', () => {
  it.each(BUGS)('$id: $bug', ({ id, config, inject, also = [] }) => {
    expect(idsFound(config)).toEqual([]);
    inject();
    expect(idsFound(config)).toEqual([id, ...also].sort());
  });

  it.each(BUGS)('$id where every task has a CPU of its own: $bug', ({ id, config, inject }) => {
    const { memoryBytes } = config.machine;
    const plain = {
      ...config,
      machine: { ...presetMachine('plain'), kfreeAllocQueueNs: 1000, kvfreeFillNs: 90_000, memoryBytes },
    };
    expect(idsFound(plain)).toEqual([]);
    inject();
    expect(idsFound(plain)).toContain(id);
  });
});

describe('the old rule of attaching', () => {
  it('frees objects whose grace period has not passed, and is reported', () => {
    expect(idsFound(oldAttach)).toEqual(['W2']);
  });
});

describe('every invariant', () => {
  it('has a bug that it finds', () => {
    const covered = new Set(BUGS.map(({ id }) => id));
    expect([...covered]).toEqual(Array.from({ length: 14 }, (_, i) => `W${i + 1}`));
  });
});
