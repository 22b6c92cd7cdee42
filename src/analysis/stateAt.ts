/** The state at a cursor, from a window of rows and the checkpoint before it; the same function in worker and page. */
import { APIS, type UpdaterApi } from '../engine/config.ts';
import { KIND } from '../engine/core/eventKinds.ts';
import type { RunInfo, Track } from '../engine/core/info.ts';
import { unpackPass } from '../engine/core/passCode.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { actorStartNs } from './actorStart.ts';
import { baseDelay, srcuGetDelay } from './delayRule.ts';
import { kvfreeStateAt } from './kvfreeStateAt.ts';
import { passChecks } from './passChecks.ts';
import { rcuStateAt } from './rcuStateAt.ts';
import { applyRow, type DomainState, type Replay, resume, THREAD_STATES } from './replay.ts';
import { createLookUp } from './rowWindow.ts';
import { workerOfCpu } from './scanState.ts';
import { countsAfter, passesDone, settle } from './settle.ts';
import type { Checkpoint, OpenPass, SrcuStateAt, StateAt, ThreadStateAt, WorkerState } from './stateTypes.ts';
import { tasksStateAt } from './tasksStateAt.ts';
import type { Cursor, RowWindow } from './types.ts';

/** Rows after the cursor among which a single pass that is under way finds its row (it is logged at its end). */
const LOOK_AHEAD = 1024;

/**
 * The state at `cursor`: rows from the checkpoint up to and with `cursor.row` are applied, bursts are taken apart at
 * `cursor.timeNs`. Throws if the window does not hold the rows between checkpoint and cursor.
 */
export function stateAt(window: RowWindow, checkpoint: Checkpoint, cursor: Cursor, info: RunInfo): StateAt {
  const from = checkpoint.row - window.first;
  const to = cursor.row + 1 - window.first;
  if (from < 0 || to > window.length || to < from) {
    const has = `${window.first} to ${window.first + window.length - 1}`;
    throw new Error(`rows ${checkpoint.row} to ${cursor.row} are needed, the window has ${has}`);
  }
  const replay = resume(checkpoint, info);
  const lookUp = createLookUp(window);
  for (let row = checkpoint.row; row <= cursor.row; row++) applyRow(replay, lookUp(row) as EventRow);
  for (const domain of replay.domains) settle(domain, info, cursor.timeNs);
  const { hz, startJiffies } = info.config;
  return {
    cursor,
    jiffies: new Ticks(hz, startJiffies).jiffiesAt(cursor.timeNs),
    domains: replay.domains.map((domain) => {
      const pass = domain.burst ?? passUnderWay(window, domain.track, cursor);
      return domainStateAt(domain, pass, replay, cursor);
    }),
    // these two before Tree RCU, whose columns rcuStateAt takes over
    tasks:
      replay.tasks === undefined
        ? undefined
        : tasksStateAt(replay.tasks, replay.rcu, info, cursor, replay.running),
    kvfree:
      replay.kvfree === undefined
        ? undefined
        : kvfreeStateAt(replay.kvfree, replay.rcu, info, cursor, lookUp),
    rcu: replay.rcu === undefined ? undefined : rcuStateAt(replay.rcu, info, cursor),
    threads: info.tracks
      .filter((track) => track.kind === 'thread')
      .map((track) => threadAt(replay, track, cursor)),
    running: replay.running.slice(),
  };
}

/** The single pass of a domain that is under way at the cursor. */
function passUnderWay(window: RowWindow, domain: number, cursor: Cursor): OpenPass | undefined {
  const lookUp = createLookUp(window);
  for (let row = cursor.row + 1; row <= cursor.row + LOOK_AHEAD; row++) {
    const event = lookUp(row);
    if (event === undefined) return undefined;
    if (event.kind !== KIND.srcu_pass || event.track !== domain) continue;
    const { a: count, b: startNs, c: code, d: lengthNs } = event;
    return startNs > cursor.timeNs || count === 0 ? undefined : { row, startNs, count: 1, lengthNs, code };
  }
  return undefined;
}

/** What a thread does from its start to its first row. */
const FIRST_STATES = {
  updater: 'gap',
  reader: 'outside',
  load: 'load',
  kfree: 'load',
  holdout: 'load',
  exiter: 'gap',
} as const;

function threadAt(replay: Replay, track: Track, cursor: Cursor): ThreadStateAt {
  const { info } = replay;
  const state = THREAD_STATES[replay.threadState[track.id] as number] ?? 'notStarted';
  const sinceNs = replay.threadSinceNs[track.id] as number;
  const row = replay.threadRow[track.id] as number;
  if (state === 'notStarted') {
    const actor = info.config.actors[track.actor];
    const startNs = actorStartNs(track, info);
    if (actor === undefined || startNs > cursor.timeNs) return { thread: track.id, state, sinceNs: 0, row };
    return { thread: track.id, state: FIRST_STATES[actor.kind], sinceNs: startNs, row };
  }
  if (state !== 'inCall') return { thread: track.id, state, sinceNs, row };
  const api = APIS[replay.threadApi[track.id] as number] as UpdaterApi;
  return { thread: track.id, state, sinceNs, row, api, callNumber: replay.threadCall[track.id] as number };
}

