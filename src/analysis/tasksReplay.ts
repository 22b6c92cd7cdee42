/** Replay of RCU Tasks: its state after any row, kept as struct rcu_tasks keeps it. Forward only. */
import {
  CALLBACK,
  KIND,
  RCU_FUNC,
  RTGS,
  TASKS_EXIT,
  TASKS_FLAVOR,
  TASKS_HOLDOUT,
  TASKS_IPI,
  TASKS_LAZY,
  TIMER_FN,
  WORK_FN,
} from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { RcuReplay } from './rcuReplay.ts';
import type {
  HoldoutState,
  TasksFlavorScalars,
  TasksFlavorSnapshot,
  TasksPending,
  TasksSnapshot,
} from './tasksSnapshot.ts';
import { type RudeWorkAt, SCANS_KEPT, type TasksExitAt } from './tasksStateTypes.ts';

/** `c` of sched_switch rows: the previous task blocked. */
const BLOCKED = 0;

/** A flavour while rows are applied: holdouts by track, callbacks by id, work items by CPU; entries are replaced, never changed. */
export interface TasksFlavorState extends TasksFlavorScalars {
  readonly holdouts: Map<number, HoldoutState>;
  readonly callbacks: Map<number, TasksPending>;
  readonly rude: Map<number, RudeWorkAt>;
}

function resumed({ holdouts, callbacks, rude, ...scalars }: TasksFlavorSnapshot): TasksFlavorState {
  return {
    ...scalars,
    holdouts: new Map(holdouts.map((holdout) => [holdout.track, holdout])),
    callbacks: new Map(callbacks.map((callback) => [callback.id, callback])),
    rude: new Map(rude.map((item) => [item.cpu, item])),
  };
}

/** RCU Tasks while rows are applied. */
export class TasksReplay {
  readonly flavors: readonly TasksFlavorState[];
  /** By thread. */
  readonly exiting = new Map<number, TasksExitAt>();
  readonly sections: Set<number>;
  readonly nvcsw: Float64Array;
  readonly asleep: Uint8Array;
  readonly #byFlavor: (TasksFlavorState | undefined)[] = [];
  readonly #byTrack = new Map<number, TasksFlavorState>();
  readonly #cpuOf: (track: number) => number;

  constructor(snapshot: TasksSnapshot, info: RunInfo) {
    this.flavors = snapshot.flavors.map(resumed);
    for (const flavor of this.flavors) {
      this.#byFlavor[flavor.flavor] = flavor;
      this.#byTrack.set(flavor.track, flavor);
    }
    for (const exit of snapshot.exiting) this.exiting.set(exit.thread, exit);
    this.sections = new Set(snapshot.sections);
    this.nvcsw = snapshot.nvcsw.slice();
    this.asleep = snapshot.asleep.slice();
    this.#cpuOf = (track) => info.tracks[track]?.cpu ?? -1;
  }

  /** A copy of the present state. */
  snapshot(): TasksSnapshot {
    return {
      flavors: this.flavors.map(({ holdouts, callbacks, rude, ...scalars }) => ({
        ...scalars,
        holdouts: [...holdouts.values()],
        callbacks: [...callbacks.values()],
        rude: [...rude.values()],
      })),
      exiting: [...this.exiting.values()],
      sections: [...this.sections],
      nvcsw: this.nvcsw.slice(),
      asleep: this.asleep.slice(),
    };
  }

