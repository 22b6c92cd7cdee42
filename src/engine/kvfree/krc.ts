/** What kvfree_rcu() keeps on a CPU (struct kfree_rcu_cpu, kvfree K1 to K6). */
import { KIND, KVFREE_CHANNEL, RCU_FUNC } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import { callRcu } from '../tree/callRcu.ts';
import { KfreeRcuWork } from './batch.ts';
import type { Kvfree } from './kvfree.ts';
import { KfreeRcuMonitor } from './monitor.ts';
import { PageCache } from './pageCache.ts';
import { type Channel, snapshotWord, type Unit } from './unit.ts';

/** Objects of equal fate. */
export interface Objects {
  readonly count: number;
  /** As the allocator rounds them. */
  readonly bytes: number;
  /** What freeing them with kfree_bulk() takes, ns. */
  readonly freeNs: number;
}

/**
 * Who queues objects here without an event for each: it says how far it is when somebody looks (`settle`), and queues
 * its next object by itself when something has changed for it (`cut`).
 */
export interface Feeder {
  readonly track: number;
  /** The form of the object that it queues now. */
  readonly isOneArg: boolean;
  settle(): void;
  cut(): void;
}

/** Channels, batches, monitor and page cache of one CPU. */
export class Krc {
  readonly cpu: number;
  readonly kvfree: Kvfree;
  /** Units by channel, oldest first. */
  readonly channels: Unit[][] = [[], [], []];
  /** Objects queued and not attached, as the kernel counts them. */
  count = 0;
  /** Objects by channel. */
  readonly objects = [0, 0, 0];
  readonly batches: readonly KfreeRcuWork[];
  readonly monitor: KfreeRcuMonitor;
  readonly cache: PageCache;
  readonly feeders: Feeder[] = [];
  /** What if: its reclaim makes no progress while floods run (kvfree K28). */
  isStuck = false;

  constructor(kvfree: Kvfree, cpu: number) {
    this.kvfree = kvfree;
    this.cpu = cpu;
    this.batches = [new KfreeRcuWork(this, 0), new KfreeRcuWork(this, 1)];
    this.monitor = new KfreeRcuMonitor(this);
    this.cache = new PageCache(this);
  }

  /** Brings the channels up to now. */
  settle(): void {
    for (const feeder of this.feeders) feeder.settle();
  }

  /** Something has changed for whoever queues here. */
  cut(): void {
    for (const feeder of this.feeders) feeder.cut();
  }

  /** Somebody queues here: the others must look anew. */
  cutOthers(by: Feeder): void {
    for (const feeder of this.feeders) if (feeder !== by) feeder.cut();
  }

  /** need_offload_krc() (K8). */
  get needsOffload(): boolean {
    return this.channels.some((units) => units.length > 0);
  }

  /** It takes another object. */
  hasRoom(unit: Unit): boolean {
    if (unit.isClosed) return false;
    return unit.channel === KVFREE_CHANNEL.head || unit.count < this.kvfree.constants.records;
  }

  /** The block that takes slab objects, if there is one with room; one that is found full is closed. */
  #findBlock(): Unit | undefined {
    const newest = this.#open(KVFREE_CHANNEL.bulk);
    if (newest === undefined || this.hasRoom(newest)) return newest;
    this.close(newest);
    return undefined;
  }

  /** The run that the head channel is in. */
  get openRun(): Unit | undefined {
    return this.#open(KVFREE_CHANNEL.head);
  }

  #open(channel: Channel): Unit | undefined {
    const newest = this.channels[channel]?.at(-1);
    return newest === undefined || newest.isClosed ? undefined : newest;
  }

  /**
   * kvfree_call_rcu() of one object by a task on this CPU (K4 to K6). Undefined: there is no block for the one-argument
   * form, and the caller waits for a grace period itself (K17).
   */
  queueOne(by: Feeder, object: Objects): Unit | undefined {
    const unit = this.#findBlock() ?? this.#takeBlock(by);
    if (unit === undefined) {
      this.cache.startFill();
      if (by.isOneArg) return undefined;
    }
    const target = unit ?? this.openRun ?? this.#begin(by, KVFREE_CHANNEL.head);
    this.append(target, object);
    return target;
  }

  /** Objects join a unit that has room for them; the last one of them now. */
  append(unit: Unit, { count, bytes, freeNs }: Objects): void {
    const { kvfree } = this;
    unit.count += count;
    unit.bytes += bytes;
    unit.freeNs += freeNs;
    this.count += count;
    this.objects[unit.channel] = this.objectsOn(unit.channel) + count;
    kvfree.allocated(count, bytes);
    if (!kvfree.constants.hasSnapshots) return;
    unit.snapshot = kvfree.snapshot(unit.channel);
    // a block whose grace period is looked at by itself is closed when that is known, others by the next object
    if (!this.hasRoom(unit)) this.close(unit);
  }

  /** kfree_rcu() of kernels without batches: a callback of its own for each object (call_rcu(), up to 5.5). */
  queueCallback(by: Feeder & Task, object: Objects): Unit {
    const { kvfree } = this;
    const { rcu } = kvfree;
    const unit = this.#begin(by, KVFREE_CHANNEL.head);
    this.append(unit, object);
    this.takeChannel(KVFREE_CHANNEL.head);
    this.count = 0;
    const costNs = kvfree.freeingNs(unit, true);
    callRcu(rcu, by, {
      id: rcu.nextCallbackId(),
      func: RCU_FUNC.kfree,
      invoke: (onCpu) => {
        kvfree.sim.emit(KIND.rcu_invoke_kvfree_callback, onCpu, unit.count, unit.id, this.cpu, 0);
        kvfree.releasedUnit(unit);
      },
      costNs,
      isLazy: false,
    });
    return unit;
  }

  #takeBlock(by: Feeder): Unit | undefined {
    const { constants, memory } = this.kvfree;
    if (constants.records === 0) return undefined;
    if (!this.cache.take()) {
      const mayAllocate = !constants.isFilledByWorker || by.isOneArg;
      if (!mayAllocate || !memory.takePage()) return undefined;
    }
    const run = this.openRun;
    if (run !== undefined) this.close(run);
    return this.#begin(by, KVFREE_CHANNEL.bulk);
  }

  #begin(by: Feeder, channel: Channel): Unit {
    const { kvfree } = this;
    const { sim } = kvfree;
    const unit = kvfree.beginUnit(channel);
    this.channels[channel]?.push(unit);
    sim.emit(KIND.kvfree_unit_open, this.cpu, unit.id, channel, by.track, this.cache.count);
    return unit;
  }

  /** It takes no more. */
  close(unit: Unit): void {
    if (unit.isClosed) return;
    unit.isClosed = true;
    const { sim } = this.kvfree;
    const { cause } = sim;
    sim.emit(KIND.kvfree_unit_close, this.cpu, unit.id, unit.count, snapshotWord(unit.snapshot), unit.bytes);
    sim.cause = cause;
  }

  /** Objects on a channel. */
  objectsOn(channel: Channel): number {
    return this.objects[channel] as number;
  }

  /** Takes all units of a channel off it; only the newest can be open. */
  takeChannel(channel: Channel): Unit[] {
    const taken = this.channels[channel] as Unit[];
    this.channels[channel] = [];
    this.objects[channel] = 0;
    const newest = taken.at(-1);
    if (newest !== undefined) this.close(newest);
    return taken;
  }
}
