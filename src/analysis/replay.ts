/** Replay of a log: the state after any row, kept as srcu_struct keeps it. Forward only; checkpoints go back. */
import { KIND, TIMER_FN, WORK_FN } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { effectiveConvertToBig } from '../engine/srcu/params.ts';
import { KvfreeReplay } from './kvfreeReplay.ts';
import { initialKvfree } from './kvfreeSnapshot.ts';
import { RcuReplay } from './rcuReplay.ts';
import { initialRcu } from './rcuSnapshot.ts';
import { domainTracks } from './scanState.ts';
import { logged, settle } from './settle.ts';
import type { ActiveReader, Checkpoint, DomainSnapshot, PendingCallback } from './stateTypes.ts';
import { TasksReplay } from './tasksReplay.ts';
import { initialTasks } from './tasksSnapshot.ts';

export type OpenSection = Omit<ActiveReader, 'waitedFor'>;
export type OpenCallback = Omit<PendingCallback, 'ready'>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Codes of Checkpoint.threadState, in the order of ThreadStateAt.state. */
export const THREAD_STATES = ['notStarted', 'inSection', 'outside', 'inCall', 'gap', 'load', 'done'] as const;
const IN_SECTION = 1;
const OUTSIDE = 2;
const IN_CALL = 3;
const GAP = 4;
const DONE = 6;

/** One domain. Sections by thread, callbacks by id. */
export interface DomainState extends Mutable<Omit<DomainSnapshot, 'readers' | 'callbacks' | 'zeroNs'>> {
  readonly track: number;
  zeroNs: number[];
  readonly sections: Map<number, OpenSection>;
  readonly pending: Map<number, OpenCallback>;
}

/** The state of a whole run before row `row`. */
export interface Replay {
  row: number;
  readonly info: RunInfo;
  /** In the order of their tracks, and by track. */
  readonly domains: readonly DomainState[];
  readonly byTrack: readonly (DomainState | undefined)[];
  readonly rcu: RcuReplay | undefined;
  readonly kvfree: KvfreeReplay | undefined;
  readonly tasks: TasksReplay | undefined;
  readonly threadState: Uint8Array;
  readonly threadSinceNs: Float64Array;
  readonly threadRow: Int32Array;
  readonly threadApi: Int8Array;
  readonly threadCall: Float64Array;
  readonly running: Int32Array;
}

/** The state before the first row. */
export function initialCheckpoint(info: RunInfo): Checkpoint {
  const tracks = info.tracks.length;
  const { cpus, params } = info.config;
  const toBig = effectiveConvertToBig(
    Number(params['srcutree.convert_to_big'] ?? 0),
    Number(params['srcutree.big_cpu_lim'] ?? 0),
    cpus,
  );
  const sizeState = info.rules['srcu.callbackCpu'] === 'caller' ? -1 : toBig % 16 === 1 ? 8 : 0;
  return {
    row: 0,
    domains: domainTracks(info).map(() => ({
      ...{ seq: 0, needed: 0, neededExp: 0, gpNumber: 0, srcuIdx: 0, sizeState, nExpNodelay: 0, gpPasses: 0 },
      ...{ gpStartNs: Number.NaN, gpStartRow: -1, gpStartJiffies: 0 },
      ...{
        rescheduleCount: 0,
        rescheduleJiffies: -1,
        requestRow: -1,
        burst: undefined,
        zeroNs: [],
        timer: undefined,
        queued: undefined,
      },
      lock: new Float64Array(2 * cpus),
      unlock: new Float64Array(2 * cpus),
      readers: [],
      callbacks: [],
    })),
    rcu: initialRcu(info),
    kvfree: initialKvfree(info),
    tasks: initialTasks(info),
    threadState: new Uint8Array(tracks),
    threadSinceNs: new Float64Array(tracks),
    threadRow: new Int32Array(tracks).fill(-1),
    threadApi: new Int8Array(tracks).fill(-1),
    threadCall: new Float64Array(tracks),
    running: new Int32Array(info.contended ? cpus : 0).fill(-1),
  };
}

/** A replay that goes on from a checkpoint, which it leaves untouched. */
export function resume(checkpoint: Checkpoint, info: RunInfo): Replay {
  const tracks = domainTracks(info);
  const domains = checkpoint.domains.map((snapshot, i): DomainState => {
    const { readers, callbacks, ...fields } = snapshot;
    return {
      ...fields,
      track: tracks[i] as number,
      lock: snapshot.lock.slice(),
      unlock: snapshot.unlock.slice(),
      zeroNs: [...snapshot.zeroNs],
      sections: new Map(readers.map((reader) => [reader.thread, reader])),
      pending: new Map(callbacks.map((callback) => [callback.id, callback])),
    };
  });
  const byTrack: (DomainState | undefined)[] = info.tracks.map(() => undefined);
  for (const domain of domains) byTrack[domain.track] = domain;
  return {
    row: checkpoint.row,
    info,
    domains,
    byTrack,
    rcu: checkpoint.rcu === undefined ? undefined : new RcuReplay(checkpoint.rcu, info),
    kvfree: checkpoint.kvfree === undefined ? undefined : new KvfreeReplay(checkpoint.kvfree),
    tasks: checkpoint.tasks === undefined ? undefined : new TasksReplay(checkpoint.tasks, info),
    threadState: checkpoint.threadState.slice(),
    threadSinceNs: checkpoint.threadSinceNs.slice(),
    threadRow: checkpoint.threadRow.slice(),
    threadApi: checkpoint.threadApi.slice(),
    threadCall: checkpoint.threadCall.slice(),
    running: checkpoint.running.slice(),
  };
}