  /** Applies a row of any kind, after Tree RCU has. */
  apply(event: EventRow, row: number, rcu: RcuReplay | undefined): void {
    switch (event.kind) {
      case KIND.sched_switch:
        if (event.b >= 0 && event.c === BLOCKED) {
          this.nvcsw[event.b] = (this.nvcsw[event.b] as number) + 1;
          this.asleep[event.b] = 1;
        }
        if (event.a >= 0) this.asleep[event.a] = 0;
        break;
      case KIND.sched_waking:
        this.asleep[event.track] = 0;
        break;
      case KIND.rcu_tasks_state:
        this.#state(event, row);
        break;
      case KIND.rcu_tasks_holdout:
        this.#holdout(event, row);
        break;
      case KIND.rcu_tasks_scan:
        this.#scanned(event, row);
        break;
      case KIND.rcu_tasks_callback:
        this.#queued(event, row);
        break;
      case KIND.rcu_tasks_invoke_callback:
        this.#change(event.b, (flavor) => {
          flavor.callbacks.delete(event.a);
        });
        break;
      case KIND.rcu_tasks_lazy:
        this.#change(event.b, (flavor) => {
          flavor.urgentGp = event.c;
          if (event.a === TASKS_LAZY.fired || event.a === TASKS_LAZY.empty) flavor.lazyTimer = undefined;
        });
        break;
      default:
        this.#applyOthers(event, row, rcu);
    }
  }

  #applyOthers(event: EventRow, row: number, rcu: RcuReplay | undefined): void {
    switch (event.kind) {
      case KIND.rcu_tasks_exit:
        this.#exit(event, row);
        break;
      case KIND.rcu_tasks_ipi:
        this.#interrupt(event);
        break;
      case KIND.rcu_read_lock_trace:
        this.sections.add(event.track);
        break;
      case KIND.rcu_read_unlock_trace:
        this.sections.delete(event.track);
        break;
      case KIND.timer_start:
      case KIND.timer_expire_entry:
        this.#timer(event, row);
        break;
      case KIND.rcu_callback:
        if (event.b === RCU_FUNC.wakeme_after_rcu) this.#inner(event, rcu);
        break;
      case KIND.workqueue_queue_work:
      case KIND.workqueue_execute_start:
        if (event.a === WORK_FN.rcu_tasks_be_rude) this.#rudeWork(event, row);
        break;
      default:
    }
  }

  #change(flavor: number, change: (flavor: TasksFlavorState) => void): void {
    const state = this.#byFlavor[flavor];
    if (state !== undefined) change(state);
  }

  #state(event: EventRow, row: number): void {
    this.#change(event.b, (flavor) => {
      flavor.gpState = event.a;
      flavor.stateNs = event.timeNs;
      flavor.stateRow = row;
      flavor.stateSinceJiffies = event.d;
      flavor.gpSeq = event.c;
      flavor.innerCpu = -1;
      flavor.innerPlace = -1;
      switch (event.a) {
        case RTGS.WAIT_GP:
          this.#start(flavor, event, row);
          break;
        case RTGS.WAIT_SCAN_HOLDOUTS:
          this.#sleeps(flavor, event.timeNs, row);
          break;
        case RTGS.POST_GP:
          if (flavor.phase !== undefined) flavor.phase = { ...flavor.phase, endNs: event.timeNs };
          break;
        case RTGS.INVOKE_CBS:
          move(flavor.callbacks, 'taken', 'ready');
          break;
        default:
      }
    });
  }

  #start(flavor: TasksFlavorState, event: EventRow, row: number): void {
    flavor.gpStartNs = event.timeNs;
    flavor.gpStartRow = row;
    flavor.gpStartJiffies = event.d;
    flavor.holdouts.clear();
    flavor.phase = undefined;
    flavor.rude.clear();
    move(flavor.callbacks, 'waiting', 'taken');
  }

  #sleeps(flavor: TasksFlavorState, timeNs: number, row: number): void {
    const begun = flavor.phase ?? {
      ...{ startNs: timeNs, startRow: row, endNs: Number.NaN, sleeps: 0 },
      ...{ scanCount: 0, scans: [], lastReleaseNs: lastRelease(flavor.holdouts.values()) },
    };
    flavor.phase = { ...begun, sleeps: begun.sleeps + 1 };
  }

  #scanned(event: EventRow, row: number): void {
    this.#change(event.b, (flavor) => {
      const { phase } = flavor;
      if (phase === undefined) return;
      const scan = { ns: event.timeNs, row, before: event.a, left: event.c };
      const scans = [...phase.scans, scan].slice(-SCANS_KEPT);
      flavor.phase = { ...phase, scans, scanCount: phase.scanCount + 1 };
    });
  }

  #holdout(event: EventRow, row: number): void {
    const { track, timeNs } = event;
    this.#change(event.b, (flavor) => {
      if (event.a === TASKS_HOLDOUT.added) {
        this.nvcsw[track] = Math.max(this.nvcsw[track] as number, event.c);
        flavor.holdouts.set(track, {
          ...{ track, cpu: event.d, addedNs: timeNs, row, state: 'holdout', why: -1, releasedNs: Number.NaN },
          ...{ snapshot: event.c, isNoted: false, hasIpi: false },
        });
        return;
      }
      const holdout = flavor.holdouts.get(track);
      if (holdout === undefined) return;
      const state = event.a === TASKS_HOLDOUT.released ? 'released' : 'off';
      const releasedNs = holdout.state === 'released' ? holdout.releasedNs : timeNs;
      flavor.holdouts.set(track, { ...holdout, state, why: event.c, releasedNs, hasIpi: false });
      if (flavor.phase === undefined) return;
      const { lastReleaseNs } = flavor.phase;
      flavor.phase = { ...flavor.phase, lastReleaseNs: Math.max(releasedNs, lastReleaseNs || 0) };
    });
  }

  /** rcu_segcblist_entrain(): a barrier stands behind the last callback that there is. */
  #queued(event: EventRow, row: number): void {
    this.#change(event.b, ({ callbacks }) => {
      const places = new Set(event.c === CALLBACK.barrier ? [...callbacks.values()].map(({ at }) => at) : []);
      const at = places.has('waiting')
        ? 'waiting'
        : places.has('taken')
          ? 'taken'
          : places.has('ready')
            ? 'ready'
            : 'waiting';
      callbacks.set(event.a, { id: event.a, queuedNs: event.timeNs, row, at });
    });
  }

  #exit({ track: thread, a: what, b: cpu, c, timeNs }: EventRow, row: number): void {
    const open = this.exiting.get(thread);
    if (what === TASKS_EXIT.start)
      this.exiting.set(thread, { thread, cpu, sinceNs: timeNs, row, state: 'exiting', isOnList: c === 1 });
    else if (what === TASKS_EXIT.finish && open !== undefined)
      this.exiting.set(thread, { ...open, state: 'tail' });
    else this.exiting.delete(thread);
  }

  #interrupt({ a: what, b: track }: EventRow): void {
    this.#change(TASKS_FLAVOR.trace, ({ holdouts }) => {
      const holdout = holdouts.get(track);
      if (holdout === undefined) return;
      const isNoted = holdout.isNoted || what === TASKS_IPI.inSection;
      holdouts.set(track, { ...holdout, hasIpi: what === TASKS_IPI.sent, isNoted });
    });
  }

  #timer({ kind, a: fn, b: delay, c: jiffy, d: kthread, timeNs: sinceNs }: EventRow, row: number): void {
    const flavor = this.#byTrack.get(kthread);
    if (flavor === undefined) return;
    const timer = kind === KIND.timer_start ? { sinceNs, row, delay, jiffy } : undefined;
    if (fn === TIMER_FN.process_timeout) flavor.timeout = timer;
    else if (fn === TIMER_FN.call_rcu_tasks_generic_timer) flavor.lazyTimer = timer;
  }

  #inner(event: EventRow, rcu: RcuReplay | undefined): void {
    const flavor = this.#byTrack.get(event.d);
    if (flavor === undefined) return;
    flavor.innerCpu = event.track;
    flavor.innerPlace = (rcu?.lists.get(event.track)?.queued ?? 0) - 1;
  }

  #rudeWork({ kind, track: worker, b: kthread, timeNs: sinceNs }: EventRow, row: number): void {
    const flavor = this.#byTrack.get(kthread);
    if (flavor === undefined) return;
    const cpu = this.#cpuOf(worker);
    const state = kind === KIND.workqueue_queue_work ? 'queued' : 'ran';
    flavor.rude.set(cpu, { cpu, state, sinceNs, row });
  }
}

function move(callbacks: Map<number, TasksPending>, from: TasksPending['at'], to: TasksPending['at']): void {
  for (const callback of callbacks.values())
    if (callback.at === from) callbacks.set(callback.id, { ...callback, at: to });
}

/** When the last holdout that has been released was; NaN: none has. */
function lastRelease(holdouts: Iterable<HoldoutState>): number {
  let lastNs = Number.NaN;
  for (const { releasedNs } of holdouts)
    if (!Number.isNaN(releasedNs)) lastNs = Math.max(releasedNs, lastNs || 0);
  return lastNs;
}
