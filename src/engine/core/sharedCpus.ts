/**
 * The executor of all presets but `plain`: tasks share their CPUs under a scheduling policy, switches and wake-ups
 * cost what the machine says (spec srcu 8.6, 11.1).
 */

import { Cpu, type Policy } from './cpu.ts';
import { KIND } from './eventKinds.ts';
import { STEPS_AT_ONCE } from './ownCpus.ts';
import { placeUnpinned, pullUnpinned } from './placement.ts';
import { createPolicy } from './policy.ts';
import { PRIORITY, type Sim } from './sim.ts';
import { ASK, type Executor, type Task } from './task.ts';
import type { TickState } from './tickState.ts';
import { stepsToRunNs, totalToRunNs } from './wakeCosts.ts';

const PREVIOUS = { blocked: 0, preempted: 1, yielded: 2 } as const;

/** CPUs shared by the tasks that are bound to them. */
export class SharedCpus implements Executor {
  readonly contended = true;
  readonly cpus: Cpu[] = [];
  readonly #sim: Sim;
  readonly #policy: Policy;
  readonly #tickState: TickState;
  /** The task whose step is being executed: it is switched out after the step, not inside it. */
  #stepping: Task | null = null;
  /** The CPU that is in __schedule(): whoever is woken there now is seen when the next task is picked. */
  #scheduling: Cpu | null = null;

