/**
 * Why did this grace period, or this call, take so long: stretches of one reason each, which sum exactly to its
 * duration.
 *
 *   call |entry|earlier grace period|first delay|SCAN1|polling|slept|waste|callback delay|callback|return|
 */
import { APIS, isTasksApi } from '../engine/config.ts';
import { KIND } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { blameCall } from './blameCall.ts';
import { gpSegments } from './blameSegments.ts';
import type { Blame, BlameTarget } from './blameTypes.ts';
import { blameUnit } from './kvfreeBlame.ts';
import { periodFacts } from './periodFacts.ts';
import { duration, trackName } from './phrase.ts';
import { blameRcuCall } from './rcuBlameCall.ts';
import { blameRcuGp } from './rcuBlameGp.ts';
import { rcuTrack } from './rcuGeometry.ts';
import { blameTasksCall } from './tasksBlame.ts';
import { blameTasksGp } from './tasksBlameGp.ts';
import { GP_FLAVOR, type RunIndex } from './types.ts';

/** Explains a grace period or a call. Throws an Error with a message for the user if there is no such thing. */
export function blame(log: EventLog, index: RunIndex, target: BlameTarget): Blame {
  switch (target.of) {
    case 'gp':
      return blameGp(log, index, inTable(target.index, index.gps.length, 'grace period'));
    case 'call':
      return callBlame(log, index, inTable(target.index, index.calls.length, 'call'));
    case 'gpNumber':
      return blameGp(
        log,
        index,
        gpOfNumber(index, target.domain, target.number, target.isExpedited === true),
      );
    case 'unit':
      return blameUnit(log, index, inTable(target.index, index.kvfree?.units.length ?? 0, 'unit'));
    case 'row':
      return blameRow(log, index, target.row);
  }
}

function inTable(n: number, length: number, what: string): number {
  if (!Number.isInteger(n) || n < 0 || n >= length)
    throw new Error(`why: no ${what} ${n}, there are ${length}`);
  return n;
}

function gpOfNumber(index: RunIndex, domain: number, number: number, isExpedited: boolean): number {
  const { gps } = index;
  const gp = gps.number.findIndex(
    (k, i) => k === number && gps.track[i] === domain && (gps.flavor[i] === GP_FLAVOR.exp) === isExpedited,
  );
  if (gp < 0) throw new Error(`why: ${trackName(domain, index.info)} has no grace period ${number}`);
  return gp;
}

/** The call whose row it is; else the grace period of its domain, or of any, that was running or started last. */
function blameRow(log: EventLog, index: RunIndex, row: number): Blame {
  if (row < 0 || row >= log.length) throw new Error(`why: no row ${row}, there are ${log.length}`);
  const { calls, gps, info } = index;
  const call = calls.callRow.findIndex((callRow, i) => callRow === row || calls.returnRow[i] === row);
  if (call >= 0) return callBlame(log, index, call);
  const track = log.row(row).track;
  const isDomain = info.tracks[track]?.kind === 'srcu';
  const kind = log.kind(row);
  const isExp = isExpeditedRow(kind);
  const tasksFlavor = hasTasksFlavor(kind) ? GP_FLAVOR.tasks + log.row(row).b : -1;
  const gp = gps.startRow.findLastIndex((start, i) => {
    if (start > row) return false;
    if (tasksFlavor >= 0) return gps.flavor[i] === tasksFlavor;
    return isExp ? gps.flavor[i] === GP_FLAVOR.exp : !isDomain || gps.track[i] === track;
  });
  if (gp < 0) throw new Error(`why: no grace period has started by row ${row}`);
  return blameGp(log, index, gp);
}

/** Rows of expedited grace periods are explained by theirs. */
function isExpeditedRow(kind: number): boolean {
  return kind >= KIND.rcu_exp_grace_period && kind <= KIND.rcu_exp_report;
}

/** Rows of RCU Tasks that name their flavour. */
function hasTasksFlavor(kind: number): boolean {
  return kind >= KIND.rcu_tasks_state && kind <= KIND.rcu_tasks_stall;
}

function callBlame(log: EventLog, index: RunIndex, call: number): Blame {
  if (isTasksApi(APIS[index.calls.api[call] as number] ?? '')) return blameTasksCall(log, index, call);
  return index.calls.domain[call] === rcuTrack(index.info)
    ? blameRcuCall(log, index, call)
    : blameCall(log, index, call);
}

function blameGp(log: EventLog, index: RunIndex, gp: number): Blame {
  if ((index.gps.flavor[gp] as number) >= GP_FLAVOR.tasks) return blameTasksGp(log, index, gp);
  if (index.gps.flavor[gp] !== GP_FLAVOR.srcu) return blameRcuGp(log, index, gp);
  const facts = periodFacts(log, index, gp);
  const { startNs, endNs, finished } = facts;
  const verb = finished ? 'take' : 'not end within';
  const title = `Why did grace period ${facts.number} of ${trackName(facts.domain, index.info)} ${verb} ${duration(endNs - startNs)}?`;
  const segments = gpSegments(facts, startNs, endNs, index.info);
  return { of: 'gp', index: gp, title, startNs, endNs, finished, segments };
}
