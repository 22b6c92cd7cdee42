/** Why a call of Tree RCU took so long: L = numbering + residual + grace period + callback and wake-up (tree R4.2, R4.3). */
import { APIS } from '../engine/config.ts';
import { KIND, RCU_BARRIER, RCU_GP } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { offloadedCpus } from '../engine/profiles/offload.ts';
import type { Blame } from './blameTypes.ts';
import { Cutter } from './cutter.ts';
import { cutKvfreeBarrier } from './kvfreeBlame.ts';
import { count, duration, trackName } from './phrase.ts';
import { cutExpedited } from './rcuBlameExp.ts';
import { cutRcuGp, cutRcuGpAdvised } from './rcuBlameGp.ts';
import { couldExpedite, withExpedited } from './rcuRemedies.ts';
import { wakeRemedy } from './rcuWakeRemedy.ts';
import { GP_FLAVOR, type RunIndex } from './types.ts';

/** Explains call `call` of the CallTable. */
export function blameRcuCall(log: EventLog, index: RunIndex, call: number): Blame {
  const { calls, info } = index;
  const startNs = calls.callNs[call] as number;
  const finished = calls.returnRow[call] !== -1;
  const endNs = finished ? (calls.returnNs[call] as number) : index.endNs;
  const thread = calls.thread[call] as number;
  const api = APIS[calls.api[call] as number] ?? 'call';
  const verb = finished ? 'take' : 'not return within';
  const cutter = new Cutter(startNs, endNs, thread, info.tracks[thread]?.cpu ?? -1);
  const callRow = calls.callRow[call] as number;
  const itself = (ns: number) => `${api}() itself: ${duration(ns)}.`;
  if (api === 'rcu_barrier') cutBarrier(log, index, call, cutter);
  else if (api === 'kvfree_rcu_barrier') cutKvfreeBarrier(log, index, call, cutter);
  else if (calls.requestRow[call] === -1) cutter.to(endNs, 'entry', callRow, itself);
  else cutCall(log, index, call, cutter);
  cutter.to(endNs, 'return', callRow, itself);
  const gp = calls.gp[call] as number;
  const endRow = calls.returnRow[call] as number;
  const isNormal =
    finished && couldExpedite(index, call) && gp >= 0 && index.gps.flavor[gp] === GP_FLAVOR.rcu;
  const wait = { fromNs: startNs, fromRow: callRow, endNs, endRow, gp, thread };
  const { segments } = cutter;
  return {
    ...{ of: 'call', index: call, startNs, endNs, finished },
    segments: isNormal ? withExpedited(segments, log, index, wait) : segments,
    title: `Why did call ${calls.number[call]} of ${trackName(thread, info)}, ${api}(), ${verb} ${duration(endNs - startNs)}?`,
  };
}

function cutCall(log: EventLog, index: RunIndex, call: number, cutter: Cutter): void {
  const { calls, gps } = index;
  const requestRow = calls.requestRow[call] as number;
  const gp = calls.gp[call] as number;
  const isExpedited = gp >= 0 && gps.flavor[gp] === GP_FLAVOR.exp;
  cutter.to(
    calls.requestNs[call] as number,
    'entry',
    calls.callRow[call] as number,
    (ns) => `The call up to ${isExpedited ? 'the funnel' : 'its request'}: ${duration(ns)}.`,
  );
  cutNumbering(log, index, call, cutter);
  const endNs = calls.returnRow[call] === -1 ? index.endNs : (calls.returnNs[call] as number);
  if (gp < 0) {
    cutter.to(endNs, 'residual', requestRow, (ns) => `Its grace period has not started: ${duration(ns)}.`);
    return;
  }
  const startNs = gps.startNs[gp] as number;
  const before = runningBefore(index, gp, cutter.atNs);
  const kind = isExpedited ? 'funnel' : 'residual';
  cutter.to(startNs, kind, gps.startRow[gp] as number, (ns) => residualText(before, isExpedited, ns));
  const gpEndNs = gps.endRow[gp] === -1 ? endNs : (gps.endNs[gp] as number);
  if (gpEndNs > cutter.atNs) {
    // a grace period that outlasts the call (the run is cut) ends with it
    if (isExpedited) cutExpedited(log, index, gp, cutter);
    else if (before === 0 && !isPolled(index, call)) cutRcuGp(log, index, gp, cutter);
    // parameters would have changed what else is waited for, too
    else cutRcuGpAdvised(log, index, gp, cutter, ({ param }) => param === undefined);
  }
  cutter.to(
    gpEndNs,
    'gpWake',
    gps.startRow[gp] as number,
    (ns) => `The rest of the grace period: ${duration(ns)}.`,
  );
  cutAfter(log, index, call, cutter, endNs);
}

