/** The four lanes of a domain: grace periods, process_srcu, callbacks, calls. */
import { KIND, TIMER_FN, WORK_FN } from '../engine/core/eventKinds.ts';
import { PASS_OUTCOME } from '../engine/core/passCode.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { LaneBuilder } from './laneBuilder.ts';
import { MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import type { OffCpuTimes } from './offCpu.ts';
import type { PassShapes } from './passChecks.ts';
import { ScanState } from './scanState.ts';

/** A grace period as far as known. Its first pass, if a single one, is logged after what happened during it. */
interface Period {
  readonly number: number;
  readonly startNs: number;
  readonly startRow: number;
  firstPassNs: number;
  passRow: number;
  flipNs: number;
  flipRow: number;
  endNs: number;
}

/** Builds the lanes of one domain row by row. */
export class DomainLanes {
  readonly gp = new LaneBuilder();
  readonly worker = new LaneBuilder();
  readonly callbacks = new LaneBuilder();
  readonly calls = new LaneBuilder();
  readonly #track: number;
  readonly #scan = new ScanState();
  readonly #shapes: PassShapes;
  readonly #off: OffCpuTimes;
  #period: Period | undefined;
  /** The period before, until its first pass is known. */
  #ended: Period | undefined;
  /** Open spans of the worker lane: sleep (with its delay), waiting for its CPU. */
  #sleep = -1;
  #sleepDelay = 0;
  #isHeld = false;
  #wait = -1;
  readonly #callHandle = new Map<number, number>();
  /** Callbacks that wait, by target; how many in all, how many are ready. */
  readonly #waiting = new Map<number, number>();
  #waitingCount = 0;
  #readyCount = 0;
  #waitHandle = -1;
  #readyHandle = -1;
  #invoke = -1;
  /** Callbacks that the present work has still to invoke. */
  #batch = 0;

  constructor(track: number, shapes: PassShapes, off: OffCpuTimes) {
    this.#track = track;
    this.#shapes = shapes;
    this.#off = off;
  }

  /** Rows whose track is the domain. */
  ownRow(event: EventRow, row: number): void {
    const { timeNs } = event;
    switch (event.kind) {
      case KIND.srcu_request:
        this.gp.mark(timeNs, MARK_CLASS.request, row);
        break;
      case KIND.srcu_gp_start:
        this.#start(event, row);
        break;
      case KIND.srcu_pass:
        this.#pass(event, row);
        break;
      case KIND.srcu_check:
        this.worker.mark(timeNs, MARK_CLASS.checkZero, row);
        break;
      case KIND.srcu_flip:
        this.#scan.flip(event.a);
        if (this.#period !== undefined) {
          this.#period.flipNs = timeNs;
          this.#period.flipRow = row;
        }
        this.gp.mark(timeNs, MARK_CLASS.flip, row);
        break;
      case KIND.srcu_gp_end:
        this.#end(event);
        this.#ready(event, row);
        break;
      case KIND.srcu_cb_queue:
        this.#queue(event, row);
        break;
      case KIND.srcu_cb_invoke:
        this.#invoked(event, row);
        break;
      default:
    }
  }

  /** Rows about the domain whose track is a CPU, thread or worker. */
  otherRow(event: EventRow, row: number): void {
    const { timeNs, track: thread } = event;
    switch (event.kind) {
      case KIND.srcu_lock:
      case KIND.srcu_unlock:
        this.#section(event, row);
        break;
      case KIND.api_call: {
        const call = { cls: SPAN_CLASS.call, row, track: thread, value: event.b };
        this.#callHandle.set(thread, this.calls.open(timeNs, call));
        break;
      }
      case KIND.api_return: {
        const handle = this.#callHandle.get(thread);
        if (handle !== undefined) this.calls.close(handle, timeNs);
        this.#callHandle.delete(thread);
        this.calls.mark(timeNs, MARK_CLASS.callReturns, row);
        break;
      }
      case KIND.timer_start:
        if (event.a === TIMER_FN.delayed_work_timer_fn) this.#sleeps(event.b, timeNs, row);
        break;
      case KIND.timer_expire_entry:
        if (event.a !== TIMER_FN.delayed_work_timer_fn) break;
        this.#wakes(timeNs);
        this.worker.mark(timeNs, MARK_CLASS.timerFires, row);
        break;
      case KIND.workqueue_execute_start:
        this.#batch = event.c;
        break;
      case KIND.workqueue_queue_work:
        if (event.a === WORK_FN.process_srcu && event.c === 1 && this.#wait < 0) {
          const span = { cls: SPAN_CLASS.offCpu, row, track: this.#track, value: 0 };
          this.#wait = this.worker.open(timeNs, span, 1);
        }
        break;
      default:
    }
  }

  /** The lanes' data end at `endNs`: the running grace period too. */
  finish(endNs: number): void {
    if (this.#period === undefined) return;
    this.#period.endNs = endNs;
    this.#draw(this.#period);
  }

  /** A pass has begun. What was queued while it was under way waits on: it is logged at its end. */
  #runs(timeNs: number): void {
    if (this.#wait < 0 || this.worker.startNs(this.#wait) > timeNs) return;
    this.worker.close(this.#wait, timeNs);
    this.#wait = -1;
  }

  #start(event: EventRow, row: number): void {
    const { timeNs: startNs } = event;
    const none = { firstPassNs: Number.NaN, passRow: -1, flipNs: Number.NaN, flipRow: -1, endNs: Number.NaN };
    this.#scan.start(event.a);
    this.#period = { number: event.d, startNs, startRow: row, ...none };
  }

  #end(event: EventRow): void {
    const period = this.#period;
    this.#scan.end(event.a);
    this.#period = undefined;
    if (period === undefined) return;
    period.endNs = event.timeNs;
    if (Number.isNaN(period.firstPassNs)) this.#ended = period;
    else this.#draw(period);
  }

  /** The three spans of a period, those of no length left out. */
  #draw(period: Period): void {
    const { startNs, startRow, firstPassNs, passRow, flipNs, flipRow, endNs, number } = period;
    const until = (ns: number) => (Number.isNaN(ns) ? endNs : ns);
    const parts = [
      [startNs, until(firstPassNs), SPAN_CLASS.gpWait, startRow],
      [firstPassNs, until(flipNs), SPAN_CLASS.gpScan1, passRow],
      [flipNs, endNs, SPAN_CLASS.gpScan2, flipRow],
    ] as const;
    for (const [fromNs, toNs, cls, row] of parts) {
      if (toNs > fromNs) this.gp.add(fromNs, toNs, { cls, row, track: this.#track, value: number });
    }
  }

  /** Callbacks whose grace period has ended. */
  #ready(event: EventRow, row: number): void {
    const { timeNs, a: seq } = event;
    let ready = 0;
    for (const [target, count] of this.#waiting) {
      if (target > seq) continue;
      ready += count;
      this.#waiting.delete(target);
    }
    if (ready === 0) return;
    this.#waitingCount -= ready;
    this.#readyCount += ready;
    if (this.#waitingCount === 0) {
      this.callbacks.close(this.#waitHandle, timeNs);
      this.#waitHandle = -1;
    }
    const span = { cls: SPAN_CLASS.cbDelay, row, track: this.#track, value: this.#readyCount };
    if (this.#readyHandle < 0) this.#readyHandle = this.callbacks.open(timeNs, span);
  }

  #pass(event: EventRow, row: number): void {
    const shape = this.#shapes.get(event.c);
    const { a: count, b: startNs } = event;
    const endNs = startNs + count * event.d;
    this.#runs(startNs);
    // A pass is logged at its end: the delay of the next grace period may have been armed meanwhile.
    if (this.#sleep >= 0 && this.worker.startNs(this.#sleep) <= startNs) this.#wakes(startNs);
    const period = shape.outcome === PASS_OUTCOME.again ? this.#period : this.#ended;
    if (period !== undefined && Number.isNaN(period.firstPassNs)) {
      // It may have begun inside the pass (2.5 step 1).
      period.firstPassNs = Math.max(startNs, period.startNs);
      period.passRow = row;
      if (period === this.#ended) this.#draw(period);
    }
    this.#ended = undefined;
    const cls = shape.failedChecks > 0 ? SPAN_CLASS.poll : SPAN_CLASS.kworker;
    // Off its CPU the worker neither polls nor works.
    let atNs = startNs;
    for (const { fromNs, toNs } of this.#off.within(shape.cpu, startNs, endNs)) {
      if (fromNs > atNs) this.worker.add(atNs, fromNs, { cls, row, track: this.#track, value: count });
      this.worker.add(fromNs, toNs, { cls: SPAN_CLASS.offCpu, row, track: this.#track, value: 0 });
      atNs = toNs;
    }
    if (endNs > atNs) this.worker.add(atNs, endNs, { cls, row, track: this.#track, value: count });
  }

  #section(event: EventRow, row: number): void {
    const isLock = event.kind === KIND.srcu_lock;
    this.#scan.count(event.b, isLock ? 1 : -1, event.d === 1);
    if (isLock || this.#sleep < 0 || !this.#isHeld || this.#scan.active[this.#scan.scanned] > 0) return;
    this.#isHeld = false;
    const waste = { cls: SPAN_CLASS.sleepWaste, row, track: this.#track, value: this.#sleepDelay };
    this.#sleep = this.worker.change(this.#sleep, event.timeNs, waste);
  }

  #sleeps(delay: number, timeNs: number, row: number): void {
    if (this.#sleep >= 0 || delay < 1) return;
    const isFirst = Number.isNaN(this.#period?.firstPassNs);
    this.#isHeld = !isFirst && this.#scan.active[this.#scan.scanned] > 0;
    const cls = isFirst ? SPAN_CLASS.sleepFirst : this.#isHeld ? SPAN_CLASS.sleepHeld : SPAN_CLASS.sleepWaste;
    this.#sleepDelay = delay;
    this.#sleep = this.worker.open(timeNs, { cls, row, track: this.#track, value: delay });
  }

  #wakes(timeNs: number): void {
    if (this.#sleep >= 0) this.worker.close(this.#sleep, timeNs);
    this.#sleep = -1;
  }

  #queue(event: EventRow, row: number): void {
    const { timeNs, b: target } = event;
    this.callbacks.mark(timeNs, MARK_CLASS.cbQueued, row);
    this.#waiting.set(target, (this.#waiting.get(target) ?? 0) + 1);
    this.#waitingCount++;
    const span = { cls: SPAN_CLASS.cbWait, row, track: this.#track, value: this.#waitingCount };
    if (this.#waitHandle < 0) this.#waitHandle = this.callbacks.open(timeNs, span);
  }

  #invoked(event: EventRow, row: number): void {
    const { timeNs } = event;
    this.callbacks.mark(timeNs, MARK_CLASS.cbInvoked, row);
    if (this.#readyHandle >= 0) this.callbacks.close(this.#readyHandle, timeNs);
    this.#readyHandle = -1;
    this.#readyCount = Math.max(0, this.#readyCount - 1);
    this.#batch = Math.max(0, this.#batch - 1);
    if (this.#batch > 0) {
      // The next one of the batch is under way from here on.
      const span = { cls: SPAN_CLASS.callback, row, track: this.#track, value: this.#batch };
      this.#invoke = this.callbacks.change(this.#invoke, timeNs, span);
      return;
    }
    if (this.#invoke >= 0) this.callbacks.close(this.#invoke, timeNs);
    this.#invoke = -1;
    if (this.#readyCount === 0) return;
    const span = { cls: SPAN_CLASS.cbDelay, row, track: this.#track, value: this.#readyCount };
    this.#readyHandle = this.callbacks.open(timeNs, span);
  }
}
