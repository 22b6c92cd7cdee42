/**
 * Why did a grace period of RCU Tasks take so long (spec tasks 3, 4, 8): its phases one after the other.
 *
 *   start |inner|task list|exits|held|left, not noticed|inner| end
 */
import { KIND, RTGS, TASKS_FLAVOR, TASKS_HOLDOUT, TASKS_WHY, WORK_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { tasksConstants } from '../engine/tasks/constants.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import type { Blame, Remedy } from './blameTypes.ts';
import { Cutter } from './cutter.ts';
import { flavorName } from './narrateTasks.ts';
import { count, duration, trackName } from './phrase.ts';
import { expediteRemedy, MOST_SCANS, type TasksState } from './tasksExpedite.ts';
import { BACKOFF_RULES, backoffLadder } from './tasksLadder.ts';
import { GP_FLAVOR, type RunIndex } from './types.ts';

/** TASKS_FLAVOR of a GP_FLAVOR. */
export function flavorOfGp(gpFlavor: number): number {
  return gpFlavor - GP_FLAVOR.tasks;
}

const NS_PER_S = 1e9;
/** Shorter than a tick could be, and not worth advice. */
const HARDLY_NS = 100_000;
/** Kernels by their back-off, in the order of BACKOFF_RULES. */
const BACKOFF_OF = [
  '4.17 and before',
  'the patch as posted in 2018',
  '4.19 to 5.10',
  '5.11 and later',
] as const;

/** Explains a grace period of RCU Tasks. */
export function blameTasksGp(log: EventLog, index: RunIndex, gp: number): Blame {
  const { gps } = index;
  const startNs = gps.startNs[gp] as number;
  const finished = gps.endRow[gp] !== -1;
  const endNs = finished ? (gps.endNs[gp] as number) : index.endNs;
  const cutter = new Cutter(startNs, endNs, gps.track[gp] as number, -1);
  cutTasksGp(log, index, gp, cutter);
  const verb = finished ? 'take' : 'not end within';
  const name = flavorName(flavorOfGp(gps.flavor[gp] as number));
  return {
    ...{ of: 'gp', index: gp, startNs, endNs, finished, segments: cutter.segments },
    title: `Why did grace period ${gps.number[gp]} of ${name} ${verb} ${duration(endNs - startNs)}?`,
  };
}

/** What is known of one grace period. */
interface GpRows {
  readonly gp: number;
  readonly flavor: number;
  /** State rows in order. */
  readonly states: readonly TasksState[];
  readonly endNs: number;
  readonly endRow: number;
}

function gpRows(log: EventLog, index: RunIndex, gp: number): GpRows {
  const { gps } = index;
  const flavor = flavorOfGp(gps.flavor[gp] as number);
  const finished = gps.endRow[gp] !== -1;
  const endRow = finished ? (gps.endRow[gp] as number) : log.length - 1;
  const states: TasksState[] = [];
  for (let row = gps.startRow[gp] as number; row < endRow; row++) {
    if (log.kind(row) !== KIND.rcu_tasks_state) continue;
    const { a: state, b, timeNs: ns } = log.row(row);
    if (b === flavor) states.push({ state, ns, row });
  }
  return { gp, flavor, states, endNs: finished ? (gps.endNs[gp] as number) : index.endNs, endRow };
}

/**
 * Cuts all of a grace period that lies behind what is cut already. `isFirst`: nothing was waited for before it that a
 * parameter would have changed, too.
 */
export function cutTasksGp(log: EventLog, index: RunIndex, gp: number, cutter: Cutter, isFirst = true): void {
  const rows = gpRows(log, index, gp);
  if (rows.flavor === TASKS_FLAVOR.rude) {
    cutRude(log, index, rows, cutter);
    return;
  }
  const releasedNs = lastRelease(log, rows, index.gps.startRow[gp] as number)?.ns ?? 0;
  const isAdvised = isFirst && index.gps.endRow[gp] !== -1;
  let advice = isAdvised ? expediteRemedy(log, index.info, { ...rows, releasedNs }) : undefined;
  // all of them are told at the first one
  const told = () => {
    const remedy = advice;
    advice = undefined;
    return remedy;
  };
  rows.states.forEach(({ state, row }, i) => {
    const next = rows.states[i + 1] ?? { ns: rows.endNs, row: rows.endRow };
    switch (state) {
      case RTGS.PRE_WAIT_GP:
        if (rows.flavor === TASKS_FLAVOR.classic)
          cutInner(index, 'before it looked at the task list', next, cutter, told);
        break;
      case RTGS.SCAN_TASKLIST:
        cutter.to(next.ns, 'tasksScan', row, (ns) => `It went through the task list: ${duration(ns)}.`);
        break;
      case RTGS.POST_SCAN_TASKLIST:
        if (rows.flavor === TASKS_FLAVOR.trace) cutInner(index, 'for tasks that exit', next, cutter, told);
        else cutExit(index, next, cutter);
        break;
      case RTGS.POST_GP:
        if (rows.flavor === TASKS_FLAVOR.classic) cutInner(index, 'after the last scan', next, cutter, told);
        break;
      case RTGS.WAIT_SCAN_HOLDOUTS:
        if (rows.states.findIndex((other) => other.state === state) === i)
          cutHoldouts(log, index, rows, i, cutter);
        break;
      default:
    }
  });
  cutter.to(rows.endNs, 'gpWake', rows.endRow, (ns) => `The kthread was on its way: ${duration(ns)}.`);
}

interface Next {
  readonly ns: number;
  readonly row: number;
}

/** The kthread's own synchronize_rcu(). */
function cutInner(
  { gps, info }: RunIndex,
  when: string,
  next: Next,
  cutter: Cutter,
  remedy: () => Remedy | undefined,
): void {
  const { expedited, normal } = treeConstants(info.config, info.rules);
  const isExpedited = expedited && !normal;
  const wanted = isExpedited ? GP_FLAVOR.exp : GP_FLAVOR.rcu;
  const inner = gps.endNs.findLastIndex(
    (endNs, gp) => endNs <= next.ns && endNs >= cutter.atNs && gps.flavor[gp] === wanted,
  );
  const which = inner < 0 ? '' : `, grace period ${gps.number[inner]} of RCU`;
  cutter.to(
    next.ns,
    'tasksInner',
    next.row,
    (ns) => `Its own ${isExpedited ? 'expedited ' : ''}synchronize_rcu() ${when}${which}: ${duration(ns)}.`,
    remedy,
  );
}

/** Up to 6.8: synchronize_srcu() on the domain of tasks that exit (step 4). */
function cutExit({ info }: RunIndex, next: Next, cutter: Cutter): void {
  if (info.rules['tasks.exit'] !== 'srcu') {
    cutter.to(next.ns, 'tasksExit', next.row, (ns) => `It added tasks on the exit lists: ${duration(ns)}.`);
    return;
  }
  cutter.to(
    next.ns,
    'tasksExit',
    next.row,
    (ns) =>
      `It waited in synchronize_srcu() for tasks between exit_tasks_rcu_start() and _finish(): ${duration(ns)}.`,
  );
}

/** A holdout of a grace period: when it was released, and why. */
interface Release {
  readonly track: number;
  readonly cpu: number;
  readonly ns: number;
  readonly row: number;
  readonly why: number;
}

/** The last release among the holdouts of a grace period; those still held count as held to the end. */
function lastRelease(log: EventLog, rows: GpRows, from: number): Release | undefined {
  const open = new Map<number, Release>();
  const isSeenByScan = (why: number) =>
    why === TASKS_WHY.nohzFull || why === TASKS_WHY.watchingZero || why === TASKS_WHY.notRunning;
  for (let row = from; row <= rows.endRow; row++) {
    if (log.kind(row) !== KIND.rcu_tasks_holdout) continue;
    const { track, a: what, b, c: why, d: cpu, timeNs: ns } = log.row(row);
    if (b !== rows.flavor) continue;
    const known = open.get(track);
    if (what === TASKS_HOLDOUT.added) open.set(track, { track, cpu, ns: rows.endNs, row, why: -1 });
    else if (what === TASKS_HOLDOUT.released) open.set(track, { track, cpu, ns, row, why });
    // no row says when such a one stopped being a holdout: it was none whenever it would have been looked at
    else if (known?.why === -1) open.set(track, { track, cpu, ns: isSeenByScan(why) ? 0 : ns, row, why });
  }
  let last: Release | undefined;
  for (const release of open.values()) if (last === undefined || release.ns > last.ns) last = release;
  return last;
}

/** From the first sleep to the last scan: held, then left and not noticed (4.1, 4.2). */
function cutHoldouts(log: EventLog, index: RunIndex, rows: GpRows, first: number, cutter: Cutter): void {
  const { info } = index;
  const begin = rows.states[first] as Next;
  const end = rows.states.find(({ state }) => state === RTGS.POST_GP) ?? { ns: rows.endNs, row: rows.endRow };
  const scans = rows.states.filter(({ state }) => state === RTGS.SCAN_HOLDOUTS);
  const release = lastRelease(log, rows, index.gps.startRow[rows.gp] as number);
  if (release !== undefined) {
    const { track, cpu } = release;
    const isExiting = info.config.actors[info.tracks[track]?.actor ?? -1]?.kind === 'exiter';
    cutter.to(
      Math.min(release.ns, end.ns),
      'tasksHeld',
      release.row,
      (ns) => heldText(trackName(track, info), release, rows.flavor, isExiting, ns),
      (ns) => (isExiting ? undefined : heldRemedy(rows, scans[0], end.ns, ns)),
      { thread: info.tracks[track]?.kind === 'thread' ? track : -1, cpu },
    );
  }
  const who = release === undefined ? 'Nobody was on the list' : `${trackName(release.track, info)} had left`;
  const sleeps = rows.states.filter(({ state }) => state === RTGS.WAIT_SCAN_HOLDOUTS).length;
  cutter.to(
    end.ns,
    'tasksScanWait',
    end.row,
    (ns) => `${who}, which nothing noticed before scan ${sleeps}: ${duration(ns)}.`,
    () => backoffRemedy(index, rows, begin.ns, (release?.ns ?? 0) - begin.ns, end.ns),
  );
}

function heldText(
  name: string,
  { cpu, why }: Release,
  flavor: number,
  isExiting: boolean,
  ns: number,
): string {
  const long = duration(ns);
  const where = name === `CPU ${cpu}` ? '' : ` on CPU ${cpu}`;
  if (flavor === TASKS_FLAVOR.trace)
    return why === TASKS_WHY.unlock || why < 0
      ? `${name} was inside rcu_read_lock_trace()${where}: ${long}.`
      : `Nobody had looked at ${name}${where}: ${long}.`;
  if (isExiting && why >= 0) return `${name} was exiting on CPU ${cpu} until its last schedule: ${long}.`;
  switch (why) {
    case TASKS_WHY.userTick:
      return `${name} ran on CPU ${cpu} until a tick found it in user mode: ${long}.`;
    case TASKS_WHY.condResched:
      return `${name} ran on CPU ${cpu} until its cond_resched_tasks_rcu_qs(): ${long}.`;
    case TASKS_WHY.voluntarySwitch:
      return `${name} kept running in the kernel on CPU ${cpu}, preempted or not, until it slept: ${long}.`;
    case TASKS_WHY.notRunnable:
      return `${name} kept running on CPU ${cpu} until it was gone: ${long}.`;
    default:
      return `${name} still holds it up on CPU ${cpu}: ${long}.`;
  }
}

/** A quiescent state in time for the first scan. */
function heldRemedy(
  rows: GpRows,
  firstScan: Next | undefined,
  endNs: number,
  heldNs: number,
): Remedy | undefined {
  if (rows.flavor !== TASKS_FLAVOR.classic || firstScan === undefined) return undefined;
  const savesNs = endNs - firstScan.ns;
  if (savesNs < HARDLY_NS) return undefined;
  const text = `A cond_resched_tasks_rcu_qs() in its loop, ${duration(heldNs)} long, would have let the first scan take it off: ${duration(savesNs)} less.`;
  return { text, savesNs };
}

/** The back-off of another kernel that would have come soonest after the release. */
function backoffRemedy(
  index: RunIndex,
  rows: GpRows,
  beginNs: number,
  afterNs: number,
  endNs: number,
): Remedy | undefined {
  const { info } = index;
  if (rows.flavor !== TASKS_FLAVOR.classic) return undefined;
  const { initFract } = tasksConstants(info.config, info.rules, rows.flavor);
  let best: { readonly rule: number; readonly savesNs: number } | undefined;
  BACKOFF_RULES.forEach((name, rule) => {
    if (name === info.rules['tasks.backoff']) return;
    const noticed = backoffLadder(info, name, initFract, beginNs, Math.max(0, afterNs), MOST_SCANS).find(
      ({ atNs }) => atNs >= afterNs,
    );
    // only the posted patch sleeps where there is nobody
    const atNs =
      afterNs < 0 && name !== 'seed-v2' && isEmpty(index, rows) ? 0 : (noticed?.atNs ?? Number.NaN);
    const savesNs = endNs - beginNs - atNs;
    if (savesNs > NS_PER_S / info.config.hz && savesNs > (best?.savesNs ?? 0)) best = { rule, savesNs };
  });
  if (best === undefined) return undefined;
  const { rule, savesNs } = best;
  const text = `The back-off of ${BACKOFF_OF[rule]} (rule tasks.backoff, "${BACKOFF_RULES[rule]}") would have looked earlier: ${duration(savesNs)} less.`;
  return { text, savesNs };
}

function isEmpty({ gps }: RunIndex, rows: GpRows): boolean {
  return gps.scans[rows.gp] === 0;
}

/** One work item on every CPU: the one that ran last (spec tasks 8). */
function cutRude(log: EventLog, { info }: RunIndex, rows: GpRows, cutter: Cutter): void {
  let last = -1;
  for (let row = rows.states[0]?.row ?? 0; row <= rows.endRow; row++)
    if (log.kind(row) === KIND.workqueue_execute_start && log.row(row).a === WORK_FN.rcu_tasks_be_rude)
      last = row;
  if (last >= 0) {
    const { track: worker, timeNs } = log.row(last);
    const cpu = info.tracks[worker]?.cpu ?? -1;
    cutter.to(
      timeNs,
      'tasksRude',
      last,
      (ns) =>
        `A work item on each of ${count(info.config.cpus, 'CPU')}; that of CPU ${cpu} ran last: ${duration(ns)}.`,
      undefined,
      { thread: -1, cpu },
    );
  }
  cutter.to(rows.endNs, 'gpWake', rows.endRow, (ns) => `The kthread was on its way: ${duration(ns)}.`);
}
