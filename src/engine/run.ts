/** A run: the engine behind one door. */

import { Exiter } from './actors/exiter.ts';
import { Holdout } from './actors/holdout.ts';
import { KfreeFlood } from './actors/kfreeFlood.ts';
import { Load } from './actors/load.ts';
import { createSynchronizeCall } from './actors/rcuCalls.ts';
import { RcuReader } from './actors/rcuReader.ts';
import { Reader } from './actors/reader.ts';
import { TasksTraceReader } from './actors/tasksTraceReader.ts';
import { launchThread, type Place, startNs, type Thread, type World } from './actors/thread.ts';
import { OpenLoop, UpdaterCalls, UpdaterThread } from './actors/updater.ts';
import type { Actor, KfreeActor, ReaderActor, SimConfig } from './config.ts';
import { KIND, STOP_REASON } from './core/eventKinds.ts';
import type { EventLog } from './core/eventLog.ts';
import type { RunInfo, SrcuConstants } from './core/info.ts';
import type { LogMemory } from './core/logMemory.ts';
import { Occupancy } from './core/occupancy.ts';
import { OwnCpus } from './core/ownCpus.ts';
import { ROW_BYTES } from './core/rows.ts';
import { SharedCpus } from './core/sharedCpus.ts';
import { PRIORITY, Sim } from './core/sim.ts';
import type { Executor } from './core/task.ts';
import { TickState } from './core/tickState.ts';
import { MAX_TIME_NS } from './core/ticks.ts';
import type { TimerHost } from './core/timers.ts';
import { UnboundWorkqueue } from './core/unboundWorkqueue.ts';
import { Workqueue } from './core/workqueue.ts';
import { Kvfree } from './kvfree/kvfree.ts';
import { firstUpdateNs } from './machine/initial.ts';
import { resolveRules } from './profiles/profiles.ts';
import { attachCallbackWork } from './srcu/callbackWork.ts';
import { burstPasses } from './srcu/closedForm.ts';
import { liveSrcuConstants, srcuConstants } from './srcu/constants.ts';
import { Domain } from './srcu/domain.ts';
import { type BurstPlan, ProcessSrcu } from './srcu/processSrcu.ts';
import { createTaskList, TasksRcu } from './tasks/tasksRcu.ts';
import { createTreeRcu } from './tree/createTreeRcu.ts';
import { placeInitialGp } from './tree/initialGp.ts';
import type { TreeRcu } from './tree/treeRcu.ts';
import { usesKvfree, usesTreeRcu } from './tree/usesTreeRcu.ts';

/** Where a run stops for its own sake; the message says so and everything so far can be looked at. */
export interface RunLimits {
  /** Log rows; default 20 million. */
  readonly maxEvents?: number;
  /** Bytes of log; default 1 GiB. */
  readonly maxBytes?: number;
  /** Memory of logs of earlier runs; default: none, all of it is new. */
  readonly memory?: LogMemory;
}

const DEFAULT_MAX_EVENTS = 20_000_000;
/** Engine events a row, at most, over a whole run at its limit. */
const STEPS_PER_ROW = 5;
const DEFAULT_MAX_BYTES = 2 ** 30;
/** So many events without the clock moving: the configuration does not let time pass. */
const STUCK_EVENTS = 1_000_000;
/** The same in rounds of a thousand steps without a row: one event can stand for so many. */
const STUCK_ROUNDS = 1000;

export type RunStatus =
  | { readonly state: 'running' }
  /** `reason` of STOP_REASON; `message` is set where a limit or a stuck configuration ended it. */
  | { readonly state: 'ended'; readonly reason: number; readonly message?: string };

/** A run under way. `log` grows with every `advance`. */
export interface Run {
  readonly info: RunInfo;
  readonly log: EventLog;
  /** Virtual time reached, ns. */
  readonly nowNs: number;
  /** Engine events processed so far, and the mean number pending while they were (for the benchmark). */
  readonly eventCount: number;
  readonly meanPending: number;
  /** Processes up to `budget` engine events (not rows) and says whether the run has ended. */
  advance(budget: number): RunStatus;
}

