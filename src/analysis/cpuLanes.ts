/**
 * CPU lanes. Contended runs: who runs, from sched_switch rows. Others (`plain`, credit form) have no such rows: what
 * threads and workers do is shown instead: sections, an updater's spinning gaps, passes.
 */
import { KIND, WORK_FN } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { actorStartNs } from './actorStart.ts';
import { LaneBuilder, type SpanInfo } from './laneBuilder.ts';
import { MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import { PassShapes } from './passChecks.ts';
import { RcuCpuMarks } from './rcuCpuMarks.ts';
import { rcuGeometry, rcuTrack } from './rcuGeometry.ts';
import { workerOfCpu } from './scanState.ts';

/** Where a thread is with respect to a section: outside, between reading srcu_idx and counting (srcu 5.4), inside. */
const OUTSIDE = 0;
const FETCHED = 1;
const INSIDE = 2;
/** What a running reader shows, by these. */
const READER_CLASSES = [SPAN_CLASS.readerOut, SPAN_CLASS.readerFetched, SPAN_CLASS.reader] as const;

/** A CPU on which nothing runs and which RCU does not watch. */
function idleSpan(row: number): SpanInfo {
  return { cls: SPAN_CLASS.eqs, row, track: -1, value: 0 };
}

/** Builds the lanes of all CPUs row by row. */
export class CpuLanes {
  readonly lanes: LaneBuilder[];
  readonly #info: RunInfo;
  readonly #shapes: PassShapes;
  readonly #workers: Int32Array;
  /** By CPU. */
  readonly #running: Int32Array;
  readonly #handle: Int32Array;
  readonly #passes: ({ readonly endNs: number; readonly span: SpanInfo } | undefined)[] = [];
  /** By thread: where it is (OUTSIDE, FETCHED, INSIDE), in a call, span of its section or gap (-1 none). */
  readonly #section: Uint8Array;
  readonly #isInCall: Uint8Array;
  readonly #threadHandle: Int32Array;
  readonly #hasCalled: Uint8Array;
  /** By worker: what it does for kvfree_rcu() (WORK_FN). */
  readonly #kvfreeWork = new Map<number, number>();
  readonly #rcu: RcuCpuMarks | undefined;
  readonly #idleClass: number = SPAN_CLASS.idle;

  constructor(info: RunInfo) {
    const { cpus } = info.config;
    this.#info = info;
    this.#shapes = new PassShapes(info.srcu);
    this.lanes = Array.from({ length: cpus }, () => new LaneBuilder());
    this.#workers = workerOfCpu(info);
    this.#running = new Int32Array(cpus).fill(-1);
    this.#handle = new Int32Array(cpus).fill(-1);
    this.#section = new Uint8Array(info.tracks.length);
    this.#isInCall = new Uint8Array(info.tracks.length);
    this.#threadHandle = new Int32Array(info.tracks.length).fill(-1);
    this.#hasCalled = new Uint8Array(info.tracks.length);
    if (rcuTrack(info) < 0) return;
    this.#rcu = new RcuCpuMarks(this.lanes, rcuGeometry(info));
    this.#idleClass = SPAN_CLASS.eqs;
    this.lanes.forEach((lane, cpu) => {
      this.#handle[cpu] = lane.open(0, idleSpan(-1));
    });
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    const { track, timeNs } = event;
    switch (event.kind) {
      case KIND.sched_switch:
        this.#switch(track, event.a, timeNs, row);
        break;
      case KIND.tick:
        this.lanes[track]?.mark(timeNs, MARK_CLASS.tick, row);
        break;
      case KIND.timer_expire_entry:
        this.lanes[track]?.mark(timeNs, MARK_CLASS.timerFires, row);
        break;
      case KIND.sched_waking:
        this.lanes[event.a]?.mark(timeNs, MARK_CLASS.wakeup, row);
        break;
      case KIND.srcu_lock:
        this.#onSection(event, row, INSIDE);
        break;
      case KIND.srcu_unlock:
        this.#onSection(event, row, OUTSIDE);
        break;
      case KIND.srcu_fetch:
        this.#onSection(event, row, FETCHED);
        break;
      case KIND.api_call:
      case KIND.api_return:
        this.#call(track, event.kind === KIND.api_call, timeNs, row);
        break;
      case KIND.srcu_pass:
        this.#onPass(event, row);
        break;
      case KIND.rcu_read_lock:
      case KIND.rcu_read_unlock:
        this.#onRcuSection(event, row);
        break;
      case KIND.workqueue_execute_start:
      case KIND.workqueue_execute_end:
        this.#onKvfreeWork(event, row);
        break;
      case KIND.rcu_watching:
        if (!this.#info.contended) this.#watching(track, event.a === 1, timeNs, row);
        break;
      default:
        this.#rcu?.row(event, row);
    }
  }

  /** A worker of kvfree_rcu() begins or ends something; it may be on any CPU. */
  #onKvfreeWork({ kind, track: worker, a: fn, timeNs }: EventRow, row: number): void {
    if (kind === KIND.workqueue_execute_end) this.#kvfreeWork.delete(worker);
    else if (fn >= WORK_FN.kfree_rcu_monitor && fn <= WORK_FN.fill_page_cache_func)
      this.#kvfreeWork.set(worker, fn);
    const cpu = this.#running.indexOf(worker);
    if (cpu < 0) return;
    this.#stop(cpu, timeNs);
    this.#run(cpu, timeNs, row);
  }

  /** Idle CPUs where no scheduler says so. All of them are idle before the first row. */
  #watching(cpu: number, isWatched: boolean, timeNs: number, row: number): void {
    const lane = this.lanes[cpu];
    const handle = this.#handle[cpu] as number;
    if (handle >= 0) lane?.close(handle, timeNs);
    this.#handle[cpu] = -1;
    if (!isWatched && lane !== undefined) this.#handle[cpu] = lane.open(timeNs, idleSpan(row));
  }

  #onRcuSection(event: EventRow, row: number): void {
    const { track: thread, timeNs } = event;
    const section = event.kind === KIND.rcu_read_lock ? INSIDE : OUTSIDE;
    this.#section[thread] = section;
    if (section === OUTSIDE || !this.#info.contended) this.#closeThread(thread, timeNs);
    if (this.#info.contended) this.#changed(thread, timeNs, row);
    else if (section === INSIDE) {
      const span = { cls: SPAN_CLASS.reader, row, track: thread, value: 0 };
      this.#threadHandle[thread] = this.lanes[event.a]?.open(timeNs, span) ?? -1;
    }
  }

  #onPass(event: EventRow, row: number): void {
    const shape = this.#shapes.get(event.c);
    const { a: count, b: startNs } = event;
    const endNs = startNs + count * event.d;
    const lane = this.lanes[shape.cpu];
    if (lane === undefined || endNs === startNs) return;
    const worker = this.#workers[shape.cpu] ?? -1;
    const cls = shape.failedChecks > 0 ? SPAN_CLASS.poll : SPAN_CLASS.kworker;
    const span = { cls, row, track: worker, value: count };
    if (!this.#info.contended) {
      lane.add(startNs, endNs, span);
      return;
    }
    // A burst is logged at its start, a single pass at its end: either is a part of the worker's present turn.
    const handle = this.#handle[shape.cpu] as number;
    if (this.#running[shape.cpu] !== worker || handle < 0) return;
    const fromNs = Math.max(startNs, lane.startNs(handle));
    lane.close(handle, fromNs);
    this.#passes[shape.cpu] = { endNs, span };
    this.#run(shape.cpu, fromNs, row);
  }

  #onSection(event: EventRow, row: number, section: number): void {
    const { track: thread, timeNs } = event;
    this.#section[thread] = section;
    if (this.#info.contended) {
      if (section === OUTSIDE) this.#closeThread(thread, timeNs);
      this.#changed(thread, timeNs, row);
      return;
    }
    // An update-side call's own section is shown by its call.
    if (section !== FETCHED && event.d === 1) return;
    this.#closeThread(thread, timeNs);
    if (section === OUTSIDE) return;
    const lane = this.lanes[event.c];
    if (lane === undefined) return;
    const cls = section === FETCHED ? SPAN_CLASS.readerFetched : this.#holdClass(thread);
    this.#threadHandle[thread] = lane.open(timeNs, { cls, row, track: thread, value: 0 });
  }

  /** A section of a reader where no scheduler says who runs. */
  #holdClass(thread: number): number {
    const actor = this.#info.config.actors[this.#info.tracks[thread]?.actor ?? -1];
    const isAsleep = actor?.kind === 'reader' && actor.holdMode === 'sleep';
    return isAsleep ? SPAN_CLASS.readerOff : SPAN_CLASS.reader;
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
    if (previous >= 0 && this.#section[previous] === INSIDE) {
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

  /** Ends the span of whoever runs on `cpu`. */
  #stop(cpu: number, timeNs: number): void {
    const lane = this.lanes[cpu] as LaneBuilder;
    const handle = this.#handle[cpu] as number;
    this.#handle[cpu] = -1;
    if (handle < 0) return;
    // A burst that loses its CPU for no time at all is one burst still: what is drawn ahead of it is taken back.
    const aheadNs = lane.startNs(handle);
    lane.close(handle, Math.max(timeNs, aheadNs));
    if (aheadNs > timeNs) lane.cut(timeNs);
  }

  /** Begins the span of whoever runs on `cpu`: of a worker the passes that are known, then other work. */
  #run(cpu: number, timeNs: number, row: number): void {
    const lane = this.lanes[cpu] as LaneBuilder;
    const track = this.#running[cpu] as number;
    const value = this.#kvfreeWork.get(track) ?? 0;
    const isWorker = track >= 0 && track === this.#workers[cpu] && value === 0;
    const passes = isWorker ? this.#passes[cpu] : undefined;
    const cls = isWorker ? SPAN_CLASS.kworker : track < 0 ? this.#idleClass : this.#threadClass(track);
    let fromNs = timeNs;
    if (passes !== undefined && passes.endNs > timeNs) {
      lane.add(timeNs, passes.endNs, passes.span);
      fromNs = passes.endNs;
    }
    this.#handle[cpu] = lane.open(fromNs, { cls, row, track, value });
  }

  #threadClass(thread: number): number {
    if (this.#kvfreeWork.has(thread)) return SPAN_CLASS.kfreeWork;
    if (this.#info.tracks[thread]?.kind === 'kthread') return SPAN_CLASS.kthread;
    switch (this.#info.config.actors[this.#info.tracks[thread]?.actor ?? -1]?.kind) {
      case 'reader':
        return READER_CLASSES[this.#section[thread] as number] as number;
      case 'updater':
        return this.#isInCall[thread] === 1 ? SPAN_CLASS.call : SPAN_CLASS.updater;
      default:
        return SPAN_CLASS.load;
    }
  }
}
