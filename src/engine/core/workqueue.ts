/**
 * A per-CPU bound workqueue ("rcu_gp", spec srcu §2): on each CPU one worker runs the queued items one after the
 * other and sleeps when none is left. Where tasks do not share CPUs every item has a worker of its own, as `plain`
 * charges latency and not CPU time (spec srcu 11.2).
 */
import { KIND } from './eventKinds.ts';
import { ASK, niceWeight } from './schedEntity.ts';
import { PRIORITY, type Sim } from './sim.ts';
import { type Executor, Task } from './task.ts';

/** Something queued to a worker: a machine of steps on the worker's CPU time. */
export abstract class WorkItem {
  /** WORK_FN. */
  readonly fn: number;
  readonly domain: number;
  /** The worker that runs it, while it does. */
  worker: Worker | null = null;
  /** The worker that ran it last. */
  lastWorker: Worker | undefined;
  /** Waits on a list; work items are never on two. */
  queued = false;
  /** The next one on its list. */
  next: WorkItem | null = null;
  /** Row that queued it. */
  cause = -1;

  constructor(fn: number, domain: number) {
    this.fn = fn;
    this.domain = domain;
  }

  /** Takes it off the list on which it waits, if it does (cancel_work()). */
  dequeue(): void {
    if (this.queued) this.lastWorker?.remove(this);
  }

  /** The worker takes it up: ask the worker for CPU time. */
  abstract begin(worker: Worker): void;
  /** The CPU time is used: go on, or call worker.done(). */
  abstract step(worker: Worker): void;
  /** As Task.interrupt(), for items that ask for bursts. True if it has set worker.askNs itself. */
  interrupt(_worker: Worker, _elapsedNs: number): boolean {
    return false;
  }
}

/** What a worker tells the others of its CPU. */
interface Pool {
  /** Some CPU has more than one worker. */
  readonly hasSeveral: boolean;
  /** wq_worker_sleeping(): it sleeps with an item in hand, others go on with what waits behind it. */
  slept(worker: Worker): void;
  /** keep_working(): it is about to take its next item; another one may be awake again, and takes over what waits. */
  giveWay(worker: Worker): void;
}

/** A kworker. */
export class Worker extends Task {
  readonly #sim: Sim;
  readonly #pool: Pool | undefined;
  /** Sleeps with an item in hand: what is queued goes to others. */
  isAway = false;
  /** The items that wait, oldest first. */
  #first: WorkItem | null = null;
  #last: WorkItem | null = null;
  #item: WorkItem | null = null;
  #awake = false;
  #finished = false;
  override readonly beginsAtOnce = true;

  constructor(sim: Sim, track: number, cpu: number, pool?: Pool) {
    super(track, cpu);
    this.#sim = sim;
    this.#pool = pool;
  }

