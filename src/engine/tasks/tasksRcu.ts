/** RCU Tasks as a whole: the flavours that a run uses, their kthreads, the tasks that they wait for (spec tasks). */
import { type Actor, domainOfApi, type SimConfig, usesTasks } from '../config.ts';
import { CALLBACK, KIND, TASKS_EXIT, TASKS_FLAVOR } from '../core/eventKinds.ts';
import type { Sim } from '../core/sim.ts';
import type { Task } from '../core/task.ts';
import type { TimerHost } from '../core/timers.ts';
import type { Workqueue } from '../core/workqueue.ts';
import { nohzFullCpus } from '../profiles/offload.ts';
import type { Domain } from '../srcu/domain.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import type { TasksCallback } from './callbackQueue.ts';
import { createClassicGp } from './classic.ts';
import { tasksConstants } from './constants.ts';
import { TasksFlavor } from './flavor.ts';
import { type CreateGp, TasksKthread } from './kthread.ts';
import { RudeGp } from './rude.ts';
import { TaskList } from './taskList.ts';
import { createTraceGp, TraceOps } from './trace.ts';
import { UserTicks } from './userTicks.ts';

/** Name of the SRCU domain whose readers are tasks that exit, before 6.9. */
const EXIT_DOMAIN = 'tasks_rcu_exit_srcu';
/** "domain" of updaters and readers, by flavour. */
const DOMAINS = ['tasks', 'tasks-rude', 'tasks-trace'] as const;

/** What RCU Tasks needs of a run beside Tree RCU. */
export interface TasksWorld {
  domain(name: string): Domain;
  nextCallbackId(): number;
}

/** One barrier at a time (rcu_barrier_tasks_generic()). */
export interface TasksBarrier {
  /** barrier_q_seq: odd while one is under way. */
  seq: number;
  /** Who waits for the mutex. */
  readonly waiters: (() => void)[];
}

function usesFlavor(actor: Actor, flavor: number): boolean {
  if (actor.kind === 'updater') return domainOfApi(actor.api) === DOMAINS[flavor];
  return actor.kind === 'reader' && actor.domain === DOMAINS[flavor];
}

/** The list of tasks, to be made before any task, where a run has RCU Tasks. */
export function createTaskList(sim: Sim): TaskList | undefined {
  if (!usesTasks(sim.config.actors)) return undefined;
  const list = new TaskList(sim);
  sim.tasks = list;
  return list;
}

/** First CPU that is not nohz_full: kthreads stay off those. */
function housekeepingCpu(config: SimConfig): number {
  const nohzFull = nohzFullCpus(config);
  for (let cpu = 0; cpu < config.cpus; cpu++) if (!nohzFull.includes(cpu)) return cpu;
  return 0;
}

/** State and parts. */
export class TasksRcu {
  readonly list: TaskList;
  readonly #sim: Sim;
  readonly #world: TasksWorld;
  readonly #exitDomain: Domain | undefined;
  readonly #kthreads: (TasksKthread | undefined)[] = [];
  readonly #barriers: TasksBarrier[] = DOMAINS.map(() => ({ seq: 0, waiters: [] }));
  #trace: TraceOps | undefined;

