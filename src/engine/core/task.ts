/**
 * Something that runs on a CPU: a thread of an actor or a worker. It is a machine of steps: an executor gives it the
 * CPU time or the waiting that a step asked for, then calls the next step. A step ends by asking for exactly one thing.
 */

import { ASK, SchedEntity } from './schedEntity.ts';

/** A thread or worker. */
export abstract class Task {
  readonly track: number;
  /** What executor and scheduling policy keep of it. */
  readonly se: SchedEntity;
  /** Preemptible on every kernel: it runs in user mode. */
  userMode = false;
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
  /** Not pinned, and woken on any idle CPU if its own has something to run (workers of unbound workqueues, kvfree K13). */
  readonly seeksIdle: boolean = false;
  /** It runs with interrupts off for up to so long, ns: ticks arrive later where it runs (tree R2.16b). */
  readonly irqOffNs: number = 0;

  constructor(track: number, cpu: number) {
    this.track = track;
    this.se = new SchedEntity(this, track, cpu);
  }

  /** Its CPU. */
  get cpu(): number {
    return this.se.cpu;
  }

  /** True while it neither runs nor waits for a CPU. */
  get blocked(): boolean {
    return this.se.blocked;
  }

  /** ASK: what it asked for. */
  get ask(): number {
    return this.se.ask;
  }

  /** work: CPU time still owed to the segment; spin, sleep: the time at which it ends. */
  get askNs(): number {
    return this.se.askNs;
  }

  set askNs(ns: number) {
    this.se.askNs = ns;
  }

  /** This step ends at a cond_resched() or at the end of a work item. */
  get yields(): boolean {
    return this.se.yields;
  }

  set yields(yields: boolean) {
    this.se.yields = yields;
  }

  /** The segment it asked for is over: do what comes next and ask for one thing. */
  abstract step(): void;

  /** The CPU is taken away (or its segment looked at) after `elapsedNs` of it: what is left of it. */
  interrupt(elapsedNs: number): void {
    const { se } = this;
    if (se.ask === ASK.work) se.askNs -= elapsedNs;
  }

  /** Asks for CPU time. True if the task may go on (`mayGoOn`). */
  work(ns: number): boolean {
    const { se } = this;
    se.ask = ASK.work;
    se.askNs = ns;
    return ns === 0 && se.goesOnAtOnce === true;
  }

  /** True if it may take the next step by itself: what it asked for takes no time, and nobody can come between. */
  protected get mayGoOn(): boolean {
    const { ask, askNs, yields, goesOnAtOnce } = this.se;
    return ask === ASK.work && askNs === 0 && goesOnAtOnce === true && !yields;
  }

  /** Asks to spin on the clock until a time; off the CPU the clock goes on. */
  spinUntil(timeNs: number): void {
    this.se.ask = ASK.spin;
    this.se.askNs = timeNs;
  }

  /** Asks to sleep on an hrtimer until a time. */
  sleepUntil(timeNs: number): void {
    this.se.ask = ASK.sleep;
    this.se.askNs = timeNs;
  }

  /** Asks to sleep until somebody wakes it. */
  block(): void {
    this.se.ask = ASK.block;
  }

  /** Has nothing more to do. */
  exit(): void {
    this.se.ask = ASK.exit;
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
