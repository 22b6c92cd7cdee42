/** Memory of kvfree_rcu() over time, from the rows of a run: where it is, how it grows between rows, its peak. */
import { KIND, KVFREE_CHANNEL, KVFREE_DEBUG, WORK_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { CHANNELS } from './kvfreeUnits.ts';
import { atOnce, type Pieces, readRows } from './pieces.ts';
import type { RunIndex } from './types.ts';

/** Bytes at an instant; `total` is the sum, with what the allocator holds beside the objects (kfreeRetention). */
export interface MemoryPoint {
  readonly timeNs: number;
  /** Objects on the channels; pages of blocks, cached ones included. */
  readonly queued: number;
  readonly blocks: number;
  /** Objects in batches that wait and of callers that wait themselves; in units that a worker has taken. */
  readonly waiting: number;
  readonly freeing: number;
  readonly total: number;
}

/**
 * Memory over time, linear between two points; two points of one time are a step. A long run has the largest of each
 * stretch of time only.
 */
export interface MemorySeries {
  readonly length: number;
  readonly timeNs: Float64Array;
  readonly queued: Float64Array;
  readonly blocks: Float64Array;
  readonly waiting: Float64Array;
  readonly freeing: Float64Array;
  readonly total: Float64Array;
}

const COLUMNS = ['timeNs', 'queued', 'blocks', 'waiting', 'freeing', 'total'] as const;
/** Points of a series at most. */
const MOST_POINTS = 16_384;

/** An end of freeing that is to come. */
interface FreeEnd {
  readonly timeNs: number;
  readonly bytes: number;
  readonly blocks: number;
}

/** Memory while rows are applied. */
class MemorySweep {
  readonly #log: EventLog;
  readonly #index: RunIndex;
  readonly #visit: (point: MemoryPoint) => void;
  readonly #isBatching: boolean;
  #atNs = 0;
  #queued = 0;
  #waiting = 0;
  #freeing = 0;
  #leaked = 0;
  /** Blocks in use and cached. */
  #blocks = 0;
  readonly #cached = new Map<number, number>();
  /** Bytes that all open units take per ns, and how many are open. */
  #perNs = 0;
  #open = 0;
  /** By CHANNELS * CPU + channel: bytes of closed units, oldest first. */
  readonly #channels = new Map<number, number[]>();
  /** Bytes of batches that wait, by number. */
  readonly #batches = new Map<number, number>();
  /** Bytes of each unit that has been closed. */
  readonly #bytes: Float64Array;
  /** In order of time. */
  readonly #ends: FreeEnd[] = [];

  constructor(log: EventLog, index: RunIndex, visit: (point: MemoryPoint) => void) {
    this.#log = log;
    this.#index = index;
    this.#visit = visit;
    this.#bytes = new Float64Array(index.kvfree?.units.length ?? 0);
    this.#isBatching = index.info.rules['kvfree.batching'] !== 'none';
  }

  row(event: EventRow): void {
    if (!isOfMemory(event)) return;
    this.#advance(event.timeNs);
    this.#apply(event);
    this.#show();
  }

  /** Up to `timeNs`: what is freed until then goes, open units grow. */
  #advance(timeNs: number): void {
    for (let end = this.#ends[0]; end !== undefined && end.timeNs <= timeNs; end = this.#ends[0]) {
      this.#ends.shift();
      this.#grow(end.timeNs);
      this.#show();
      if (this.#isBatching) this.#freeing -= end.bytes;
      else this.#waiting -= end.bytes;
      this.#blocks -= end.blocks;
      this.#show();
    }
    this.#grow(timeNs);
    this.#show();
  }

  /** After the last row. */
  finish(endNs: number): void {
    this.#advance(endNs);
  }

  #grow(timeNs: number): void {
    this.#queued += this.#perNs * (timeNs - this.#atNs);
    this.#atNs = timeNs;
  }

  #show(): void {
    const { pageSize, kfreeRetention } = this.#index.info.config.machine;
    const queued = Math.round(this.#queued);
    const waiting = Math.round(this.#waiting);
    const freeing = Math.round(this.#freeing);
    const blocks = pageSize * this.#blocks;
    const total = Math.round((queued + waiting + freeing + this.#leaked) * kfreeRetention) + blocks;
    this.#visit({ timeNs: this.#atNs, queued, blocks, waiting, freeing, total });
  }

  #apply(event: EventRow): void {
    switch (event.kind) {
      case KIND.kvfree_unit_open:
        this.#opens(event);
        break;
      case KIND.kvfree_unit_close:
        this.#closes(event);
        break;
      case KIND.kvfree_attach:
        for (let channel = 0; channel < CHANNELS; channel++) {
          if (((event.a >> 1) & (1 << channel)) === 0) continue;
          const bytes = this.#take(event.track, channel, Number.POSITIVE_INFINITY);
          this.#batches.set(event.c, (this.#batches.get(event.c) ?? 0) + bytes);
          this.#queued -= bytes;
          this.#waiting += bytes;
        }
        break;
      case KIND.kvfree_drain_ready:
        this.#drained(event);
        break;
      case KIND.workqueue_execute_start: {
        const bytes = this.#batches.get(event.c) ?? 0;
        this.#batches.delete(event.c);
        this.#waiting -= bytes;
        this.#freeing += bytes;
        break;
      }
      case KIND.rcu_invoke_kfree_bulk_callback:
      case KIND.rcu_invoke_kvfree_callback:
        this.#frees(event);
        break;
      case KIND.kvfree_debug: {
        const bytes = this.#bytesOf(event.b);
        this.#freeing -= bytes;
        this.#leaked += bytes;
        break;
      }
      case KIND.kvfree_page_cache:
        this.#caches(event.track, event.a);
        break;
      case KIND.kvfree_inline:
        this.#waiting += event.a === 0 ? event.b : -event.b;
        break;
      default:
    }
  }

  #caches(cpu: number, blocks: number): void {
    this.#blocks += blocks - (this.#cached.get(cpu) ?? 0);
    this.#cached.set(cpu, blocks);
  }

  #bytesOf(unit: number): number {
    return this.#bytes[unit] as number;
  }

  /** The row that closes a unit, which is mostly near; of one that is open at the end of the run: no objects. */
  #closing(id: number): { readonly timeNs: number; readonly b: number; readonly d: number } {
    const row = this.#index.kvfree?.units.closeRow[id] ?? -1;
    return row < 0 ? { timeNs: Number.NaN, b: 0, d: 0 } : this.#log.row(row);
  }

  /** Its first object comes now, its last one when it closes. */
  #opens({ track: cpu, a: id, b: channel, d: cached, timeNs }: EventRow): void {
    this.#caches(cpu, cached);
    if (channel !== KVFREE_CHANNEL.head) this.#blocks++;
    const closing = this.#closing(id);
    if (closing.b === 0) return;
    this.#open++;
    const first = closing.d / closing.b;
    this.#queued += first;
    if (closing.timeNs > timeNs) this.#perNs += (closing.d - first) / (closing.timeNs - timeNs);
    else this.#queued += closing.d - first;
  }

  #closes({ track: cpu, a: id, b: objects, d: bytes, timeNs }: EventRow): void {
    this.#bytes[id] = bytes;
    const { openRow, channel: channels } = this.#index.kvfree?.units ?? {};
    const openNs = this.#log.timeNs(openRow?.[id] as number);
    if (timeNs > openNs) this.#perNs -= (bytes - bytes / objects) / (timeNs - openNs);
    this.#open--;
    if (this.#open === 0) this.#perNs = 0;
    if (!this.#isBatching) {
      this.#queued -= bytes;
      this.#waiting += bytes;
      return;
    }
    const key = CHANNELS * cpu + (channels?.[id] as number);
    const channel = this.#channels.get(key);
    if (channel === undefined) this.#channels.set(key, [bytes]);
    else channel.push(bytes);
  }

  /** Bytes of so many of the oldest units of a channel, which leave it. */
  #take(cpu: number, channel: number, units: number): number {
    const queue = this.#channels.get(CHANNELS * cpu + channel) ?? [];
    return queue.splice(0, Math.min(units, queue.length)).reduce((sum, bytes) => sum + bytes, 0);
  }

  #drained({ track: cpu, b: blocks, c: headObjects }: EventRow): void {
    const inBulk = Math.min(blocks, this.#channels.get(CHANNELS * cpu)?.length ?? 0);
    const bytes =
      this.#take(cpu, KVFREE_CHANNEL.bulk, inBulk) +
      this.#take(cpu, KVFREE_CHANNEL.vmalloc, blocks - inBulk) +
      (headObjects > 0 ? this.#take(cpu, KVFREE_CHANNEL.head, Number.POSITIVE_INFINITY) : 0);
    this.#queued -= bytes;
    this.#freeing += bytes;
  }

  /** It is free when the time that it takes is over. */
  #frees({ b: id, d: lengthNs, timeNs }: EventRow): void {
    const isHead = this.#index.kvfree?.units.channel[id] === KVFREE_CHANNEL.head;
    const end = { timeNs: timeNs + lengthNs, bytes: this.#bytesOf(id), blocks: isHead ? 0 : 1 };
    const later = this.#ends.findIndex((other) => other.timeNs > end.timeNs);
    this.#ends.splice(later < 0 ? this.#ends.length : later, 0, end);
  }
}

