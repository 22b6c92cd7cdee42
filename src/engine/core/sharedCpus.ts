/**
 * The executor of all presets but `plain`: tasks share their CPUs under a scheduling policy, switches and wake-ups
 * cost what the machine says (spec srcu 8.6, 11.1).
 */
import { Cpu, type Policy } from './cpu.ts';
import { KIND } from './eventKinds.ts';
import { STEPS_AT_ONCE } from './ownCpus.ts';
import { placeUnpinned, pullUnpinned } from './placement.ts';
import { createPolicy } from './policy.ts';
import { ASK, type SchedEntity, type TaskRunner } from './schedEntity.ts';
import { PRIORITY, type Sim } from './sim.ts';
import type { Executor, Task } from './task.ts';
import type { TickState } from './tickState.ts';
import { stepsToRunNs, totalToRunNs } from './wakeCosts.ts';

const PREVIOUS = { blocked: 0, preempted: 1, yielded: 2 } as const;

/** CPUs shared by the tasks that are bound to them. */
export class SharedCpus implements Executor, TaskRunner {
  readonly contended = true;
  readonly cpus: Cpu[] = [];
  readonly #sim: Sim;
  readonly #policy: Policy;
  readonly #tickState: TickState;
  /** The task whose step is being executed: it is switched out after the step, not inside it. */
  #stepping: SchedEntity | null = null;
  /** The CPU that is in __schedule(): whoever is woken there now is seen when the next task is picked. */
  #scheduling: Cpu | null = null;

