/** RCU Tasks as the log tells it, row by row: what the checkers T1 to T11 compare the next row with. */
import { CALLBACK, KIND, RTGS, TASKS_EXIT, TASKS_HOLDOUT } from '../../core/eventKinds.ts';
import type { RunInfo } from '../../core/info.ts';
import type { Row } from '../checker.ts';

/** sched_switch column c: the previous task blocked. */
const BLOCKED = 0;

/** A callback that has not run. */
export interface CallbackModel {
  readonly kind: number;
  /** Row and time of its queueing. */
  readonly row: number;
  readonly ns: number;
}

/** A holdout on the list. */
export interface HoldoutModel {
  /** Row that put it there. */
  readonly row: number;
}

/** One flavour. */
export class FlavorModel {
  state: number = RTGS.WAIT_CBS;
  /** Row, time and jiffy of the last change of state. */
  stateRow = -1;
  stateNs = 0;
  /** tasks_gp_seq as of that row. */
  gpSeq = 0;
  /** Row of the start of the grace period that runs or ran last, -1. */
  startRow = -1;
  /** Jiffy at the end of the last one, -1: none has ended. */
  endJiffy = -1;
  /** Sleeps of the hold-out loop so far. */
  sleeps = 0;
  /** Holdouts that were put on the list in this grace period, and those that are on it. */
  added = 0;
  readonly holdouts = new Map<number, HoldoutModel>();
  readonly callbacks = new Map<number, CallbackModel>();

  apply(row: Row): void {
    switch (row.kind) {
      case KIND.rcu_tasks_state:
        this.#applyState(row);
        return;
      case KIND.rcu_tasks_holdout:
        if (row.a === TASKS_HOLDOUT.added) {
          this.added++;
          this.holdouts.set(row.track, { row: row.index });
        } else if (row.a === TASKS_HOLDOUT.removed) this.holdouts.delete(row.track);
        return;
      case KIND.rcu_tasks_callback:
        this.callbacks.set(row.a, { kind: row.c, row: row.index, ns: row.timeNs });
        return;
      case KIND.rcu_tasks_invoke_callback:
        this.callbacks.delete(row.a);
        return;
      default:
    }
  }

  #applyState({ a: state, c: seq, d: jiffy, index, timeNs }: Row): void {
    if (state === RTGS.WAIT_GP) {
      this.startRow = index;
      this.sleeps = 0;
      this.added = 0;
      this.holdouts.clear();
    } else if (state === RTGS.WAIT_SCAN_HOLDOUTS) this.sleeps++;
    else if (state === RTGS.INVOKE_CBS && seq !== this.gpSeq) this.endJiffy = jiffy;
    this.state = state;
    this.stateRow = index;
    this.stateNs = timeNs;
    this.gpSeq = seq;
  }

  /** The oldest callback that wakes a synchronous caller, if there is one. */
  get oldestWakeme(): CallbackModel | undefined {
    for (const callback of this.callbacks.values()) if (callback.kind === CALLBACK.wakeme) return callback;
    return undefined;
  }
}

/** A task as the scheduler's rows show it; that it blocks is only seen where tasks share CPUs. */
export interface TaskModel {
  isRunnable: boolean;
  /** Row of its last voluntary switch, -1. */
  blockedRow: number;
  /** When it was woken last, ns; -1: never. */
  wokenNs: number;
}

/** All flavours, and the tasks. */
export class TasksModel {
  readonly #flavors = new Map<number, FlavorModel>();
  readonly #tasks = new Map<number, TaskModel>();
  readonly #kthreads: ReadonlyMap<number, number>;
  /** Tasks that exit and are off the task list. */
  readonly exiting = new Set<number>();
  /** Sections of the Trace flavour: row of their begin, by thread. */
  readonly sections = new Map<number, number>();

  constructor({ tracks }: RunInfo) {
    const flavors = ['rcu_tasks_kthread', 'rcu_tasks_rude_kthread', 'rcu_tasks_trace_kthread'];
    this.#kthreads = new Map(
      tracks.filter(({ name }) => flavors.includes(name)).map(({ id, name }) => [id, flavors.indexOf(name)]),
    );
  }

  /** By TASKS_FLAVOR. */
  flavor(flavor: number): FlavorModel {
    let model = this.#flavors.get(flavor);
    if (model === undefined) {
      model = new FlavorModel();
      this.#flavors.set(flavor, model);
    }
    return model;
  }

  /** The flavour whose kthread this is, -1. */
  flavorOfKthread(track: number): number {
    return this.#kthreads.get(track) ?? -1;
  }

  /** The kthread of a flavour. */
  kthread(flavor: number): TaskModel {
    for (const [track, of] of this.#kthreads) if (of === flavor) return this.task(track);
    return this.task(-1);
  }

  task(track: number): TaskModel {
    let task = this.#tasks.get(track);
    if (task === undefined) {
      task = { isRunnable: false, blockedRow: -1, wokenNs: -1 };
      this.#tasks.set(track, task);
    }
    return task;
  }

  /** Those that are runnable, by track. */
  *runnable(): Iterable<number> {
    for (const [track, { isRunnable }] of this.#tasks) if (isRunnable) yield track;
  }

  /** Takes over what the row says. */
  apply(row: Row): void {
    switch (row.kind) {
      case KIND.sched_waking: {
        const task = this.task(row.track);
        task.isRunnable = true;
        task.wokenNs = row.timeNs;
        return;
      }
      case KIND.sched_switch:
        this.#switched(row);
        return;
      case KIND.rcu_read_lock_trace:
        this.sections.set(row.track, row.index);
        return;
      case KIND.rcu_read_unlock_trace:
        this.sections.delete(row.track);
        return;
      case KIND.rcu_tasks_exit:
        if (row.a === TASKS_EXIT.start) this.exiting.add(row.track);
        else if (row.a === TASKS_EXIT.gone) this.exiting.delete(row.track);
        return;
      case KIND.rcu_tasks_state:
      case KIND.rcu_tasks_holdout:
      case KIND.rcu_tasks_callback:
      case KIND.rcu_tasks_invoke_callback:
        this.flavor(row.b).apply(row);
        return;
      default:
    }
  }

  #switched({ b: previous, c: how, index }: Row): void {
    if (previous < 0 || how !== BLOCKED) return;
    const task = this.task(previous);
    task.isRunnable = false;
    task.blockedRow = index;
  }
}
