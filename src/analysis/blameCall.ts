/** Why a call took so long: its own code, the grace period it waits for, its callback. */
import { APIS } from '../engine/config.ts';
import { CALLBACK, KIND, TIMER_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { gpSegments } from './blameSegments.ts';
import type { Blame, Remedy } from './blameTypes.ts';
import { findRow } from './cursor.ts';
import { Cutter } from './cutter.ts';
import { periodFacts } from './periodFacts.ts';
import { count, duration, trackName } from './phrase.ts';
import type { RunIndex } from './types.ts';

/** What a call waits for: from when on, whose end, and the row that invokes its callback. */
interface Wait {
  readonly fromNs: number;
  readonly fromRow: number;
  readonly gp: number;
  readonly callback: number;
}

/** Explains call `call` of the CallTable. */
export function blameCall(log: EventLog, index: RunIndex, call: number): Blame {
  const { calls, info } = index;
  const startNs = calls.callNs[call] as number;
  const finished = calls.returnRow[call] !== -1;
  const endNs = finished ? (calls.returnNs[call] as number) : index.endNs;
  const thread = calls.thread[call] as number;
  const api = APIS[calls.api[call] as number] ?? 'call';
  const verb = finished ? 'take' : 'not return within';
  const title = `Why did call ${calls.number[call]} of ${trackName(thread, info)}, ${api}(), ${verb} ${duration(endNs - startNs)}?`;
  const cutter = new Cutter(startNs, endNs, thread, info.tracks[thread]?.cpu ?? -1);
  const wait = api === 'srcu_barrier' ? barrierWait(log, index, call) : requestWait(log, index, call);
  // call_srcu() waits for nobody.
  if (wait === undefined || api === 'call_srcu') {
    cutter.to(endNs, 'entry', calls.callRow[call] as number, (ns) => `${api}() itself: ${duration(ns)}.`);
  } else {
    cutter.to(
      wait.fromNs,
      'entry',
      calls.callRow[call] as number,
      (ns) => `${api}() up to its request: ${duration(ns)}.`,
    );
    if (wait.gp < 0)
      cutter.to(
        endNs,
        'earlierGp',
        wait.fromRow,
        (ns) => `Its grace period has not started: ${duration(ns)}.`,
      );
    else afterRequest(log, index, call, wait, cutter, endNs);
  }
  return { of: 'call', index: call, title, startNs, endNs, finished, segments: cutter.segments };
}

function requestWait(log: EventLog, index: RunIndex, call: number): Wait | undefined {
  const { calls } = index;
  const fromRow = calls.requestRow[call] as number;
  if (fromRow < 0) return undefined;
  const callback = calls.callback[call] as number;
  return { fromNs: log.timeNs(fromRow), fromRow, gp: calls.gp[call] as number, callback };
}

/** A barrier waits for the last of its callbacks, each behind the last one of its list (2.8). */
function barrierWait(log: EventLog, index: RunIndex, call: number): Wait | undefined {
  const { calls, gps } = index;
  const callRow = calls.callRow[call] as number;
  const domain = calls.domain[call] as number;
  const thread = calls.thread[call] as number;
  let found: { row: number; target: number; id: number } | undefined;
  for (let row = callRow + 1; row < log.length; row++) {
    const { kind, track, a, b, d } = log.row(row);
    if (kind === KIND.api_return && track === thread) break;
    if (track !== domain || kind !== KIND.srcu_cb_queue || d !== CALLBACK.barrier) continue;
    if (found === undefined || b >= found.target) found = { row, target: b, id: a };
    // All lists are served at one instant.
    if (log.timeNs(row + 1) > log.timeNs(row)) break;
  }
  if (found === undefined) return undefined;
  const { row, target, id } = found;
  const gp = gps.number.findIndex((number, i) => gps.track[i] === domain && number * 4 === target);
  return { fromNs: log.timeNs(row), fromRow: row, gp, callback: id };
}

/** Everything from the request on. */
function afterRequest(
  log: EventLog,
  index: RunIndex,
  call: number,
  wait: Wait,
  cutter: Cutter,
  endNs: number,
): void {
  const { info } = index;
  const facts = periodFacts(log, index, wait.gp);
  cutter.to(facts.startNs, 'earlierGp', wait.fromRow, (ns) => {
    return `Grace period ${facts.number - 1} was running when it asked, and a whole later one is needed: ${duration(ns)} until that ended.`;
  });
  // A barrier may come when the grace period has ended and only the callbacks have still to run.
  const gpEndNs = Math.min(endNs, facts.endNs);
  const rows = facts.finished ? callbackRows(log, index, wait) : undefined;
  const isSynchronous = APIS[index.calls.api[call] as number] === 'synchronize_srcu';
  if (gpEndNs > cutter.atNs) {
    const segments = gpSegments(
      facts,
      cutter.atNs,
      gpEndNs,
      info,
      Math.max(0, (rows?.timerNs ?? 0) - facts.endNs),
    );
    // nobody but its caller can make a call an expedited one, and one that is running as it calls is another
    const isAdvised = isSynchronous && cutter.atNs === wait.fromNs;
    cutter.add(
      segments.map(({ remedy, ...segment }) =>
        remedy === undefined || (segment.kind === 'firstDelay' && !isAdvised)
          ? segment
          : { ...segment, remedy },
      ),
    );
  }
  if (rows === undefined) {
    cutter.to(endNs, 'wake', wait.fromRow, (ns) => `The run ends: ${duration(ns)}.`);
    return;
  }
  cutter.to(
    rows.timerNs,
    'cbDelay',
    rows.timerRow,
    (ns) => `The callback waited for srcu_delay_timer: ${duration(ns)}.`,
    // of a normal one it is told with the first-pass delay
    (ns) => (facts.expedited ? noDelay(ns) : undefined),
  );
  wakeWorker(log, index, rows, cutter);
  cutter.to(
    rows.invokeNs,
    'callback',
    rows.invokeRow,
    (ns) => `srcu_invoke_callbacks() came to its callback after ${duration(ns)}${ahead(rows.ahead)}.`,
  );
  cutter.to(endNs, 'return', rows.invokeRow, (ns) => `Woken, it returned after ${duration(ns)}.`);
}

/** What makes the callback delay of an expedited grace period go away (2.6 step 1). */
function noDelay(ns: number): Remedy {
  const text = `With the rule srcu.cbdelay of v5.19-patch-v1 the callbacks of an expedited grace period run at once: about ${duration(ns)} less.`;
  return { text, savesNs: ns };
}

/** From the queueing of the callback work to its start: on its way, or somebody else has the CPU. */
function wakeWorker(log: EventLog, index: RunIndex, rows: CallbackRows, cutter: Cutter): void {
  const { info } = index;
  const cpu = info.tracks[rows.worker]?.cpu ?? -1;
  const wake = (toNs: number) => {
    cutter.to(
      toNs,
      'wake',
      rows.executeRow,
      (ns) => `srcu_invoke_callbacks() was on its way to the CPU: ${duration(ns)}.`,
    );
  };
  if (!info.contended || cpu < 0 || !(rows.executeNs > cutter.atNs)) {
    wake(rows.executeNs);
    return;
  }
  const where = { kind: KIND.sched_switch, track: cpu };
  let row = findRow(log, log.lowerBound(cutter.atNs + 1), -1, where);
  while (row >= 0 && cutter.atNs < rows.executeNs) {
    const running = log.row(row).a;
    const next = findRow(log, row, 1, where);
    const toNs = next < 0 ? rows.executeNs : Math.min(rows.executeNs, log.timeNs(next));
    if (running < 0 || running === rows.worker) wake(toNs);
    else {
      const who = { thread: running, cpu };
      const text = (ns: number) =>
        `srcu_invoke_callbacks() was runnable, but ${trackName(running, info)} had CPU ${cpu}: ${duration(ns)}.`;
      cutter.to(toNs, 'offCpu', row, text, undefined, who);
    }
    row = next;
  }
  wake(rows.executeNs);
}

function ahead(callbacks: number): string {
  return callbacks === 0 ? '' : `, ${count(callbacks, 'callback')} before it`;
}

interface CallbackRows {
  timerNs: number;
  timerRow: number;
  executeNs: number;
  executeRow: number;
  /** The worker that executed it. */
  worker: number;
  invokeNs: number;
  invokeRow: number;
  /** Callbacks invoked before it by the same work. */
  ahead: number;
}

/** What came between the end of the grace period and the invocation of the callback. */
function callbackRows(log: EventLog, index: RunIndex, wait: Wait): CallbackRows {
  const domain = index.gps.track[wait.gp] as number;
  const none = Number.NEGATIVE_INFINITY;
  const rows = {
    timerNs: none,
    timerRow: -1,
    executeNs: none,
    executeRow: -1,
    worker: -1,
    invokeNs: none,
    invokeRow: -1,
    ahead: 0,
  };
  if (!(wait.callback >= 0)) return rows;
  for (let row = index.gps.endRow[wait.gp] as number; row < log.length; row++) {
    const { kind, track, a, b, d, timeNs } = log.row(row);
    if (kind === KIND.timer_expire_entry && a === TIMER_FN.srcu_delay_timer && d === domain) {
      rows.timerNs = timeNs;
      rows.timerRow = row;
    } else if (kind === KIND.workqueue_execute_start && b === domain) {
      rows.executeNs = timeNs;
      rows.executeRow = row;
      rows.worker = track;
      rows.ahead = 0;
    } else if (kind === KIND.srcu_cb_invoke && track === domain) {
      if (a === wait.callback) return { ...rows, invokeNs: timeNs, invokeRow: row };
      rows.ahead++;
    }
  }
  // Not invoked before the run ended.
  return { ...rows, timerNs: none, executeNs: none };
}
