/** One CPU as the scheduler and the tick see it. */
import type { SchedEntity } from './schedEntity.ts';

/** Run queue, idle state and tick of a CPU. */
export class Cpu {
  readonly id: number;
  /** Tasks on the run queue, the running one and delayed ones included. */
  readonly tasks: SchedEntity[] = [];
  current: SchedEntity | null = null;
  needResched = false;
  /** A softirq runs here: whoever has the CPU waits for its end, nobody is switched to. */
  inSoftirq = false;
  /** When it began, ns. */
  softirqFromNs = 0;
  /** A switch from idle waits for its end. */
  switchWaits = false;
  /** On the way out of idle: something was woken, it does not run yet. */
  leavingIdle = false;
  /** Slot: end of leaving idle, or a reschedule interrupt. */
  interruptSlot = -1;
  /** Row that the interrupt follows from. */
  interruptCause = -1;
  /** Slot: a tick on which something depends. */
  tickSlot = -1;
  tickRunning = false;
  /** Slot: an idle CPU may stop its tick, behind everything else that a tick does. */
  stopSlot = -1;
  /** Number of the tick since which idle or tick of this CPU changed last, and how both were at that tick. */
  changedSinceTick = -2;
  wasIdleAtTick = true;
  tickedAtTick = false;
  /** Since when the tick runs, ns: the first one comes later. */
  tickSinceNs = 0;
  /** An idle CPU has seen a tick since it went idle (tree R1.16). */
  sawIdleTick = false;
  /** Idle exits so far that no tick caused: their ordinal (tree R1.18). */
  idleExits = 0;
  /** Jiffies at which wheel timers armed here are due. */
  readonly timersDue: number[] = [];
  /** EEVDF: V of an empty queue. CFS: min_v. */
  queueV = 0;

  constructor(id: number) {
    this.id = id;
  }

  /** True if nothing runs here nor is about to. */
  get isIdle(): boolean {
    return this.current === null && !this.leavingIdle;
  }

  /** May whoever runs here lose the CPU at once: on a kernel that preempts in itself (`isFull`), or on any other? */
  isPreemptible(isFull: boolean): boolean {
    const { current } = this;
    if (this.inSoftirq) return false;
    if (isFull) return !(current?.task.bhDisabled ?? false);
    return current !== null && (current.yieldsThroughout || current.task.userMode);
  }

  /** Takes a task off the run queue. */
  remove(task: SchedEntity): void {
    const at = this.tasks.indexOf(task);
    if (at >= 0) this.tasks.splice(at, 1);
  }
}

/** A scheduling class: docs/model/srcu.md §8.6. All times in ns of CPU. */
export interface Policy {
  /** A new thread joins the queue (C3, E2). */
  placeNew(cpu: Cpu, task: SchedEntity, nowNs: number): void;
  /** A woken task joins the queue, or stops being delayed (C2, E2, E4). */
  placeWoken(cpu: Cpu, task: SchedEntity, nowNs: number): void;
  /** The running task goes to sleep (C4, E3). */
  sleep(cpu: Cpu, task: SchedEntity, nowNs: number): void;
  /** The running task's v up to now (S2, E6); sets needResched where the rule says so. */
  update(cpu: Cpu, nowNs: number): void;
  /** A tick (C5, E6). */
  tick(cpu: Cpu, nowNs: number): void;
  /** Does the woken task take the CPU (C2, E5)? */
  preempts(cpu: Cpu, woken: SchedEntity): boolean;
  /** Who runs next (C6, E5); null: nobody. */
  pick(cpu: Cpu): SchedEntity | null;
  /** The task has just been given the CPU. */
  picked(task: SchedEntity, nowNs: number): void;
}