  constructor(rcu: TreeRcu, list: TaskList, host: TimerHost, workqueue: Workqueue, world: TasksWorld) {
    const { sim } = rcu;
    const { config } = sim;
    this.#sim = sim;
    this.list = list;
    this.#world = world;
    const needsExitDomain =
      sim.rules['tasks.exit'] === 'srcu' &&
      config.actors.some((actor) => actor.kind === 'exiter' || usesFlavor(actor, TASKS_FLAVOR.classic));
    this.#exitDomain = needsExitDomain ? world.domain(EXIT_DOMAIN) : undefined;
    const cpu = housekeepingCpu(config);
    const add = (
      flavorCode: number,
      createGp: (flavor: TasksFlavor, kthread: Task) => ReturnType<CreateGp>,
    ) => {
      if (!config.actors.some((actor) => usesFlavor(actor, flavorCode))) return;
      const flavor = new TasksFlavor(sim, flavorCode, tasksConstants(config, sim.rules, flavorCode));
      this.#kthreads[flavorCode] = new TasksKthread(rcu, host, flavor, cpu, (kthread) =>
        createGp(flavor, kthread),
      );
    };
    add(TASKS_FLAVOR.classic, (flavor, kthread) => {
      if (host.tickState === undefined) throw new Error('RCU Tasks needs ticks');
      const ticks = new UserTicks(rcu, host.tickState, list);
      const exit = this.#exitDomain && {
        domain: this.#exitDomain,
        nextCallbackId: () => world.nextCallbackId(),
      };
      return createClassicGp(rcu, host, flavor, kthread, list, ticks, exit);
    });
    add(TASKS_FLAVOR.rude, (flavor, kthread) => new RudeGp(flavor, rcu.executor, workqueue, kthread));
    add(TASKS_FLAVOR.trace, (flavor, kthread) => {
      this.#trace = new TraceOps(rcu, flavor, kthread, list);
      return createTraceGp(rcu, host, flavor, kthread, this.#trace);
    });
    const classic = this.#kthreads[TASKS_FLAVOR.classic];
    if (classic !== undefined && sim.rules['tasks.lazy'] === 'lazy')
      classic.queue.urgentGp = config.initial.tasksUrgent ?? 0;
  }

  /** The kthread of a flavour that an actor uses. */
  kthread(flavor: number): TasksKthread {
    const kthread = this.#kthreads[flavor];
    if (kthread === undefined) throw new Error(`this run has no RCU Tasks flavour ${flavor}`);
    return kthread;
  }

  barrier(flavor: number): TasksBarrier {
    return this.#barriers[flavor] as TasksBarrier;
  }

  /** call_rcu_tasks_generic() by a task; true: it armed the lazy timer, or woke the kthread. */
  call(flavor: number, task: Task, kind: number, invoke: () => void): boolean {
    return this.kthread(flavor).queue.enqueue(this.#callback(kind, invoke), task.track, task.cpu);
  }

  /** A barrier's callback behind all others; false if there are none. */
  entrain(flavor: number, task: Task, invoke: () => void): boolean {
    return this.kthread(flavor).queue.entrain(this.#callback(CALLBACK.barrier, invoke), task.track);
  }

  #callback(kind: number, invoke: () => void): TasksCallback {
    return { id: this.#world.nextCallbackId(), kind, queuedNs: this.#sim.nowNs, invoke };
  }

  /** rcu_read_lock_trace(). */
  lockTrace(task: Task): void {
    this.list.record(task).traceNesting++;
    this.#sim.emit(KIND.rcu_read_lock_trace, task.track, task.cpu);
  }

  /** rcu_read_unlock_trace(). */
  unlockTrace(task: Task): void {
    const record = this.list.record(task);
    record.traceNesting--;
    this.#sim.emit(KIND.rcu_read_unlock_trace, task.track, task.cpu);
    record.isTraceBlocked = false;
    this.#trace?.unlocked(record);
  }

  /** exit_tasks_rcu_start(), and off the task list; returns the index on which it counts in the SRCU domain, -1: none. */
  exitStart(task: Task): number {
    const record = this.list.record(task);
    const domain = this.#exitDomain;
    this.#traceExit(task, TASKS_EXIT.start);
    record.isListed = false;
    if (domain === undefined) {
      record.exitCpu = task.cpu;
      return -1;
    }
    const idx = domain.srcuIdx % 2;
    domain.lock(task.track, task.cpu, idx, false);
    return idx;
  }

  /** exit_tasks_rcu_finish(). */
  exitFinish(task: Task, idx: number): void {
    this.#traceExit(task, TASKS_EXIT.finish);
    this.list.record(task).exitCpu = -1;
    if (idx >= 0) this.#exitDomain?.unlock(task.track, task.cpu, idx, false);
  }

  /** Its last schedule: from now on the thread stands for the next task. */
  exitGone(task: Task): void {
    this.#traceExit(task, TASKS_EXIT.gone);
    this.list.record(task).isListed = true;
  }

  #traceExit(task: Task, what: number): void {
    this.#sim.emit(KIND.rcu_tasks_exit, task.track, what, task.cpu, this.#exitDomain === undefined ? 1 : 0);
  }
}
