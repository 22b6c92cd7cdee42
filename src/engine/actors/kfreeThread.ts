/** One thread of the kfree test: allocates and queues objects, in closed form between what matters (kvfree K18, K19). */
import type { KfreeActor } from '../config.ts';
import { KFREE_TEST, KIND, KVFREE_CHANNEL } from '../core/eventKinds.ts';
import { Draws } from '../core/random.ts';
import { niceWeight } from '../core/schedEntity.ts';
import type { Feeder, Krc, Objects } from '../kvfree/krc.ts';
import type { Kvfree, Steps } from '../kvfree/kvfree.ts';
import type { SizeSums } from '../kvfree/sizes.ts';
import type { Unit } from '../kvfree/unit.ts';
import { type Place, Thread, type World } from './thread.ts';

/** Times that memory is read, evenly over the loops (K21). */
const QUARTERS = 4;
const PHASE = { begin: 0, loop: 1, objects: 2, inline: 3, end: 4 } as const;

/** Whoever started the threads. */
export interface FloodOwner {
  readonly actor: KfreeActor;
  readonly sums: SizeSums;
  /** Most objects that a thread queues between two events of its own; 1 in the model object by object. */
  readonly mostAtOnce: number;
  threadEnded(thread: KfreeThread): void;
}

/** kfree_scale_thread(). */
export class KfreeThread extends Thread implements Feeder {
  override readonly irqOffNs: number;
  readonly #owner: FloodOwner;
  readonly #kvfree: Kvfree;
  readonly #krc: Krc;
  readonly #forms: Draws;
  #phase: number = PHASE.begin;
  #loop = 0;
  #startNs = 0;
  /** The object whose work comes first in the present segment, and how many it is for. */
  #first = 0;
  #planned = 0;
  /** Of these, so many go to the unit; the rest is at most one. */
  #inUnit = 0;
  /** Of all, so many are queued already. */
  #settled = 0;
  /** Unit that takes all of them; undefined: the object looks for its place when its turn comes. */
  #unit: Unit | undefined;
  #synchronize: Steps | undefined;

  constructor(world: World, place: Place, owner: FloodOwner, name: string) {
    super(world, place, name);
    this.#owner = owner;
    this.se.weight = niceWeight(owner.actor.nice);
    this.irqOffNs = world.sim.machine.kfreeIrqOffNs;
    this.#kvfree = world.kvfree;
    this.#krc = this.#kvfree.krc(place.cpu);
    this.#forms = new Draws(world.sim.config.seed, 'kfree-form');
    this.#krc.feeders.push(this);
  }

  /** When it began, ns. */
  get beganNs(): number {
    return this.#startNs;
  }

  step(): void {
    switch (this.#phase) {
      case PHASE.begin:
        this.#begin();
        return;
      case PHASE.loop:
        this.#beginLoop();
        return;
      case PHASE.objects:
        this.#queue();
        return;
      case PHASE.inline:
        this.#freeInline();
        return;
      default:
        this.exit();
    }
  }

