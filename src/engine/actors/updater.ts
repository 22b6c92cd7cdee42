/** Updaters: threads that call the update side of SRCU (spec srcu 2.1, 2.8, docs/configuration.md). */
import { domainOfApi, type UpdaterActor } from '../config.ts';
import { createSampler, type Sampler } from '../core/distributions.ts';
import { KIND } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import type { Cookie } from '../tree/polled.ts';
import { createApiCall } from './apiCalls.ts';
import type { ApiCall } from './call.ts';
import { Credit } from './credit.ts';
import { takeCookie } from './rcuPolledCalls.ts';
import { launchThread, type Place, Thread, type World } from './thread.ts';

const PHASE = { next: 0, call: 1, inCall: 2, waitForTurn: 3 } as const;

/** What the threads of one updater share: its calls, drawn and numbered in order. */
export class UpdaterCalls {
  readonly world: World;
  readonly place: Place;
  readonly actor: UpdaterActor;
  readonly credit: Credit | undefined;
  readonly name: string;
  readonly #gap: Sampler;
  readonly #takesCookies: boolean;
  #issued = 0;
  #returned = 0;
  #callbacksLeft = 0;
  #lastThread: UpdaterThread | undefined;
  /** Cookies of the calls to come, in their order. */
  readonly #cookies: (Cookie | undefined)[] = [];

  constructor(world: World, place: Place, actor: UpdaterActor, name: string) {
    const owner = { seed: world.sim.config.seed, actor: place.actor, number: place.number, lcgs: new Map() };
    this.world = world;
    this.place = place;
    this.actor = actor;
    this.name = name;
    this.#gap = createSampler(actor.gap, owner, 'gap');
    this.#takesCookies = actor.api === 'cond_synchronize_rcu';
    const { machine } = world.sim;
    const spinsGap = actor.gapMode === 'spin';
    const domain = domainOfApi(actor.api) === 'srcu' ? world.domain(actor.domain) : undefined;
    const hasCredit = machine.requester === 'credit' && spinsGap && domain !== undefined;
    this.credit = hasCredit ? new Credit(world.sim, domain) : undefined;
  }

  /** Number of the next call, or -1 if all have been issued. */
  issue(): number {
    return this.#issued < this.actor.calls ? this.#issued++ : -1;
  }

  /** The gap before the next call, ns. */
  drawGapNs(): number {
    return this.#gap();
  }

  /**
   * The gap before the next call begins: cond_synchronize_rcu() takes its cookie before it (tree R6.6), on the thread
   * that is there, if one is.
   */
  gapBegins(thread?: Thread): void {
    if (this.#takesCookies === false) return;
    this.#cookies.push(thread === undefined ? undefined : takeCookie(this, thread));
  }

  /** The cookie taken before the gap of the call that begins; undefined: nobody was there to take one. */
  gapCookie(): Cookie | undefined {
    return this.#cookies.shift();
  }

  get allIssued(): boolean {
    return this.#issued >= this.actor.calls;
  }

  callbackQueued(): void {
    this.#callbacksLeft++;
  }

  callbackRan(): void {
    this.#callbacksLeft--;
    this.#finishIfDone();
  }

  returned(thread: UpdaterThread): void {
    this.#returned++;
    this.#lastThread = thread;
    this.#finishIfDone();
  }

  /** Finite actors: the last call has returned and the last callback has run. */
  #finishIfDone(): void {
    if (this.#returned < this.actor.calls || this.#callbacksLeft > 0) return;
    const { sim } = this.world;
    const cause = sim.cause;
    sim.emit(KIND.thread_done, (this.#lastThread as UpdaterThread).track);
    sim.cause = cause;
    this.world.finished();
  }
}

/** One thread of an updater; with gapFrom "call" there may be several. */
export class UpdaterThread extends Thread {
  readonly #calls: UpdaterCalls;
  readonly #turns: OpenLoop | undefined;
  #phase: number;
  readonly #call: ApiCall;
  #gapNs = 0;

  override readonly bySteps: boolean;

  constructor(calls: UpdaterCalls, name: string, turns: OpenLoop | undefined) {
    super(calls.world, calls.place, name);
    this.#calls = calls;
    this.#turns = turns;
    this.bySteps = domainOfApi(calls.actor.api) !== 'srcu';
    this.#call = createApiCall(calls, this);
    this.#phase = turns === undefined ? PHASE.next : PHASE.call;
  }

  step(): void {
    switch (this.#phase) {
      case PHASE.next:
        this.#gap();
        return;
      case PHASE.call:
        this.#enter();
        return;
      default:
        this.#continue();
    }
  }

  #gap(): void {
    if (this.#calls.allIssued) {
      this.exit();
      return;
    }
    this.#calls.gapBegins(this);
    this.#gapNs = this.#calls.drawGapNs();
    this.#phase = PHASE.call;
    const untilNs = this.sim.nowNs + this.#gapNs;
    if (this.#gapNs > 0 && this.#calls.actor.gapMode === 'sleep') this.sleepUntil(untilNs);
    else this.spinUntil(untilNs);
  }

  #enter(): void {
    const number = this.#calls.issue();
    if (number < 0) {
      this.exit();
      return;
    }
    this.#turns?.callIssued(this);
    this.#calls.credit?.earn(this.#gapNs);
    this.#call.begin(number);
    this.#phase = PHASE.inCall;
    this.#continue();
  }

  #continue(): void {
    while (this.#call.step()) {
      if (!this.mayGoOn) return;
    }
    this.#calls.returned(this);
    if (this.#turns === undefined) {
      this.#phase = PHASE.next;
      if (this.work(0)) this.#gap();
    } else {
      this.#phase = PHASE.call;
      this.#turns.park(this);
      this.block();
    }
  }
}

/** gapFrom "call": the next call comes a gap after the last one began, on a thread that is free or on a new one. */
export class OpenLoop {
  readonly #calls: UpdaterCalls;
  readonly #slot: number;
  readonly #parked: UpdaterThread[] = [];
  #threads = 0;

  constructor(calls: UpdaterCalls) {
    const { sim } = calls.world;
    this.#calls = calls;
    this.#slot = sim.queue.allocate(PRIORITY.interrupt, () => {
      sim.cause = -1;
      this.#turn();
    });
  }

  /** Schedules the first call. */
  begin(startNs: number): void {
    this.#calls.gapBegins();
    this.#calls.world.sim.queue.schedule(this.#slot, startNs + this.#calls.drawGapNs());
  }

  /** A call begins on this thread, and with it the gap before the next one. */
  callIssued(thread: Thread): void {
    if (this.#calls.allIssued) return;
    this.#calls.gapBegins(thread);
    const { sim } = this.#calls.world;
    sim.queue.schedule(this.#slot, sim.nowNs + this.#calls.drawGapNs());
  }

  park(thread: UpdaterThread): void {
    this.#parked.push(thread);
  }

  #turn(): void {
    const { world, name } = this.#calls;
    const free = this.#parked.shift();
    if (free !== undefined) {
      world.executor.wake(free, free.cpu, true);
      return;
    }
    const suffix = this.#threads++ === 0 ? '' : `+${this.#threads - 1}`;
    launchThread(world, new UpdaterThread(this.#calls, `${name}${suffix}`, this), world.sim.nowNs);
  }
}