function createReader(world: World, place: Place, actor: ReaderActor, name: string): Thread {
  if (actor.domain === 'rcu') return new RcuReader(world, place, actor, name);
  const Kind = actor.domain === 'tasks-trace' ? TasksTraceReader : Reader;
  return new Kind(world, place, actor, name);
}

/** What a run is made of. */
class Engine implements Run, World {
  readonly sim: Sim;
  readonly executor: Executor;
  readonly info: RunInfo;
  readonly #workqueue: Workqueue;
  readonly #timerHost: TimerHost;
  readonly #rcu: TreeRcu | undefined;
  readonly #kvfree: Kvfree | undefined;
  readonly #tasks: TasksRcu | undefined;
  readonly #domains = new Map<string, { domain: Domain; work: ProcessSrcu }>();
  readonly #reference: ReferenceOptions;
  readonly #constants: SrcuConstants;
  readonly #maxEvents: number;
  /** Engine events, for actors that are busy without leaving rows. */
  readonly #maxSteps: number;
  /** The smaller of both limits, in rows. */
  readonly #maxRows: number;
  #status: RunStatus = { state: 'running' };
  #hasEnded = false;
  #callbacks = 0;
  #unfinished = 0;
  #sinceClockMoved = 0;
  #pendingSum = 0;
  eventCount = 0;