  #begin(): void {
    const { sim } = this;
    this.#startNs = sim.nowNs;
    sim.emit(KIND.kfree_test, this.track, KFREE_TEST.begin, this.world.rcu.gpSeq);
    this.#phase = PHASE.loop;
    this.work(0);
  }

  #beginLoop(): void {
    const { loops } = this.#owner.actor;
    if (this.#loop === loops) {
      this.#finish(KFREE_TEST.end);
      return;
    }
    this.#readMemory(loops);
    this.#phase = PHASE.objects;
    if (this.#hasMemory()) this.#plan(undefined);
    else this.#finish(KFREE_TEST.noMemory);
  }

  /** Loops 0, L/4, L/2 and 3L/4 (K21). */
  #readMemory(loops: number): void {
    const each = Math.floor(loops / QUARTERS);
    const isQuarter = each > 0 && this.#loop % each === 0 && this.#loop < QUARTERS * each;
    if (this.#loop > 0 && !isQuarter) return;
    this.#kvfree.settle();
    const { memory } = this.#kvfree;
    const quarter = this.#loop === 0 ? 0 : this.#loop / each;
    const { sim } = this;
    sim.emit(KIND.kvfree_memory, this.track, memory.freeBytes, quarter, memory.heldBytes, memory.blockBytes);
  }

  #finish(how: number): void {
    const { sim } = this;
    sim.emit(KIND.kfree_test, this.track, how, this.world.rcu.gpSeq, sim.nowNs - this.#startNs);
    this.#phase = PHASE.end;
    this.#unpromise(this.#planned - this.#settled);
    this.#planned = 0;
    this.#owner.threadEnded(this);
    this.exit();
  }

  /** Asks for the CPU time of as many objects as are certain to go to this unit, and of one that looks for its place. */
  #plan(unit: Unit | undefined): void {
    const leftInLoop = (this.#loop + 1) * this.#owner.actor.allocs - this.#first;
    this.#unit = unit;
    this.#inUnit = unit === undefined ? 0 : this.#certain(unit, leftInLoop);
    this.#planned = this.#inUnit + (this.#looksFurther(unit, leftInLoop) ? 1 : 0);
    this.#settled = 0;
    this.#kvfree.memory.promise(this.#owner.sums.bytes.of(this.#first, this.#planned));
    this.work(this.#owner.sums.queueNs.of(this.#first, this.#planned));
  }

  /** After those for the unit one follows that finds it full: that is when it is closed (see Krc.append()). */
  #looksFurther(unit: Unit | undefined, leftInLoop: number): boolean {
    if (unit === undefined) return true;
    if (this.#inUnit === leftInLoop || this.#inUnit === this.#owner.mostAtOnce) return false;
    const { hasSnapshots, isAdaptive, records } = this.#kvfree.constants;
    if (hasSnapshots || unit.channel === KVFREE_CHANNEL.head || unit.count + this.#inUnit < records)
      return false;
    // the monitor is told of the first full block at once
    return !isAdaptive || this.#krc.count >= records;
  }

  /** Memory is looked at where a loop and where a unit begins. */
  #hasMemory(): boolean {
    return this.#kvfree.memory.look(this.#owner.sums.bytes.of(this.#first + this.#settled, 1));
  }

  /** The last objects of those planned are allocated now, or not at all. */
  #unpromise(count: number): void {
    const { bytes } = this.#owner.sums;
    this.#kvfree.memory.promise(-bytes.of(this.#first + this.#planned - count, count));
  }

  /** Up to the end of the block, of the loop, and to the object that makes the monitor come sooner (K7). */
  #certain(unit: Unit, leftInLoop: number): number {
    const { constants } = this.#kvfree;
    const { count } = this.#krc;
    let certain = Math.min(leftInLoop, this.#owner.mostAtOnce);
    if (unit.channel !== KVFREE_CHANNEL.head) certain = Math.min(certain, constants.records - unit.count);
    if (constants.isAdaptive && count < constants.records)
      certain = Math.min(certain, constants.records - count);
    return certain;
  }

  #objects(count: number): Objects {
    const { bytes, freeNs } = this.#owner.sums;
    const first = this.#first + this.#settled;
    return { count, bytes: bytes.of(first, count), freeNs: freeNs.of(first, count) };
  }

  /** Objects whose work is over join their unit. */
  settle(): void {
    const unit = this.#unit;
    // off its CPU nothing happens; how far it was then, interrupt() has seen
    if (unit === undefined || this.#planned === 0 || !this.world.executor.isRunning(this)) return;
    const { queueNs } = this.#owner.sums;
    const { queue, nowNs } = this.sim;
    const wholeNs = queueNs.of(this.#first, this.#planned);
    const elapsedNs = wholeNs - this.world.executor.workLeftNs(this);
    // an object that is ready now is queued by an event of its own, which may still come
    const mayStillCome = queue.calledPriority < this.se.priority || this.se.segmentStartNs >= nowNs;
    const budgetNs = mayStillCome ? elapsedNs - 1 : elapsedNs;
    if (budgetNs <= 0) return;
    const done = Math.min(this.#inUnit, queueNs.within(this.#first, budgetNs)) - this.#settled;
    if (done <= 0) return;
    const objects = this.#objects(done);
    this.#kvfree.memory.promise(-objects.bytes);
    this.#krc.append(unit, objects);
    this.#settled += done;
  }

  override interrupt(elapsedNs: number): void {
    this.settle();
    super.interrupt(elapsedNs);
  }

  cut(): void {
    this.settle();
    if (this.#unit === undefined || this.#planned === 0) return;
    this.#unit = undefined;
    const left = this.#planned - this.#settled - 1;
    if (left <= 0) return;
    const { queueNs } = this.#owner.sums;
    this.#unpromise(left);
    this.#planned -= left;
    this.askNs -= queueNs.of(this.#first + this.#planned, left);
    this.world.executor.reconsider(this);
  }

  /** The segment is over: what is left of it is queued, and the next one planned. */
  #queue(): void {
    const krc = this.#krc;
    if (krc.feeders.length > 1) krc.cutOthers(this);
    let unit = this.#unit;
    if (unit !== undefined && this.#inUnit > this.#settled) this.#fill(unit);
    if (this.#planned > this.#settled) {
      if (!this.#hasMemory()) {
        this.#finish(KFREE_TEST.noMemory);
        return;
      }
      const object = this.#objects(1);
      this.#unpromise(1);
      unit = this.#place(object);
      if (unit === undefined) {
        this.#advance();
        this.#beginInline(object);
        return;
      }
    }
    this.#advance();
    if (this.#isLoopOver) this.#endLoop();
    else this.#plan(unit !== undefined && krc.hasRoom(unit) ? unit : undefined);
  }

  #advance(): void {
    this.#first += this.#planned;
    this.#planned = 0;
    this.#inUnit = 0;
    this.#settled = 0;
  }

  get #isLoopOver(): boolean {
    return this.#first === (this.#loop + 1) * this.#owner.actor.allocs;
  }

  /** The rest of those that go to the unit. */
  #fill(unit: Unit): void {
    const krc = this.#krc;
    const objects = this.#objects(this.#inUnit - this.#settled);
    const wasFull = krc.count >= this.#kvfree.constants.records;
    this.#kvfree.memory.promise(-objects.bytes);
    krc.append(unit, objects);
    this.#settled = this.#inUnit;
    if (!wasFull) krc.monitor.arm(this.cpu);
  }

  /** kvfree_call_rcu(); undefined: there is no block for the one-argument form. */
  #place(object: Objects): Unit | undefined {
    const krc = this.#krc;
    if (!this.#kvfree.constants.isBatching) return krc.queueCallback(this, object);
    const unit = krc.queueOne(this, object);
    if (unit !== undefined) krc.monitor.arm(this.cpu);
    return unit;
  }

  /** The form of the object that comes next (K19): drawn by its number, and only where it matters. */
  get isOneArg(): boolean {
    const { form } = this.#owner.actor;
    if (form !== 'mixed') return form === 'single';
    return this.#forms.at(this.track, this.#first + this.#settled) < 0.5;
  }

  #endLoop(): void {
    this.#loop++;
    this.#phase = PHASE.loop;
    this.#unit = undefined;
    this.yields = this.#owner.actor.resched;
    this.work(0);
  }

  /** kvfree_call_rcu() without a block: synchronize_rcu(), then kvfree() (K17). */
  #beginInline(object: Objects): void {
    this.sim.emit(KIND.kvfree_inline, this.track, 0, object.bytes, this.cpu);
    this.#kvfree.allocated(object.count, object.bytes);
    this.#inline = object;
    this.#synchronize = this.#kvfree.synchronize(this);
    this.#phase = PHASE.inline;
    this.#freeInline();
  }

  #inline: Objects = { count: 0, bytes: 0, freeNs: 0 };

  #freeInline(): void {
    if (this.#synchronize?.step()) return;
    const { sim } = this;
    const { count, bytes, freeNs } = this.#inline;
    if (this.#synchronize !== undefined) {
      this.#synchronize = undefined;
      this.work(freeNs + sim.machine.kfreeFreeListNs);
      return;
    }
    sim.emit(KIND.kvfree_inline, this.track, 1, bytes, this.cpu);
    this.#kvfree.released(count, bytes);
    this.#phase = PHASE.objects;
    if (this.#isLoopOver) this.#endLoop();
    else this.#plan(undefined);
  }
}