/** Does the caller look now and then whether the grace period is over? Then it is the next look that counts. */
function isPolled({ calls }: RunIndex, call: number): boolean {
  return /poll|get_state/.test(APIS[calls.api[call] as number] ?? '');
}

/** N: until the callback has a number (R3.5). */
function cutNumbering(log: EventLog, index: RunIndex, call: number, cutter: Cutter): void {
  const { calls, info } = index;
  if (Number.isNaN(calls.callback[call])) return;
  const requestRow = calls.requestRow[call] as number;
  const numberedRow = calls.numberedRow[call] as number;
  const cpu = log.row(queueRow(log, requestRow)).track;
  const isOffloaded = offloadedCpus(info.config).includes(cpu);
  const who = { thread: calls.thread[call] as number, cpu };
  const numberedNs = numberedRow < 0 ? index.endNs : log.timeNs(numberedRow);
  const missed = runningAt(index, calls.requestNs[call] as number, numberedNs);
  const late =
    missed < 0
      ? ''
      : ` Grace period ${index.gps.number[missed]} was running, and nothing on that list was numbered before it had ended.`;
  const when = isOffloaded
    ? `when rcuog looked at the list of CPU ${cpu}`
    : `in rcu_core() behind a tick of CPU ${cpu}`;
  cutter.to(
    numberedNs,
    'numbering',
    numberedRow < 0 ? requestRow : numberedRow,
    (ns) => `Its callback got a number only ${when}: ${duration(ns)}.${late}`,
    () => wakeRemedy(log, index, call, cpu),
    who,
  );
}

/** The normal grace period that was running at a time and ended before another; -1: none. */
function runningAt({ gps }: RunIndex, atNs: number, beforeNs: number): number {
  const gp = gps.startNs.findLastIndex((startNs, i) => startNs <= atNs && gps.flavor[i] === GP_FLAVOR.rcu);
  const endNs = gp < 0 ? Number.NaN : (gps.endNs[gp] as number);
  return endNs > atNs && endNs <= beforeNs ? gp : -1;
}

/** The rcu_callback row at or right behind a request (a rcu_sr_normal row may come before it). */
function queueRow(log: EventLog, row: number): number {
  for (let at = row; at < Math.min(log.length, row + 16); at++)
    if (log.kind(at) === KIND.rcu_callback) return at;
  return row;
}

/** Grace periods of the same flavor that ran between a time and the start of `gp`. */
function runningBefore({ gps }: RunIndex, gp: number, sinceNs: number): number {
  let n = 0;
  for (let other = gp - 1; other >= 0; other--) {
    if (gps.flavor[other] !== gps.flavor[gp]) continue;
    if (!((gps.endNs[other] as number) > sinceNs)) break;
    n++;
  }
  return n;
}

function residualText(before: number, isExpedited: boolean, ns: number): string {
  const long = duration(ns);
  if (isExpedited)
    return before === 0
      ? `It took exp_mutex and started the grace period after ${long}.`
      : `Another expedited grace period was running, and a whole later one is needed: ${long} in the funnel.`;
  if (before === 0) return `The kthread was woken and started the grace period after ${long}.`;
  const rest = before === 1 ? 'A grace period was running' : `${before} grace periods came first`;
  return `${rest}, and a whole later one is needed: ${long}.`;
}

