/** RCU Tasks at a cursor, from its replay. */
import { RTGS, TASKS_FLAVOR } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { tasksConstants } from '../engine/tasks/constants.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { seqCtr } from '../engine/tree/gpSeq.ts';
import { tasksGpNumber } from './narrateTasks.ts';
import { placeOf } from './rcuLists.ts';
import type { RcuReplay } from './rcuReplay.ts';
import type { TasksFlavorState, TasksReplay } from './tasksReplay.ts';
import type { HoldoutState, TasksPending, TasksTimer } from './tasksSnapshot.ts';
import type {
  HoldoutDoing,
  TasksCallbacksAt,
  TasksFlavorAt,
  TasksHoldoutAt,
  TasksInnerAt,
  TasksSleepAt,
  TasksStateAt,
} from './tasksStateTypes.ts';
import type { Cursor } from './types.ts';

/** Everything that a flavour is put together from. */
interface World {
  readonly tasks: TasksReplay;
  readonly rcu: RcuReplay | undefined;
  readonly info: RunInfo;
  readonly cursor: Cursor;
  readonly ticks: Ticks;
  readonly jiffies: number;
  /** By CPU: the track that runs, -1 idle; empty where no scheduler says so. */
  readonly running: Int32Array;
}

/** The state after the rows that `tasks` has applied, at `cursor.timeNs`; before rcuStateAt() takes Tree RCU's columns over. */
export function tasksStateAt(
  tasks: TasksReplay,
  rcu: RcuReplay | undefined,
  info: RunInfo,
  cursor: Cursor,
  running: Int32Array,
): TasksStateAt {
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const jiffies = ticks.jiffiesAt(cursor.timeNs);
  const world = { tasks, rcu, info, cursor, ticks, jiffies, running };
  return {
    timeNs: cursor.timeNs,
    row: cursor.row,
    jiffies,
    flavors: tasks.flavors.map((flavor) => flavorAt(flavor, world)),
    exiting: [...tasks.exiting.values()],
  };
}

function flavorAt(flavor: TasksFlavorState, world: World): TasksFlavorAt {
  const { info, jiffies } = world;
  const constants = tasksConstants(info.config, info.rules, flavor.flavor);
  const isRunning = flavor.gpSeq % 4 !== 0;
  const holdouts = [...flavor.holdouts.values()].map((holdout) => holdoutAt(holdout, world));
  const isOff = ({ state }: TasksHoldoutAt) => state === 'off';
  const { lazyTimer } = flavor;
  return {
    flavor: flavor.flavor,
    track: flavor.track,
    gpState: flavor.gpState,
    stateNs: flavor.stateNs,
    stateRow: flavor.stateRow,
    stateJiffies: jiffies - flavor.stateSinceJiffies,
    gpSeq: flavor.gpSeq,
    gpNumber: tasksGpNumber(flavor.gpSeq),
    isRunning,
    gpStartNs: flavor.gpStartNs,
    gpStartRow: flavor.gpStartRow,
    ageJiffies: isRunning ? jiffies - flavor.gpStartJiffies : 0,
    holdouts: [...holdouts.filter((holdout) => !isOff(holdout)), ...holdouts.filter(isOff)],
    left: holdouts.filter((holdout) => !isOff(holdout)).length,
    phase: flavor.phase,
    sleep: sleepAt(flavor, world),
    inner: innerAt(flavor, world),
    rude: [...flavor.rude.values()].sort((x, y) => x.cpu - y.cpu),
    callbacks: callbacksAt(flavor.callbacks.values()),
    lazyJiffies: constants.lazyJiffies,
    urgentGp: flavor.urgentGp,
    lazyTimer: lazyTimer === undefined ? undefined : { row: lazyTimer.row, ...untilOf(lazyTimer, world) },
    gpSleep: constants.gpSleep,
  };
}

function untilOf(timer: TasksTimer, { ticks, jiffies }: World) {
  return {
    untilJiffy: timer.jiffy,
    untilNs: ticks.timeOfJiffyNs(timer.jiffy),
    leftJiffies: Math.max(0, timer.jiffy - jiffies),
  };
}

/** The timeout of the kthread; on PREEMPT_RT holdouts are scanned by an hrtimer, which leaves no row when it is armed. */
function sleepAt(flavor: TasksFlavorState, world: World): TasksSleepAt | undefined {
  const { timeout, gpState } = flavor;
  if (timeout === undefined) return undefined;
  const of = gpState === RTGS.WAIT_SCAN_HOLDOUTS ? 'scan' : 'gpSleep';
  const { sinceNs, row, delay } = timeout;
  return { of, sinceNs, row, delay, ...untilOf(timeout, world) };
}

