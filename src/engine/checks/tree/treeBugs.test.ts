/** A bug in the engine's Tree RCU for every invariant V1 to V17, and the checker that must find it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SimConfig } from '../../config.ts';
import { KIND, RCU_FUTURE, RCU_GP } from '../../core/eventKinds.ts';
import { Sim } from '../../core/sim.ts';
import { presetMachine } from '../../machine/presets.ts';
import { load, reader, simConfig, updater } from '../../reference/simConfig.testkit.ts';
import { BlockedReaders } from '../../tree/blockedReaders.ts';
import { CallbackList } from '../../tree/callbackList.ts';
import { treeConstants } from '../../tree/constants.ts';
import { CpuTicks } from '../../tree/cpuTicks.ts';
import { FqsScan } from '../../tree/fqsScan.ts';
import { seqStart } from '../../tree/gpSeq.ts';
import { createNocb } from '../../tree/nocb.ts';
import { NodeMask } from '../../tree/nodeMask.ts';
import { isCookieDone } from '../../tree/polledSeq.ts';
import { learn } from '../../tree/quiescentState.ts';
import { RcuData } from '../../tree/rcuData.ts';
import { requestGp, wakeKthread } from '../../tree/request.ts';
import { SrNormal } from '../../tree/srNormal.ts';
import { idsFound } from '../found.testkit.ts';

vi.mock('../../tree/constants.ts', { spy: true });
vi.mock('../../tree/gpSeq.ts', { spy: true });
vi.mock('../../tree/nocb.ts', { spy: true });
vi.mock('../../tree/polledSeq.ts', { spy: true });
vi.mock('../../tree/quiescentState.ts', { spy: true });
vi.mock('../../tree/request.ts', { spy: true });

const real = {
  constants: await vi.importActual<typeof import('../../tree/constants.ts')>('../../tree/constants.ts'),
  quiescentState: await vi.importActual<typeof import('../../tree/quiescentState.ts')>(
    '../../tree/quiescentState.ts',
  ),
  request: await vi.importActual<typeof import('../../tree/request.ts')>('../../tree/request.ts'),
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

const MS = 1_000_000;
const stop = { afterNs: 200 * MS };
const synchronize = updater({ api: 'synchronize_rcu', domain: 'rcu', calls: 4, start: MS });
const callbacks = updater({
  cpu: 3,
  api: 'call_rcu',
  domain: 'rcu',
  calls: 12,
  batch: 3,
  gap: 3 * MS,
  wait: 'none',
});
const sections = reader({ cpu: 1, domain: 'rcu', hold: 7 * MS, idle: MS });
const user = load({ cpu: 2, mode: 'user', spin: 3 * MS });

/** Callers, callbacks, a reader and a load, a CPU for each. */
const busy = simConfig({ actors: [synchronize, callbacks, sections, user], stop });
/** Sections that outlast several scans. */
const longSections = simConfig({
  actors: [synchronize, reader({ cpu: 1, domain: 'rcu', hold: 30 * MS, idle: MS })],
  stop,
});
/** Two leaves. */
const tree = { ...busy, params: { ...busy.params, 'rcutree.rcu_fanout_leaf': 2 } };
/** Nobody but a caller. */
const idle = simConfig({ actors: [synchronize], stop });
/** A reader that loses its CPU to a load. */
const crowded = simConfig({
  preset: 'virtual-1gips',
  actors: [reader({ cpu: 1, domain: 'rcu', hold: 50 * MS, idle: MS }), load({ cpu: 1 }), synchronize],
  stop,
});
const manyCallers = simConfig({
  params: { 'rcutree.rcu_normal_wake_from_gp': 1 },
  actors: [updater({ api: 'synchronize_rcu', domain: 'rcu', count: 9, calls: 1, start: MS })],
  stop,
});
const expedited = simConfig({
  actors: [updater({ api: 'synchronize_rcu_expedited', domain: 'rcu', calls: 3, gap: MS }), user],
  stop,
});
const polling = simConfig({
  actors: [
    updater({ cpu: 3, api: 'get_state_synchronize_rcu', domain: 'rcu', calls: 3, gap: 9 * MS }),
    synchronize,
  ],
  stop,
});
const offloaded = { ...busy, params: { ...busy.params, rcu_nocbs: '0-3' } };

