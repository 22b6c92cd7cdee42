/** kvfree_rcu() of a run: what all CPUs share. */
import { KVFREE_CHANNEL } from '../core/eventKinds.ts';
import type { Sim } from '../core/sim.ts';
import type { Task } from '../core/task.ts';
import type { TimerHost } from '../core/timers.ts';
import type { WorkDestination, Worker, Workqueue } from '../core/workqueue.ts';
import type { Cookie } from '../tree/polled.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import { Krc } from './krc.ts';
import { Memory } from './memory.ts';
import { type KvfreeConstants, kvfreeConstants } from './params.ts';
import { Shrinker } from './shrinker.ts';
import { type Channel, type Unit, Units } from './unit.ts';

/** Something that a task does in steps, each of which asks it for one thing; false: it is over. */
export interface Steps {
  step(): boolean;
}

/** What kvfree_rcu() needs of the rest of a run. */
export interface KvfreeParts {
  readonly sim: Sim;
  readonly rcu: TreeRcu;
  readonly host: TimerHost;
  /** Where monitors and batches are queued (K13). */
  readonly workqueue: WorkDestination;
  /** system_highpri_wq. */
  readonly highPriority: Workqueue;
  /** synchronize_rcu() on a task. */
  readonly synchronize: (task: Task) => Steps;
}

/** State and parts. */
export class Kvfree {
  readonly sim: Sim;
  readonly rcu: TreeRcu;
  readonly host: TimerHost;
  readonly workqueue: WorkDestination;
  readonly highPriority: Workqueue;
  readonly synchronize: (task: Task) => Steps;
  readonly constants: KvfreeConstants;
  readonly memory: Memory;
  /** By CPU; those where something was queued. */
  readonly krcs = new Map<number, Krc>();
  readonly #units = new Units();
  #batches = 0;
  /** Objects that are queued and not freed. */
  #waiting = 0;
  #allFreed: (() => void)[] = [];
  /** Floods under way, and who waits for their end (what if: stuck CPUs). */
  #floods = 0;
  #stuck: Worker[] = [];
  /** Snapshots that objects queued now get; undefined: to be taken anew. */
  #blockSnapshot: Cookie | undefined;
  #headSnapshot: Cookie | undefined;

  constructor({ sim, rcu, host, workqueue, highPriority, synchronize }: KvfreeParts) {
    this.sim = sim;
    this.rcu = rcu;
    this.host = host;
    this.workqueue = workqueue;
    this.highPriority = highPriority;
    this.synchronize = synchronize;
    this.constants = kvfreeConstants(sim.config, sim.rules);
    this.memory = new Memory(sim.machine, () => this.settle());
    const shrinker = new Shrinker(this);
    this.memory.onShortage = () => shrinker.wake();
    if (!this.constants.hasSnapshots) return;
    const changed = () => this.#snapshotsChange();
    rcu.observers.push({ started: changed });
    rcu.polled.onExpeditedStart = changed;
  }

  /** struct kfree_rcu_cpu of a CPU. */
  krc(cpu: number): Krc {
    let krc = this.krcs.get(cpu);
    if (krc === undefined) {
      krc = new Krc(this, cpu);
      this.krcs.set(cpu, krc);
    }
    return krc;
  }

  /** A new unit. */
  beginUnit(channel: Channel): Unit {
    return this.#units.begin(channel);
  }

  nextBatch(): number {
    return this.#batches++;
  }

  /** A grace period starts: what is queued so far has the snapshot of before. */
  #snapshotsChange(): void {
    this.settle();
    this.#blockSnapshot = undefined;
    this.#headSnapshot = undefined;
  }

  /** The grace period that an object queued now waits for (get_state_synchronize_rcu(), K4). */
  snapshot(channel: Channel): Cookie {
    const { polled } = this.rcu;
    if (channel === KVFREE_CHANNEL.head) {
      this.#headSnapshot ??= polled.takeWord();
      return this.#headSnapshot;
    }
    this.#blockSnapshot ??= polled.take(this.constants.isFullSnapshot);
    return this.#blockSnapshot;
  }

  /** poll_state_synchronize_rcu(); false without a snapshot. */
  isDone(snapshot: Cookie | undefined): boolean {
    return snapshot !== undefined && this.rcu.polled.isDone(snapshot);
  }

  /** Brings all channels up to now. */
  settle(): void {
    for (const krc of this.krcs.values()) krc.settle();
  }

  allocated(count: number, bytes: number): void {
    this.#waiting += count;
    this.memory.allocate(bytes);
  }

  released(count: number, bytes: number): void {
    this.memory.release(bytes);
    this.left(count);
  }

  /** The objects of a unit are freed: it is no more. */
  releasedUnit(unit: Unit): void {
    const { count, bytes } = unit;
    this.#units.end(unit);
    this.released(count, bytes);
  }

  /** Objects will not be freed any more: they are, or they are leaked. */
  left(count: number): void {
    this.#waiting -= count;
    if (this.#waiting > 0) return;
    const waiters = this.#allFreed;
    this.#allFreed = [];
    for (const freed of waiters) freed();
  }

  /** False if objects wait, and `freed` is called when none does. */
  areAllFreed(freed: () => void): boolean {
    if (this.#waiting === 0) return true;
    this.#allFreed.push(freed);
    return false;
  }

  /** What freeing a unit takes, ns; on the CPU where its objects were allocated or on another one (K23 to K26). */
  freeingNs(unit: Unit, isSameCpu: boolean): number {
    const { machine } = this.sim;
    const factor = isSameCpu ? 1 : machine.kfreeRemoteFactor;
    const listNs = unit.channel === KVFREE_CHANNEL.head ? unit.count * machine.kfreeFreeListNs : 0;
    const pageNs = unit.channel === KVFREE_CHANNEL.head ? 0 : machine.kfreePageNs;
    return Math.round((unit.freeNs + listNs) * factor) + pageNs;
  }

  floodBegins(): void {
    this.#floods++;
  }

  floodEnds(): void {
    this.#floods--;
    if (this.#floods > 0) return;
    const stuck = this.#stuck;
    this.#stuck = [];
    for (const worker of stuck) this.host.executor.wake(worker, worker.cpu, false);
  }

  /** What if: a worker that gets no CPU while floods run (K28); false if none runs. */
  waitForFloods(worker: Worker): boolean {
    if (this.#floods === 0) return false;
    this.#stuck.push(worker);
    worker.block();
    return true;
  }
}
