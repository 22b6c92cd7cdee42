/** The Trace flavour: sections that may block, their nesting, and whom a grace period waits for (spec tasks 8). */
import { KIND, TASKS_FLAVOR, TASKS_HOLDOUT, TASKS_IPI, TASKS_WHY } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import type { Task } from '../core/task.ts';
import type { TimerHost } from '../core/timers.ts';
import { createSynchronizeRcu, type SyncSteps } from '../tree/synchronizeRcu.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import { Backoff } from './backoff.ts';
import type { TasksFlavor } from './flavor.ts';
import { createHoldoutSleep } from './sleep.ts';
import { isRunning, type TaskList, type TaskRecord } from './taskList.ts';
import { NO_WAIT, WaitGp, type WaitOps } from './waitGp.ts';

/** trc_reader_special.need_qs: not looked at, outside a section, inside one. */
const NEED_QS = { unknown: 0, checked: 1, atUnlock: 2 } as const;

/** A holdout: a task, or the idle task of a CPU. */
interface TraceHoldout {
  readonly record: TaskRecord | undefined;
  /** Of an idle task. */
  readonly cpu: number;
  needQs: number;
  /** TASKS_WHY that made it `checked`. */
  why: number;
  /** An interrupt for it is on its way. */
  hasIpi: boolean;
}