interface Bug {
  readonly id: string;
  readonly bug: string;
  readonly config: SimConfig;
  readonly inject: () => void;
  /** Other invariants that the same bug cannot but break. */
  readonly also?: readonly string[];
}

type Row = readonly [
  kind: Parameters<Sim['emit']>[0],
  track: number,
  a: number,
  b: number,
  c: number,
  d: number,
];

/** Rows are logged as this says, or not at all. */
function alterRows(alter: (row: Row) => Row | undefined): () => void {
  return () => {
    const { emit } = Sim.prototype;
    vi.spyOn(Sim.prototype, 'emit').mockImplementation(function (
      this: Sim,
      kind,
      track,
      a = 0,
      b = 0,
      c = 0,
      d = 0,
    ) {
      const row = alter([kind, track, a, b, c, d]);
      return row === undefined ? this.cause : emit.call(this, ...row);
    });
  };
}

const BUGS: readonly Bug[] = [
  {
    id: 'V1',
    bug: 'a grace period takes two numbers',
    also: ['V11', 'V13', 'V3'],
    config: idle,
    inject: () => vi.mocked(seqStart).mockImplementation((seq) => seq + 5),
  },
  {
    id: 'V2',
    bug: 'preempted readers are forgotten',
    config: crowded,
    inject: () => vi.spyOn(BlockedReaders.prototype, 'queue').mockImplementation(() => {}),
  },
  {
    id: 'V3',
    bug: 'callbacks are ready a grace period early',
    config: busy,
    inject: () => {
      const { advance } = CallbackList.prototype;
      vi.spyOn(CallbackList.prototype, 'advance').mockImplementation(function (this: CallbackList, seq) {
        advance.call(this, seq + 4);
      });
    },
  },
  {
    id: 'V4',
    bug: 'a CPU that learns has passed a quiescent state already',
    config: busy,
    inject: () => {
      vi.mocked(learn).mockImplementation((rcu, data, onCpu) => {
        const mustWake = real.quiescentState.learn(rcu, data, onCpu);
        data.noQs = false;
        return mustWake;
      });
    },
  },
  {
    id: 'V4',
    bug: 'every CPU was idle since the first scan',
    config: longSections,
    also: ['V2'],
    inject: () => vi.spyOn(RcuData.prototype, 'wasInEqsSince').mockReturnValue(true),
  },
  {
    id: 'V5',
    bug: 'a report clears the whole mask of its node',
    also: ['V6'],
    config: tree,
    inject: () => {
      vi.spyOn(NodeMask.prototype, 'deleteAll').mockImplementation(function (this: NodeMask) {
        this.clear();
      });
    },
  },
  {
    id: 'V5',
    bug: 'a grace period does not wait for CPU 1',
    config: busy,
    inject: () => {
      const { copy } = NodeMask.prototype;
      vi.spyOn(NodeMask.prototype, 'copy').mockImplementation(function (this: NodeMask, other) {
        copy.call(this, other);
        this.delete(1);
      });
    },
  },
  {
    id: 'V6',
    bug: 'a CPU learns of the next grace period',
    also: ['V4'],
    config: busy,
    inject: alterRows((row) => {
      const [kind, cpu, code, seq, c, d] = row;
      const isLearning = kind === KIND.rcu_grace_period && code === RCU_GP.cpustart && cpu === 2;
      return isLearning ? [kind, cpu, code, seq + 4, c, d] : row;
    }),
  },
  {
    id: 'V7',
    bug: 'the last leaf is not told of the end',
    config: { ...tree, actors: [synchronize] },
    inject: alterRows((row) => {
      const isCleanup = row[2] === RCU_FUTURE.Cleanup || row[2] === RCU_FUTURE.CleanupMore;
      return row[0] === KIND.rcu_future_grace_period && isCleanup && row[5] === 2 ? undefined : row;
    }),
  },
  {
    id: 'V8',
    bug: 'a callback is counted twice',
    config: busy,
    inject: () => {
      const { enqueue } = CallbackList.prototype;
      vi.spyOn(CallbackList.prototype, 'enqueue').mockImplementation(function (
        this: CallbackList,
        callback,
        counted,
      ) {
        enqueue.call(this, callback, counted);
        this.len++;
      });
    },
  },
  {
    id: 'V8',
    bug: 'two callbacks change places',
    also: ['V3'],
    config: busy,
    inject: alterRows((row) => {
      const [kind, cpu, id, ...rest] = row;
      const isSwapped = kind === KIND.rcu_invoke_callback && (id === 5 || id === 6);
      return isSwapped ? [kind, cpu, 11 - id, ...rest] : row;
    }),
  },
  {
    id: 'V9',
    bug: 'a request does not reach the nodes',
    config: busy,
    inject: () => vi.mocked(requestGp).mockReturnValue(false),
  },
  {
    id: 'V9',
    bug: 'the kthread sleeps on when it is asked',
    config: idle,
    inject: () => vi.mocked(wakeKthread).mockImplementation(() => {}),
  },
  {
    id: 'V10',
    bug: 'scans find nobody',
    config: idle,
    inject: () => vi.spyOn(FqsScan.prototype, 'leaf').mockReturnValue(-1),
  },
  {
    id: 'V11',
    bug: 'the kthread wakes everybody itself',
    config: manyCallers,
    inject: () => {
      let waiting = 0;
      const { push, wakeNext } = SrNormal.prototype;
      vi.spyOn(SrNormal.prototype, 'push').mockImplementation(function (this: SrNormal, caller) {
        waiting++;
        push.call(this, caller);
      });
      vi.spyOn(SrNormal.prototype, 'wakeNext').mockImplementation(function (this: SrNormal, onCpu) {
        waiting--;
        wakeNext.call(this, onCpu);
      });
      vi.spyOn(SrNormal.prototype, 'mayWake', 'get').mockImplementation(() => waiting > 0);
    },
  },
  {
    id: 'V12',
    bug: 'a busy CPU is taken for idle',
    config: expedited,
    inject: () => vi.spyOn(RcuData.prototype, 'wasInEqsSince').mockReturnValue(true),
  },
  {
    id: 'V13',
    bug: 'every cookie is true at the next end of a grace period',
    config: polling,
    inject: () => vi.mocked(isCookieDone).mockReturnValue(true),
  },
  {
    id: 'V14',
    bug: 'the ticks of idle CPUs never stop for RCU',
    config: idle,
    inject: () => vi.spyOn(CpuTicks.prototype, 'isTicking').mockReturnValue(true),
  },
  {
    id: 'V15',
    bug: 'the end waits for the timer',
    config: busy,
    inject: () => {
      vi.mocked(wakeKthread).mockImplementation((rcu, ...from) => {
        if (!rcu.isRunning) real.request.wakeKthread(rcu, ...from);
      });
    },
  },
  {
    id: 'V16',
    bug: 'nothing is offloaded',
    also: ['V14'],
    config: offloaded,
    inject: () => vi.mocked(createNocb).mockReturnValue(undefined),
  },
  {
    id: 'V17',
    bug: 'the first scan comes at once',
    config: { ...busy, hz: 1000, params: { ...busy.params, 'rcutree.jiffies_till_first_fqs': 3 } },
    inject: () => {
      vi.mocked(treeConstants).mockImplementation((config, rules) => {
        return { ...real.constants.treeConstants(config, rules), firstFqs: 0 };
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
});

describe('every invariant', () => {
  it('has a bug that it finds', () => {
    const covered = new Set(BUGS.map(({ id }) => id));
    expect([...covered]).toEqual(Array.from({ length: 17 }, (_, i) => `V${i + 1}`));
  });
});
