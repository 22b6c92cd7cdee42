/** Update-side calls and callbacks of a log as tables (docs/configuration.md says what their latencies are). */
import { CALLBACK, KIND } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { GrowingTable } from './growingTable.ts';
import { CALLBACK_FAMILY, type CallTable } from './types.ts';

/** Callbacks that call_srcu(), call_rcu() and those of RCU Tasks queued, in order of queueing. */
export interface CallbackTable {
  readonly length: number;
  /** CALLBACK_FAMILY. */
  readonly family: Uint8Array;
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
  requestNs: 'nan',
  callback: 'nan',
  invokeRow: 'none',
  numberedRow: 'none',
  gp: 'none',
} as const;

const CALLBACK_COLUMNS = {
  family: 'u8',
  thread: 'i32',
  queuedNs: 'f64',
  invokedNs: 'nan',
  invokeRow: 'none',
  gp: 'none',
} as const;

/** Builds both tables row by row. */
export class CallBuilder {
  readonly #calls = new GrowingTable(CALL_COLUMNS);
  readonly #callbacks = new GrowingTable(CALLBACK_COLUMNS);
  /** By thread: its open call, -1 none. */
  readonly #open: Int32Array;
  /** By callback id: the call it wakes; the entry of a call_srcu() callback. */
  readonly #callOf = new Map<number, number>();
  readonly #entryOf = new Map<number, number>();
  /** By api_call row: the call, while it is open. */
  readonly #byRow = new Map<number, number>();
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
        this.invoked(event.a, event.timeNs, row);
        break;
      default:
    }
  }

  /** The call that `thread` is in, -1 none. */
  openCall(thread: number): number {
    return this.#open[thread] ?? -1;
  }

  /** `thread` asks for a grace period (srcu_request); its callback is queued right after. Returns the call, -1 none. */
  request(thread: number, row: number, timeNs: number, callback: number): number {
    const call = this.openCall(thread);
    this.#lastRequest = { thread, call, callback };
    const c = this.#calls.columns;
    if (call >= 0 && c.requestRow[call] === -1) c.callback[call] = callback;
    this.requested(call, row, timeNs);
    return call;
  }

  /** The open call with this api_call row, -1 none. */
  openCallOfRow(row: number): number {
    return this.#byRow.get(row) ?? -1;
  }

  /** `call`, if it is one, first does something about a grace period in this row. */
  requested(call: number, row: number, timeNs: number): void {
    const c = this.#calls.columns;
    if (call < 0 || c.requestRow[call] !== -1) return;
    c.requestRow[call] = row;
    c.requestNs[call] = timeNs;
  }

  /** Callback `id` (negative: of Tree RCU) wakes `call`. */
  wakes(call: number, id: number): void {
    if (call < 0) return;
    this.#calls.columns.callback[call] = id;
    this.#callOf.set(id, call);
  }

  /** Callback `id` (negative: of Tree RCU) was queued by a call_* of a CALLBACK_FAMILY. */
  queued(id: number, thread: number, timeNs: number, family: number): void {
    this.#add(id, thread, timeNs, family);
  }

  /** The callback of Tree RCU gets its number in this row. */
  rcuNumbered(id: number, row: number): void {
    const call = this.#callOf.get(id);
    if (call !== undefined) this.#calls.columns.numberedRow[call] = row;
  }

  /** Where, when and by whom `call` first did something about a grace period; undefined: it has not. */
  requestOf(
    call: number,
  ): { readonly row: number; readonly ns: number; readonly thread: number } | undefined {
    const c = this.#calls.columns;
    const row = call < 0 ? -1 : (c.requestRow[call] as number);
    if (row < 0) return undefined;
    return { row, ns: c.requestNs[call] as number, thread: c.thread[call] as number };
  }

  /** The call that callback `id` wakes, -1. */
  callOfCallback(id: number): number {
    return this.#callOf.get(id) ?? -1;
  }

  /** The entry of callback `id` in the table of callbacks, -1. */
  entryOfCallback(id: number): number {
    return this.#entryOf.get(id) ?? -1;
  }

  /** Grace period `gp` is the one that a call and an entry of the callbacks' table (-1: none) wait for. */
  assign(call: number, entry: number, gp: number): void {
    const c = this.#calls.columns;
    if (call >= 0 && c.gp[call] === -1) c.gp[call] = gp;
    if (entry >= 0) this.#callbacks.columns.gp[entry] = gp;
  }

  /** Callback `id` runs. */
  invoked(id: number, timeNs: number, row: number): void {
    const call = this.#callOf.get(id);
    if (call !== undefined) {
      this.#calls.columns.invokeRow[call] = row;
      this.#callOf.delete(id);
      return;
    }
    const entry = this.#entryOf.get(id);
    if (entry === undefined) return;
    this.#callbacks.columns.invokedNs[entry] = timeNs;
    this.#callbacks.columns.invokeRow[entry] = row;
    this.#entryOf.delete(id);
  }

  /** Grace period `gp` (index in the GpTable) is the one that `call` and its callback wait for. */
  assignGp(call: number, callback: number, gp: number): void {
    this.assign(call, this.#entryOf.get(callback) ?? -1, gp);
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
    this.#byRow.set(row, n);
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
    this.#byRow.delete(c.callRow[n] as number);
  }

  #queue(event: EventRow): void {
    const { a: id } = event;
    const { callback, call, thread } = this.#lastRequest;
    if (event.d === CALLBACK.wakeme && id === callback && call >= 0) this.#callOf.set(id, call);
    if (event.d === CALLBACK.call)
      this.#add(id, id === callback ? thread : -1, event.timeNs, CALLBACK_FAMILY.srcu);
  }

  #add(id: number, thread: number, timeNs: number, family: number): void {
    const n = this.#callbacks.add();
    const c = this.#callbacks.columns;
    c.family[n] = family;
    c.thread[n] = thread;
    c.queuedNs[n] = timeNs;
    this.#entryOf.set(id, n);
  }
}