  constructor(sim: Sim, tickState: TickState) {
    this.#sim = sim;
    this.#policy = createPolicy(sim);
    this.#tickState = tickState;
    for (let id = 0; id < sim.config.cpus; id++) {
      const cpu = new Cpu(id);
      cpu.interruptSlot = sim.queue.allocate(PRIORITY.interrupt + id, this.#interrupt, cpu);
      cpu.tickSlot = sim.queue.allocate(PRIORITY.tick + id, this.#tick, cpu);
      this.cpus.push(cpu);
    }
    tickState.attach(this.cpus);
  }

  add(task: Task, priority: number): void {
    const { se } = task;
    se.priority = priority;
    se.runner = this;
    se.slot = this.#sim.queue.allocateFor(priority, se);
    this.#sim.tasks?.add(task);
  }

  start(task: Task): void {
    const { se } = task;
    const cpu = this.#cpuOf(se);
    se.blocked = false;
    task.work(0);
    se.cause = this.#sim.emit(KIND.sched_waking, se.track, se.cpu);
    this.#policy.placeNew(cpu, se, this.#sim.nowNs);
    this.#afterWake(cpu, se, -1, false); // S5: as by another CPU
  }

  wake(task: Task, fromCpu: number, fromInterrupt: boolean): void {
    const { se } = task;
    if (!se.blocked) return;
    if (!task.isPinned) placeUnpinned(this.cpus, task, fromCpu, this.#sim.machine.sharedLlc);
    const cpu = this.#cpuOf(se);
    se.blocked = false;
    task.work(0);
    se.cause = this.#sim.emit(KIND.sched_waking, se.track, se.cpu);
    // it is on the way to sleep in __schedule(), and stays
    if (cpu.current === se) return;
    this.#policy.placeWoken(cpu, se, this.#sim.nowNs);
    this.#afterWake(cpu, se, fromCpu, fromInterrupt);
  }

  reconsider({ se }: Task): void {
    const cpu = this.#cpuOf(se);
    // a softirq has looked at the segment when it began
    if (cpu.current !== se || this.#stepping === se || cpu.inSoftirq) return;
    this.#interruptSegment(se);
    se.segmentStartNs = Math.max(se.segmentStartNs, this.#sim.nowNs);
    this.#arm(se);
  }

  isRunning({ se }: Task): boolean {
    const cpu = this.#cpuOf(se);
    return cpu.current === se && !cpu.inSoftirq;
  }

  workLeftNs(task: Task): number {
    const { se } = task;
    if (!this.isRunning(task)) return se.askNs;
    return se.askNs - Math.max(0, this.#sim.nowNs - se.segmentStartNs);
  }

  refund({ se }: Task, ns: number): void {
    this.#policy.update(this.#cpuOf(se), this.#sim.nowNs);
    se.v -= ns;
    se.pickedNs += ns;
  }

  tickToTimersNs(cpuId: number, tick: number): number {
    const { machine } = this.#sim;
    const cpu = this.cpus[cpuId] as Cpu;
    if (!cpu.isIdle) return machine.busyToTimersNs;
    return this.#sim.idleExitNs('tick-idle-exit', cpuId, tick) + machine.idleToTimersNs;
  }

  running(cpuId: number): Task | null {
    return (this.cpus[cpuId] as Cpu).current?.task ?? null;
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
  #pause(se: SchedEntity): void {
    const { queue, nowNs } = this.#sim;
    this.#interruptSegment(se);
    se.segmentStartNs = Math.max(se.segmentStartNs, nowNs);
    queue.cancel(se.slot);
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
    const se = (this.cpus[cpuId] as Cpu).current;
    if (se === null || ns === 0 || this.#stepping === se) return;
    if (se.blocked) return;
    this.#pause(se);
    se.segmentStartNs += ns;
    this.#arm(se);
  }

  #cpuOf(se: SchedEntity): Cpu {
    return this.cpus[se.cpu] as Cpu;
  }

  /** A tick finds others waiting on a busy CPU. */
  #pull(busy: Cpu): void {
    const pulled = pullUnpinned(this.cpus, busy);
    if (pulled === undefined) return;
    const { task: se, to } = pulled;
    this.#sim.cause = se.cause;
    this.#policy.placeWoken(to, se, this.#sim.nowNs);
    this.#afterWake(to, se, -1, false);
  }

  /** rcu_note_context_switch(). */
  #noteSwitch(cpu: Cpu, previous: SchedEntity | null): void {
    const { rcu, cause } = this.#sim;
    if (rcu === undefined) return;
    this.#scheduling = cpu;
    rcu.contextSwitch(cpu.id, previous === null ? null : previous.task);
    this.#scheduling = null;
    this.#sim.cause = cause;
  }

  /** Somebody joined the run queue: leave idle, preempt, or neither (S3, S4, C2, E5). */
  #afterWake(cpu: Cpu, se: SchedEntity, fromCpu: number, fromInterrupt: boolean): void {
    const sim = this.#sim;
    const { machine } = sim;
    if (cpu.isIdle) {
      const here = fromInterrupt && fromCpu === cpu.id;
      const exitNs = here ? 0 : sim.idleExitNs('idle-exit', cpu.id, cpu.idleExits++);
      sim.rcu?.exitIdle(cpu.id);
      cpu.leavingIdle = true;
      this.#tickState.leavesIdle(cpu);
      const ns = se.task.bySteps ? stepsToRunNs(machine, here) : totalToRunNs(machine, here);
      this.#scheduleInterrupt(cpu, exitNs + ns);
      return;
    }
    if (cpu.leavingIdle || cpu === this.#scheduling) return;
    this.#watchTicks(cpu);
    if (!cpu.needResched && this.#preempts(cpu, se)) cpu.needResched = true;
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
  #preempts(cpu: Cpu, woken: SchedEntity): boolean {
    if (cpu.current?.isRealTime) return false;
    return woken.isRealTime || this.#policy.preempts(cpu, woken);
  }

  #pick(cpu: Cpu): SchedEntity | null {
    return cpu.tasks.find((task) => task.isRealTime && !task.delayed) ?? this.#policy.pick(cpu);
  }

  /** A tick matters while others are queued (C5, E6). */
  #watchTicks(cpu: Cpu): void {
    const { queue, ticks, nowNs } = this.#sim;
    if (cpu.tasks.length > 1 && !queue.isPending(cpu.tickSlot))
      queue.schedule(cpu.tickSlot, ticks.nextTickNs(nowNs));
  }

  readonly #tick = (cpu: Cpu): void => {
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
  };

  #scheduleInterrupt(cpu: Cpu, delayNs: number): void {
    cpu.interruptCause = this.#sim.cause;
    this.#sim.queue.schedule(cpu.interruptSlot, this.#sim.nowNs + delayNs);
  }

  /** The end of leaving idle, or a reschedule interrupt from another CPU. */
  readonly #interrupt = (cpu: Cpu): void => {
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
  };