  constructor(sim: Sim, tickState: TickState) {
    this.#sim = sim;
    this.#policy = createPolicy(sim);
    this.#tickState = tickState;
    for (let id = 0; id < sim.config.cpus; id++) {
      const cpu = new Cpu(id);
      cpu.interruptSlot = sim.queue.allocate(PRIORITY.interrupt + id, () => this.#interrupt(cpu));
      cpu.tickSlot = sim.queue.allocate(PRIORITY.tick + id, () => this.#tick(cpu));
      this.cpus.push(cpu);
    }
    tickState.attach(this.cpus);
  }

  add(task: Task, priority: number): void {
    task.priority = priority;
    task.slot = this.#sim.queue.allocate(priority, () => this.#fire(task));
    this.#sim.tasks?.add(task);
  }

  start(task: Task): void {
    const cpu = this.#cpuOf(task);
    task.blocked = false;
    task.work(0);
    task.cause = this.#sim.emit(KIND.sched_waking, task.track, task.cpu);
    this.#policy.placeNew(cpu, task, this.#sim.nowNs);
    this.#afterWake(cpu, task, -1, false); // S5: as by another CPU
  }

  wake(task: Task, fromCpu: number, fromInterrupt: boolean): void {
    if (!task.blocked) return;
    if (!task.isPinned) placeUnpinned(this.cpus, task, fromCpu, this.#sim.machine.sharedLlc);
    const cpu = this.#cpuOf(task);
    task.blocked = false;
    task.work(0);
    task.cause = this.#sim.emit(KIND.sched_waking, task.track, task.cpu);
    // it is on the way to sleep in __schedule(), and stays
    if (cpu.current === task) return;
    this.#policy.placeWoken(cpu, task, this.#sim.nowNs);
    this.#afterWake(cpu, task, fromCpu, fromInterrupt);
  }

  reconsider(task: Task): void {
    const cpu = this.#cpuOf(task);
    // a softirq has looked at the segment when it began
    if (cpu.current !== task || this.#stepping === task || cpu.inSoftirq) return;
    this.#interruptSegment(task);
    task.segmentStartNs = Math.max(task.segmentStartNs, this.#sim.nowNs);
    this.#arm(task);
  }

  isRunning(task: Task): boolean {
    const cpu = this.#cpuOf(task);
    return cpu.current === task && !cpu.inSoftirq;
  }

  workLeftNs(task: Task): number {
    if (!this.isRunning(task)) return task.askNs;
    return task.askNs - Math.max(0, this.#sim.nowNs - task.segmentStartNs);
  }

  refund(task: Task, ns: number): void {
    this.#policy.update(this.#cpuOf(task), this.#sim.nowNs);
    task.v -= ns;
    task.pickedNs += ns;
  }

  tickToTimersNs(cpuId: number, tick: number): number {
    const { machine } = this.#sim;
    const cpu = this.cpus[cpuId] as Cpu;
    if (!cpu.isIdle) return machine.busyToTimersNs;
    return this.#sim.idleExitNs('tick-idle-exit', cpuId, tick) + machine.idleToTimersNs;
  }

  running(cpuId: number): Task | null {
    return (this.cpus[cpuId] as Cpu).current;
  }

  isIdle(cpuId: number): boolean {
    return (this.cpus[cpuId] as Cpu).isIdle;
  }

  needsResched(cpuId: number): boolean {
    const cpu = this.cpus[cpuId] as Cpu;
    return cpu.needResched || cpu.leavingIdle;
  }

  reschedule(cpuId: number): void {
    const cpu = this.cpus[cpuId] as Cpu;
    if (cpu.current === null) return;
    cpu.needResched = true;
    if (this.#preemptible(cpu) && this.#stepping !== cpu.current) this.#reschedule(cpu, PREVIOUS.preempted);
  }

  beginSoftirq(cpuId: number): void {
    const cpu = this.cpus[cpuId] as Cpu;
    if (cpu.current !== null) this.#pause(cpu.current);
    cpu.inSoftirq = true;
    cpu.softirqFromNs = this.#sim.nowNs;
  }

  /** Something takes the CPU from a task for a while: a burst that it is in goes on as a new segment. */
  #pause(task: Task): void {
    const { queue, nowNs } = this.#sim;
    this.#interruptSegment(task);
    task.segmentStartNs = Math.max(task.segmentStartNs, nowNs);
    queue.cancel(task.slot);
  }

  endSoftirq(cpuId: number): void {
    const { queue, nowNs, machine } = this.#sim;
    const cpu = this.cpus[cpuId] as Cpu;
    cpu.inSoftirq = false;
    if (cpu.switchWaits) {
      cpu.switchWaits = false;
      queue.schedule(cpu.interruptSlot, nowNs + machine.idleLoopExitNs + machine.switchNs);
    }
    const { current } = cpu;
    if (current === null) return;
    current.segmentStartNs += nowNs - cpu.softirqFromNs;
    if (cpu.needResched && this.#preemptible(cpu)) this.#reschedule(cpu, PREVIOUS.preempted);
    else this.#arm(current);
  }

  steal(cpuId: number, ns: number): void {
    const task = this.running(cpuId);
    if (task === null || ns === 0 || this.#stepping === task) return;
    if (task.blocked) return;
    this.#pause(task);
    task.segmentStartNs += ns;
    this.#arm(task);
  }

  #cpuOf(task: Task): Cpu {
    return this.cpus[task.cpu] as Cpu;
  }

  /** A tick finds others waiting on a busy CPU. */
  #pull(busy: Cpu): void {
    const pulled = pullUnpinned(this.cpus, busy);
    if (pulled === undefined) return;
    const { task, to } = pulled;
    this.#sim.cause = task.cause;
    this.#policy.placeWoken(to, task, this.#sim.nowNs);
    this.#afterWake(to, task, -1, false);
  }

  /** rcu_note_context_switch(). */
  #noteSwitch(cpu: Cpu, previous: Task | null): void {
    const { rcu, cause } = this.#sim;
    if (rcu === undefined) return;
    this.#scheduling = cpu;
    rcu.contextSwitch(cpu.id, previous);
    this.#scheduling = null;
    this.#sim.cause = cause;
  }

  /** Somebody joined the run queue: leave idle, preempt, or neither (S3, S4, C2, E5). */
  #afterWake(cpu: Cpu, task: Task, fromCpu: number, fromInterrupt: boolean): void {
    const sim = this.#sim;
    const { machine } = sim;
    if (cpu.isIdle) {
      const here = fromInterrupt && fromCpu === cpu.id;
      const exitNs = here ? 0 : sim.idleExitNs('idle-exit', cpu.id, cpu.idleExits++);
      sim.rcu?.exitIdle(cpu.id);
      cpu.leavingIdle = true;
      this.#tickState.leavesIdle(cpu);
      const ns = task.bySteps ? stepsToRunNs(machine, here) : totalToRunNs(machine, here);
      this.#scheduleInterrupt(cpu, exitNs + ns);
      return;
    }
    if (cpu.leavingIdle || cpu === this.#scheduling) return;
    this.#watchTicks(cpu);
    if (!cpu.needResched && this.#preempts(cpu, task)) cpu.needResched = true;
    if (!cpu.needResched) return;
    if (fromCpu !== cpu.id) {
      // another CPU learns of it when the interrupt arrives
      cpu.needResched = false;
      if (!sim.queue.isPending(cpu.interruptSlot)) this.#scheduleInterrupt(cpu, machine.ipiNs);
    } else if (this.#preemptible(cpu) && this.#stepping !== cpu.current)
      this.#reschedule(cpu, PREVIOUS.preempted);
  }

  #preemptible(cpu: Cpu): boolean {
    return cpu.isPreemptible(this.#sim.config.preempt === 'full');
  }

  /** SCHED_FIFO before the policy, which knows the others only. */
  #preempts(cpu: Cpu, woken: Task): boolean {
    if (cpu.current?.isRealTime) return false;
    return woken.isRealTime || this.#policy.preempts(cpu, woken);
  }

  #pick(cpu: Cpu): Task | null {
    return cpu.tasks.find((task) => task.isRealTime && !task.delayed) ?? this.#policy.pick(cpu);
  }

  /** A tick matters while others are queued (C5, E6). */
  #watchTicks(cpu: Cpu): void {
    const { queue, ticks, nowNs } = this.#sim;
    if (cpu.tasks.length > 1 && !queue.isPending(cpu.tickSlot))
      queue.schedule(cpu.tickSlot, ticks.nextTickNs(nowNs));
  }

  #tick(cpu: Cpu): void {
    const sim = this.#sim;
    if (cpu.isIdle) {
      this.#tickState.idleTick(cpu);
      return;
    }
    if (cpu.current === null) return;
    this.#policy.tick(cpu, sim.nowNs);
    if (cpu.tasks.length > 1) this.#pull(cpu);
    if (cpu.needResched && this.#preemptible(cpu)) {
      sim.cause = cpu.current.cause;
      sim.emit(KIND.tick, cpu.id, sim.jiffies);
      this.#reschedule(cpu, PREVIOUS.preempted);
    }
    this.#watchTicks(cpu);
  }

  #scheduleInterrupt(cpu: Cpu, delayNs: number): void {
    cpu.interruptCause = this.#sim.cause;
    this.#sim.queue.schedule(cpu.interruptSlot, this.#sim.nowNs + delayNs);
  }

  /** The end of leaving idle, or a reschedule interrupt from another CPU. */
  #interrupt(cpu: Cpu): void {
    this.#sim.cause = cpu.interruptCause;
    if (cpu.leavingIdle && cpu.inSoftirq) cpu.switchWaits = true;
    else if (cpu.leavingIdle) {
      this.#noteSwitch(cpu, null);
      cpu.leavingIdle = false;
      this.#switchTo(cpu, this.#pick(cpu), PREVIOUS.blocked, 0);
      this.#watchTicks(cpu);
    } else if (cpu.current !== null) {
      cpu.needResched = true;
      if (this.#preemptible(cpu)) this.#reschedule(cpu, PREVIOUS.preempted);
    }
  }

  /** The slot of a task fired: its segment is over, or its hrtimer expired. */
  #fire(task: Task): void {
    const sim = this.#sim;
    sim.cause = task.cause;
    if (!task.blocked) {
      this.#run(task);
      return;
    }
    if (task.ask !== ASK.sleep) {
      this.wake(task, task.cpu, true);
      return;
    }
    const cpu = this.#cpuOf(task);
    sim.emit(KIND.hrtimer_expire_entry, cpu.id, task.track);
    const { hrtimerBusyNs } = sim.machine;
    this.#wakeSleeper(
      task,
      cpu.isIdle ? sim.idleExitNs('idle-exit', cpu.id, cpu.idleExits++) : hrtimerBusyNs,
    );
  }