  /** Appends an item. */
  push(item: WorkItem): void {
    item.lastWorker = this;
    if (this.#last === null) this.#first = item;
    else this.#last.next = item;
    this.#last = item;
  }

  /** True if items wait behind the one that runs. */
  get hasMore(): boolean {
    return this.#first !== null;
  }

  /** True if it has nothing to do. */
  get isFree(): boolean {
    return this.#item === null && this.#first === null;
  }

  /** Takes over what waits behind the item of another worker. */
  takeWaiting(other: Worker): void {
    for (let item = other.#first; item !== null; item = other.#first) {
      other.#first = item.next;
      item.next = null;
      this.push(item);
    }
    other.#last = null;
  }

  /** Takes an item off the list. */
  remove(item: WorkItem): void {
    const waiting: WorkItem[] = [];
    for (let next = this.#first; next !== null; next = next.next) if (next !== item) waiting.push(next);
    this.#first = null;
    this.#last = null;
    item.queued = false;
    for (const other of [item, ...waiting]) other.next = null;
    for (const other of waiting) this.push(other);
  }

  /** It has an item in hand and does not sleep in it. */
  get isInItem(): boolean {
    return this.#item !== null && !this.blocked;
  }

  step(): void {
    if (this.#awake === false) {
      this.#awake = true;
      const wakeNs = this.#sim.machine.workerWakeNs;
      if (wakeNs > 0) {
        this.work(wakeNs);
        return;
      }
    }
    if (this.#item !== null) {
      this.#finished = false;
      this.isAway = false;
      this.#item.step(this);
      if (this.#finished === false) {
        if (this.ask === ASK.block) this.#sleepInItem();
        return;
      }
    }
    this.#next();
  }

  #sleepInItem(): void {
    this.isAway = true;
    this.#pool?.slept(this);
  }

  /** The item in hand is through. */
  done(): void {
    this.#finished = true;
    if (this.#item !== null) this.#item.worker = null;
    this.#item = null;
  }

  #next(): void {
    if (this.#first !== null && this.#pool?.hasSeveral) this.#pool.giveWay(this);
    const item = this.#first;
    if (item === null) {
      this.#awake = false;
      this.block();
      return;
    }
    this.#first = item.next;
    if (item.next === null) this.#last = null;
    item.next = null;
    this.yields = true;
    item.queued = false;
    item.worker = this;
    this.#item = item;
    item.begin(this);
  }

  override interrupt(elapsedNs: number): void {
    if (this.#item === null || !this.#item.interrupt(this, elapsedNs)) super.interrupt(elapsedNs);
  }
}

/** Of the workers of WQ_HIGHPRI pools. */
const HIGH_PRIORITY_WEIGHT = niceWeight(-20);

/** Where work is queued. */
export interface WorkDestination {
  /**
   * queue_work_on(): no effect if the item waits already; an item that runs goes to the worker that runs it, so that
   * two workers never do (__queue_work()). `fromInterrupt`: called by a timer on `fromCpu`.
   */
  queueWork(item: WorkItem, cpu: number, fromCpu: number, fromInterrupt: boolean): void;
}

/** The pools bound to CPUs of one priority: one worker at a time a CPU, others while it sleeps in an item. */
export class Workqueue implements WorkDestination, Pool {
  readonly #sim: Sim;
  readonly #executor: Executor;
  readonly #isHighPriority: boolean;
  hasSeveral = false;
  /** By CPU, where tasks share CPUs: the worker that takes what is queued, and all of them. */
  readonly #workers = new Map<number, Worker>();
  readonly #all = new Map<number, Worker[]>();
  readonly #tracks = new Map<number, number>();

  constructor(sim: Sim, executor: Executor, isHighPriority = false) {
    this.#sim = sim;
    this.#executor = executor;
    this.#isHighPriority = isHighPriority;
  }

  #worker(item: WorkItem, cpu: number): Worker {
    const { lastWorker } = item;
    if (lastWorker?.cpu === cpu && !lastWorker.isAway) return lastWorker;
    let worker = this.#workers.get(cpu);
    if (worker === undefined) {
      worker = this.#createWorker(cpu);
      if (this.#executor.contended) this.#workers.set(cpu, worker);
    }
    item.lastWorker = worker;
    return worker;
  }

  /** Another worker of the CPU, free or new, goes on with what waits. */
  slept(away: Worker): void {
    const { cpu } = away;
    if (!this.#executor.contended || this.#workers.get(cpu) !== away) return;
    const next = this.#all.get(cpu)?.find((worker) => worker.isFree) ?? this.#createWorker(cpu);
    this.#workers.set(cpu, next);
    if (!away.hasMore) return;
    next.takeWaiting(away);
    this.#executor.wake(next, cpu, false);
  }

  giveWay(worker: Worker): void {
    const others = this.#all.get(worker.cpu);
    if (others === undefined || others.length < 2) return;
    const awake = others.find((other) => other !== worker && other.isInItem);
    if (awake === undefined) return;
    awake.takeWaiting(worker);
    this.#workers.set(worker.cpu, awake);
  }

  #createWorker(cpu: number): Worker {
    const { config } = this.#sim;
    const others = this.#all.get(cpu) ?? [];
    const track = this.#trackOf(cpu, others.length);
    const worker = new Worker(this.#sim, track, cpu, this);
    if (this.#isHighPriority) worker.se.weight = HIGH_PRIORITY_WEIGHT;
    const lags = config.initial.workerLagNs;
    worker.se.lag = lags[Math.min(cpu, lags.length - 1)] ?? 0;
    this.#executor.add(worker, PRIORITY.worker + track);
    others.push(worker);
    if (others.length > 1) this.hasSeveral = true;
    if (this.#executor.contended) this.#all.set(cpu, others);
    return worker;
  }

  /** Where tasks do not share CPUs, the workers of a CPU share a track. */
  #trackOf(cpu: number, number: number): number {
    const known = number === 0 ? this.#tracks.get(cpu) : undefined;
    if (known !== undefined) return known;
    const name = `kworker/${cpu}${number === 0 ? '' : `:${number}`}${this.#isHighPriority ? 'H' : ''}`;
    const track = this.#sim.addTrack('worker', name, cpu);
    if (number === 0) this.#tracks.set(cpu, track);
    return track;
  }

  queueWork(item: WorkItem, cpu: number, fromCpu: number, fromInterrupt: boolean): void {
    const worker = item.worker ?? this.#worker(item, cpu);
    const effective = item.queued ? 0 : 1;
    this.#sim.emit(KIND.workqueue_queue_work, worker.track, item.fn, item.domain, effective);
    if (effective === 0) return;
    item.cause = this.#sim.cause;
    this.requeue(item, worker);
    // spec srcu 4.8: the worker must look at its list again after the present pass
    if (this.#executor.contended) this.#executor.reconsider(worker);
    // one that sleeps in its item waits for something else, and takes what is queued after that
    if (!worker.isAway) this.#executor.wake(worker, fromCpu, fromInterrupt);
  }

  /** queue_work() of an item from inside itself, on the worker that runs it. */
  requeue(item: WorkItem, worker: Worker): void {
    item.queued = true;
    worker.push(item);
  }
}
