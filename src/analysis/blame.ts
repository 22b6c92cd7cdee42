/**
 * Why did this grace period, or this call, take so long: stretches of one reason each, which sum exactly to its
 * duration.
 *
 *   call |entry|earlier grace period|first delay|SCAN1|polling|slept|waste|callback delay|callback|return|
 */
import { SRCU_APIS } from '../engine/config.ts';
import { CALLBACK, KIND, TIMER_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { gpSegments } from './blameSegments.ts';
import type { Blame, BlameKind, BlameSegment, BlameTarget } from './blameTypes.ts';
import { periodFacts } from './periodFacts.ts';
import { count, duration, trackName } from './phrase.ts';
import type { RunIndex } from './types.ts';

/** Explains a grace period or a call. Throws an Error with a message for the user if there is no such thing. */
export function blame(log: EventLog, index: RunIndex, target: BlameTarget): Blame {
  switch (target.of) {
    case 'gp':
      return blameGp(log, index, inTable(target.index, index.gps.length, 'grace period'));
    case 'call':
      return blameCall(log, index, inTable(target.index, index.calls.length, 'call'));
    case 'gpNumber':
      return blameGp(log, index, gpOfNumber(index, target.domain, target.number));
    case 'row':
      return blameRow(log, index, target.row);
  }
}

function inTable(n: number, length: number, what: string): number {
  if (!Number.isInteger(n) || n < 0 || n >= length)
    throw new Error(`why: no ${what} ${n}, there are ${length}`);
  return n;
}

function gpOfNumber(index: RunIndex, domain: number, number: number): number {
  const { gps } = index;
  const gp = gps.number.findIndex((k, i) => k === number && gps.track[i] === domain);
  if (gp < 0) throw new Error(`why: ${trackName(domain, index.info)} has no grace period ${number}`);
  return gp;
}

/** The call whose row it is; else the grace period of its domain, or of any, that was running or started last. */
function blameRow(log: EventLog, index: RunIndex, row: number): Blame {
  if (row < 0 || row >= log.length) throw new Error(`why: no row ${row}, there are ${log.length}`);
  const { calls, gps, info } = index;
  const call = calls.callRow.findIndex((callRow, i) => callRow === row || calls.returnRow[i] === row);
  if (call >= 0) return blameCall(log, index, call);
  const track = log.row(row).track;
  const isDomain = info.tracks[track]?.kind === 'srcu';
  const gp = gps.startRow.findLastIndex((start, i) => start <= row && (!isDomain || gps.track[i] === track));
  if (gp < 0) throw new Error(`why: no grace period has started by row ${row}`);
  return blameGp(log, index, gp);
}

function blameGp(log: EventLog, index: RunIndex, gp: number): Blame {
  const facts = periodFacts(log, index, gp);
  const { startNs, endNs, finished } = facts;
  const verb = finished ? 'take' : 'not end within';
  const title = `Why did grace period ${facts.number} of ${trackName(facts.domain, index.info)} ${verb} ${duration(endNs - startNs)}?`;
  const segments = gpSegments(facts, startNs, endNs, index.info);
  return { of: 'gp', index: gp, title, startNs, endNs, finished, segments };
}

/** What a call waits for: from when on, whose end, and the row that invokes its callback. */
interface Wait {
  readonly fromNs: number;
  readonly fromRow: number;
  readonly gp: number;
  readonly callback: number;
}

function blameCall(log: EventLog, index: RunIndex, call: number): Blame {
  const { calls, info } = index;
  const startNs = calls.callNs[call] as number;
  const finished = calls.returnRow[call] !== -1;
  const endNs = finished ? (calls.returnNs[call] as number) : index.endNs;
  const thread = calls.thread[call] as number;
  const api = SRCU_APIS[calls.api[call] as number] ?? 'call';
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
    else afterRequest(log, index, wait, cutter, endNs);
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
    if (kind === KIND.srcu_return && track === thread) break;
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
function afterRequest(log: EventLog, index: RunIndex, wait: Wait, cutter: Cutter, endNs: number): void {
  const { info } = index;
  const facts = periodFacts(log, index, wait.gp);
  cutter.to(facts.startNs, 'earlierGp', wait.fromRow, (ns) => {
    return `Grace period ${facts.number - 1} was running when it asked, and a whole later one is needed: ${duration(ns)} until that ended.`;
  });
  cutter.add(gpSegments(facts, cutter.atNs, Math.min(endNs, facts.endNs), info));
  if (!facts.finished) {
    cutter.to(endNs, 'wake', wait.fromRow, (ns) => `The run ends: ${duration(ns)}.`);
    return;
  }
  const rows = callbackRows(log, index, wait);
  cutter.to(
    rows.timerNs,
    'cbDelay',
    rows.timerRow,
    (ns) => `The callback waited for srcu_delay_timer: ${duration(ns)}.`,
  );
  cutter.to(
    rows.executeNs,
    'wake',
    rows.executeRow,
    (ns) => `srcu_invoke_callbacks() was on its way to the CPU: ${duration(ns)}.`,
  );
  cutter.to(
    rows.invokeNs,
    'callback',
    rows.invokeRow,
    (ns) => `srcu_invoke_callbacks() came to its callback after ${duration(ns)}${ahead(rows.ahead)}.`,
  );
  cutter.to(endNs, 'return', rows.invokeRow, (ns) => `Woken, it returned after ${duration(ns)}.`);
}

function ahead(callbacks: number): string {
  return callbacks === 0 ? '' : `, ${count(callbacks, 'callback')} before it`;
}

interface CallbackRows {
  timerNs: number;
  timerRow: number;
  executeNs: number;
  executeRow: number;
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
      rows.ahead = 0;
    } else if (kind === KIND.srcu_cb_invoke && track === domain) {
      if (a === wait.callback) return { ...rows, invokeNs: timeNs, invokeRow: row };
      rows.ahead++;
    }
  }
  // Not invoked before the run ended.
  return { ...rows, timerNs: none, executeNs: none };
}

/** Puts segments end to end: each goes from where the last one ended to a given time. */
class Cutter {
  readonly segments: BlameSegment[] = [];
  atNs: number;
  readonly #endNs: number;
  readonly #thread: number;
  readonly #cpu: number;

  constructor(startNs: number, endNs: number, thread: number, cpu: number) {
    this.atNs = startNs;
    this.#endNs = endNs;
    this.#thread = thread;
    this.#cpu = cpu;
  }

  /** Up to `toNs` (at most the end) it was `kind`; nothing if that is not later than the last segment's end. */
  to(toNs: number, kind: BlameKind, row: number, text: (ns: number) => string): void {
    const endNs = Math.min(toNs, this.#endNs);
    if (!(endNs > this.atNs)) return;
    const lengthNs = endNs - this.atNs;
    const savesNs = lengthNs;
    const remedy =
      kind === 'cbDelay'
        ? {
            text: `After an expedited grace period callbacks run at once: ${duration(savesNs)} less.`,
            savesNs,
          }
        : undefined;
    const segment = {
      kind,
      startNs: this.atNs,
      endNs,
      thread: this.#thread,
      cpu: this.#cpu,
      row,
      text: text(lengthNs),
    };
    this.segments.push(remedy === undefined ? segment : { ...segment, remedy });
    this.atNs = endNs;
  }

  add(segments: readonly BlameSegment[]): void {
    for (const segment of segments) {
      this.segments.push(segment);
      this.atNs = segment.endNs;
    }
  }
}
