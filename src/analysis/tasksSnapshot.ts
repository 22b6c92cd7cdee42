/** What is kept of RCU Tasks between rows, and in a checkpoint. */
import { usesTasks } from '../engine/config.ts';
import { RTGS, TASKS_FLAVOR } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { KTHREAD_NAMES } from '../engine/tasks/flavor.ts';
import type { RudeWorkAt, TasksExitAt, TasksPhaseAt } from './tasksStateTypes.ts';

/** A timer of a kthread that is armed. */
export interface TasksTimer {
  readonly sinceNs: number;
  readonly row: number;
  readonly delay: number;
  readonly jiffy: number;
}

/** A holdout. Replaced, never changed. */
export interface HoldoutState {
  readonly track: number;
  readonly cpu: number;
  readonly addedNs: number;
  readonly row: number;
  readonly state: 'holdout' | 'released' | 'off';
  readonly why: number;
  readonly releasedNs: number;
  readonly snapshot: number;
  readonly isNoted: boolean;
  readonly hasIpi: boolean;
}

/** A callback that has not been invoked. */
export interface TasksPending {
  readonly id: number;
  readonly queuedNs: number;
  readonly row: number;
  readonly at: 'waiting' | 'taken' | 'ready';
}

/** A flavour without its lists. */
export interface TasksFlavorScalars {
  readonly flavor: number;
  readonly track: number;
  gpState: number;
  stateNs: number;
  stateRow: number;
  stateSinceJiffies: number;
  gpSeq: number;
  gpStartNs: number;
  gpStartRow: number;
  gpStartJiffies: number;
  phase: TasksPhaseAt | undefined;
  /** Timeout of the kthread; the lazy timer. */
  timeout: TasksTimer | undefined;
  lazyTimer: TasksTimer | undefined;
  urgentGp: number;
  /** Callback of the synchronize_rcu() of this state: CPU of its list and place there; -1: none. */
  innerCpu: number;
  innerPlace: number;
}

/** A flavour in a checkpoint. Holdouts and work items are those of the running or last grace period. */
export interface TasksFlavorSnapshot extends TasksFlavorScalars {
  readonly holdouts: readonly HoldoutState[];
  readonly callbacks: readonly TasksPending[];
  readonly rude: readonly RudeWorkAt[];
}

/** What a checkpoint holds of RCU Tasks; structured-cloneable. */
export interface TasksSnapshot {
  readonly flavors: readonly TasksFlavorSnapshot[];
  readonly exiting: readonly TasksExitAt[];
  /** Inside rcu_read_lock_trace(). */
  readonly sections: readonly number[];
  /** By track: voluntary context switches; 1 asleep. */
  readonly nvcsw: Float64Array;
  readonly asleep: Uint8Array;
}

/** Kthreads of RCU Tasks in a run: TASKS_FLAVOR and track, in the order of the flavours. */
export function tasksKthreads(info: RunInfo): readonly { readonly flavor: number; readonly track: number }[] {
  return Object.values(TASKS_FLAVOR).flatMap((flavor) => {
    const track = info.tracks.findIndex(
      ({ kind, name }) => kind === 'kthread' && name === KTHREAD_NAMES[flavor],
    );
    return track < 0 ? [] : [{ flavor, track }];
  });
}

/** The state before the first row; undefined in runs without RCU Tasks. */
export function initialTasks(info: RunInfo): TasksSnapshot | undefined {
  const { config, rules } = info;
  if (!usesTasks(config.actors)) return undefined;
  const isLazy = rules['tasks.lazy'] === 'lazy';
  return {
    flavors: tasksKthreads(info).map(({ flavor, track }) => ({
      ...{ flavor, track, gpState: RTGS.WAIT_CBS, stateNs: 0, stateRow: -1 },
      stateSinceJiffies: config.startJiffies,
      ...{ gpSeq: 0, gpStartNs: Number.NaN, gpStartRow: -1, gpStartJiffies: config.startJiffies },
      ...{ holdouts: [], phase: undefined, timeout: undefined, lazyTimer: undefined },
      urgentGp: isLazy && flavor === TASKS_FLAVOR.classic ? (config.initial.tasksUrgent ?? 0) : 0,
      ...{ callbacks: [], innerCpu: -1, innerPlace: -1, rude: [] },
    })),
    exiting: [],
    sections: [],
    nvcsw: new Float64Array(info.tracks.length),
    asleep: new Uint8Array(info.tracks.length),
  };
}

/** Bytes that a checkpoint of RCU Tasks takes at least, for the distance between checkpoints. */
export function tasksSnapshotBytes(snapshot: TasksSnapshot | undefined): number {
  return snapshot === undefined ? 0 : snapshot.nvcsw.byteLength + snapshot.asleep.byteLength;
}
