/** A bug in the engine's SRCU code for every invariant I1 to I15, and the checker that must find it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SimConfig } from '../config.ts';
import { KIND, WORK_FN } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { wheelExpiry } from '../core/ticks.ts';
import { Workqueue } from '../core/workqueue.ts';
import { presetMachine } from '../machine/presets.ts';
import { resolveRules } from '../profiles/profiles.ts';
import { reader, simConfig, updater } from '../reference/simConfig.testkit.ts';
import type { Callback } from '../srcu/callbackList.ts';
import { ageLimitNs, getDelay, gpStart } from '../srcu/delay.ts';
import { Domain, type SrcuData, seqSnap } from '../srcu/domain.ts';
import { barrierLists, queueBarrier, requestGp } from '../srcu/request.ts';
import { idsFound } from './found.testkit.ts';

vi.mock('../srcu/delay.ts', { spy: true });
vi.mock('../srcu/request.ts', { spy: true });
vi.mock('../core/ticks.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('../core/ticks.ts')>();
  return { ...real, wheelExpiry: vi.fn(real.wheelExpiry) };
});
vi.mock('../srcu/domain.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('../srcu/domain.ts')>();
  return { ...real, seqSnap: vi.fn(real.seqSnap) };
});

const realDelay = await vi.importActual<typeof import('../srcu/delay.ts')>('../srcu/delay.ts');
const realRequest = await vi.importActual<typeof import('../srcu/request.ts')>('../srcu/request.ts');

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

const MS = 1_000_000;
const HUGE = Number.MAX_SAFE_INTEGER;
const NO_LIMITS = { 'srcutree.srcu_max_nodelay_phase': HUGE, 'srcutree.srcu_max_nodelay': HUGE };

/** A reader of 20 ms on CPU 1 that begins before an expedited call on CPU 0. */
const oneReader = simConfig({
  actors: [reader({ cpu: 1, hold: 20 * MS, idle: 900 * MS }), updater({ start: 1000 })],
});
/** The same, with every limit out of the way: the age alone ends the polling. */
const noLimits = { ...oneReader, params: { ...oneReader.params, ...NO_LIMITS } };
/** 5.4: fetches index 0 at once, counts itself at 3 ms; a second call finds it there. */
const lateIncrementer = simConfig({
  actors: [
    reader({ cpu: 1, hold: 40 * MS, idle: 900 * MS, incDelay: 3 * MS }),
    updater({ start: 1000, calls: 2, gap: { list: [0, 5 * MS] } }),
  ],
});
/** A normal grace period that a reader joins while its first pass is delayed. */
const readerDuringDelay = simConfig({
  params: { 'srcutree.exp_holdoff': 0 },
  actors: [
    reader({ cpu: 1, start: MS, hold: 20 * MS, idle: 900 * MS }),
    updater({ api: 'synchronize_srcu' }),
  ],
});
/** A second request while a grace period waits for a reader. */
const twoRequests = simConfig({
  actors: [...oneReader.actors, updater({ cpu: 2, start: 5 * MS })],
  stop: { afterNs: 100 * MS },
});
const batch = simConfig({ actors: [updater({ api: 'call_srcu', batch: 2, wait: 'none' })] });
const batchAndBarrier = simConfig({ actors: [updater({ api: 'call_srcu', batch: 2 })] });

interface Bug {
  readonly id: string;
  readonly bug: string;
  readonly config: SimConfig;
  readonly inject: () => void;
  /** Other invariants that the same bug cannot but break. */
  readonly also?: readonly string[];
}

/** Takes the index scanned for free in one of the scans. */
function blindScan(state: number): () => void {
  return () => {
    const real = Domain.prototype.active;
    vi.spyOn(Domain.prototype, 'active').mockImplementation(function (this: Domain, idx) {
      const isBlind = this.state === state && idx === 1 - (this.srcuIdx % 2);
      return isBlind ? 0 : real.call(this, idx);
    });
  };
}

/** What srcu_get_delay() answers instead of the right delay. */
function wrongDelay(answer: (right: number, domain: Domain) => number): () => void {
  return () => {
    vi.mocked(getDelay).mockImplementation((domain, jiffies) => {
      return answer(realDelay.getDelay(domain, jiffies), domain);
    });
  };
}

