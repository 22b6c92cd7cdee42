/** Scheduling-clock ticks that hit holdouts in user mode (spec tasks 4.2). Simulated while there is such a holdout. */
import { TASKS_WHY } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import type { TickState } from '../core/tickState.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import { isRunning, type TaskList, type TaskRecord } from './taskList.ts';

/** rcu_sched_clock_irq() for those who are in user mode. */
export class UserTicks {
  readonly #rcu: TreeRcu;
  readonly #tickState: TickState;
  readonly #list: TaskList;
  readonly #edgeSlot: number;
  /** By CPU: its handler comes to RCU. */
  readonly #slots = new Map<number, number>();
  /** Holdouts in user mode. */
  #watched: TaskRecord[] = [];
  #cause = -1;

  constructor(rcu: TreeRcu, tickState: TickState, list: TaskList) {
    this.#rcu = rcu;
    this.#tickState = tickState;
    this.#list = list;
    this.#edgeSlot = rcu.sim.queue.allocate(PRIORITY.rcuTick, () => this.#edge());
  }

  /** A scan has found these holdouts. */
  watch(holdouts: Iterable<TaskRecord>): void {
    this.#watched = [...holdouts].filter(({ task }) => task.userMode);
    this.#cause = this.#rcu.sim.cause;
    this.#wait();
  }

  #wait(): void {
    const { queue, ticks, nowNs } = this.#rcu.sim;
    this.#watched = this.#watched.filter(({ isFlagged }) => isFlagged);
    if (this.#watched.length > 0) queue.schedule(this.#edgeSlot, ticks.nextTickNs(nowNs));
    else queue.cancel(this.#edgeSlot);
  }

  #edge(): void {
    const { queue, ticks, nowNs } = this.#rcu.sim;
    const tick = ticks.numberAt(nowNs);
    const cpus = new Set(this.#watched.map(({ task }) => task.cpu));
    for (const cpu of cpus) {
      if (!this.#tickState.isTicking(cpu) || this.#rcu.data(cpu).isNohzFull) continue;
      queue.schedule(this.#slotOf(cpu), nowNs + this.#tickState.tickToWorkNs(cpu, tick));
    }
    this.#wait();
  }

  #slotOf(cpu: number): number {
    let slot = this.#slots.get(cpu);
    if (slot === undefined) {
      slot = this.#rcu.sim.queue.allocate(PRIORITY.rcuTick + cpu, () => this.#handler(cpu));
      this.#slots.set(cpu, slot);
    }
    return slot;
  }

  #handler(cpu: number): void {
    const { sim, executor } = this.#rcu;
    for (const record of this.#watched) {
      if (record.task.cpu !== cpu || !isRunning(executor, record)) continue;
      sim.cause = this.#cause;
      this.#list.clear(record, TASKS_WHY.userTick);
    }
  }
}
