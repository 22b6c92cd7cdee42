/** Update-side calls and callbacks of a log as tables (docs/configuration.md says what their latencies are). */
import { SRCU_APIS } from '../engine/config.ts';
import { CALLBACK, KIND } from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { GrowingTable } from './growingTable.ts';
import type { CallTable } from './types.ts';

/** Callbacks that call_srcu() queued, in order of queueing. */
export interface CallbackTable {
  readonly length: number;
  readonly thread: Int32Array;
  readonly queuedNs: Float64Array;
  /** NaN and -1 while it waits. */
  readonly invokedNs: Float64Array;
  readonly invokeRow: Int32Array;
  /** The grace period that it waits for, index in the GpTable; -1: not started. */
  readonly gp: Int32Array;
}

const CALL_COLUMNS = {
  thread: 'u16',
  domain: 'u16',
  api: 'u8',
  number: 'f64',
  callNs: 'f64',
  callRow: 'i32',
  returnNs: 'nan',
  returnRow: 'none',
  latencyNs: 'nan',
  requestRow: 'none',
  callback: 'nan',
  invokeRow: 'none',
  gp: 'none',
} as const;

const CALLBACK_COLUMNS = {
  thread: 'i32',
  queuedNs: 'f64',
  invokedNs: 'nan',
  invokeRow: 'none',
  gp: 'none',
} as const;

/** Index of call_srcu in SRCU_APIS. */
export const API_CALL_SRCU = SRCU_APIS.indexOf('call_srcu');
/** Index of srcu_barrier in SRCU_APIS. */
export const API_SRCU_BARRIER = SRCU_APIS.indexOf('srcu_barrier');

/** Builds both tables row by row. */
export class CallBuilder {
  readonly #calls = new GrowingTable(CALL_COLUMNS);
  readonly #callbacks = new GrowingTable(CALLBACK_COLUMNS);
  /** By thread: its open call, -1 none. */
  readonly #open: Int32Array;
  /** By callback id: the call it wakes; the entry of a call_srcu() callback. */
  readonly #callOf = new Map<number, number>();
  readonly #entryOf = new Map<number, number>();
  #lastRequest = { thread: -1, call: -1, callback: -1 };

  constructor(info: RunInfo) {
    this.#open = new Int32Array(info.tracks.length).fill(-1);
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    switch (event.kind) {
      case KIND.api_call:
        this.#call(event, row);
        break;
      case KIND.api_return:
        this.#return(event, row);
        break;
      case KIND.srcu_cb_queue:
        this.#queue(event);
        break;
      case KIND.srcu_cb_invoke:
        this.#invoke(event, row);
        break;
      default:
    }
  }

  /** The call that `thread` is in, -1 none. */
  openCall(thread: number): number {
    return this.#open[thread] ?? -1;
  }

  /** `thread` asks for a grace period (srcu_request); its callback is queued right after. Returns the call, -1 none. */
  request(thread: number, row: number, callback: number): number {
    const call = this.openCall(thread);
    this.#lastRequest = { thread, call, callback };
    const c = this.#calls.columns;
    if (call >= 0 && c.requestRow[call] === -1) {
      c.requestRow[call] = row;
      c.callback[call] = callback;
    }
    return call;
  }

  /** Grace period `gp` (index in the GpTable) is the one that `call` and its callback wait for. */
  assignGp(call: number, callback: number, gp: number): void {
    const c = this.#calls.columns;
    if (call >= 0 && c.gp[call] === -1) c.gp[call] = gp;
    const entry = this.#entryOf.get(callback);
    if (entry !== undefined) this.#callbacks.columns.gp[entry] = gp;
  }

  finish(): { calls: CallTable; callbacks: CallbackTable } {
    return { calls: this.#calls.finish(), callbacks: this.#callbacks.finish() };
  }

  #call(event: EventRow, row: number): void {
    const { track: thread } = event;
    const n = this.#calls.add();
    const c = this.#calls.columns;
    c.thread[n] = thread;
    c.domain[n] = event.c;
    c.api[n] = event.a;
    c.number[n] = event.b;
    c.callNs[n] = event.timeNs;
    c.callRow[n] = row;
    this.#open[thread] = n;
  }

  #return(event: EventRow, row: number): void {
    const { track: thread } = event;
    const n = this.openCall(thread);
    if (n < 0) return;
    const c = this.#calls.columns;
    c.returnNs[n] = event.timeNs;
    c.returnRow[n] = row;
    c.latencyNs[n] = event.c;
    this.#open[thread] = -1;
  }

  #queue(event: EventRow): void {
    const { a: id } = event;
    const { callback, call, thread } = this.#lastRequest;
    if (event.d === CALLBACK.wakeme && id === callback && call >= 0) this.#callOf.set(id, call);
    if (event.d !== CALLBACK.call) return;
    const n = this.#callbacks.add();
    const c = this.#callbacks.columns;
    c.thread[n] = id === callback ? thread : -1;
    c.queuedNs[n] = event.timeNs;
    this.#entryOf.set(id, n);
  }

  #invoke(event: EventRow, row: number): void {
    const { a: id } = event;
    const call = this.#callOf.get(id);
    if (call !== undefined) {
      this.#calls.columns.invokeRow[call] = row;
      this.#callOf.delete(id);
      return;
    }
    const entry = this.#entryOf.get(id);
    if (entry === undefined) return;
    this.#callbacks.columns.invokedNs[entry] = event.timeNs;
    this.#callbacks.columns.invokeRow[entry] = row;
    this.#entryOf.delete(id);
  }
}