/** What happens after a request has been made as it should be. */
function afterRequest(then: (domain: Domain, data: SrcuData) => void): () => void {
  return () => {
    vi.mocked(requestGp).mockImplementation((domain, ...request) => {
      const target = realRequest.requestGp(domain, ...request);
      then(domain, domain.data(0));
      return target;
    });
  };
}

const BUGS: readonly Bug[] = [
  { id: 'I1', bug: 'SCAN2 sees no reader', config: oneReader, inject: blindScan(2), also: ['I3'] },
  { id: 'I1', bug: 'one scan only', config: lateIncrementer, inject: blindScan(1), also: ['I3'] },
  {
    id: 'I2',
    bug: 'a grace period takes two numbers',
    config: oneReader,
    inject: () => {
      vi.mocked(gpStart).mockImplementation((domain) => {
        realDelay.gpStart(domain);
        domain.gpSeq += 4;
        domain.needed += 4;
        domain.neededExp += 4;
      });
    },
  },
  {
    id: 'I3',
    bug: 'a grace period ends while its index is taken',
    config: readerDuringDelay,
    inject: blindScan(2),
  },
  {
    id: 'I4',
    bug: 'a reader leaves on the other index',
    config: simConfig({
      actors: [reader({ times: 3 }), updater({ cpu: 1, domain: 'srcu:b', start: 9 * MS })],
    }),
    inject: () => {
      const real = Domain.prototype.unlock;
      vi.spyOn(Domain.prototype, 'unlock').mockImplementation(function (this: Domain, track, cpu, idx, own) {
        real.call(this, track, cpu, 1 - idx, own);
      });
    },
  },
  {
    id: 'I5',
    bug: 'callbacks run before their grace period',
    config: batch,
    inject: afterRequest((domain, data) => {
      (data.callbacks.last as Callback).target = 0;
      domain.launch(data, 0, 0);
    }),
  },
  {
    id: 'I5',
    bug: 'last in, first out',
    config: batch,
    inject: afterRequest((_, { callbacks }) => {
      if (callbacks.first !== callbacks.last) callbacks.push(callbacks.shift() as Callback);
    }),
  },
  {
    id: 'I6',
    bug: 'the running grace period counts for a new request',
    config: twoRequests,
    inject: () => vi.mocked(seqSnap).mockImplementation((seq) => Math.floor((seq + 3) / 4) * 4),
  },
  {
    id: 'I7',
    bug: 'queue_work() queues what is queued already',
    config: oneReader,
    inject: () => {
      const real = Workqueue.prototype.queueWork;
      vi.spyOn(Workqueue.prototype, 'queueWork').mockImplementation(function (
        this: Workqueue,
        item,
        ...rest
      ) {
        real.call(this, item, ...rest);
        if (item.fn !== WORK_FN.process_srcu) return;
        item.queued = false;
        real.call(this, item, ...rest);
      });
    },
  },
  {
    id: 'I8',
    bug: 'a zero delay counts twice',
    config: noLimits,
    inject: wrongDelay((right, domain) => {
      if (right === 0) domain.n++;
      return right;
    }),
  },
  {
    id: 'I9',
    bug: 'the age is ignored',
    config: noLimits,
    inject: () => {
      wrongDelay((right, domain) => (domain.isExpedited ? 0 : right))();
      vi.mocked(ageLimitNs).mockReturnValue(Number.POSITIVE_INFINITY);
    },
    also: ['I11', 'I8'],
  },
  {
    id: 'I9',
    bug: 'it sleeps at once',
    config: oneReader,
    inject: wrongDelay((right) => Math.max(1, right)),
  },
  {
    id: 'I10',
    bug: 'the timer wheel rounds down',
    config: oneReader,
    inject: () => vi.mocked(wheelExpiry).mockImplementation((now, delay) => now + delay),
  },
  {
    id: 'I10',
    bug: 'no delay is too long',
    config: simConfig({
      hz: 1000,
      actors: [reader({ cpu: 1, hold: 90 * MS, idle: 900 * MS }), updater({ start: 9 })],
    }),
    inject: wrongDelay((right) => (right === 10 ? 13 : right)),
    also: ['L7'],
  },
  {
    id: 'I11',
    bug: 'it polls again after each sleep',
    config: noLimits,
    inject: wrongDelay((right, domain) => {
      if (right > 0) domain.gpStartJiffy = domain.sim.jiffies + right;
      return right;
    }),
    also: ['I9'],
  },
  {
    id: 'I12',
    bug: 'a request made during a grace period is forgotten',
    config: twoRequests,
    inject: () => {
      vi.mocked(requestGp).mockImplementation((domain, ...request) => {
        const { state, needed } = domain;
        const target = realRequest.requestGp(domain, ...request);
        if (state !== 0) domain.needed = needed;
        return target;
      });
    },
  },
  {
    id: 'I13',
    bug: 'a call does not wait for its callback',
    config: oneReader,
    inject: afterRequest((_, data) => data.callbacks.last?.invoke()),
  },
  {
    id: 'I14',
    bug: 'a check sees readers for 100 us after they left',
    config: simConfig({ actors: [reader({ cpu: 1, hold: MS, idle: 900 * MS }), updater({ start: 1000 })] }),
    inject: () => {
      const left = [-1 * MS, -1 * MS];
      const { active, unlock } = Domain.prototype;
      vi.spyOn(Domain.prototype, 'unlock').mockImplementation(function (this: Domain, track, cpu, idx, own) {
        unlock.call(this, track, cpu, idx, own);
        left[idx] = this.sim.nowNs;
      });
      vi.spyOn(Domain.prototype, 'active').mockImplementation(function (this: Domain, idx) {
        return this.sim.nowNs < (left[idx] as number) + 100_000 ? 1 : active.call(this, idx);
      });
    },
  },
  {
    id: 'I15',
    bug: 'srcu_barrier does not wait',
    config: batchAndBarrier,
    inject: () => {
      vi.mocked(queueBarrier).mockImplementation((domain, data, callback) => {
        const { queue, nowNs } = domain.sim;
        queue.schedule(queue.allocate(PRIORITY.interrupt, callback.invoke), nowNs + 1);
        realRequest.queueBarrier(domain, data, { ...callback, invoke: () => {} });
      });
    },
  },
  {
    id: 'I15',
    bug: 'srcu_barrier overlooks callbacks that are being invoked',
    config: simConfig({
      actors: [
        updater({ api: 'call_srcu', batch: 200, wait: 'none' }),
        updater({ cpu: 1, api: 'srcu_barrier', start: { ticks: 4, plus: 4500 } }),
      ],
    }),
    inject: () => {
      vi.mocked(barrierLists).mockImplementation((domain) => {
        return realRequest.barrierLists(domain).filter(({ callbacks }) => !callbacks.isEmpty);
      });
    },
  },
  {
    id: 'I15',
    bug: 'srcu_barrier asks for a grace period',
    config: batchAndBarrier,
    inject: () => {
      vi.mocked(queueBarrier).mockImplementation((domain, data, callback) => {
        const { log } = domain.sim;
        const caller = log.row(log.length - 1);
        expect(caller.kind).toBe(KIND.api_call);
        realRequest.requestGp(domain, false, caller.track, 0, undefined);
        realRequest.queueBarrier(domain, data, callback);
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

  it.each(BUGS)('$id where tasks share CPUs: $bug', ({ id, config, inject }) => {
    const shared = { ...config, machine: presetMachine('virtual-1gips') };
    expect(idsFound(shared)).toEqual([]);
    inject();
    expect(idsFound(shared)).toContain(id);
  });

  it('I13: the callback delay of another kernel', () => {
    const other = { ...oneReader, rules: { 'srcu.cbdelay': 'v5.19-640a' } as const };
    expect(idsFound(other)).toEqual([]);
    expect(idsFound(other, { rules: resolveRules('v6.12', {}) })).toEqual(['I13']);
  });
});

describe('every invariant', () => {
  it('has a bug that it finds', () => {
    const covered = new Set(BUGS.map(({ id }) => id));
    expect([...covered]).toEqual(Array.from({ length: 15 }, (_, i) => `I${i + 1}`));
  });
});
