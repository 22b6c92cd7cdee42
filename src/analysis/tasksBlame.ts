/**
 * Why did this take a second: a call that waits for a grace period of RCU Tasks (spec tasks 3).
 *
 *   call |entry|rest of another|gp_sleep|lazy|kthread wakes|grace period (tasksBlameGp.ts)|callbacks|return|
 */
import { APIS } from '../engine/config.ts';
import { CALLBACK, KIND, RTGS, TASKS_FLAVOR, TASKS_LAZY } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { tasksConstants } from '../engine/tasks/constants.ts';
import type { Blame } from './blameTypes.ts';
import { Cutter } from './cutter.ts';
import { count, duration, trackName } from './phrase.ts';
import { cutTasksGp, flavorOfGp } from './tasksBlameGp.ts';
import type { RunIndex } from './types.ts';

const LAZY_PARAMS = ['rcupdate.rcu_tasks_lazy_ms', undefined, 'rcupdate.rcu_tasks_trace_lazy_ms'] as const;

/** What of a call is explained: up to its return, or up to its last callback where it returns before that. */
interface Waiting {
  readonly endNs: number;
  readonly endRow: number;
  readonly finished: boolean;
  /** The callback that ends the waiting: invocation, -1. */
  readonly invokeRow: number;
  readonly isCallback: boolean;
}

/** Explains a call; of call_rcu_tasks() without a barrier: its last callback. */
export function blameTasksCall(log: EventLog, index: RunIndex, call: number): Blame {
  const { calls, info } = index;
  const startNs = calls.callNs[call] as number;
  const thread = calls.thread[call] as number;
  const api = APIS[calls.api[call] as number] ?? 'call';
  const waiting = waitingOf(log, index, call);
  const cutter = new Cutter(startNs, waiting.endNs, thread, info.tracks[thread]?.cpu ?? -1);
  const callRow = calls.callRow[call] as number;
  if (calls.requestRow[call] !== -1) cutCall(log, index, call, waiting, cutter);
  cutter.to(waiting.endNs, 'return', callRow, (ns) => `${api}() itself: ${duration(ns)}.`);
  const lasted = duration(waiting.endNs - startNs);
  const verb = waiting.finished ? 'take' : waiting.isCallback ? 'not run within' : 'not return within';
  const what = waiting.isCallback ? 'the callback of call' : 'call';
  return {
    ...{ of: 'call', index: call, startNs, endNs: waiting.endNs, finished: waiting.finished },
    segments: cutter.segments,
    title: `Why did ${what} ${calls.number[call]} of ${trackName(thread, info)}, ${api}(), ${verb} ${lasted}?`,
  };
}

function waitingOf(log: EventLog, index: RunIndex, call: number): Waiting {
  const { calls } = index;
  const returnRow = calls.returnRow[call] as number;
  const returned = returnRow !== -1;
  const byReturn: Waiting = {
    endNs: returned ? (calls.returnNs[call] as number) : index.endNs,
    endRow: returned ? returnRow : log.length - 1,
    finished: returned,
    invokeRow: calls.invokeRow[call] as number,
    isCallback: false,
  };
  if (!returned || !Number.isNaN(calls.callback[call])) return byReturn;
  const last = lastCallback(log, calls.callRow[call] as number, returnRow, calls.thread[call] as number);
  if (last < 0) return byReturn;
  const { a: id } = log.row(last);
  const invokeRow = rowWhere(
    log,
    last,
    log.length,
    ({ kind, a }) => kind === KIND.rcu_tasks_invoke_callback && a === id,
  );
  const finished = invokeRow >= 0;
  const endRow = finished ? invokeRow : log.length - 1;
  return {
    endNs: finished ? log.timeNs(invokeRow) : index.endNs,
    endRow,
    finished,
    invokeRow,
    isCallback: true,
  };
}

/** The last callback that a thread queues between two rows, -1. */
function lastCallback(log: EventLog, from: number, to: number, thread: number): number {
  for (let row = to; row > from; row--) {
    if (log.kind(row) !== KIND.rcu_tasks_callback) continue;
    const { track, c } = log.row(row);
    if (track === thread && c === CALLBACK.call) return row;
  }
  return -1;
}

function rowWhere(log: EventLog, from: number, to: number, isIt: (event: EventRow) => boolean): number {
  for (let row = from; row < to; row++) if (isIt(log.row(row))) return row;
  return -1;
}

function cutCall(log: EventLog, index: RunIndex, call: number, waiting: Waiting, cutter: Cutter): void {
  const { calls, gps } = index;
  const requestRow = calls.requestRow[call] as number;
  const callRow = calls.callRow[call] as number;
  const { b: flavor } = log.row(requestRow);
  cutter.to(
    calls.requestNs[call] as number,
    'entry',
    callRow,
    (ns) => `The call up to its callback: ${duration(ns)}.`,
  );
  const gp = gpOf(index, call, waiting, flavor);
  const startNs = gp < 0 ? waiting.endNs : (gps.startNs[gp] as number);
  cutBefore(
    log,
    index,
    { flavor, startNs, startRow: gp < 0 ? waiting.endRow : (gps.startRow[gp] as number), isStarted: gp >= 0 },
    requestRow,
    cutter,
  );
  if (gp < 0) return;
  const isFirst = !cutter.segments.some(({ kind }) => kind === 'earlierGp');
  cutTasksGp(log, index, gp, cutter, isFirst);
  const endRow = gps.endRow[gp] as number;
  if (endRow < 0) return;
  const { invokeRow } = waiting;
  if (invokeRow >= 0) {
    const before = countRows(
      log,
      endRow,
      invokeRow,
      ({ kind, b }) => kind === KIND.rcu_tasks_invoke_callback && b === flavor,
    );
    const behind = before === 0 ? '' : `, behind ${count(before, 'other')}`;
    cutter.to(
      log.timeNs(invokeRow),
      'callback',
      invokeRow,
      (ns) => `The kthread invoked its callback${behind}: ${duration(ns)}.`,
    );
  }
  cutter.to(waiting.endNs, 'return', waiting.endRow, (ns) => `Woken, it returned after ${duration(ns)}.`);
}