/** The list of holdouts, and what readers, scans and interrupts do to it. */
export class TraceOps implements WaitOps {
  readonly #rcu: TreeRcu;
  readonly #flavor: TasksFlavor;
  readonly #kthread: Task;
  readonly #list: TaskList;
  readonly #readsWithBarriers: boolean;
  readonly postScan: SyncSteps;
  readonly scanTasks = () => 0;
  readonly post = NO_WAIT;
  readonly pre: SyncSteps = { begin: () => this.#fill(), step: () => false };
  #holdouts: TraceHoldout[] = [];
  /** By CPU: the interrupt, and for whom it is. */
  readonly #ipiSlots = new Map<number, number>();
  readonly #ipiFor = new Map<number, TraceHoldout>();
  readonly #ipiCause = new Map<number, number>();

  constructor(rcu: TreeRcu, flavor: TasksFlavor, kthread: Task, list: TaskList) {
    this.#rcu = rcu;
    this.#flavor = flavor;
    this.#kthread = kthread;
    this.#list = list;
    this.#readsWithBarriers = rcu.sim.config.kconfig.TASKS_TRACE_RCU_READ_MB === true;
    this.postScan = createSynchronizeRcu(rcu, kthread);
  }

  get holdouts(): number {
    return this.#holdouts.length;
  }

  /** rcu_tasks_trace_pregp_step(): who runs on each CPU, then who is switched out inside a section. */
  #fill(): void {
    const { sim, executor } = this.#rcu;
    const running = Array.from({ length: sim.config.cpus }, (): TaskRecord[] => []);
    for (const record of this.#list.all)
      if (isRunning(executor, record)) running[record.task.cpu]?.push(record);
    for (const [cpu, records] of running.entries()) {
      if (records.length === 0) this.#add(undefined, cpu);
      for (const record of records) this.#add(record, cpu);
    }
    for (const record of this.#list.all) {
      if (!record.isTraceBlocked || this.#find(record) !== undefined) continue;
      this.#add(record, record.task.cpu);
      this.#look(this.#find(record) as TraceHoldout);
    }
  }

  #add(record: TaskRecord | undefined, cpu: number): void {
    if (record?.task === this.#kthread) return;
    this.#holdouts.push({ record, cpu, needQs: NEED_QS.unknown, why: TASKS_WHY.notRunning, hasIpi: false });
    this.#trace(record, TASKS_HOLDOUT.added, record?.nvcsw ?? 0, cpu);
  }

  #find(record: TaskRecord): TraceHoldout | undefined {
    return this.#holdouts.find((holdout) => holdout.record === record);
  }

  /** check_all_holdout_tasks_trace(). */
  scanHoldouts(mustReport: boolean): number {
    const { machine } = this.#rcu.sim;
    let ns = 0;
    this.#holdouts = this.#holdouts.filter((holdout) => {
      ns += machine.tasksScanTaskNs;
      if (!holdout.hasIpi && holdout.needQs === NEED_QS.unknown) ns += this.#look(holdout);
      const { record, cpu, needQs, why } = holdout;
      if (needQs !== NEED_QS.checked || holdout.hasIpi) {
        if (mustReport) this.#report(record, cpu);
        return true;
      }
      this.#trace(record, TASKS_HOLDOUT.removed, why, record?.task.cpu ?? cpu);
      return false;
    });
    return ns;
  }

  /** trc_wait_for_one_reader(); returns what it takes, ns. */
  #look(holdout: TraceHoldout): number {
    const { record, cpu } = holdout;
    const onCpu = record?.task.cpu ?? cpu;
    if (!this.#runs(record, onCpu)) {
      this.#check(holdout, record?.traceNesting ?? 0, TASKS_WHY.notRunning);
      return 0;
    }
    const { ticks } = this.#rcu;
    if (this.#readsWithBarriers) {
      const isOutside = (record?.traceNesting ?? 0) === 0;
      if (isOutside && ticks.isInEqs(this.#rcu.data(onCpu))) this.#check(holdout, 0, TASKS_WHY.watchingZero);
      if (holdout.needQs === NEED_QS.checked) return 0;
    }
    const { sim, constants, gpStart } = this.#flavor;
    const mayInterrupt = sim.jiffies + 1 > gpStart + constants.ipiDelay;
    return mayInterrupt && !this.#ipiFor.has(onCpu) ? this.#sendIpi(holdout, onCpu) : 0;
  }

  /** task_curr(). */
  #runs(record: TaskRecord | undefined, cpu: number): boolean {
    const { executor } = this.#rcu;
    return record === undefined ? executor.running(cpu) === null : isRunning(executor, record);
  }

  #check(holdout: TraceHoldout, nesting: number, why: number): void {
    holdout.needQs = nesting === 0 ? NEED_QS.checked : NEED_QS.atUnlock;
    holdout.why = why;
  }

  #sendIpi(holdout: TraceHoldout, cpu: number): number {
    const { sim } = this.#rcu;
    const { expIpiNs } = sim.machine;
    holdout.hasIpi = true;
    this.#ipiFor.set(cpu, holdout);
    const { cause } = sim;
    this.#ipiCause.set(cpu, sim.emit(KIND.rcu_tasks_ipi, cpu, TASKS_IPI.sent, this.#trackOf(holdout)));
    sim.cause = cause;
    let slot = this.#ipiSlots.get(cpu);
    if (slot === undefined) {
      slot = sim.queue.allocate(PRIORITY.interrupt + cpu, () => this.#handle(cpu));
      this.#ipiSlots.set(cpu, slot);
    }
    sim.queue.schedule(slot, sim.nowNs + expIpiNs);
    return expIpiNs;
  }

  /** trc_read_check_handler() on a CPU. */
  #handle(cpu: number): void {
    const { sim, executor } = this.#rcu;
    const holdout = this.#ipiFor.get(cpu);
    if (holdout === undefined) return;
    this.#ipiFor.delete(cpu);
    holdout.hasIpi = false;
    sim.cause = this.#ipiCause.get(cpu) ?? -1;
    const nesting = holdout.record?.traceNesting ?? 0;
    const isThere = this.#runs(holdout.record, cpu);
    const found = nesting === 0 ? TASKS_IPI.quiescent : TASKS_IPI.inSection;
    sim.emit(KIND.rcu_tasks_ipi, cpu, isThere ? found : TASKS_IPI.otherTask, this.#trackOf(holdout));
    executor.steal(cpu, sim.machine.expIpiHandlerNs);
    if (!isThere) return;
    this.#check(holdout, nesting, TASKS_WHY.ipi);
    if (nesting === 0) this.#trace(holdout.record, TASKS_HOLDOUT.released, TASKS_WHY.ipi, cpu);
  }

  /** rcu_read_unlock_trace(), outermost. */
  unlocked(record: TaskRecord): void {
    const holdout = this.#find(record);
    if (holdout?.needQs !== NEED_QS.atUnlock) return;
    this.#check(holdout, 0, TASKS_WHY.unlock);
    this.#trace(record, TASKS_HOLDOUT.released, TASKS_WHY.unlock, record.task.cpu);
  }

  #report(record: TaskRecord | undefined, cpu: number): void {
    this.#flavor.traceHoldoutStall(record?.task.track ?? cpu, 0, 0);
  }

  #trackOf({ record, cpu }: TraceHoldout): number {
    return record?.task.track ?? cpu;
  }

  #trace(record: TaskRecord | undefined, what: number, c: number, cpu: number): void {
    const { sim } = this.#rcu;
    const { cause } = sim;
    const track = record?.task.track ?? cpu;
    sim.emit(KIND.rcu_tasks_holdout, track, what, TASKS_FLAVOR.trace, c, cpu);
    sim.cause = cause;
  }
}

/** The grace periods of the Trace flavour. */
export function createTraceGp(
  rcu: TreeRcu,
  host: TimerHost,
  flavor: TasksFlavor,
  kthread: Task,
  ops: TraceOps,
): SyncSteps {
  const { hz } = rcu.sim.config;
  const backoff = new Backoff('jiffies', hz, flavor.constants.initFract);
  return new WaitGp(flavor, kthread, ops, backoff, createHoldoutSleep(rcu, host, kthread));
}