  /** An hrtimer interrupt takes this long to the wake-up of its sleeper. */
  #wakeSleeper(task: Task, ns: number): void {
    task.work(0);
    task.cause = this.#sim.cause;
    if (ns === 0) this.wake(task, task.cpu, true);
    else this.#sim.queue.schedule(task.slot, this.#sim.nowNs + ns);
  }

  /** Steps until the task owes CPU time, waits, or loses its CPU. */
  #run(task: Task): void {
    const cpu = this.#cpuOf(task);
    const sim = this.#sim;
    const rowsBefore = sim.log.length;
    for (let steps = 0; ; steps++) {
      task.ask = ASK.nothing;
      task.yields = false;
      task.yieldsThroughout = false;
      this.#stepping = task;
      task.step();
      this.#stepping = null;
      task.cause = sim.cause;
      if (task.ask === ASK.nothing) throw new Error('a step asked for nothing');
      if (task.ask >= ASK.sleep) {
        this.#stop(cpu, task);
        return;
      }
      task.segmentStartNs = sim.nowNs;
      if (task.yields) sim.tasks?.condResched(task);
      if (task.yields && !cpu.needResched) sim.rcu?.condResched(cpu.id);
      if (cpu.needResched && (this.#preemptible(cpu) || task.yields)) {
        this.#reschedule(cpu, task.yields ? PREVIOUS.yielded : PREVIOUS.preempted);
        return;
      }
      const takesTime = task.segmentEndNs > sim.nowNs;
      if (takesTime || steps > STEPS_AT_ONCE) {
        if (!takesTime && sim.log.length === rowsBefore) sim.emptyRounds++;
        this.#arm(task);
        return;
      }
    }
  }

  /** The running task sleeps, blocks or exits. */
  #stop(cpu: Cpu, task: Task): void {
    const sim = this.#sim;
    task.blocked = true;
    if (task.ask === ASK.sleep) sim.queue.schedule(task.slot, task.askNs);
    sim.tasks?.contextSwitch(task, true);
    this.#noteSwitch(cpu, task);
    if (!task.blocked) {
      // woken before it slept: it goes on with its CPU
      task.segmentStartNs = sim.nowNs;
      this.#arm(task);
      return;
    }
    this.#policy.sleep(cpu, task, sim.nowNs);
    if (task.ask === ASK.exit) cpu.remove(task);
    cpu.current = null;
    cpu.needResched = false;
    this.#switchTo(cpu, this.#pick(cpu), PREVIOUS.blocked, task.track + 1);
  }

  #reschedule(cpu: Cpu, how: number): void {
    const sim = this.#sim;
    const previous = cpu.current;
    if (previous === null) return;
    sim.tasks?.contextSwitch(previous, false);
    this.#noteSwitch(cpu, previous);
    this.#policy.update(cpu, sim.nowNs);
    cpu.needResched = false;
    const next = this.#pick(cpu);
    if (next === previous) {
      if (!sim.queue.isPending(previous.slot)) this.#arm(previous);
      return;
    }
    this.#interruptSegment(previous);
    sim.queue.cancel(previous.slot);
    this.#switchTo(cpu, next, how, previous.track + 1);
  }

  #interruptSegment(task: Task): void {
    task.interrupt(Math.max(0, this.#sim.nowNs - task.segmentStartNs));
  }

  /** `from`: track of the previous task + 1; 0: from idle, the switch is paid for. */
  #switchTo(cpu: Cpu, next: Task | null, how: number, from: number): void {
    const sim = this.#sim;
    cpu.current = next;
    const cause = sim.cause;
    sim.emit(KIND.sched_switch, cpu.id, next === null ? -1 : next.track, from - 1, how);
    sim.cause = cause;
    if (next === null) {
      sim.rcu?.enterIdle(cpu.id);
      this.#tickState.goesIdle(cpu);
      return;
    }
    next.updatedNs = sim.nowNs;
    this.#policy.picked(next, sim.nowNs);
    next.segmentStartNs = from === 0 ? sim.nowNs : sim.nowNs + sim.machine.switchNs;
    this.#arm(next);
  }

  #arm(task: Task): void {
    if (this.#cpuOf(task).inSoftirq) return;
    // a spin may have ended while softirqs had the CPU
    this.#sim.queue.schedule(task.slot, Math.max(this.#sim.nowNs, task.segmentEndNs));
  }
}
