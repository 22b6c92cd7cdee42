/** Tree RCU at a cursor, from its replay. */
import { APIS, type UpdaterApi } from '../engine/config.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { seqCtr, seqState } from '../engine/tree/gpSeq.ts';
import { countOwing, leafOf } from './rcuGeometry.ts';
import { bypassed, type CallbackList, placeOf, segmentAt } from './rcuLists.ts';
import type { RcuReplay } from './rcuReplay.ts';
import { EXP_PHASES, type OpenRcuCall, type RcuTimeout } from './rcuSnapshot.ts';
import type {
  RcuCallbackListAt,
  RcuCallerAt,
  RcuExpAt,
  RcuFqsWaitAt,
  RcuSrNormalAt,
  RcuStateAt,
} from './rcuStateTypes.ts';
import type { Cursor } from './types.ts';

/** Segments of OpenSrCaller by their codes. */
const SR_SEGMENTS = ['next', 'wait', 'done'] as const;

/** The state after the rows that `rcu` has applied, at `cursor.timeNs`. Takes the replay's columns over. */
export function rcuStateAt(rcu: RcuReplay, info: RunInfo, cursor: Cursor): RcuStateAt {
  const { scalars, geometry, nodes, cpus } = rcu;
  const { hz, startJiffies } = info.config;
  const ticks = new Ticks(hz, startJiffies);
  const jiffies = ticks.jiffiesAt(cursor.timeNs);
  const isRunning = seqState(scalars.gpSeq) !== 0;
  const blocked = [...rcu.blocked.values()];
  return {
    timeNs: cursor.timeNs,
    row: cursor.row,
    track: rcu.track,
    jiffies,
    geometry,
    gpSeq: scalars.gpSeq,
    gpNumber: seqCtr(scalars.gpSeq),
    isRunning,
    gpStartNs: scalars.gpStartNs,
    gpStartRow: scalars.gpStartRow,
    gpStartJiffies: scalars.gpStartJiffies,
    ageJiffies: isRunning ? jiffies - scalars.gpStartJiffies : 0,
    schedQs: treeConstants(info.config, info.rules).schedQs,
    kthread: {
      track: rcu.kthread,
      cpu: scalars.kthreadCpu,
      gpState: scalars.gpState,
      sinceNs: scalars.stateNs,
      row: scalars.stateRow,
      scans: scalars.scans,
      wait: rcu.timeout === undefined ? undefined : waitAt(rcu.timeout, ticks, jiffies),
      isRequested: scalars.isRequested,
      gpSeqNeeded: nodes.gpSeqNeeded[0] as number,
    },
    nodes,
    cpus,
    owing: countOwing(geometry, nodes.qsmaskLo, nodes.qsmaskHi),
    blocking: blocked.filter((reader) => reader.blocksNormal).length,
    callbacks: [...rcu.lists.values()]
      .filter((list) => list.len - list.invokedInBatch > 0)
      .sort((x, y) => x.cpu - y.cpu)
      .map(listAt),
    blocked,
    readers: [...rcu.readers.values()].map((reader) => ({
      ...reader,
      isOlder: isRunning && reader.row < scalars.gpStartRow,
      isBlocked: rcu.blocked.has(reader.thread),
    })),
    callers: [...rcu.calls.values()].map((call) => callerAt(call, rcu)),
    expedited: expeditedAt(rcu),
    srNormal: srNormalAt(rcu),
    polled: { seq: scalars.polledSeq, cookies: rcu.cookies },
  };
}

function waitAt(timeout: RcuTimeout, ticks: Ticks, jiffies: number): RcuFqsWaitAt {
  const { jiffy, ...rest } = timeout;
  return {
    ...rest,
    untilJiffy: jiffy,
    untilNs: ticks.timeOfJiffyNs(jiffy),
    leftJiffies: Math.max(0, jiffy - jiffies),
  };
}

function listAt(list: CallbackList): RcuCallbackListAt {
  const { queued: _q, invoked: _i, invokedInBatch, len, lazy, ...rest } = list;
  const bypass = bypassed(list);
  return { ...rest, bypass, lazy: Math.min(lazy, bypass), len: len - invokedInBatch };
}

function callerAt(call: OpenRcuCall, rcu: RcuReplay): RcuCallerAt {
  const { thread, number, sinceNs, row, cpu } = call;
  const who = { thread, api: APIS[call.api] as UpdaterApi, number, sinceNs, row, cpu };
  const list = rcu.lists.get(cpu);
  const base = { ...who, segment: list && segmentAt(list, call.place) };
  if (!Number.isNaN(call.expTarget)) return { ...base, waitsFor: 'expedited', target: call.expTarget };
  const caller = rcu.srCallers.find((sr) => sr.thread === thread);
  if (caller !== undefined) return { ...base, waitsFor: 'srNormal', target: caller.gpSeq + 3 };
  if (list === undefined || call.place < 0) return { ...base, waitsFor: 'other', target: Number.NaN };
  const place = placeOf(list, call.place);
  const leafSeq = rcu.nodes.gpSeq[leafOf(rcu.geometry, cpu)] as number;
  if (place === 'none') return { ...base, waitsFor: 'number', target: Number.NaN };
  return place === 'ready' || place <= leafSeq
    ? { ...base, waitsFor: 'callback', target: Number.NaN }
    : { ...base, waitsFor: 'gp', target: place };
}

function expeditedAt(rcu: RcuReplay): RcuExpAt {
  const { scalars, nodes, geometry } = rcu;
  return {
    seq: scalars.expSeq,
    target: scalars.expTarget,
    phase: EXP_PHASES[scalars.expPhase] ?? 'idle',
    startNs: scalars.expStartNs,
    startRow: scalars.expStartRow,
    ipis: scalars.ipis,
    answered: scalars.answered,
    owing: countOwing(geometry, nodes.expmaskLo, nodes.expmaskHi),
    readers: nodes.expTasks.reduce((sum, count) => sum + count, 0),
    waiting: [...rcu.calls.values()].filter(({ expTarget }) => !Number.isNaN(expTarget)).length,
  };
}

function srNormalAt(rcu: RcuReplay): RcuSrNormalAt {
  const callers = rcu.srCallers.toReversed().map(({ segment, ...caller }) => ({
    ...caller,
    segment: SR_SEGMENTS[segment],
  }));
  const { dummies, isWorkQueued } = rcu.scalars;
  return { isEnabled: rcu.hasSrList, callers, dummies, isWorkQueued };
}