/** Is this a row that moves memory? */
function isOfMemory({ kind, a }: EventRow): boolean {
  if (kind === KIND.workqueue_execute_start) return a === WORK_FN.kfree_rcu_work;
  if (kind === KIND.kvfree_debug) return a === KVFREE_DEBUG.leaked;
  return (kind >= KIND.kvfree_unit_open && kind <= KIND.kvfree_page_cache) || kind === KIND.kvfree_inline;
}

function* sweep(log: EventLog, index: RunIndex, visit: (point: MemoryPoint) => void): Pieces<void> {
  const memory = new MemorySweep(log, index, visit);
  yield* readRows(log, (event) => {
    memory.row(event);
  });
  memory.finish(index.endNs);
}

const NOTHING: MemoryPoint = { timeNs: 0, queued: 0, blocks: 0, waiting: 0, freeing: 0, total: 0 };

/** The instant of most memory in use; the first of several. */
export function peakMemory(log: EventLog, index: RunIndex): MemoryPoint {
  let peak = NOTHING;
  const work = sweep(log, index, (point) => {
    if (point.total > peak.total) peak = point;
  });
  atOnce(work);
  return peak;
}

/** Memory over time in at most so many points; the largest sum is among them. */
export function memorySeries(log: EventLog, index: RunIndex, mostPoints = MOST_POINTS): MemorySeries {
  return atOnce(readMemory(log, index, mostPoints));
}

