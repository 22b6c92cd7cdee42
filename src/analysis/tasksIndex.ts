/** RCU Tasks in the tables of a run: its grace periods, and which of them each call and callback waits for. */
import { CALLBACK, KIND, RTGS, TASKS_FLAVOR, TASKS_HOLDOUT } from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { CallBuilder } from './calls.ts';
import type { GrowingGps } from './gpColumns.ts';
import { tasksGpNumber } from './narrateTasks.ts';
import { CALLBACK_FAMILY, GP_FLAVOR } from './types.ts';

/** GP_FLAVOR by TASKS_FLAVOR. */
const GP_FLAVORS = [GP_FLAVOR.tasks, GP_FLAVOR.tasksRude, GP_FLAVOR.tasksTrace] as const;

/** What a callback or a call waits with: the call that it wakes and its entry in the table of callbacks, -1 none. */
interface Waiter {
  readonly call: number;
  readonly entry: number;
}

/** One flavour while the log is read. */
class FlavorPeriods {
  /** Index of the grace period that runs, and of the last one; -1: none. */
  running = -1;
  last = -1;
  /** Callbacks that no grace period has taken yet. */
  waiting: Waiter[] = [];
  /** When holdouts were released, and the row, by task. */
  readonly released = new Map<number, { readonly ns: number; readonly row: number }>();
}

/** Reads rows in order; grace periods go to the table that it shares with other builders. */
export class TasksIndex {
  readonly #table: GrowingGps;
  readonly #calls: CallBuilder;
  readonly #flavors = GP_FLAVORS.map(() => new FlavorPeriods());

  constructor(calls: CallBuilder, table: GrowingGps) {
    this.#calls = calls;
    this.#table = table;
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    switch (event.kind) {
      case KIND.rcu_tasks_state:
        this.#state(event, row);
        break;
      case KIND.rcu_tasks_scan:
        this.#scanned(event);
        break;
      case KIND.rcu_tasks_holdout:
        this.#holdout(event, row);
        break;
      case KIND.rcu_tasks_callback:
        this.#queued(event, row);
        break;
      case KIND.rcu_tasks_invoke_callback:
        this.#calls.invoked(event.a, event.timeNs, row);
        break;
      default:
    }
  }

  #of(event: EventRow): FlavorPeriods {
    return this.#flavors[event.b] as FlavorPeriods;
  }

  #state(event: EventRow, row: number): void {
    const periods = this.#of(event);
    const gp = periods.running;
    const c = this.#table.columns;
    if (event.a === RTGS.WAIT_GP) this.#start(event, row);
    else if (gp >= 0 && event.a === RTGS.POST_SCAN_TASKLIST) c.initEndNs[gp] = event.timeNs;
    else if (gp >= 0 && event.a === RTGS.INVOKE_CBS) {
      c.endNs[gp] = event.timeNs;
      c.endRow[gp] = row;
      periods.running = -1;
    }
  }

  #start(event: EventRow, row: number): void {
    const periods = this.#of(event);
    const gp = this.#table.add();
    const c = this.#table.columns;
    c.track[gp] = event.track;
    c.flavor[gp] = GP_FLAVORS[event.b] as number;
    c.number[gp] = tasksGpNumber(event.c);
    c.startNs[gp] = event.timeNs;
    c.startRow[gp] = row;
    periods.running = gp;
    periods.last = gp;
    periods.released.clear();
    for (const waiter of periods.waiting) this.#serve(waiter, gp);
    periods.waiting = [];
  }

  #serve({ call, entry }: Waiter, gp: number): void {
    this.#calls.assign(call, entry, gp);
    const request = this.#calls.requestOf(call);
    const c = this.#table.columns;
    if (request === undefined || (c.requestRow[gp] as number) >= 0) return;
    c.requestRow[gp] = request.row;
    c.requester[gp] = request.thread;
    c.requestNs[gp] = request.ns;
  }

  #scanned(event: EventRow): void {
    const gp = this.#of(event).running;
    const { scans } = this.#table.columns;
    if (gp >= 0) scans[gp] = (scans[gp] as number) + 1;
  }

  /** The holdout that a scan takes off last is the one that was waited for longest. */
  #holdout(event: EventRow, row: number): void {
    const periods = this.#of(event);
    const { track, timeNs: ns } = event;
    if (event.a === TASKS_HOLDOUT.released) periods.released.set(track, { ns, row });
    if (event.a !== TASKS_HOLDOUT.removed || periods.running < 0) return;
    const leave = periods.released.get(track) ?? { ns, row };
    const c = this.#table.columns;
    c.lastReader[periods.running] = track;
    c.lastReaderRow[periods.running] = leave.row;
    c.lastReaderLeaveNs[periods.running] = leave.ns;
  }

  #queued(event: EventRow, row: number): void {
    const { track: thread, a: id, timeNs } = event;
    const calls = this.#calls;
    const periods = this.#of(event);
    const call = calls.openCall(thread);
    calls.requested(call, row, timeNs);
    if (event.c === CALLBACK.call) {
      const isTrace = event.b === TASKS_FLAVOR.trace;
      calls.queued(id, thread, timeNs, isTrace ? CALLBACK_FAMILY.tasksTrace : CALLBACK_FAMILY.tasks);
    } else calls.wakes(call, id);
    const waiter = { call, entry: calls.entryOfCallback(id) };
    const isBehindTaken = event.c === CALLBACK.barrier && periods.waiting.length === 0 && periods.last >= 0;
    if (isBehindTaken) this.#serve(waiter, periods.last);
    else periods.waiting.push(waiter);
  }
}