function callbacksAt(callbacks: Iterable<TasksPending>): TasksCallbacksAt {
  const counts = { waiting: 0, taken: 0, ready: 0 };
  let oldestNs = Number.NaN;
  let oldestRow = -1;
  for (const { at, queuedNs, row } of callbacks) {
    counts[at]++;
    if (oldestRow < 0 || row < oldestRow) {
      oldestNs = queuedNs;
      oldestRow = row;
    }
  }
  return { ...counts, oldestNs, oldestRow };
}

function holdoutAt(holdout: HoldoutState, world: World): TasksHoldoutAt {
  const { track, why, state } = holdout;
  const { tasks, info } = world;
  const isShared = info.contended;
  const released = state === 'holdout' ? 0 : 1;
  const nvcsw = isShared ? (tasks.nvcsw[track] as number) : holdout.snapshot + (why === 0 ? released : 0);
  return {
    ...holdout,
    nvcsw: Math.max(nvcsw, holdout.snapshot),
    doing: doingOf(holdout, world),
    isInSection: tasks.sections.has(track),
  };
}

function doingOf({ track, cpu }: HoldoutState, { tasks, info, running }: World): HoldoutDoing {
  const { kind, actor } = info.tracks[track] ?? { kind: 'cpu', actor: -1 };
  if (kind === 'cpu') return 'idle';
  if (tasks.asleep[track] === 1) return 'asleep';
  const exit = tasks.exiting.get(track);
  if (exit !== undefined) return exit.state === 'tail' ? 'exitTail' : 'exiting';
  if (info.contended && running[cpu] !== track) return running.includes(track) ? 'kernel' : 'preempted';
  const load = info.config.actors[actor];
  return load?.kind === 'load' && load.mode === 'user' ? 'user' : 'kernel';
}

/** What the kthread waits for inside its grace period (spec tasks 3 steps 2, 4, 6; Trace: 8). */
function innerAt(flavor: TasksFlavorState, world: World): TasksInnerAt | undefined {
  const which = innerOf(flavor, world.info);
  if (which === undefined) return undefined;
  const base = { which, sinceNs: flavor.stateNs, row: flavor.stateRow, isExpedited: false };
  const { rcu, info } = world;
  const unknown = { ...base, waitsFor: 'unknown', gpNumber: Number.NaN } as const;
  if (which === 'exit' || rcu === undefined) return unknown;
  const { expedited, normal } = treeConstants(info.config, info.rules);
  if (expedited && !normal) {
    const { expTarget } = rcu.scalars;
    return { ...base, isExpedited: true, waitsFor: 'gp', gpNumber: expTarget / 4 - 1 };
  }
  const caller = rcu.srCallers.find(({ thread }) => thread === flavor.track);
  if (caller !== undefined) {
    if (caller.segment === 0) return { ...unknown, waitsFor: 'number' };
    return {
      ...base,
      waitsFor: caller.segment === 1 ? 'gp' : 'callback',
      gpNumber: seqCtr(caller.gpSeq),
    };
  }
  const list = rcu.lists.get(flavor.innerCpu);
  if (list === undefined || flavor.innerPlace < 0) return unknown;
  const place = placeOf(list, flavor.innerPlace);
  if (place === 'none') return { ...unknown, waitsFor: 'number' };
  if (place === 'ready') return { ...unknown, waitsFor: 'callback' };
  const isOver = place <= rcu.scalars.gpSeq;
  return { ...base, waitsFor: isOver ? 'callback' : 'gp', gpNumber: seqCtr(place) - 1 };
}

function innerOf(
  { flavor, gpState }: TasksFlavorState,
  { rules }: RunInfo,
): TasksInnerAt['which'] | undefined {
  if (flavor === TASKS_FLAVOR.rude) return undefined;
  if (flavor === TASKS_FLAVOR.trace) return gpState === RTGS.POST_SCAN_TASKLIST ? 'trace' : undefined;
  if (gpState === RTGS.PRE_WAIT_GP) return 'pre';
  if (gpState === RTGS.POST_GP) return 'post';
  return gpState === RTGS.POST_SCAN_TASKLIST && rules['tasks.exit'] === 'srcu' ? 'exit' : undefined;
}
