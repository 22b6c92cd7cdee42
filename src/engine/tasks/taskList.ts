/** The tasks of a run as RCU Tasks sees them (spec tasks 2.1): task_struct with its fields for it. */
import { KIND, TASKS_FLAVOR, TASKS_HOLDOUT, TASKS_WHY } from '../core/eventKinds.ts';
import { ASK } from '../core/schedEntity.ts';
import type { Sim, TasksHooks } from '../core/sim.ts';
import type { Executor, Task } from '../core/task.ts';

/** One task. */
export interface TaskRecord {
  readonly task: Task;
  /** Voluntary context switches. */
  nvcsw: number;
  /** On the task list: not while it exits. */
  isListed: boolean;
  /** CPU on whose rtp_exit_list it is, -1. */
  exitCpu: number;
  /** rcu_tasks_holdout: flagged by a scan of the task list, nothing has cleared it since. */
  isFlagged: boolean;
  /** TASKS_WHY that cleared it last. */
  clearedBy: number;
  /** rcu_tasks_nvcsw. */
  snapshot: number;
  /** Nesting of rcu_read_lock_trace(). */
  traceNesting: number;
  /** It was switched out inside such a section: it is on a list of blocked ones. */
  isTraceBlocked: boolean;
}

/** Records of all tasks in the order in which they were made. */
export class TaskList implements TasksHooks {
  readonly #sim: Sim;
  readonly #records = new Map<Task, TaskRecord>();

  constructor(sim: Sim) {
    this.#sim = sim;
  }

  add(task: Task): void {
    this.#records.set(task, {
      task,
      nvcsw: 0,
      isListed: true,
      exitCpu: -1,
      isFlagged: false,
      clearedBy: TASKS_WHY.voluntarySwitch,
      snapshot: 0,
      traceNesting: 0,
      isTraceBlocked: false,
    });
  }

  /** All of them. */
  get all(): Iterable<TaskRecord> {
    return this.#records.values();
  }

  /** The record of a task that an executor knows. */
  record(task: Task): TaskRecord {
    const record = this.#records.get(task);
    if (record === undefined) throw new Error('RCU Tasks: a task that no executor knows');
    return record;
  }

  /** rcu_tasks_qs(): classic takes a voluntary switch for a quiescent state, Trace notes who is switched out in a section. */
  contextSwitch(task: Task, isVoluntary: boolean): void {
    const record = this.record(task);
    if (isVoluntary) {
      record.nvcsw++;
      this.clear(record, TASKS_WHY.voluntarySwitch);
    }
    if (record.traceNesting > 0) record.isTraceBlocked = true;
  }

  condResched(task: Task): void {
    if (task.notesTasksQs) this.clear(this.record(task), TASKS_WHY.condResched);
  }

  /** A quiescent state of a task: the next scan takes it off the list of holdouts. */
  clear(record: TaskRecord, why: number): void {
    if (!record.isFlagged) return;
    const { task } = record;
    record.isFlagged = false;
    record.clearedBy = why;
    const { cause } = this.#sim;
    this.#sim.emit(
      KIND.rcu_tasks_holdout,
      task.track,
      TASKS_HOLDOUT.released,
      TASKS_FLAVOR.classic,
      why,
      task.cpu,
    );
    this.#sim.cause = cause;
  }
}

/** on_rq: it has a CPU or waits for one. */
export function isRunnable({ task }: TaskRecord): boolean {
  return !task.blocked && task.ask < ASK.sleep;
}

/** rcu_tasks_is_holdout(), and not the kthread that asks. Idle tasks have no record. */
export function isHoldout(record: TaskRecord, kthread: Task): boolean {
  return record.task !== kthread && isRunnable(record);
}

/** task_curr(): it has its CPU. Where tasks do not share CPUs, whoever is runnable has one. */
export function isRunning(executor: Executor, record: TaskRecord): boolean {
  if (!executor.contended) return isRunnable(record);
  return executor.running(record.task.cpu) === record.task;
}
