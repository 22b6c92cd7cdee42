/** Units and batches of kvfree_rcu() in tables, from the rows of a run. */
import { KIND, KVFREE_CHANNEL, KVFREE_DEBUG, RCU_FUNC, WORK_FN } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { GrowingTable } from './growingTable.ts';
import { FloodThreads, KfreeFloods } from './kfreeFloods.ts';
import { type KvfreeIndex, UNIT_FATE } from './kvfreeTypes.ts';

const UNIT_COLUMNS = {
  cpu: 'u16',
  channel: 'u8',
  openRow: 'none',
  closeRow: 'none',
  takenRow: 'none',
  batch: 'none',
  freeRow: 'none',
  fate: 'u8',
} as const;
const BATCH_COLUMNS = {
  cpu: 'u16',
  krw: 'u8',
  objects: 'f64',
  bytes: 'f64',
  attachRow: 'none',
  callbackRow: 'none',
  numberedRow: 'none',
  gp: 'none',
  invokeRow: 'none',
  queueRow: 'none',
  startRow: 'none',
  endRow: 'none',
} as const;

/** Units on a channel, oldest first, and by unit the bytes of those that are closed. */
interface Queue {
  units: number[];
  readonly bytes: Map<number, number>;
}

const CHANNELS = Object.values(KVFREE_CHANNEL);

/** Reads rows in order. */
export class KvfreeIndexBuilder {
  readonly #units = new GrowingTable(UNIT_COLUMNS);
  readonly #batches = new GrowingTable(BATCH_COLUMNS);
  readonly #floods: KfreeFloods;
  readonly #threads: FloodThreads;
  readonly #endedBefore = new Map<number, number>();
  /** By CPU, then by channel. */
  readonly #queues = new Map<number, [Queue, Queue, Queue]>();
  /** Batches by row that attached them and by callback, as long as something is to come. */
  readonly #byAttach = new Map<number, number>();
  readonly #byCallback = new Map<number, number>();
  readonly #byInvoke = new Map<number, number>();
  /** Callback of each batch, by number. */
  readonly #callbackOf = new Map<number, number>();
  #queued = 0;
  #freed = 0;
  /** Objects by KVFREE_DEBUG. */
  readonly #debug: number[] = [];
  #freedWithoutWaiting = 0;
  #freedInline = 0;

  constructor(info: RunInfo) {
    this.#floods = new KfreeFloods(info);
    this.#threads = new FloodThreads(info);
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    switch (event.kind) {
      case KIND.kvfree_unit_open:
        this.#open(event, row);
        break;
      case KIND.kvfree_unit_close:
        this.#close(event, row);
        break;
      case KIND.kvfree_attach:
        this.#attach(event, row);
        break;
      case KIND.kvfree_drain_ready:
        this.#drain(event, row);
        break;
      case KIND.rcu_invoke_kfree_bulk_callback:
      case KIND.rcu_invoke_kvfree_callback:
        this.#freed += event.a;
        this.#left(event.b, row, UNIT_FATE.freed);
        break;
      case KIND.kvfree_debug:
        this.#debug[event.a] = (this.#debug[event.a] ?? 0) + event.c;
        if (event.a !== KVFREE_DEBUG.leaked) break;
        this.#left(event.b, row, UNIT_FATE.leaked);
        break;
      case KIND.kvfree_inline:
        if (event.a === 1) this.#freedInline++;
        break;
      default:
        this.#floods.row(event);
        this.#threads.row(event);
        this.#work(event, row);
    }
  }

  /** After the last row. `callbacks`: what Tree RCU's index knows of callbacks of no call, by id. */
  finish(
    callbacks: ReadonlyMap<number, { readonly gp: number; readonly row: number }> | undefined,
  ): KvfreeIndex {
    const batches = this.#batches.finish();
    for (const [batch, callback] of this.#callbackOf) {
      const target = callbacks?.get(callback);
      if (target === undefined) continue;
      batches.gp[batch] = target.gp;
      batches.numberedRow[batch] = target.row;
    }
    return {
      units: this.#units.finish(),
      batches,
      endedBefore: this.#endedBefore,
      floods: this.#floods.floods,
      queued: this.#queued,
      freed: this.#freed,
      debug: {
        freeActive: this.#debug[KVFREE_DEBUG.freeActive] ?? 0,
        doubleQueue: this.#debug[KVFREE_DEBUG.doubleQueue] ?? 0,
        leaked: this.#debug[KVFREE_DEBUG.leaked] ?? 0,
      },
      freedWithoutWaiting: this.#freedWithoutWaiting,
      freedInline: this.#freedInline,
      leastFreeBytes: this.#floods.leastFreeBytes,
    };
  }

