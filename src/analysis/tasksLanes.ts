/** The lanes of RCU Tasks: per flavour its kthread and callbacks; holdouts below what runs on their CPUs. */
import { KIND, RTGS, TASKS_FLAVOR, TASKS_HOLDOUT } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { KTHREAD_NAMES } from '../engine/tasks/flavor.ts';
import { LaneBuilder } from './laneBuilder.ts';
import { type LaneInfo, MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import { flavorName, tasksGpNumber } from './narrateTasks.ts';
import { tasksKthreads } from './tasksSnapshot.ts';

/** Headings of the lanes of a kthread of RCU Tasks; none of other kthreads. */
export function tasksLaneInfos(info: RunInfo, track: number): LaneInfo[] {
  const found = tasksKthreads(info).find((kthread) => kthread.track === track);
  if (found === undefined) return [];
  const name = KTHREAD_NAMES[found.flavor] as string;
  const of = flavorName(found.flavor);
  return [
    { id: `gp:${name}`, kind: 'gp', track, name, detail: `kthread of ${of}` },
    { id: `callbacks:${name}`, kind: 'callbacks', track, name: 'callbacks', detail: of },
    { id: `calls:${name}`, kind: 'calls', track, name: 'calls', detail: of },
  ];
}

/** The lane of a row of RCU Tasks; undefined for others, and where it is that of its CPU anyhow. */
export function tasksLaneOfRow(row: EventRow): string | undefined {
  switch (row.kind) {
    case KIND.rcu_tasks_state:
    case KIND.rcu_tasks_scan:
    case KIND.rcu_tasks_lazy:
    case KIND.rcu_tasks_stall:
      return `gp:${KTHREAD_NAMES[row.b]}`;
    case KIND.rcu_tasks_callback:
    case KIND.rcu_tasks_invoke_callback:
      return `callbacks:${KTHREAD_NAMES[row.b]}`;
    case KIND.rcu_tasks_holdout:
      return `cpu:${row.d}`;
    case KIND.rcu_tasks_exit:
      return `cpu:${row.b}`;
    default:
      return undefined;
  }
}

/** What the kthread's lane shows, by RTGS. */
const CLASSES = new Map<number, number>([
  [RTGS.WAIT_GP, SPAN_CLASS.tasksScan],
  [RTGS.PRE_WAIT_GP, SPAN_CLASS.tasksInner],
  [RTGS.SCAN_TASKLIST, SPAN_CLASS.tasksScan],
  [RTGS.POST_SCAN_TASKLIST, SPAN_CLASS.tasksInner],
  [RTGS.WAIT_SCAN_HOLDOUTS, SPAN_CLASS.tasksWait],
  [RTGS.SCAN_HOLDOUTS, SPAN_CLASS.tasksScan],
  [RTGS.POST_GP, SPAN_CLASS.tasksInner],
  [RTGS.INVOKE_CBS, SPAN_CLASS.tasksSleep],
]);

/** One flavour. */
class FlavorLanes {
  readonly gp = new LaneBuilder();
  readonly callbacks = new LaneBuilder();
  /** Open spans: phase of the loop, callbacks that wait; -1 none. */
  phase = -1;
  wait = -1;
  pending = 0;
}

/** Builds them row by row, and puts holdouts on the lanes of CPUs. */
export class TasksLanes {
  /** By flavour. */
  readonly #flavors = new Map<number, FlavorLanes>();
  readonly #byId = new Map<string, LaneBuilder>();
  readonly #cpus: readonly LaneBuilder[];
  readonly #tracks = new Map<number, number>();
  /** By flavour and task: its open span, on whose lane. */
  readonly #holdouts = new Map<string, { readonly cpu: number; readonly handle: number }>();

  constructor(info: RunInfo, cpus: readonly LaneBuilder[]) {
    this.#cpus = cpus;
    for (const { flavor, track } of tasksKthreads(info)) {
      const lanes = new FlavorLanes();
      this.#flavors.set(flavor, lanes);
      this.#tracks.set(flavor, track);
      this.#byId.set(`gp:${KTHREAD_NAMES[flavor]}`, lanes.gp);
      this.#byId.set(`callbacks:${KTHREAD_NAMES[flavor]}`, lanes.callbacks);
    }
  }

  /** A lane by its id; undefined: it is none of these. */
  lane(id: string): LaneBuilder | undefined {
    return this.#byId.get(id);
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    switch (event.kind) {
      case KIND.rcu_tasks_state:
        this.#state(event, row);
        break;
      case KIND.rcu_tasks_holdout:
        this.#holdout(event, row);
        break;
      case KIND.rcu_tasks_callback:
        this.#pending(event, row, 1);
        break;
      case KIND.rcu_tasks_invoke_callback:
        this.#pending(event, row, -1);
        break;
      case KIND.rcu_tasks_stall:
        this.#flavors.get(event.b)?.gp.mark(event.timeNs, MARK_CLASS.stall, row);
        break;
      default:
    }
  }

  #state(event: EventRow, row: number): void {
    const { a: state, b: flavor, timeNs } = event;
    const lanes = this.#flavors.get(flavor);
    if (lanes === undefined) return;
    if (lanes.phase >= 0) lanes.gp.close(lanes.phase, timeNs);
    const isRude = flavor === TASKS_FLAVOR.rude && state === RTGS.WAIT_GP;
    const cls = isRude ? SPAN_CLASS.tasksInner : CLASSES.get(state);
    const value = tasksGpNumber(event.c);
    const track = this.#tracks.get(flavor) ?? -1;
    lanes.phase = cls === undefined ? -1 : lanes.gp.open(timeNs, { cls, row, track, value });
    if (state === RTGS.WAIT_GP) lanes.gp.mark(timeNs, MARK_CLASS.request, row);
  }

  #holdout(event: EventRow, row: number): void {
    const { track, a: what, b: flavor, d: cpu, timeNs } = event;
    const key = `${flavor} ${track}`;
    const open = this.#holdouts.get(key);
    if (open !== undefined) this.#cpus[open.cpu]?.close(open.handle, timeNs);
    this.#holdouts.delete(key);
    if (what === TASKS_HOLDOUT.removed) {
      this.#cpus[cpu]?.mark(timeNs, MARK_CLASS.holdoutOff, row);
      return;
    }
    const lane = this.#cpus[cpu];
    if (lane === undefined) return;
    const cls = what === TASKS_HOLDOUT.added ? SPAN_CLASS.holdout : SPAN_CLASS.holdoutLeft;
    this.#holdouts.set(key, { cpu, handle: lane.open(timeNs, { cls, row, track, value: 0 }, 1) });
  }

  #pending(event: EventRow, row: number, change: 1 | -1): void {
    const { b: flavor, timeNs } = event;
    const lanes = this.#flavors.get(flavor);
    if (lanes === undefined) return;
    const { callbacks } = lanes;
    callbacks.mark(timeNs, change > 0 ? MARK_CLASS.cbQueued : MARK_CLASS.cbInvoked, row);
    lanes.pending += change;
    if (lanes.pending > 0 && lanes.wait < 0) {
      const track = this.#tracks.get(flavor) ?? -1;
      lanes.wait = callbacks.open(timeNs, { cls: SPAN_CLASS.cbWait, row, track, value: lanes.pending });
    } else if (lanes.pending === 0 && lanes.wait >= 0) {
      callbacks.close(lanes.wait, timeNs);
      lanes.wait = -1;
    }
  }
}