/** C: from the end of the grace period to the callback, and back in the caller (R3.6, R4.5). */
function cutAfter(log: EventLog, index: RunIndex, call: number, cutter: Cutter, endNs: number): void {
  const { calls, gps, info } = index;
  const gp = calls.gp[call] as number;
  const endRow = gps.endRow[gp] as number;
  if (endRow < 0) return;
  const invokeRow = calls.invokeRow[call] as number;
  const returnRow = calls.returnRow[call] as number;
  if (!Number.isNaN(calls.callback[call])) {
    const lastRow = invokeRow < 0 ? log.length - 1 : invokeRow;
    const { cpu, batchRow, ahead } = batchOf(
      log,
      endRow,
      lastRow,
      queueRow(log, calls.requestRow[call] as number),
    );
    const batchNs = batchRow < 0 ? log.timeNs(lastRow) : log.timeNs(batchRow);
    const isOffloaded = offloadedCpus(info.config).includes(cpu);
    const how = isOffloaded
      ? 'rcuog and rcuop came to it'
      : `CPU ${cpu} learned of that and began its batch, behind a tick,`;
    const who = { thread: -1, cpu };
    // told with the numbering, where that took any time
    const isTold = cutter.segments.some(({ kind }) => kind === 'numbering');
    const remedy = () => (isTold ? undefined : wakeRemedy(log, index, call, cpu));
    cutter.to(
      batchNs,
      'callback',
      batchRow < 0 ? endRow : batchRow,
      (ns) => `The grace period was over; ${how} after ${duration(ns)}.`,
      remedy,
      who,
    );
    const before = ahead === 0 ? '' : ` behind ${count(ahead, 'older callback')}`;
    cutter.to(
      log.timeNs(lastRow),
      'callback',
      lastRow,
      (ns) => `Its callback ran${before} after ${duration(ns)}.`,
      undefined,
      who,
    );
  } else {
    const wakeRow = lastWake(
      log,
      endRow,
      returnRow < 0 ? log.length - 1 : returnRow,
      calls.thread[call] as number,
    );
    if (wakeRow >= 0)
      cutter.to(
        log.timeNs(wakeRow),
        'callback',
        wakeRow,
        (ns) => `The grace period was over; it was woken after ${duration(ns)}.`,
      );
  }
  cutter.to(
    endNs,
    'return',
    returnRow < 0 ? endRow : returnRow,
    (ns) => `Woken, it returned after ${duration(ns)}.`,
  );
}

/** The batch in which a callback ran, and how many ran before it there. */
function batchOf(log: EventLog, from: number, to: number, queuedRow: number) {
  const cpu = log.row(queuedRow).track;
  let batchRow = -1;
  let ahead = 0;
  for (let row = from; row < to; row++) {
    const kind = log.kind(row);
    if (kind !== KIND.rcu_batch_start && kind !== KIND.rcu_invoke_callback) continue;
    if (log.row(row).c !== cpu) continue;
    if (kind === KIND.rcu_invoke_callback) ahead++;
    else if (batchRow < 0) batchRow = row;
  }
  return { cpu, batchRow, ahead };
}

/** The last time that a thread was woken, -1. */
function lastWake(log: EventLog, from: number, to: number, thread: number): number {
  for (let row = to; row > from; row--)
    if (log.kind(row) === KIND.sched_waking && log.row(row).track === thread) return row;
  return -1;
}

/** rcu_barrier(): from the first CPU it asked to the last callback (R3.13). */
function cutBarrier(log: EventLog, index: RunIndex, call: number, cutter: Cutter): void {
  const { calls, info } = index;
  const from = calls.callRow[call] as number;
  const returnRow = calls.returnRow[call] as number;
  const to = returnRow < 0 ? log.length - 1 : returnRow;
  let askedRow = -1;
  let lastRow = -1;
  let cpus = 0;
  for (let row = from; row <= to; row++) {
    if (log.kind(row) !== KIND.rcu_barrier) continue;
    const { a } = log.row(row);
    if (a === RCU_BARRIER.OnlineQ) cpus++;
    if (a === RCU_BARRIER.Inc1) askedRow = row;
    if (a === RCU_BARRIER.LastCB) lastRow = row;
  }
  if (askedRow >= 0)
    cutter.to(
      log.timeNs(askedRow),
      'funnel',
      askedRow,
      (ns) => `It waited for barrier_mutex: ${duration(ns)}.`,
    );
  if (lastRow < 0) return;
  const cpu = log.row(lastRow).track;
  const ended = lastGpEnd(log, from, lastRow);
  const text = (ns: number) =>
    `The barrier stood behind the callbacks of ${count(cpus, 'CPU')}; its last one, on CPU ${cpu}, ran after ${duration(ns)}.`;
  const wait = (ns: number) => `Callbacks before it waited for a grace period: ${duration(ns)}.`;
  if (ended >= 0) cutter.to(log.timeNs(ended), 'barrier', ended, wait, undefined, { thread: -1, cpu });
  cutter.to(log.timeNs(lastRow), 'barrier', lastRow, text, undefined, { thread: -1, cpu });
  cutter.to(
    returnRow < 0 ? index.endNs : (calls.returnNs[call] as number),
    'return',
    lastRow,
    (ns) => `Woken, ${trackName(calls.thread[call] as number, info)} returned after ${duration(ns)}.`,
  );
}

/** The last end of a normal grace period between two rows, -1. */
function lastGpEnd(log: EventLog, from: number, to: number): number {
  for (let row = to; row > from; row--)
    if (log.kind(row) === KIND.rcu_grace_period && log.row(row).a === RCU_GP.end) return row;
  return -1;
}