  constructor(config: SimConfig, limits: RunLimits, reference: ReferenceOptions) {
    const rules = resolveRules(config.kernel, config.rules);
    const sim = new Sim(config, rules, limits.memory);
    const { requester, preset } = config.machine;
    const contended = requester === 'scheduler' || (requester === 'unseen' && preset !== 'plain');
    this.sim = sim;
    this.#reference = reference;
    this.#maxEvents = limits.maxEvents ?? DEFAULT_MAX_EVENTS;
    this.#maxSteps = this.#maxEvents * STEPS_PER_ROW;
    this.#maxRows = Math.min(this.#maxEvents, Math.floor((limits.maxBytes ?? DEFAULT_MAX_BYTES) / ROW_BYTES));
    for (let cpu = 0; cpu < config.cpus; cpu++) sim.addTrack('cpu', `CPU ${cpu}`, cpu);
    const hasRcu = usesTreeRcu(config);
    if (contended) {
      const tickState = new TickState(sim, hasRcu);
      const shared = new SharedCpus(sim, tickState);
      this.executor = shared;
      this.#timerHost = { executor: shared, tickState, base: (cpu) => shared.cpus[cpu] };
    } else if (hasRcu) {
      const tickState = new TickState(sim, hasRcu);
      const occupancy = new Occupancy(sim, tickState);
      this.executor = new OwnCpus(sim, occupancy);
      this.#timerHost = { executor: this.executor, tickState, base: (cpu) => occupancy.cpus[cpu] };
    } else {
      this.executor = new OwnCpus(sim);
      this.#timerHost = { executor: this.executor, tickState: undefined, base: () => undefined };
    }
    const taskList = createTaskList(sim);
    this.#workqueue = new Workqueue(sim, this.executor);
    this.#rcu = hasRcu
      ? createTreeRcu(sim, this.#timerHost, this.#workqueue, reference.takesEveryTick)
      : undefined;
    if (this.#rcu !== undefined && usesKvfree(config)) this.#kvfree = this.#createKvfree(this.#rcu);
    if (this.#rcu !== undefined)
      placeInitialGp(this.#rcu, config.initial.rcuGp, firstUpdateNs(config, sim.ticks));
    this.#constants = liveSrcuConstants(sim.machine, config, rules);
    if (this.#rcu !== undefined && taskList !== undefined)
      this.#tasks = new TasksRcu(this.#rcu, taskList, this.#timerHost, this.#workqueue, this);
    this.info = { config, rules, tracks: sim.tracks, srcu: srcuConstants(config, rules), contended };
    config.actors.forEach((actor, index) => {
      this.#addActor(actor, index);
    });
    this.#scheduleStop();
  }

  get log(): EventLog {
    return this.sim.log;
  }

  get nowNs(): number {
    return this.sim.nowNs;
  }

  get meanPending(): number {
    return this.eventCount === 0 ? 0 : this.#pendingSum / this.eventCount;
  }

  domain(name: string): Domain {
    let entry = this.#domains.get(name);
    if (entry === undefined) {
      const domain = new Domain(this.sim, this.sim.addTrack('srcu', name, -1), this.#constants);
      const work = new ProcessSrcu(
        domain,
        this.executor,
        this.#workqueue,
        this.#timerHost,
        this.#reference.plan,
      );
      attachCallbackWork(domain, this.#workqueue, this.executor, this.#timerHost);
      entry = { domain, work };
      this.#domains.set(name, entry);
    }
    return entry.domain;
  }

  get rcu(): TreeRcu {
    if (this.#rcu === undefined) throw new Error('this run has no Tree RCU');
    return this.#rcu;
  }

  get kvfree(): Kvfree {
    if (this.#kvfree === undefined) throw new Error('this run has no kvfree_rcu()');
    return this.#kvfree;
  }

  get tasks(): TasksRcu {
    if (this.#tasks === undefined) throw new Error('this run has no RCU Tasks');
    return this.#tasks;
  }

  nextCallbackId(): number {
    return this.#callbacks++;
  }

  finished(): void {
    this.#unfinished--;
    const { stop } = this.info.config;
    const whenDone = stop.whenDone ?? stop.afterNs === undefined;
    if (this.#unfinished === 0 && whenDone) this.sim.stopReason = STOP_REASON.done;
  }

  #addActor(actor: Actor, index: number): void {
    const { ticks, config } = this.sim;
    for (let number = 0; number < actor.count; number++) {
      const place = { actor: index, number, cpu: (actor.cpu + number) % config.cpus };
      const atNs = startNs(actor.start, ticks) + number * actor.stagger;
      const same = config.actors.slice(0, index).filter((other) => other.kind === actor.kind);
      const before = same.reduce((sum, other) => sum + other.count, 0);
      const name = `${actor.kind}/${before + number}`;
      if (actor.kind === 'reader') launchThread(this, createReader(this, place, actor, name), atNs);
      else if (actor.kind === 'load') launchThread(this, new Load(this, place, actor, name), atNs);
      else if (actor.kind === 'kfree') {
        if (number === 0) this.#addFlood(actor, index, before);
      } else if (actor.kind === 'holdout') launchThread(this, new Holdout(this, place, actor, name), atNs);
      else if (actor.kind === 'exiter') launchThread(this, new Exiter(this, place, actor, name), atNs);
      else {
        this.#unfinished++;
        const calls = new UpdaterCalls(this, place, actor, name);
        if (actor.gapFrom === 'call') new OpenLoop(calls).begin(atNs);
        else launchThread(this, new UpdaterThread(calls, name, undefined), atNs);
      }
    }
  }

  /** Its threads are numbered on from those of kfree actors before it. */
  #addFlood(actor: KfreeActor, index: number, firstNumber: number): void {
    this.#unfinished++;
    new KfreeFlood(this, index, actor, firstNumber, this.#reference.objectsAtOnce).launch();
  }

  #createKvfree(rcu: TreeRcu): Kvfree {
    const { sim, executor } = this;
    const isUnbound = sim.rules['kvfree.wq'] === 'unbound';
    return new Kvfree({
      sim,
      rcu,
      host: this.#timerHost,
      workqueue: isUnbound ? new UnboundWorkqueue(sim, executor) : this.#workqueue,
      highPriority: new Workqueue(sim, executor, true),
      synchronize: (task) => {
        const call = createSynchronizeCall({ world: this }, task, 'synchronize_rcu', false);
        call.begin(0);
        return call;
      },
    });
  }

  #scheduleStop(): void {
    const { afterNs } = this.info.config.stop;
    if (afterNs === undefined) return;
    const slot = this.sim.queue.allocate(PRIORITY.stop, () => {
      this.sim.stopReason = STOP_REASON.afterNs;
    });
    this.sim.queue.schedule(slot, afterNs);
  }

  advance(budget: number): RunStatus {
    const { sim } = this;
    const { queue, log } = sim;
    const most = Math.min(budget, this.#maxSteps - this.eventCount);
    const maxRows = this.#maxRows;
    let sinceClockMoved = this.#sinceClockMoved;
    let events = 0;
    let pendingSum = 0;
    while (events < most && !this.#hasEnded) {
      const nextNs = queue.nextTimeNs();
      if (nextNs > sim.nowNs) {
        if (nextNs > MAX_TIME_NS) {
          this.#endWithoutEvent(nextNs);
          break;
        }
        sinceClockMoved = 0;
        sim.emptyRounds = 0;
        sim.nowNs = nextNs;
      } else if (++sinceClockMoved > STUCK_EVENTS || sim.emptyRounds > STUCK_ROUNDS) {
        this.#stopStandstill();
      }
      events++;
      pendingSum += queue.size;
      queue.call(queue.popMin());
      if (sim.stopReason !== undefined) this.#end(sim.stopReason, sim.stopMessage);
      else if (log.length >= maxRows) this.#endAtLimit();
    }
    this.#sinceClockMoved = sinceClockMoved;
    this.eventCount += events;
    this.#pendingSum += pendingSum;
    if (this.eventCount >= this.#maxSteps && !this.#hasEnded) this.#endAtLimit();
    return this.#status;
  }

  /** No event before the end of the clock: nobody can act any more, or they act later than it can tell. */
  #endWithoutEvent(nextNs: number): void {
    if (nextNs < Number.POSITIVE_INFINITY) {
      const limit = `the run was stopped at ${this.sim.nowNs} ns: nothing happens from there to ${nextNs} ns, and virtual time ends at ${MAX_TIME_NS} ns`;
      this.#end(STOP_REASON.timeLimit, limit);
    } else
      this.#end(
        STOP_REASON.stuck,
        'nothing more can happen: the actors that have not finished wait for ever',
      );
  }

  #stopStandstill(): void {
    const { sim } = this;
    sim.stopReason = STOP_REASON.stuck;
    sim.stopMessage = `time stands still at ${sim.nowNs} ns: an actor repeats itself without taking time`;
  }

  #endAtLimit(): void {
    const rows = this.log.length;
    if (rows < this.#maxRows) {
      const limit = `the run was stopped after ${this.eventCount} steps that left only ${rows} events, its limit`;
      this.#end(STOP_REASON.eventLimit, limit);
      return;
    }
    if (rows >= this.#maxEvents)
      this.#end(STOP_REASON.eventLimit, `the run was stopped at ${rows} events, its limit`);
    else
      this.#end(
        STOP_REASON.memoryLimit,
        `the run was stopped at ${rows * ROW_BYTES} bytes of log, its limit`,
      );
  }

  #end(reason: number, message: string | undefined): void {
    for (const { work } of this.#domains.values()) work.settle(reason === STOP_REASON.afterNs);
    this.sim.cause = -1;
    this.sim.emit(KIND.run_end, 0, reason);
    this.#hasEnded = true;
    this.#status = message === undefined ? { state: 'ended', reason } : { state: 'ended', reason, message };
  }
}

/** How a run goes on where much the same happens again and again. */
export interface ReferenceOptions {
  /** Equal passes of SRCU that one segment stands for. */
  readonly plan: BurstPlan;
  /** Also ticks of which Tree RCU wants nothing. */
  readonly takesEveryTick: boolean;
  /** Objects that a thread of the kfree test queues between two events of its own, at most. */
  readonly objectsAtOnce: number;
}

const FAST: ReferenceOptions = {
  plan: burstPasses,
  takesEveryTick: false,
  objectsAtOnce: Number.POSITIVE_INFINITY,
};

/** A run of `config` from t = 0. Throws on configurations that the config layer would have refused. */
export function createRun(config: SimConfig, limits: RunLimits = {}): Run {
  return new Engine(config, limits, FAST);
}

/** The same without what is skipped (reference/): one pass of SRCU, every tick, one object at a time. */
export function createReferenceRun(
  config: SimConfig,
  limits: RunLimits,
  options: Partial<ReferenceOptions>,
): Run {
  return new Engine(config, limits, { ...FAST, ...options });
}
