/**
 * Something that runs on a CPU: a thread of an actor or a worker. It is a machine of steps: an executor gives it the
 * CPU time or the waiting that a step asked for, then calls the next step. A step ends by asking for exactly one thing.
 */

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

/** A thread or worker. Scheduler fields belong to the scheduling policy. */
export abstract class Task {
  readonly track: number;
  /** Its CPU; changes only while it is not running, and only if it is not pinned. */
  cpu: number;
  /** Its slot in the event queue: end of the present segment, or of a sleep. */
  slot = -1;
  /** Its place among those who act at equal times, as given to Executor.add(). */
  priority = 0;
  /** Slot for a further round of the same instant, for tasks that act before threads (OwnCpus). */
  lateSlot = -1;
  /** Row that its next step follows from. */
  cause = -1;
  /** True while it neither runs nor waits for a CPU. */
  blocked = true;
  /** Preemptible on every kernel: it runs in user mode. */
  userMode = false;

  ask: number = ASK.nothing;
  /** work: CPU time still owed to the segment; spin, sleep: the time at which it ends. NaN: nothing was asked for yet. */
  askNs = Number.NaN;
  /** When the segment (again) got the CPU. */
  segmentStartNs = 0;
  /** rcu_read_lock() nesting. */
  rcuNesting = 0;
  /** Its wake-ups cost the steps of tree 11.2, not the totals of srcu 11.1. */
  readonly bySteps: boolean = false;
  /** Stays on its CPU. Others are placed at each wake-up (tree R2.27). */
  readonly isPinned: boolean = true;
  /** Its first step after a wake-up only asks for CPU time: it can be done in the waker's event. */
  readonly beginsAtOnce: boolean = false;
  /** Between local_bh_disable() and local_bh_enable(): not preemptible, and a tick notes no quiescent state (tree R2.18). */
  readonly bhDisabled: boolean = false;
  /** Its cond_resched() is cond_resched_tasks_rcu_qs(): a quiescent state of RCU Tasks (spec tasks 4.2). */
  readonly notesTasksQs: boolean = false;
  /** SCHED_FIFO: takes the CPU from everybody who is not, as soon as the kernel may switch there. */
  readonly isRealTime: boolean = false;
  /**
   * Set by an executor under which nobody can come between a step that takes no time and the next one: the task may
   * take the next one by itself.
   */
  goesOnAtOnce = false;
  /** This step ends at a cond_resched() or at the end of a work item. */
  yields = false;
  /** The segment has a cond_resched() between any two of its parts: others may have the CPU at once on every kernel. */
  yieldsThroughout = false;
  /** Not pinned, and woken on any idle CPU if its own has something to run (workers of unbound workqueues, kvfree K13). */
  readonly seeksIdle: boolean = false;
  /** It runs with interrupts off for up to so long, ns: ticks arrive later where it runs (tree R2.16b). */
  readonly irqOffNs: number = 0;
  /** Load weight of its nice value (sched_prio_to_weight). */
  readonly weight: number = NICE_0_WEIGHT;

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

  constructor(track: number, cpu: number) {
    this.track = track;
    this.cpu = cpu;
  }

  /** The segment it asked for is over: do what comes next and ask for one thing. */
  abstract step(): void;

  /** The CPU is taken away (or its segment looked at) after `elapsedNs` of it: what is left of it. */
  interrupt(elapsedNs: number): void {
    if (this.ask === ASK.work) this.askNs -= elapsedNs;
  }

  /** When the segment (work or spin) is over, if the task keeps the CPU that it has. */
  get segmentEndNs(): number {
    const { segmentStartNs, askNs } = this;
    return this.ask === ASK.spin ? Math.max(segmentStartNs, askNs) : segmentStartNs + askNs;
  }

  /** Asks for CPU time. True if the task may go on (`mayGoOn`). */
  work(ns: number): boolean {
    this.ask = ASK.work;
    this.askNs = ns;
    return ns === 0 && this.goesOnAtOnce === true;
  }

  /** True if it may take the next step by itself: what it asked for takes no time, and nobody can come between. */
  protected get mayGoOn(): boolean {
    return this.ask === ASK.work && this.askNs === 0 && this.goesOnAtOnce === true && !this.yields;
  }

  /** Asks to spin on the clock until a time; off the CPU the clock goes on. */
  spinUntil(timeNs: number): void {
    this.ask = ASK.spin;
    this.askNs = timeNs;
  }

  /** Asks to sleep on an hrtimer until a time. */
  sleepUntil(timeNs: number): void {
    this.ask = ASK.sleep;
    this.askNs = timeNs;
  }

  /** Asks to sleep until somebody wakes it. */
  block(): void {
    this.ask = ASK.block;
  }

  /** Has nothing more to do. */
  exit(): void {
    this.ask = ASK.exit;
  }
}

/** Who gives tasks their CPU. */
export interface Executor {
  /** True if tasks share their CPUs. */
  readonly contended: boolean;
  /** Makes a task known. `priority` orders tasks at equal times. */
  add(task: Task, priority: number): void;
  /** A new thread becomes runnable now (spec srcu 8.6 S5). */
  start(task: Task): void;
  /** Makes a blocked task runnable; from code on CPU `fromCpu`, or from an interrupt there. */
  wake(task: Task, fromCpu: number, fromInterrupt: boolean): void;
  /** The rest of a running segment has changed: asks the task what is left (Task.interrupt) and goes on. */
  reconsider(task: Task): void;
  /** The task has its CPU now, and no softirq keeps it waiting. */
  isRunning(task: Task): boolean;
  /** CPU time that is left of the segment that the task asked for (work only), ns. */
  workLeftNs(task: Task): number;
  /** CPU time just used that does not count for the scheduler (spec srcu 11.2). */
  refund(task: Task, ns: number): void;
  /** Delay from a tick to the timer handlers on this CPU (spec srcu 11.1). */
  tickToTimersNs(cpu: number, tick: number): number;
  /** The task that has this CPU; a reader first where several share it without contention. null: idle, or on the way to or from it. */
  running(cpu: number): Task | null;
  /** Nothing runs here nor is about to. */
  isIdle(cpu: number): boolean;
  /** resched_cpu() from an interrupt: the CPU goes through __schedule() as soon as it may. */
  reschedule(cpu: number): void;
  /** A reschedule is due here (need_resched()). */
  needsResched(cpu: number): boolean;
  /** A softirq that lasts begins on this CPU: the task that runs here waits, and nobody is switched to. */
  beginSoftirq(cpu: number): void;
  /** It ends: switches that are due take place. */
  endSoftirq(cpu: number): void;
  /** An interrupt took so much from the task that runs here. */
  steal(cpu: number, ns: number): void;
}
