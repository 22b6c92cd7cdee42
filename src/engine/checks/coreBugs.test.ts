/** A bug in the engine's core or actors for every general invariant L1 to L7, and the checker that must find it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UpdaterCalls } from '../actors/updater.ts';
import type { SimConfig } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import { EventQueue } from '../core/queue.ts';
import { SharedCpus } from '../core/sharedCpus.ts';
import { Sim } from '../core/sim.ts';
import { WheelTimer } from '../core/timers.ts';
import { load, reader, simConfig, updater } from '../reference/simConfig.testkit.ts';
import { getDelay } from '../srcu/delay.ts';
import { idsFound } from './found.testkit.ts';

vi.mock('../srcu/delay.ts', { spy: true });
const realDelay = await vi.importActual<typeof import('../srcu/delay.ts')>('../srcu/delay.ts');

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

const MS = 1_000_000;

/** A reader of 30 ms on CPU 1 and two expedited calls on CPU 0. */
const plain = simConfig({
  actors: [reader({ cpu: 1, hold: 30 * MS, idle: 2 * MS }), updater({ start: 1000, calls: 2, gap: MS })],
});
/** A reader and a load that share CPU 0 with the worker, calls from CPU 1. */
const crowded = simConfig({
  preset: 'virtual-1gips',
  actors: [reader({ hold: 7 * MS }), load(), updater({ cpu: 1, calls: 3, gap: 100_000 })],
});

interface Bug {
  readonly id: string;
  readonly bug: string;
  readonly config: SimConfig;
  readonly inject: () => void;
  /** Other invariants that the same bug cannot but break. */
  readonly also?: readonly string[];
}

/** Something else than the one sched_waking row of a thread that starts. */
function whileStarting(instead: (emit: () => void) => void): () => void {
  return () => {
    const { start } = SharedCpus.prototype;
    const { emit } = Sim.prototype;
    let starts = false;
    vi.spyOn(SharedCpus.prototype, 'start').mockImplementation(function (this: SharedCpus, task) {
      starts = true;
      start.call(this, task);
      starts = false;
    });
    vi.spyOn(Sim.prototype, 'emit').mockImplementation(function (this: Sim, kind, ...rest) {
      if (starts && kind === KIND.sched_waking) instead(() => emit.call(this, kind, ...rest));
      else emit.call(this, kind, ...rest);
      return this.cause;
    });
  };
}

const BUGS: readonly Bug[] = [
  {
    id: 'L1',
    bug: 'passes are logged with the time at which they began',
    config: plain,
    inject: () => {
      const { emit } = Sim.prototype;
      vi.spyOn(Sim.prototype, 'emit').mockImplementation(function (
        this: Sim,
        kind,
        track,
        a,
        startNs,
        ...rest
      ) {
        const { nowNs } = this;
        if (kind === KIND.srcu_pass) this.nowNs = startNs as number;
        const row = emit.call(this, kind, track, a, startNs, ...rest);
        this.nowNs = nowNs;
        return row;
      });
    },
  },
  {
    id: 'L2',
    bug: 'the causes of wake-ups are taken from the next row',
    config: plain,
    inject: () => {
      const { emit } = Sim.prototype;
      vi.spyOn(Sim.prototype, 'emit').mockImplementation(function (this: Sim, kind, ...rest) {
        if (kind === KIND.sched_waking) this.cause = this.log.length;
        return emit.call(this, kind, ...rest);
      });
    },
  },
  {
    id: 'L3',
    bug: 'a preempted task goes on as if it had its CPU',
    config: crowded,
    inject: () => vi.spyOn(EventQueue.prototype, 'cancel').mockImplementation(() => {}),
  },
  {
    id: 'L4',
    bug: 'new threads get the CPU without a wake-up',
    config: crowded,
    inject: whileStarting(() => {}),
  },
  {
    id: 'L4',
    bug: 'new threads are woken twice',
    config: crowded,
    inject: whileStarting((emit) => {
      emit();
      emit();
    }),
  },
  {
    id: 'L5',
    bug: 'something happens after the end',
    config: plain,
    inject: () => {
      const real = Sim.prototype.emit;
      vi.spyOn(Sim.prototype, 'emit').mockImplementation(function (this: Sim, kind, ...rest) {
        const row = real.call(this, kind, ...rest);
        return kind === KIND.run_end ? real.call(this, KIND.thread_done, 0) : row;
      });
    },
  },
  {
    id: 'L5',
    bug: 'the end is not logged',
    config: plain,
    inject: () => {
      const real = Sim.prototype.emit;
      vi.spyOn(Sim.prototype, 'emit').mockImplementation(function (this: Sim, kind, ...rest) {
        return kind === KIND.run_end ? -1 : real.call(this, kind, ...rest);
      });
    },
  },
  {
    id: 'L6',
    bug: 'every call has the same number',
    config: plain,
    inject: () => {
      const real = UpdaterCalls.prototype.issue;
      vi.spyOn(UpdaterCalls.prototype, 'issue').mockImplementation(function (this: UpdaterCalls) {
        return Math.min(0, real.call(this));
      });
    },
  },
  {
    id: 'L7',
    bug: 'a grace period is taken for one jiffy older than it is',
    config: plain,
    inject: () => {
      vi.mocked(getDelay).mockImplementation((domain, jiffies) => {
        const right = realDelay.getDelay(domain, jiffies);
        return right > 1 ? right + 1 : right;
      });
    },
  },
  {
    id: 'L7',
    bug: 'a pass waits one jiffy longer than it decided',
    config: plain,
    inject: () => {
      const real = WheelTimer.prototype.arm;
      vi.spyOn(WheelTimer.prototype, 'arm').mockImplementation(function (this: WheelTimer, cpu, delay) {
        real.call(this, cpu, delay + 1);
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
});

describe('every invariant', () => {
  it('has a bug that it finds', () => {
    const covered = new Set(BUGS.map(({ id }) => id));
    expect([...covered]).toEqual(Array.from({ length: 7 }, (_, i) => `L${i + 1}`));
  });
});