function domainStateAt(
  domain: DomainState,
  pass: OpenPass | undefined,
  replay: Replay,
  cursor: Cursor,
): SrcuStateAt {
  const { info } = replay;
  const { timeNs } = cursor;
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const jiffies = ticks.jiffiesAt(timeNs);
  const phase = domain.seq & 3;
  const expedited = domain.seq < domain.neededExp;
  const ageJiffies = phase === 0 ? 0 : jiffies - domain.gpStartJiffies;
  const scannedIdx = phase === 0 ? -1 : 1 - (domain.srcuIdx & 1);
  const worker = workerAt(domain, pass, replay, timeNs, ticks);
  // What a single pass adds is known at its end only; a burst is taken apart.
  const done = pass === undefined || pass !== domain.burst ? 0 : passesDone(pass, timeNs);
  const counts = pass === undefined ? domain : countsAfter(domain, pass, done, info);
  const nExpNodelay = counts.nExpNodelay + countsWithin(domain, pass, worker, info, ticks);
  const sum = (counters: Float64Array, idx: number) =>
    counters.reduce((s, n, i) => (i % 2 === idx ? s + n : s), 0);
  return {
    timeNs,
    row: cursor.row,
    domain: domain.track,
    jiffies,
    phase: phase === 0 ? 'IDLE' : phase === 1 ? 'SCAN1' : 'SCAN2',
    gpSeq: domain.seq,
    gpSeqNeeded: domain.needed,
    gpSeqNeededExp: domain.neededExp,
    gpNumber: domain.gpNumber,
    gpStartNs: domain.gpStartNs,
    gpStartRow: domain.gpStartRow,
    gpStartJiffies: domain.gpStartJiffies,
    expedited,
    srcuIdx: domain.srcuIdx,
    scannedIdx,
    nExpNodelay,
    phaseLimit: info.srcu.phaseLimit,
    rescheduleCount: counts.rescheduleCount,
    rescheduleJiffies: counts.rescheduleJiffies,
    jiffyLimit: info.srcu.jiffyLimit,
    ageJiffies,
    nextDelay: srcuGetDelay(info.rules, {
      expedited,
      idle: phase === 0,
      ageJiffies,
      counted: nExpNodelay + 1,
      phaseLimit: info.srcu.phaseLimit,
    }),
    worker,
    sizeState: domain.sizeState,
    lock: domain.lock.slice(),
    unlock: domain.unlock.slice(),
    lockSum: [sum(domain.lock, 0), sum(domain.lock, 1)],
    unlockSum: [sum(domain.unlock, 0), sum(domain.unlock, 1)],
    readers: [...domain.sections.values()].map((open) => ({ ...open, waitedFor: open.idx === scannedIdx })),
    callbacks: [...domain.pending.values()].map((open) => ({ ...open, ready: open.target <= domain.seq })),
  };
}

/** What the pass under way has added to srcu_n_exp_nodelay in its present scan (spec srcu 3.2). */
function countsWithin(
  domain: DomainState,
  pass: OpenPass | undefined,
  worker: WorkerState,
  info: RunInfo,
  ticks: Ticks,
): number {
  if (worker.state !== 'running' || pass === undefined || info.rules['srcu.delay'] === 'exp-only') return 0;
  const phase = domain.seq & 3;
  const made = checksOf(domain, pass, info).slice(0, worker.checksDone);
  const asked = made.filter((check) => check.scan === phase);
  // "once": before the first check of try_check_zero(); "per check": after every failed one.
  const askers =
    info.rules['srcu.tryCheck'] === 'once' ? asked.slice(0, 1) : asked.filter((check) => check.failed);
  const isCounted = (offsetNs: number) => {
    const ageJiffies = ticks.jiffiesAt(worker.passStartNs + offsetNs) - domain.gpStartJiffies;
    const expedited = domain.seq < domain.neededExp;
    const input = { expedited, idle: false, ageJiffies, counted: 0, phaseLimit: info.srcu.phaseLimit };
    return baseDelay(info.rules, input) === 0;
  };
  return askers.filter((check) => isCounted(check.offsetNs)).length;
}

/** The checks of one pass of a burst, or of the single pass under way. */
function checksOf(domain: DomainState, pass: OpenPass, info: RunInfo) {
  const zeroOffsets = pass === domain.burst ? [] : domain.zeroNs.map((ns) => ns - pass.startNs);
  return passChecks(unpackPass(pass.code), info.srcu, zeroOffsets);
}

function workerAt(
  domain: DomainState,
  pass: OpenPass | undefined,
  replay: Replay,
  timeNs: number,
  ticks: Ticks,
): WorkerState {
  const { timer, queued } = domain;
  if (pass !== undefined) return runningAt(domain, pass, replay, timeNs);
  if (timer !== undefined) {
    const { row, sinceNs, delay, jiffy } = timer;
    return { state: 'sleeping', sinceNs, row, delay, untilJiffy: jiffy, untilNs: ticks.timeOfJiffyNs(jiffy) };
  }
  if (queued !== undefined) return { state: 'queued', ...queued };
  return { state: 'idle' };
}

function runningAt(domain: DomainState, pass: OpenPass, replay: Replay, timeNs: number): WorkerState {
  const { info } = replay;
  const code = unpackPass(pass.code);
  const burstPass = Math.min(pass.count - 1, passesDone(pass, timeNs));
  const passStartNs = pass.startNs + burstPass * pass.lengthNs;
  const checks = checksOf(domain, pass, info);
  const made = checks.filter((check) => passStartNs + check.offsetNs <= timeNs);
  const next = checks[made.length];
  const worker = workerOfCpu(info)[code.cpu] ?? -1;
  return {
    state: 'running',
    row: pass.row,
    cpu: code.cpu,
    pass: domain.gpPasses + burstPass + 1,
    burstPass,
    burstPasses: pass.count,
    checksDone: made.length,
    checksFailed: made.filter((check) => check.failed).length,
    checksInPass: checks.length,
    nextCheckNs: next === undefined ? Number.NaN : passStartNs + next.offsetNs,
    passStartNs,
    passEndNs: passStartNs + pass.lengthNs,
    onCpu: !info.contended || replay.running[code.cpu] === worker,
  };
}