/** The same in pieces. */
export function* readMemory(log: EventLog, index: RunIndex, mostPoints = MOST_POINTS): Pieces<MemorySeries> {
  let points: MemoryPoint[] = [NOTHING];
  let bucketNs = 0;
  const add = (point: MemoryPoint) => {
    const last = points.at(-1);
    const isSame = last !== undefined && COLUMNS.every((column) => last[column] === point[column]);
    if (isSame) return;
    const isInBucket =
      bucketNs > 0 &&
      last !== undefined &&
      Math.floor(last.timeNs / bucketNs) === Math.floor(point.timeNs / bucketNs);
    if (!isInBucket) points.push(point);
    else if (point.total > last.total) points[points.length - 1] = point;
  };
  yield* sweep(log, index, (point) => {
    add(point);
    if (points.length <= mostPoints) return;
    bucketNs = bucketNs === 0 ? Math.max(1, Math.ceil((2 * index.endNs) / mostPoints)) : 2 * bucketNs;
    const all = points;
    points = [];
    for (const old of all) add(old);
  });
  const column = (name: (typeof COLUMNS)[number]) => Float64Array.from(points, (point) => point[name]);
  return {
    length: points.length,
    timeNs: column('timeNs'),
    queued: column('queued'),
    blocks: column('blocks'),
    waiting: column('waiting'),
    freeing: column('freeing'),
    total: column('total'),
  };
}
