/** The four lanes of a domain: grace periods, process_srcu, callbacks, calls. */
import { KIND, TIMER_FN, WORK_FN } from '../engine/core/eventKinds.ts';
import type { LogBlock } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { PASS_OUTCOME } from '../engine/core/passCode.ts';
import { LaneBuilder } from './laneBuilder.ts';
import { MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import type { PassCodes } from './passChecks.ts';
import { ScanState, workerOfCpu } from './scanState.ts';

/** A burst on a CPU, for the time during which the worker is off it. */
interface Burst {
  readonly cpu: number;
  readonly row: number;
  readonly endNs: number;
  /** The pass ends a grace period and starts the next. */
  readonly isNext: boolean;
}

/** Builds the lanes of one domain row by row. */
export class DomainLanes {
  readonly gp = new LaneBuilder();
  readonly worker = new LaneBuilder();
  readonly callbacks = new LaneBuilder();
  readonly calls = new LaneBuilder();
  readonly #track: number;
  readonly #scan = new ScanState();
  readonly #codes: PassCodes;
  readonly #workers: Int32Array;
  #gpHandle = -1;
  #gpNumber = 0;
  #passes = 0;
  #burst: Burst | undefined;
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

  constructor(track: number, info: RunInfo, codes: PassCodes) {
    this.#track = track;
    this.#codes = codes;
    this.#workers = workerOfCpu(info);
  }

  /** Rows whose track is the domain. */
  ownRow(block: LogBlock, i: number, row: number): void {
    const timeNs = block.timeNs[i] as number;
    switch (block.kind[i]) {
      case KIND.srcu_request:
        this.gp.mark(timeNs, MARK_CLASS.request, row);
        break;
      case KIND.srcu_gp_start:
        this.#start(block, i, row);
        break;
      case KIND.srcu_pass:
        this.#pass(block, i, row);
        break;
      case KIND.srcu_check:
        this.worker.mark(timeNs, MARK_CLASS.checkZero, row);
        break;
      case KIND.srcu_flip:
        this.#scan.flip(block.a[i] as number);
        this.#phase(SPAN_CLASS.gpScan2, timeNs, row);
        this.gp.mark(timeNs, MARK_CLASS.flip, row);
        break;
      case KIND.srcu_gp_end:
        this.#end(block, i, row);
        break;
      case KIND.srcu_cb_queue:
        this.#queue(block, i, row);
        break;
      case KIND.srcu_cb_invoke:
        this.#invoked(block, i, row);
        break;
      default:
    }
  }

  /** Rows about the domain whose track is a CPU, thread or worker. */
  otherRow(block: LogBlock, i: number, row: number): void {
    const timeNs = block.timeNs[i] as number;
    const thread = block.track[i] as number;
    switch (block.kind[i]) {
      case KIND.srcu_lock:
      case KIND.srcu_unlock:
        this.#section(block, i, row);
        break;
      case KIND.srcu_call: {
        const call = { cls: SPAN_CLASS.call, row, track: thread, value: block.b[i] as number };
        this.#callHandle.set(thread, this.calls.open(timeNs, call));
        break;
      }
      case KIND.srcu_return: {
        const handle = this.#callHandle.get(thread);
        if (handle !== undefined) this.calls.close(handle, timeNs);
        this.#callHandle.delete(thread);
        this.calls.mark(timeNs, MARK_CLASS.callReturns, row);
        break;
      }
      case KIND.timer_start:
        if (block.a[i] === TIMER_FN.delayed_work_timer_fn) this.#sleeps(block.b[i] as number, timeNs, row);
        break;
      case KIND.timer_expire_entry:
        if (block.a[i] !== TIMER_FN.delayed_work_timer_fn) break;
        this.#wakes(timeNs);
        this.worker.mark(timeNs, MARK_CLASS.timerFires, row);
        break;
      case KIND.workqueue_queue_work:
        if (block.a[i] === WORK_FN.process_srcu && block.c[i] === 1 && this.#wait < 0) {
          const span = { cls: SPAN_CLASS.offCpu, row, track: this.#track, value: 0 };
          this.#wait = this.worker.open(timeNs, span, 1);
        }
        break;
      default:
    }
  }

  /** The worker of a CPU gets or loses it: matters while it executes a burst of this domain. */
  switched(cpu: number, next: number, previous: number, timeNs: number): void {
    const burst = this.#burst;
    const worker = this.#workers[cpu] ?? -1;
    if (burst === undefined || burst.cpu !== cpu || worker < 0 || timeNs >= burst.endNs) return;
    if (previous === worker && this.#wait < 0) {
      const span = { cls: SPAN_CLASS.offCpu, row: burst.row, track: this.#track, value: 0 };
      this.#wait = this.worker.open(timeNs, span, 1);
    } else if (next === worker) this.#runs(timeNs);
  }

  #runs(timeNs: number): void {
    if (this.#wait >= 0) this.worker.close(this.#wait, timeNs);
    this.#wait = -1;
  }

  #start(block: LogBlock, i: number, row: number): void {
    const timeNs = block.timeNs[i] as number;
    this.#scan.start(block.a[i] as number);
    this.#gpNumber = block.d[i] as number;
    this.#passes = 0;
    const burst = this.#burst;
    const isInPass = burst !== undefined && timeNs < burst.endNs && !burst.isNext;
    this.#phase(isInPass ? SPAN_CLASS.gpScan1 : SPAN_CLASS.gpWait, timeNs, row);
  }

  #end(block: LogBlock, i: number, row: number): void {
    const timeNs = block.timeNs[i] as number;
    const seq = block.a[i] as number;
    this.#scan.end(seq);
    if (this.#gpHandle >= 0) this.gp.close(this.#gpHandle, timeNs);
    this.#gpHandle = -1;
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

  #phase(cls: number, timeNs: number, row: number): void {
    const span = { cls, row, track: this.#track, value: this.#gpNumber };
    this.#gpHandle = this.gp.change(this.#gpHandle, timeNs, span);
  }

  #pass(block: LogBlock, i: number, row: number): void {
    const info = this.#codes.get(block.c[i] as number);
    const startNs = block.timeNs[i] as number;
    const count = block.a[i] as number;
    const endNs = startNs + count * (block.b[i] as number);
    this.#runs(startNs);
    this.#wakes(startNs);
    if (this.#passes === 0 && this.#gpHandle >= 0) this.#phase(SPAN_CLASS.gpScan1, startNs, row);
    this.#passes += count;
    this.#burst = { cpu: info.cpu, row, endNs, isNext: info.outcome === PASS_OUTCOME.next };
    const cls = info.failedChecks > 0 ? SPAN_CLASS.poll : SPAN_CLASS.kworker;
    this.worker.add(startNs, endNs, { cls, row, track: this.#track, value: count });
  }

  #section(block: LogBlock, i: number, row: number): void {
    const isLock = block.kind[i] === KIND.srcu_lock;
    this.#scan.count(block.b[i] as number, isLock ? 1 : -1, block.d[i] === 1);
    if (isLock || this.#sleep < 0 || !this.#isHeld || this.#scan.active[this.#scan.scanned] > 0) return;
    this.#isHeld = false;
    const waste = { cls: SPAN_CLASS.sleepWaste, row, track: this.#track, value: this.#sleepDelay };
    this.#sleep = this.worker.change(this.#sleep, block.timeNs[i] as number, waste);
  }

  #sleeps(delay: number, timeNs: number, row: number): void {
    if (this.#sleep >= 0 || delay < 1) return;
    this.#isHeld = this.#passes > 0 && this.#scan.active[this.#scan.scanned] > 0;
    const cls =
      this.#passes === 0
        ? SPAN_CLASS.sleepFirst
        : this.#isHeld
          ? SPAN_CLASS.sleepHeld
          : SPAN_CLASS.sleepWaste;
    this.#sleepDelay = delay;
    this.#sleep = this.worker.open(timeNs, { cls, row, track: this.#track, value: delay });
  }

  #wakes(timeNs: number): void {
    if (this.#sleep >= 0) this.worker.close(this.#sleep, timeNs);
    this.#sleep = -1;
  }

  #queue(block: LogBlock, i: number, row: number): void {
    const timeNs = block.timeNs[i] as number;
    const target = block.b[i] as number;
    this.callbacks.mark(timeNs, MARK_CLASS.cbQueued, row);
    this.#waiting.set(target, (this.#waiting.get(target) ?? 0) + 1);
    this.#waitingCount++;
    const span = { cls: SPAN_CLASS.cbWait, row, track: this.#track, value: this.#waitingCount };
    if (this.#waitHandle < 0) this.#waitHandle = this.callbacks.open(timeNs, span);
  }

  #invoked(block: LogBlock, i: number, row: number): void {
    const timeNs = block.timeNs[i] as number;
    this.callbacks.mark(timeNs, MARK_CLASS.cbInvoked, row);
    if (this.#readyHandle >= 0) this.callbacks.close(this.#readyHandle, timeNs);
    this.#readyHandle = -1;
    this.#readyCount = Math.max(0, this.#readyCount - 1);
    if (this.#readyCount > 0) {
      // The next one of the batch is under way from here on.
      const span = { cls: SPAN_CLASS.callback, row, track: this.#track, value: this.#readyCount };
      this.#invoke = this.callbacks.change(this.#invoke, timeNs, span);
      return;
    }
    if (this.#invoke >= 0) this.callbacks.close(this.#invoke, timeNs);
    this.#invoke = -1;
  }
}
