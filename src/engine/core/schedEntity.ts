/** What executors and scheduling policies keep of a task (struct sched_entity). */
import type { SlotTarget } from './queue.ts';
import type { Task } from './task.ts';

/** What a step asked for. */
export const ASK = { nothing: 0, work: 1, spin: 2, sleep: 3, block: 4, exit: 5 } as const;

/** Load weight of nice 0; virtual time runs at the clock's speed for it. */
export const NICE_0_WEIGHT = 1024;
/** Load weights of nice -20 to 19 (sched_prio_to_weight). */
const WEIGHTS = [
  88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121,
  2501, 1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23,
  18, 15,
] as const;

/** The load weight of a nice value, -20 to 19. */
export function niceWeight(nice: number): number {
  return WEIGHTS[nice + 20] as number;
}

/** The part of an executor that the slots of tasks need. */
export interface TaskRunner {
  /** The slot of a task fired: its segment is over, or its hrtimer expired. */
  run(se: SchedEntity): void;
}

/**
 * An object of its own: tasks are of many classes, and code that reads fields of more than four takes a multiple of the
 * time that it takes with one.
 */
export class SchedEntity implements SlotTarget {
  readonly task: Task;
  /** Its executor; set by Executor.add(). */
  runner: TaskRunner | undefined;
  readonly track: number;
  /** Its CPU; changes only while it is not running, and only if the task is not pinned. */
  cpu: number;
  /** Its slot in the event queue: end of the present segment, or of a sleep. */
  slot = -1;
  /** Slot for a further round of the same instant, for tasks that act before threads (OwnCpus). */
  lateSlot = -1;
  /** Task.beginsAtOnce. */
  beginsAtOnce = false;
  /**
   * Set by an executor under which nobody can come between a step that takes no time and the next one: the task may
   * take the next one by itself.
   */
  goesOnAtOnce = false;
  /** Its place among those who act at equal times, as given to Executor.add(). */
  priority = 0;
  /** Row that its next step follows from. */
  cause = -1;
  /** True while it neither runs nor waits for a CPU. */
  blocked = true;
  /** ASK: what its last step asked for. */
  ask: number = ASK.nothing;
  /** work: CPU time still owed to the segment; spin, sleep: the time at which it ends. NaN: nothing was asked for yet. */
  askNs = Number.NaN;
  /** When the segment (again) got the CPU. */
  segmentStartNs = 0;
  /** Its last step ended at a cond_resched() or at the end of a work item. */
  yields = false;
  /** The segment has a cond_resched() between any two of its parts: others may have the CPU at once on every kernel. */
  yieldsThroughout = false;
  /** SCHED_FIFO: takes the CPU from everybody who is not, as soon as the kernel may switch there. */
  isRealTime = false;
  /** Load weight of its nice value (sched_prio_to_weight). */
  weight: number = NICE_0_WEIGHT;

  /** Virtual time in ns of CPU (spec srcu 8.6 S1), as of `updatedNs`. */
  v = 0;
  updatedNs = 0;
  /** CFS: when it was picked, for the run time since then. */
  pickedNs = 0;
  /** EEVDF: deadline, lag while it sleeps, protected until v reaches the deadline, delayed dequeue. */
  deadline = 0;
  lag = 0;
  isProtected = false;
  delayed = false;

  constructor(task: Task, track: number, cpu: number) {
    this.task = task;
    this.track = track;
    this.cpu = cpu;
  }

  /** Its slot's time has come. */
  fire(): void {
    this.runner?.run(this);
  }

  /** When the segment (work or spin) is over, if the task keeps the CPU that it has. */
  get segmentEndNs(): number {
    const { segmentStartNs, askNs } = this;
    return this.ask === ASK.spin ? Math.max(segmentStartNs, askNs) : segmentStartNs + askNs;
  }
}
