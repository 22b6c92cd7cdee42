/** Classic RCU Tasks: whom a grace period waits for (spec tasks 3, 4.2). */
import { KIND, TASKS_FLAVOR, TASKS_HOLDOUT, TASKS_WHY } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import type { TimerHost } from '../core/timers.ts';
import type { Domain } from '../srcu/domain.ts';
import { SynchronizeSrcu } from '../srcu/synchronizeSrcu.ts';
import { createSynchronizeRcu, type SyncSteps } from '../tree/synchronizeRcu.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import { Backoff } from './backoff.ts';
import { ExitWait } from './exitWait.ts';
import type { TasksFlavor } from './flavor.ts';
import { createHoldoutSleep } from './sleep.ts';
import { isHoldout, isRunnable, isRunning, type TaskList, type TaskRecord } from './taskList.ts';
import type { UserTicks } from './userTicks.ts';
import { NO_WAIT, WaitGp, type WaitOps } from './waitGp.ts';

/** What tasks that exit are waited for with. */
export interface ExitSrcu {
  readonly domain: Domain;
  nextCallbackId(): number;
}

/** The list of holdouts, and what scans do to it. */
export class ClassicOps implements WaitOps {
  readonly #rcu: TreeRcu;
  readonly #flavor: TasksFlavor;
  readonly #kthread: Task;
  readonly #list: TaskList;
  readonly #userTicks: UserTicks;
  readonly pre: SyncSteps;
  readonly postScan: SyncSteps;
  readonly post: SyncSteps;
  #holdouts: TaskRecord[] = [];

  constructor(
    rcu: TreeRcu,
    flavor: TasksFlavor,
    kthread: Task,
    list: TaskList,
    userTicks: UserTicks,
    postScan: SyncSteps,
  ) {
    this.#rcu = rcu;
    this.#flavor = flavor;
    this.#kthread = kthread;
    this.#list = list;
    this.#userTicks = userTicks;
    this.pre = createSynchronizeRcu(rcu, kthread);
    this.post = createSynchronizeRcu(rcu, kthread);
    this.postScan = postScan === NO_WAIT ? { begin: () => this.#addExiting(), step: () => false } : postScan;
  }

  get holdouts(): number {
    return this.#holdouts.length;
  }

  scanTasks(): number {
    const { machine } = this.#rcu.sim;
    let ns = 0;
    for (const record of this.#list.all) {
      if (record.isListed) this.#addIfHoldout(record);
      ns += machine.tasksScanTaskNs;
    }
    this.#userTicks.watch(this.#holdouts);
    return ns;
  }

  /** rcu_tasks_pertask(). */
  #addIfHoldout(record: TaskRecord): void {
    if (!isHoldout(record, this.#kthread)) return;
    record.snapshot = record.nvcsw;
    record.isFlagged = true;
    this.#holdouts.push(record);
    this.#trace(record, TASKS_HOLDOUT.added, record.nvcsw);
  }

  /** Step 4 from 6.9 on: who is on an exit list and not on the list of holdouts yet. */
  #addExiting(): void {
    for (const record of this.#list.all)
      if (record.exitCpu >= 0 && !this.#holdouts.includes(record)) this.#addIfHoldout(record);
    this.#userTicks.watch(this.#holdouts);
  }

  scanHoldouts(mustReport: boolean): number {
    const { machine } = this.#rcu.sim;
    let ns = 0;
    this.#holdouts = this.#holdouts.filter((record) => {
      ns += machine.tasksScanTaskNs;
      return this.#staysHoldout(record, mustReport);
    });
    this.#userTicks.watch(this.#holdouts);
    return ns;
  }

  /** check_holdout_task(). */
  #staysHoldout(record: TaskRecord, mustReport: boolean): boolean {
    const why = this.#whyReleased(record);
    if (why !== undefined) {
      record.isFlagged = false;
      this.#trace(record, TASKS_HOLDOUT.removed, why);
      return false;
    }
    const rcu = this.#rcu;
    const { task } = record;
    // rcu_request_urgent_qs_task()
    if (isRunning(rcu.executor, record)) rcu.ticks.requestUrgent(rcu.data(task.cpu));
    if (mustReport) this.#flavor.traceHoldoutStall(task.track, record.snapshot, record.nvcsw);
    return true;
  }

  /** TASKS_WHY, or undefined while it is a holdout. */
  #whyReleased(record: TaskRecord): number | undefined {
    const rcu = this.#rcu;
    const { task, clearedBy } = record;
    if (!isRunnable(record)) return TASKS_WHY.notRunnable;
    if (!record.isFlagged) return clearedBy;
    if (record.snapshot !== record.nvcsw) return TASKS_WHY.voluntarySwitch;
    const isAway = task.userMode && isRunning(rcu.executor, record) && rcu.data(task.cpu).isNohzFull;
    return isAway ? TASKS_WHY.nohzFull : undefined;
  }

  #trace({ task }: TaskRecord, what: number, c: number): void {
    const { sim } = this.#flavor;
    const { cause } = sim;
    sim.emit(KIND.rcu_tasks_holdout, task.track, what, TASKS_FLAVOR.classic, c, task.cpu);
    sim.cause = cause;
  }
}

/** The grace periods of the classic flavour. `exit`: the SRCU domain, before 6.9. */
export function createClassicGp(
  rcu: TreeRcu,
  host: TimerHost,
  flavor: TasksFlavor,
  kthread: Task,
  list: TaskList,
  userTicks: UserTicks,
  exit: ExitSrcu | undefined,
): SyncSteps {
  const { sim, executor } = rcu;
  const exitWait =
    exit === undefined
      ? NO_WAIT
      : new ExitWait(
          flavor,
          host,
          kthread,
          new SynchronizeSrcu(exit.domain, executor, kthread, () => exit.nextCallbackId()),
        );
  const ops = new ClassicOps(rcu, flavor, kthread, list, userTicks, exitWait);
  const backoff = new Backoff(sim.rules['tasks.backoff'], sim.config.hz, flavor.constants.initFract);
  return new WaitGp(flavor, kthread, ops, backoff, createHoldoutSleep(rcu, host, kthread));
}