  #queue(cpu: number, channel: number): Queue {
    let queues = this.#queues.get(cpu);
    if (queues === undefined) {
      const empty = (): Queue => ({ units: [], bytes: new Map() });
      queues = [empty(), empty(), empty()];
      this.#queues.set(cpu, queues);
    }
    return queues[channel] as Queue;
  }

  #open({ track: cpu, a: id, b: channel }: EventRow, row: number): void {
    while (this.#units.length <= id) this.#units.add();
    const c = this.#units.columns;
    c.cpu[id] = cpu;
    c.channel[id] = channel;
    c.openRow[id] = row;
    this.#queue(cpu, channel).units.push(id);
  }

  #close({ track: cpu, a: id, b: objects, d: bytes }: EventRow, row: number): void {
    const c = this.#units.columns;
    const endedNs = this.#threads.endedNs.get(cpu);
    if (endedNs !== undefined) this.#endedBefore.set(id, endedNs);
    c.closeRow[id] = row;
    this.#queued += objects;
    this.#queue(cpu, c.channel[id] as number).bytes.set(id, bytes);
  }

  #attach({ track: cpu, a, b: objects, c: number }: EventRow, row: number): void {
    while (this.#batches.length <= number) this.#batches.add();
    const c = this.#batches.columns;
    if (c.attachRow[number] === -1) {
      c.cpu[number] = cpu;
      c.krw[number] = a & 1;
      c.attachRow[number] = row;
      this.#byAttach.set(row, number);
    }
    c.objects[number] = (c.objects[number] as number) + objects;
    for (const channel of CHANNELS) {
      if (((a >> 1) & (1 << channel)) === 0) continue;
      const queue = this.#queue(cpu, channel);
      c.bytes[number] = (c.bytes[number] as number) + this.#take(queue, queue.units.length, row, number);
    }
  }

  /** Takes so many of the oldest units off a channel; returns their bytes. */
  #take(queue: Queue, count: number, row: number, batch: number): number {
    const c = this.#units.columns;
    const units = queue.units.splice(0, count);
    let bytes = 0;
    for (const id of units) {
      c.takenRow[id] = row;
      c.batch[id] = batch;
      bytes += queue.bytes.get(id) ?? 0;
      queue.bytes.delete(id);
    }
    return bytes;
  }

  /** The oldest blocks, and all runs if objects of the head channel are among them (K9a). */
  #drain({ track: cpu, a: objects, b: blocks, c: headObjects }: EventRow, row: number): void {
    this.#freedWithoutWaiting += objects;
    let left = blocks;
    for (const channel of CHANNELS) {
      const queue = this.#queue(cpu, channel);
      const isHead = channel === KVFREE_CHANNEL.head;
      const taken = isHead ? (headObjects > 0 ? queue.units.length : 0) : Math.min(left, queue.units.length);
      if (!isHead) left -= taken;
      this.#take(queue, taken, row, -1);
    }
  }

  #left(id: number, row: number, fate: number): void {
    const c = this.#units.columns;
    c.freeRow[id] = row;
    c.fate[id] = fate;
    if (c.takenRow[id] !== -1) return;
    // a callback of its own (up to 5.5)
    const queue = this.#queue(c.cpu[id] as number, c.channel[id] as number);
    if (queue.units[0] === id) queue.units.shift();
    queue.bytes.delete(id);
  }

  #work(event: EventRow, row: number): void {
    switch (event.kind) {
      case KIND.rcu_callback: {
        const batch = event.b === RCU_FUNC.rcu_work_rcufn ? this.#byAttach.get(event.cause) : undefined;
        if (batch === undefined) break;
        this.#byAttach.delete(event.cause);
        this.#batches.columns.callbackRow[batch] = row;
        this.#byCallback.set(event.a, batch);
        this.#callbackOf.set(batch, event.a);
        break;
      }
      case KIND.rcu_invoke_callback: {
        const batch = event.b === RCU_FUNC.rcu_work_rcufn ? this.#byCallback.get(event.a) : undefined;
        if (batch === undefined) break;
        this.#byCallback.delete(event.a);
        this.#batches.columns.invokeRow[batch] = row;
        this.#byInvoke.set(row, batch);
        break;
      }
      case KIND.workqueue_queue_work: {
        if (event.a !== WORK_FN.kfree_rcu_work || event.c !== 1) break;
        // without a callback the attach itself queues the work (K12)
        const batch = this.#byInvoke.get(event.cause) ?? this.#byAttach.get(event.cause);
        if (batch === undefined) break;
        this.#byInvoke.delete(event.cause);
        this.#byAttach.delete(event.cause);
        this.#batches.columns.queueRow[batch] = row;
        break;
      }
      case KIND.workqueue_execute_start:
        if (event.a === WORK_FN.kfree_rcu_work) this.#batches.columns.startRow[event.c] = row;
        break;
      case KIND.workqueue_execute_end:
        if (event.a === WORK_FN.kfree_rcu_work) this.#batches.columns.endRow[event.c] = row;
        break;
      default:
    }
  }
}