function countRows(log: EventLog, from: number, to: number, isIt: (event: EventRow) => boolean): number {
  let n = 0;
  for (let row = from; row < to; row++) if (isIt(log.row(row))) n++;
  return n;
}

/** The grace period that ends the waiting, -1: it has not started. */
function gpOf({ calls, gps }: RunIndex, call: number, waiting: Waiting, flavor: number): number {
  const first = calls.gp[call] as number;
  if (!waiting.isCallback || waiting.invokeRow < 0) return first;
  const last = gps.endRow.findLastIndex(
    (row, gp) => row >= 0 && row <= waiting.invokeRow && flavorOfGp(gps.flavor[gp] as number) === flavor,
  );
  return Math.max(first, last);
}

/** The grace period that a wait is about, as far as its beginning goes. */
interface Begin {
  readonly flavor: number;
  readonly startNs: number;
  readonly startRow: number;
  readonly isStarted: boolean;
}

/** From the request to the start of its grace period: another one, gp_sleep, laziness, the kthread (3.1, step 8). */
function cutBefore(log: EventLog, index: RunIndex, begin: Begin, requestRow: number, cutter: Cutter): void {
  const { gps, info } = index;
  const { flavor, startNs, startRow } = begin;
  if (startNs <= cutter.atNs) return;
  const before = gps.startRow.findLastIndex(
    (row, gp) => row < startRow && flavorOfGp(gps.flavor[gp] as number) === flavor,
  );
  const beforeEnd = before < 0 ? -1 : (gps.endRow[before] as number);
  if (before >= 0 && beforeEnd >= 0) {
    const late = cutter.atNs - (gps.startNs[before] as number);
    cutter.to(
      gps.endNs[before] as number,
      'earlierGp',
      beforeEnd,
      (ns) =>
        `Grace period ${gps.number[before]} was running, and a whole later one is needed: ${duration(ns)}.`,
      () => ({
        text: `Queued ${duration(late)} earlier, before grace period ${gps.number[before]} began, it would have been served by that one: ${duration(startNs - (gps.endNs[before] as number) + late)} less.`,
        savesNs: startNs - (gps.endNs[before] as number) + late,
      }),
    );
    const isAwake = ({ kind, a, b }: EventRow) =>
      kind === KIND.rcu_tasks_state && b === flavor && a === RTGS.WAIT_CBS;
    const awake = rowWhere(log, beforeEnd, startRow + 1, isAwake);
    const { gpSleep } = tasksConstants(info.config, info.rules, flavor);
    cutter.to(
      awake < 0 ? startNs : log.timeNs(awake),
      'tasksSleep',
      awake < 0 ? startRow : awake,
      (ns) =>
        `The kthread slept gp_sleep (${count(gpSleep, 'jiffy', 'jiffies')}) after grace period ${gps.number[before]}: ${duration(ns)}.`,
    );
  }
  cutLazy(log, index, begin, requestRow, cutter);
  cutter.to(startNs, 'gpWake', startRow, (ns) =>
    begin.isStarted
      ? `The kthread woke up and began: ${duration(ns)}.`
      : `Its grace period has not started: ${duration(ns)}.`,
  );
}

/** Until the lazy timer, or somebody in a hurry, brings the grace period. */
function cutLazy(log: EventLog, index: RunIndex, begin: Begin, requestRow: number, cutter: Cutter): void {
  const { flavor, startRow } = begin;
  const { lazyJiffies } = tasksConstants(index.info.config, index.info.rules, flavor);
  if (lazyJiffies === 0) return;
  const isUrgent = ({ kind, a, b }: EventRow) =>
    kind === KIND.rcu_tasks_lazy && b === flavor && (a === TASKS_LAZY.fired || a === TASKS_LAZY.urgent);
  const until = rowWhere(log, requestRow, startRow, isUrgent);
  const name = LAZY_PARAMS[flavor];
  const caller = flavor === TASKS_FLAVOR.trace ? 'call_rcu_tasks_trace()' : 'call_rcu_tasks()';
  const wait = count(lazyJiffies, 'jiffy', 'jiffies');
  const how =
    until >= 0 && log.row(until).a === TASKS_LAZY.urgent
      ? 'until somebody was in a hurry'
      : `for the lazy timer (${wait}, and what the timer wheel adds)`;
  cutter.to(
    until < 0 ? (begin.isStarted ? cutter.atNs : begin.startNs) : log.timeNs(until),
    'tasksLazy',
    until < 0 ? startRow : until,
    (ns) => `A callback of ${caller} is in no hurry; it waited ${how}: ${duration(ns)}.`,
    (ns) => ({
      text: `${name}=0 makes every callback wake the kthread, and a synchronous call does so anyhow: ${duration(ns)} less.`,
      savesNs: ns,
      ...(name === undefined ? {} : { param: { name, value: 0 } }),
    }),
  );
}
