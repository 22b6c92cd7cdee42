/** The krc of one CPU as rows tell it: channels of units, batches, page cache, monitor. */
import { KVFREE_CHANNEL } from '../../core/eventKinds.ts';

/** Snapshot of a unit on kernels that take none, batch of one that is in none. */
export const NO_SNAPSHOT = -1;
export const NO_BATCH = -1;

/** What a unit has come to: in the krc, in a batch, moved out to be freed, freed, leaked by a check. */
export type UnitPlace = 'krc' | 'krw' | 'moved' | 'freed' | 'leaked';

/** A block, or a run on the head channel. */
export interface Unit {
  readonly id: number;
  readonly cpu: number;
  readonly channel: number;
  /** Row in which its first object was queued. */
  readonly openIndex: number;
  /** Nothing is added any more. */
  isClosed: boolean;
  /** Row in which the grace period was noted that the check at its freeing asks for: its close, its attach on the head channel. */
  notedIndex: number;
  /** Objects and their bytes, once it is closed. */
  nr: number;
  bytes: number;
  /** Grace-period snapshot of the last object, -1: none. */
  snap: number;
  /** Row after which its last object was queued, as far as rows can tell. */
  queuedIndex: number;
  place: UnitPlace;
  /** Number of its batch, -1: none. */
  batch: number;
  /** Its batch waited for a grace period already when it joined (K9b). */
  joinedLate: boolean;
  /** When its freeing ends, ns. */
  freedNs: number;
}

/** A new unit. */
export function openUnit(id: number, cpu: number, channel: number, index: number, place: UnitPlace): Unit {
  const filled = { isClosed: false, notedIndex: -1, nr: 0, bytes: 0, snap: NO_SNAPSHOT, queuedIndex: index };
  const unplaced = { place, batch: NO_BATCH, joinedLate: false, freedNs: 0 };
  return { id, cpu, channel, openIndex: index, ...filled, ...unplaced };
}

/** What units come to, kept up as they come, are closed and go. */
export class Tally {
  /** Objects and bytes of those that are closed. */
  objects = 0;
  bytes = 0;
  /** Blocks, and how many of them are open; runs on the head channel that are. */
  blocks = 0;
  openBlocks = 0;
  openRuns = 0;

  #count(unit: Unit, sign: 1 | -1): void {
    if (unit.isClosed) {
      this.objects += sign * unit.nr;
      this.bytes += sign * unit.bytes;
    } else if (unit.channel === KVFREE_CHANNEL.head) this.openRuns += sign;
    else this.openBlocks += sign;
    if (unit.channel !== KVFREE_CHANNEL.head) this.blocks += sign;
  }

  add(unit: Unit): void {
    this.#count(unit, 1);
  }

  remove(unit: Unit): void {
    this.#count(unit, -1);
  }
}

/** One of the two batches of a krc: struct kfree_rcu_cpu_work. */
export class KrwModel {
  /** Units, oldest first, by channel. */
  channels: [Unit[], Unit[], Unit[]] = [[], [], []];
  /** Numbers of the batches that wait in it; one, but where it can be added to (K9b). */
  readonly numbers: number[] = [];

  get isEmpty(): boolean {
    return this.channels.every((channel) => channel.length === 0);
  }

  /** A unit leaves by itself, which none should. */
  remove(unit: Unit): void {
    const [bulk, vmalloc, head] = this.channels;
    const keep = (channel: Unit[]) => channel.filter((other) => other !== unit);
    this.channels = [keep(bulk), keep(vmalloc), keep(head)];
  }

  /** The lists move out as reclaim starts (K10). */
  take(): Unit[] {
    const units = this.channels.flat();
    this.channels = [[], [], []];
    this.numbers.length = 0;
    return units;
  }
}

/** The delayed work of kfree_rcu_monitor(). */
export interface MonitorModel {
  /** Jiffy at which its timer fires, -1: none is armed. */
  due: number;
  isQueued: boolean;
  isRunning: boolean;
  /** kvfree_rcu_barrier() has cancelled it; whoever queues next arms it again (K16). */
  isCancelled: boolean;
}

/** What a channel may hold: objects in it at least, and at most. */
export interface Count {
  readonly least: number;
  readonly most: number;
}

/** struct kfree_rcu_cpu. */
export class KrcModel {
  readonly cpu: number;
  /** Units, oldest first, by channel. */
  channels: [Unit[], Unit[], Unit[]] = [[], [], []];
  readonly krw: readonly [KrwModel, KrwModel] = [new KrwModel(), new KrwModel()];
  /** Units that were drained and are not freed yet. */
  readonly drained = new Set<Unit>();
  /** By number of the batch: units whose reclaim has started. */
  readonly reclaims = new Map<number, Set<Unit>>();
  readonly monitor: MonitorModel = { due: -1, isQueued: false, isRunning: false, isCancelled: false };
  /** An attach has set the counter to 0 and left units on other channels: it counts less than they hold (K9b, up to 6.2). */
  isMiscounted = false;
  /** Blocks in the page cache, -1: not known yet. */
  cached = -1;

  /** Of the units on the channels. */
  readonly tally = new Tally();

  constructor(cpu: number) {
    this.cpu = cpu;
  }

  /** A channel by its number. */
  channel(index: number): Unit[] {
    return this.channels[index] ?? this.channels[KVFREE_CHANNEL.head];
  }

  /** need_offload (K8). */
  get needsOffload(): boolean {
    return this.channels.some((channel) => channel.length > 0);
  }

  /** Objects on the channels as the kernel counts them; `records` is what an open block can hold. */
  count(records: number): Count {
    const { objects, openBlocks, openRuns } = this.tally;
    const most = openRuns > 0 ? Number.POSITIVE_INFINITY : objects + openBlocks * records;
    return { least: this.isMiscounted ? 0 : objects + openBlocks + openRuns, most };
  }

  /** The batch in which this number waits. */
  krwOf(batch: number): KrwModel | undefined {
    return this.krw.find(({ numbers }) => numbers.includes(batch));
  }

  /** Which units a drain takes that says so many objects, blocks, and objects of the head channel (K9a). */
  drainable(objects: number, blocks: number, headObjects: number): Unit[] | undefined {
    const heads = headObjects > 0 ? this.channel(KVFREE_CHANNEL.head) : [];
    if (sum(heads) !== headObjects) return undefined;
    for (let vmalloc = 0; vmalloc <= blocks; vmalloc++) {
      const units = [
        ...this.channel(KVFREE_CHANNEL.bulk).slice(0, blocks - vmalloc),
        ...this.channel(KVFREE_CHANNEL.vmalloc).slice(0, vmalloc),
      ];
      if (units.length === blocks && sum(units) === objects - headObjects) return [...units, ...heads];
    }
    return undefined;
  }

  /** A unit begins. */
  push(unit: Unit): void {
    this.channel(unit.channel).push(unit);
    this.tally.add(unit);
  }

  /** Takes units off the channels. */
  remove(units: readonly Unit[]): void {
    for (const unit of units) this.tally.remove(unit);
    const gone = new Set(units);
    const keep = (channel: Unit[]) => channel.filter((unit) => !gone.has(unit));
    this.channels = [keep(this.channels[0]), keep(this.channels[1]), keep(this.channels[2])];
  }
}

/** Objects in these units. */
export function sum(units: readonly Unit[]): number {
  return units.reduce((objects, { nr }) => objects + nr, 0);
}
