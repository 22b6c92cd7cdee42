/**
 * CPU lanes. Contended runs: who runs, from sched_switch rows. Others (`plain`, credit form) have no such rows: what
 * threads and workers do is shown instead: sections, an updater's spinning gaps, passes.
 */
import { KIND } from '../engine/core/eventKinds.ts';
import type { LogBlock } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { actorStartNs } from './actorStart.ts';
import { LaneBuilder, type SpanInfo } from './laneBuilder.ts';
import { MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import { PassCodes } from './passChecks.ts';
import { workerOfCpu } from './scanState.ts';

/** A pass that the worker of a CPU executes or has executed last. */
interface LastPass {
  readonly endNs: number;
  readonly cls: number;
  readonly row: number;
  readonly count: number;
}

/** Builds the lanes of all CPUs row by row. */
export class CpuLanes {
  readonly lanes: LaneBuilder[];
  readonly #info: RunInfo;
  readonly #codes = new PassCodes();
  readonly #workers: Int32Array;
  /** By CPU. */
  readonly #running: Int32Array;
  readonly #handle: Int32Array;
  readonly #pass: (LastPass | undefined)[] = [];
  /** By thread: open section, call, span of its section or gap (-1 none). */
  readonly #isInSection: Uint8Array;
  readonly #isInCall: Uint8Array;
  readonly #threadHandle: Int32Array;
  readonly #hasCalled: Uint8Array;

  constructor(info: RunInfo) {
    const { cpus } = info.config;
    this.#info = info;
    this.lanes = Array.from({ length: cpus }, () => new LaneBuilder());
    this.#workers = workerOfCpu(info);
    this.#running = new Int32Array(cpus).fill(-1);
    this.#handle = new Int32Array(cpus).fill(-1);
    this.#isInSection = new Uint8Array(info.tracks.length);
    this.#isInCall = new Uint8Array(info.tracks.length);
    this.#threadHandle = new Int32Array(info.tracks.length).fill(-1);
    this.#hasCalled = new Uint8Array(info.tracks.length);
  }

  /** Takes a row of any kind. */
  row(block: LogBlock, i: number, row: number): void {
    const track = block.track[i] as number;
    const timeNs = block.timeNs[i] as number;
    switch (block.kind[i]) {
      case KIND.sched_switch:
        this.#switch(track, block.a[i] as number, timeNs, row);
        break;
      case KIND.tick:
        this.lanes[track]?.mark(timeNs, MARK_CLASS.tick, row);
        break;
      case KIND.timer_expire_entry:
        this.lanes[track]?.mark(timeNs, MARK_CLASS.timerFires, row);
        break;
      case KIND.sched_waking:
        this.lanes[block.a[i] as number]?.mark(timeNs, MARK_CLASS.wakeup, row);
        break;
      case KIND.srcu_lock:
        this.#section(block, i, row, true);
        break;
      case KIND.srcu_unlock:
        this.#section(block, i, row, false);
        break;
      case KIND.srcu_call:
      case KIND.srcu_return:
        this.#call(track, block.kind[i] === KIND.srcu_call, timeNs, row);
        break;
      case KIND.srcu_pass:
        this.#onPass(block, i, row);
        break;
      default:
    }
  }

  #onPass(block: LogBlock, i: number, row: number): void {
    const info = this.#codes.get(block.c[i] as number);
    const startNs = block.timeNs[i] as number;
    const count = block.a[i] as number;
    const endNs = startNs + count * (block.b[i] as number);
    const cls = info.failedChecks > 0 ? SPAN_CLASS.poll : SPAN_CLASS.kworker;
    if (!this.#info.contended) {
      const worker = this.#workers[info.cpu] ?? -1;
      this.lanes[info.cpu]?.add(startNs, endNs, { cls, row, track: worker, value: count });
      return;
    }
    const isRunning = this.#running[info.cpu] === this.#workers[info.cpu];
    if (isRunning) this.#stop(info.cpu, startNs);
    this.#pass[info.cpu] = { endNs, cls, row, count };
    if (isRunning) this.#run(info.cpu, startNs, row);
  }

  #section(block: LogBlock, i: number, row: number, isLock: boolean): void {
    const thread = block.track[i] as number;
    const timeNs = block.timeNs[i] as number;
    this.#isInSection[thread] = isLock ? 1 : 0;
    if (this.#info.contended) {
      if (!isLock) this.#closeThread(thread, timeNs);
      this.#changed(thread, timeNs, row);
      return;
    }
    // An update-side call's own section is shown by its call.
    if (block.d[i] === 1) return;
    if (!isLock) {
      this.#closeThread(thread, timeNs);
      return;
    }
    const actor = this.#info.config.actors[this.#info.tracks[thread]?.actor ?? -1];
    const isAsleep = actor?.kind === 'reader' && actor.holdMode === 'sleep';
    const cls = isAsleep ? SPAN_CLASS.readerOff : SPAN_CLASS.reader;
    const lane = this.lanes[block.c[i] as number];
    if (lane !== undefined)
      this.#threadHandle[thread] = lane.open(timeNs, { cls, row, track: thread, value: 0 });
  }

  #call(thread: number, isCall: boolean, timeNs: number, row: number): void {
    this.#isInCall[thread] = isCall ? 1 : 0;
    if (this.#info.contended) {
      this.#changed(thread, timeNs, row);
      return;
    }
    const track = this.#info.tracks[thread];
    const actor = this.#info.config.actors[track?.actor ?? -1];
    const lane = this.lanes[track?.cpu ?? -1];
    if (track === undefined || lane === undefined || actor?.kind !== 'updater' || actor.gapMode !== 'spin')
      return;
    const gap = { cls: SPAN_CLASS.updater, row, track: thread, value: 0 };
    if (!isCall) {
      this.#threadHandle[thread] = lane.open(timeNs, gap);
      return;
    }
    const startNs = actorStartNs(track, this.#info);
    if (this.#hasCalled[thread] === 0 && startNs < timeNs) lane.add(startNs, timeNs, gap);
    this.#hasCalled[thread] = 1;
    this.#closeThread(thread, timeNs);
  }

  #closeThread(thread: number, timeNs: number): void {
    const handle = this.#threadHandle[thread] as number;
    if (handle >= 0) this.lanes[this.#info.tracks[thread]?.cpu ?? -1]?.close(handle, timeNs);
    this.#threadHandle[thread] = -1;
  }

  #switch(cpu: number, next: number, timeNs: number, row: number): void {
    const lane = this.lanes[cpu];
    if (lane === undefined) return;
    const previous = this.#running[cpu] as number;
    this.#stop(cpu, timeNs);
    if (previous >= 0 && this.#isInSection[previous] === 1) {
      const span = { cls: SPAN_CLASS.readerOff, row, track: previous, value: 0 };
      this.#threadHandle[previous] = lane.open(timeNs, span, 1);
    }
    this.#running[cpu] = next;
    if (next >= 0) this.#closeThread(next, timeNs);
    this.#run(cpu, timeNs, row);
  }

  /** `thread` begins or ends a section or call: a new span if it runs. */
  #changed(thread: number, timeNs: number, row: number): void {
    const cpu = this.#info.tracks[thread]?.cpu ?? -1;
    if (this.#running[cpu] !== thread) return;
    this.#stop(cpu, timeNs);
    this.#run(cpu, timeNs, row);
  }

  /** Ends the span of whoever runs on `cpu`. A pass that ended before leaves a rest of other work. */
  #stop(cpu: number, timeNs: number): void {
    const lane = this.lanes[cpu] as LaneBuilder;
    const handle = this.#handle[cpu] as number;
    this.#handle[cpu] = -1;
    if (handle < 0) return;
    const pass = this.#pass[cpu];
    if (this.#running[cpu] !== this.#workers[cpu] || pass === undefined || pass.endNs >= timeNs) {
      lane.close(handle, timeNs);
      return;
    }
    this.#pass[cpu] = undefined;
    lane.close(handle, pass.endNs);
    const rest = { cls: SPAN_CLASS.kworker, row: pass.row, track: this.#running[cpu] as number, value: 0 };
    lane.add(pass.endNs, timeNs, rest);
  }

  /** Begins the span of whoever runs on `cpu`. */
  #run(cpu: number, timeNs: number, row: number): void {
    if (this.#running[cpu] === this.#workers[cpu] && (this.#pass[cpu]?.endNs ?? 0) <= timeNs) {
      this.#pass[cpu] = undefined;
    }
    this.#handle[cpu] = (this.lanes[cpu] as LaneBuilder).open(timeNs, this.#spanOf(cpu, row));
  }

  #spanOf(cpu: number, row: number): SpanInfo {
    const track = this.#running[cpu] as number;
    if (track < 0) return { cls: SPAN_CLASS.idle, row, track, value: 0 };
    if (track === this.#workers[cpu]) {
      const pass = this.#pass[cpu];
      if (pass === undefined) return { cls: SPAN_CLASS.kworker, row, track, value: 0 };
      return { cls: pass.cls, row: pass.row, track, value: pass.count };
    }
    return { cls: this.#threadClass(track), row, track, value: 0 };
  }

  #threadClass(thread: number): number {
    switch (this.#info.config.actors[this.#info.tracks[thread]?.actor ?? -1]?.kind) {
      case 'reader':
        return this.#isInSection[thread] === 1 ? SPAN_CLASS.reader : SPAN_CLASS.readerOut;
      case 'updater':
        return this.#isInCall[thread] === 1 ? SPAN_CLASS.call : SPAN_CLASS.updater;
      default:
        return SPAN_CLASS.load;
    }
  }
}
