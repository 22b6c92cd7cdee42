/** What rcu_expedited would have saved of a grace period of RCU Tasks: its own synchronize_rcu() (spec tasks 3, 4.1). */
import { RTGS, TASKS_FLAVOR } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { tasksConstants } from '../engine/tasks/constants.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import type { Remedy } from './blameTypes.ts';
import { duration } from './phrase.ts';
import { leftNs } from './rcuRemedies.ts';
import { sectionsAt } from './rcuSections.ts';
import { backoffLadder } from './tasksLadder.ts';

const EXPEDITED = 'rcupdate.rcu_expedited';
/** Scans of a back-off that are looked through for the one that counts. */
export const MOST_SCANS = 4096;

/** A state of the kthread's rtp->gp_state, and when it was entered. */
export interface TasksState {
  readonly state: number;
  readonly ns: number;
  readonly row: number;
}

/** A finished grace period of RCU Tasks. */
export interface TasksGpStates {
  readonly flavor: number;
  readonly states: readonly TasksState[];
  readonly endNs: number;
  readonly endRow: number;
  /** When its last holdout was released. */
  readonly releasedNs: number;
}

/**
 * The hold-out phase begins earlier by what the first synchronize_rcu() saves, and its scans with it; holdouts are
 * released when they were. Undefined where there was no such phase: the worker of an expedited grace period may still
 * run when the task list is looked through, and make one.
 */
export function expediteRemedy(log: EventLog, info: RunInfo, gp: TasksGpStates): Remedy | undefined {
  const { expedited, normal, isPreemptible } = treeConstants(info.config, info.rules);
  // an interrupt gets no quiescent state out of a kernel that cannot be preempted
  if (expedited || normal || !isPreemptible) return undefined;
  const savesNs = gp.flavor === TASKS_FLAVOR.trace ? ofTrace(log, gp) : ofClassic(log, info, gp);
  if (!(savesNs > 1e8 / info.config.hz)) return undefined;
  const text = `${EXPEDITED}=1 expedites every synchronize_rcu() of the kthread, and nothing else of RCU Tasks: about ${duration(savesNs)} less.`;
  return { text, savesNs, param: { name: EXPEDITED, value: 1 } };
}

/** From a state to the next one, but for sections of RCU that were there: an expedited grace period waits for them, too. NaN: no such state. */
function sparedNs(log: EventLog, { states, endNs, endRow }: TasksGpStates, which: number): number {
  const i = states.findIndex(({ state }) => state === which);
  const from = states[i];
  if (from === undefined) return Number.NaN;
  const { ns: toNs, row: toRow } = states[i + 1] ?? { ns: endNs, row: endRow };
  return toNs - leftNs(sectionsAt(log, from.row, toRow), from.ns);
}

/** One synchronize_rcu(), for tasks that exit, before the holdouts. */
function ofTrace(log: EventLog, gp: TasksGpStates): number {
  if (gp.states.some(({ state }) => state === RTGS.WAIT_SCAN_HOLDOUTS)) return Number.NaN;
  return sparedNs(log, gp, RTGS.POST_SCAN_TASKLIST);
}

/** One before the task list and one after the last scan. */
function ofClassic(log: EventLog, info: RunInfo, gp: TasksGpStates): number {
  const { states, flavor, releasedNs } = gp;
  const at = (which: number) => states.find(({ state }) => state === which)?.ns ?? Number.NaN;
  const heldNs = at(RTGS.WAIT_SCAN_HOLDOUTS);
  const exitNs = heldNs - at(RTGS.POST_SCAN_TASKLIST);
  // tasks that exit end their wait when they do
  if (!(exitNs < 1e9 / info.config.hz)) return Number.NaN;
  const beginNs = heldNs - sparedNs(log, gp, RTGS.PRE_WAIT_GP);
  const { initFract } = tasksConstants(info.config, info.rules, flavor);
  const afterNs = Math.max(0, releasedNs - beginNs);
  const rule = info.rules['tasks.backoff'];
  const scan = backoffLadder(info, rule, initFract, beginNs, afterNs, MOST_SCANS).find(
    ({ atNs }) => atNs >= afterNs,
  );
  return at(RTGS.POST_GP) - beginNs - (scan?.atNs ?? Number.NaN) + sparedNs(log, gp, RTGS.POST_GP);
}