  /** The slot of a task fired: its segment is over, or its hrtimer expired. */
  run(se: SchedEntity): void {
    const sim = this.#sim;
    sim.cause = se.cause;
    if (!se.blocked) {
      this.#run(se);
      return;
    }
    if (se.ask !== ASK.sleep) {
      this.wake(se.task, se.cpu, true);
      return;
    }
    const cpu = this.#cpuOf(se);
    sim.emit(KIND.hrtimer_expire_entry, cpu.id, se.track);
    const { hrtimerBusyNs } = sim.machine;
    this.#wakeSleeper(se, cpu.isIdle ? sim.idleExitNs('idle-exit', cpu.id, cpu.idleExits++) : hrtimerBusyNs);
  }

  /** An hrtimer interrupt takes this long to the wake-up of its sleeper. */
  #wakeSleeper(se: SchedEntity, ns: number): void {
    se.task.work(0);
    se.cause = this.#sim.cause;
    if (ns === 0) this.wake(se.task, se.cpu, true);
    else this.#sim.queue.schedule(se.slot, this.#sim.nowNs + ns);
  }

  /** Steps until the task owes CPU time, waits, or loses its CPU. */
  #run(se: SchedEntity): void {
    const cpu = this.#cpuOf(se);
    const sim = this.#sim;
    const rowsBefore = sim.log.length;
    for (let steps = 0; ; steps++) {
      se.ask = ASK.nothing;
      se.yields = false;
      se.yieldsThroughout = false;
      this.#stepping = se;
      se.task.step();
      this.#stepping = null;
      se.cause = sim.cause;
      if (se.ask === ASK.nothing) throw new Error('a step asked for nothing');
      if (se.ask >= ASK.sleep) {
        this.#stop(cpu, se);
        return;
      }
      se.segmentStartNs = sim.nowNs;
      if (se.yields) sim.tasks?.condResched(se.task);
      if (se.yields && !cpu.needResched) sim.rcu?.condResched(cpu.id);
      if (cpu.needResched && (this.#preemptible(cpu) || se.yields)) {
        this.#reschedule(cpu, se.yields ? PREVIOUS.yielded : PREVIOUS.preempted);
        return;
      }
      const takesTime = se.segmentEndNs > sim.nowNs;
      if (takesTime || steps > STEPS_AT_ONCE) {
        if (!takesTime && sim.log.length === rowsBefore) sim.emptyRounds++;
        this.#arm(se);
        return;
      }
    }
  }

  /** The running task sleeps, blocks or exits. */
  #stop(cpu: Cpu, se: SchedEntity): void {
    const sim = this.#sim;
    se.blocked = true;
    if (se.ask === ASK.sleep) sim.queue.schedule(se.slot, se.askNs);
    sim.tasks?.contextSwitch(se.task, true);
    this.#noteSwitch(cpu, se);
    if (!se.blocked) {
      // woken before it slept: it goes on with its CPU
      se.segmentStartNs = sim.nowNs;
      this.#arm(se);
      return;
    }
    this.#policy.sleep(cpu, se, sim.nowNs);
    if (se.ask === ASK.exit) cpu.remove(se);
    cpu.current = null;
    cpu.needResched = false;
    this.#switchTo(cpu, this.#pick(cpu), PREVIOUS.blocked, se.track + 1);
  }

  #reschedule(cpu: Cpu, how: number): void {
    const sim = this.#sim;
    const previous = cpu.current;
    if (previous === null) return;
    sim.tasks?.contextSwitch(previous.task, false);
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

  #interruptSegment(se: SchedEntity): void {
    se.task.interrupt(Math.max(0, this.#sim.nowNs - se.segmentStartNs));
  }

  /** `from`: track of the previous task + 1; 0: from idle, the switch is paid for. */
  #switchTo(cpu: Cpu, next: SchedEntity | null, how: number, from: number): void {
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

  #arm(se: SchedEntity): void {
    if (this.#cpuOf(se).inSoftirq) return;
    // a spin may have ended while softirqs had the CPU
    this.#sim.queue.schedule(se.slot, Math.max(this.#sim.nowNs, se.segmentEndNs));
  }
}