/** A copy of the present state as a checkpoint. */
export function snapshot(replay: Replay): Checkpoint {
  return {
    row: replay.row,
    domains: replay.domains.map(({ track: _, sections, pending, ...fields }) => ({
      ...fields,
      lock: fields.lock.slice(),
      unlock: fields.unlock.slice(),
      zeroNs: [...fields.zeroNs],
      readers: [...sections.values()],
      callbacks: [...pending.values()],
    })),
    rcu: replay.rcu?.snapshot(),
    kvfree: replay.kvfree?.snapshot(),
    tasks: replay.tasks?.snapshot(),
    threadState: replay.threadState.slice(),
    threadSinceNs: replay.threadSinceNs.slice(),
    threadRow: replay.threadRow.slice(),
    threadApi: replay.threadApi.slice(),
    threadCall: replay.threadCall.slice(),
    running: replay.running.slice(),
  };
}

/** Applies the next row. */
export function applyRow(replay: Replay, event: EventRow): void {
  const row = replay.row++;
  const { track } = event;
  replay.rcu?.apply(event, row);
  replay.kvfree?.apply(event, row, replay.rcu);
  replay.tasks?.apply(event, row, replay.rcu);
  switch (event.kind) {
    case KIND.sched_switch:
      replay.running[track] = event.a;
      break;
    case KIND.timer_start:
    case KIND.timer_expire_entry:
      if (event.a === TIMER_FN.delayed_work_timer_fn) applyTimer(replay, event, row);
      break;
    case KIND.workqueue_queue_work:
      if (event.a === WORK_FN.process_srcu && event.c === 1) {
        const domain = replay.byTrack[event.b];
        if (domain !== undefined) domain.queued = { row, sinceNs: event.timeNs };
      }
      break;
    case KIND.thread_done:
      setThread(replay, track, DONE, event.timeNs, row);
      break;
    case KIND.api_call:
    case KIND.api_return:
      setThread(replay, track, event.kind === KIND.api_call ? IN_CALL : GAP, event.timeNs, row);
      replay.threadApi[track] = event.kind === KIND.api_call ? event.a : -1;
      replay.threadCall[track] = event.b;
      break;
    case KIND.srcu_lock:
    case KIND.srcu_unlock:
      applySection(replay, event, row);
      break;
    default: {
      const domain = replay.byTrack[track];
      if (domain !== undefined) applyDomain(domain, replay.info, event, row);
    }
  }
}

function setThread(replay: Replay, thread: number, state: number, sinceNs: number, row: number): void {
  replay.threadState[thread] = state;
  replay.threadSinceNs[thread] = sinceNs;
  replay.threadRow[thread] = row;
}

function applyTimer(replay: Replay, event: EventRow, row: number): void {
  const domain = replay.byTrack[event.d];
  if (domain === undefined) return;
  const { timeNs: sinceNs } = event;
  if (event.kind === KIND.timer_expire_entry) domain.timer = undefined;
  else domain.timer = { row, sinceNs, delay: event.b, jiffy: event.c };
}

function applySection(replay: Replay, event: EventRow, row: number): void {
  const domain = replay.byTrack[event.a];
  if (domain === undefined) return;
  const { track: thread, b: idx, c: cpu } = event;
  const own = event.d === 1;
  const { timeNs } = event;
  const isLock = event.kind === KIND.srcu_lock;
  const counters = isLock ? domain.lock : domain.unlock;
  counters[2 * cpu + idx] = (counters[2 * cpu + idx] as number) + 1;
  if (isLock) domain.sections.set(thread, { thread, cpu, idx, sinceNs: timeNs, row, own });
  else domain.sections.delete(thread);
  if (!own) setThread(replay, thread, isLock ? IN_SECTION : OUTSIDE, timeNs, row);
}

/** Rows whose track is the domain. */
function applyDomain(domain: DomainState, info: RunInfo, event: EventRow, row: number): void {
  const { timeNs, a, b, c, d } = event;
  settle(domain, info, timeNs);
  switch (event.kind) {
    case KIND.srcu_request:
      domain.requestRow = row;
      domain.needed = Math.max(domain.needed, a);
      if (b === 1) domain.neededExp = Math.max(domain.neededExp, a);
      break;
    case KIND.srcu_gp_start:
      domain.seq = a;
      domain.gpNumber = d;
      domain.gpStartNs = timeNs;
      domain.gpStartRow = row;
      domain.gpStartJiffies = b;
      domain.gpPasses = 0;
      // The funnel asks srcu_get_delay() once for a grace period from idle (spec srcu 3.1).
      domain.nExpNodelay =
        event.cause === domain.requestRow && c === 1 && info.rules['srcu.delay'] !== 'exp-only' ? 1 : 0;
      break;
    case KIND.srcu_pass:
      logged(domain, info, { row, startNs: b, count: a, lengthNs: d, code: c }, timeNs);
      break;
    case KIND.srcu_check:
      domain.zeroNs.push(timeNs);
      break;
    case KIND.srcu_flip:
      domain.srcuIdx = a;
      domain.seq = domain.seq - (domain.seq & 3) + 2;
      domain.nExpNodelay = 0;
      break;
    case KIND.srcu_gp_end:
      domain.seq = a;
      domain.neededExp = Math.max(domain.neededExp, a);
      domain.nExpNodelay = 0;
      break;
    case KIND.srcu_cb_queue:
      domain.requestRow = row;
      domain.pending.set(a, { id: a, target: b, cpu: c, kind: d, queuedNs: timeNs, row });
      break;
    case KIND.srcu_cb_invoke:
      domain.pending.delete(a);
      break;
    default:
  }
}
