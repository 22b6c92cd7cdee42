/**
 * What a CPU does for RCU by itself: its tick (rcu_sched_clock_irq()), RCU_SOFTIRQ (rcu_core()), context switches, idle
 * (tree R2.16 to R2.19). A tick is simulated only where RCU can want something of it (R1.18).
 */
import { KIND, RCU_UTILIZATION } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import type { Task } from '../core/task.ts';
import type { TickState } from '../core/tickState.ts';
import { accelerate } from './callbacks.ts';
import { type BatchRun, createBatchRun } from './invoke.ts';
import { learn, noteQs, reportSelf } from './quiescentState.ts';
import { RcucKthread } from './rcucKthread.ts';
import type { RcuData } from './rcuData.ts';
import { wakeKthread } from './request.ts';
import type { TreeRcu } from './treeRcu.ts';

/** A reader found by a tick asks for a quiescent state at its end only in a grace period as old as this (R2.18). */
const NEED_QS_AGE_S = 1;

/** Where rcu_core() goes on. */
const CORE = { enter: 0, report: 1, accelerate: 2, batch: 3 } as const;

/** The CPUs' side of RCU. */
export class CpuTicks {
  readonly #rcu: TreeRcu;
  readonly #tickState: TickState;
  readonly #batches: BatchRun[] = [];
  /** CPUs whose next tick is simulated, and the one event for all of them. */
  #wanted: number[] = [];
  readonly #edgeSlot: number;

  readonly #takesEveryTick: boolean;

  /** `takesEveryTick`: also ticks of which RCU wants nothing (reference/everyTick.ts). */
  constructor(rcu: TreeRcu, tickState: TickState, takesEveryTick: boolean) {
    this.#takesEveryTick = takesEveryTick;
    this.#rcu = rcu;
    this.#tickState = tickState;
    const { queue } = rcu.sim;
    this.#edgeSlot = queue.allocate(PRIORITY.rcuTick, () => this.#edge());
    const handler = (data: RcuData) => this.#handler(data);
    const softirq = (data: RcuData) => this.#softirq(data);
    for (const data of rcu.cpus) {
      data.tickSlot = queue.allocate(PRIORITY.rcuTick + data.cpu, handler, data);
      data.coreSlot = queue.allocate(PRIORITY.softirq + data.cpu, softirq, data);
      if (!rcu.constants.usesSoftirq) data.rcuc = new RcucKthread(rcu, data.cpu, () => this.#step(data));
      this.#batches.push(createBatchRun(rcu, data));
    }
  }

  /** The CPU's next tick is simulated if it runs and RCU wants something of it. */
  consider(data: RcuData): void {
    if (!data.isTickWanted) this.#wait(data, this.#wantsTick(data));
  }

  /** rcu_request_urgent_qs_task(): the CPU's next tick asks for a reschedule if it finds the kernel (R2.18). */
  requestUrgent(data: RcuData): void {
    data.urgentQs = true;
    if (!data.isTickWanted) this.#wait(data, true);
  }

  #wait(data: RcuData, wants: boolean): void {
    const { queue, ticks, nowNs } = this.#rcu.sim;
    if (queue.isPending(data.tickSlot)) {
      if (wants) this.#want(data);
      return;
    }
    // the handler of the last tick may be on its way
    const handlerNs = wants ? this.#skippedHandlerNs(data) : -1;
    if (handlerNs > nowNs) {
      this.#want(data);
      data.lastTick = ticks.numberAt(nowNs);
      queue.schedule(data.tickSlot, handlerNs);
    } else if (this.isTicking(data)) {
      if (wants) this.#want(data);
      if (wants || this.#takesEveryTick) this.#waitForTick(data);
    }
  }

  /** When the handler of the last tick comes, or came, to RCU if that tick was skipped; -1: it was not. */
  #skippedHandlerNs(data: RcuData): number {
    const { ticks, nowNs } = this.#rcu.sim;
    if (this.#takesEveryTick || data.lastTick === ticks.numberAt(nowNs)) return -1;
    return this.#tickState.lastHandlerNs(data.cpu);
  }

  #want(data: RcuData): void {
    data.isTickWanted = true;
    data.cause = this.#rcu.sim.cause;
  }

  #waitForTick(data: RcuData): void {
    const { queue, ticks, nowNs } = this.#rcu.sim;
    data.waitsForTick = true;
    data.edgeNs = ticks.nextTickNs(nowNs);
    this.#wanted.push(data.cpu);
    if (!queue.isPending(this.#edgeSlot)) queue.schedule(this.#edgeSlot, data.edgeNs);
  }

  /** Does the tick of this CPU run? */
  isTicking(data: RcuData): boolean {
    return this.#tickState.isTicking(data.cpu);
  }

  #wantsTick(data: RcuData): boolean {
    if (data.gpSeq !== data.leaf.gpSeq) return true;
    if (data.coreNeedsQs) {
      if (!data.noQs) return true;
      if (!this.#rcu.constants.isPreemptible || this.#rcu.executor.running(data.cpu) !== null) return true;
    }
    return this.#hasCallbackWork(data);
  }

  #hasCallbackWork(data: RcuData): boolean {
    if (data.isOffloaded) return this.#rcu.nocb?.needsDeferredWake(data) ?? false;
    const { callbacks } = data;
    if (callbacks.len === 0) return false;
    return callbacks.done > 0 || (!this.#rcu.isRunning && callbacks.unnumbered > 0);
  }

  /** rcu_needs_cpu(): an idle CPU with callbacks keeps its tick (R1.16). */
  needsCpu(cpu: number): boolean {
    const data = this.#rcu.data(cpu);
    return data.callbacks.len > 0 && !data.isOffloaded;
  }

  /** The tick of a CPU runs from now on. */
  tickStarted(cpu: number): void {
    this.consider(this.#rcu.data(cpu));
  }

  /** It stopped before the next edge. */
  tickStopped(cpu: number): void {
    const data = this.#rcu.data(cpu);
    data.waitsForTick = false;
    if (!this.#rcu.sim.queue.isPending(data.tickSlot)) data.isTickWanted = false;
  }

  /** A tick: when do the handlers of the CPUs come to RCU? By CPU number. */
  #edge(): void {
    const { sim } = this.#rcu;
    const wanted = Int32Array.from(this.#wanted).sort();
    const tick = sim.ticks.numberAt(sim.nowNs);
    this.#wanted = [];
    for (const cpu of wanted) {
      const data = this.#rcu.data(cpu);
      if (!data.waitsForTick) continue;
      if (data.edgeNs > sim.nowNs) {
        this.#waitForTick(data);
        continue;
      }
      data.waitsForTick = false;
      data.lastTick = tick;
      const delayNs = this.#tickState.tickToWorkNs(data.cpu, tick);
      if (delayNs > 0) sim.queue.schedule(data.tickSlot, sim.nowNs + delayNs);
      else this.#handler(data);
    }
  }

  /** The handler of a tick comes to RCU. */
  #handler(data: RcuData): void {
    this.#rcu.sim.cause = data.cause;
    data.isTickWanted = false;
    this.#handleTick(data);
    this.consider(data);
  }

  /** rcu_sched_clock_irq() (R2.17, R2.18), then rcu_pending() (R2.16). */
  #handleTick(data: RcuData): void {
    const rcu = this.#rcu;
    const { sim, executor, constants } = rcu;
    const task = executor.running(data.cpu);
    const isUser = task?.userMode ?? false;
    if (task === null) this.#interruptIdle(data);
    const wasUrgent = data.urgentQs;
    data.urgentQs = false;
    if (task !== null) {
      if (task.rcuNesting > 0 && constants.isPreemptible) {
        const isOld = sim.jiffies > rcu.gpStart + NEED_QS_AGE_S * sim.config.hz;
        if (data.coreNeedsQs && data.noQs && isOld) data.needQsAtUnlock = true;
      } else if (isUser || (constants.countsPreemption && task.rcuNesting === 0 && !task.bhDisabled))
        noteQs(rcu, data);
    } else if (!constants.isPreemptible) noteQs(rcu, data);
    if (this.#isPending(data)) this.raise(data);
    if (wasUrgent && task !== null && !isUser) executor.reschedule(data.cpu);
  }

  /** The tick takes an idle CPU out of its extended quiescent state for a moment. */
  #interruptIdle(data: RcuData): void {
    const { sim, executor } = this.#rcu;
    if (!executor.isIdle(data.cpu)) return;
    const { irqExitNs, idleLoopNs } = sim.machine;
    data.exitEqs(sim.nowNs);
    data.enterEqs(sim.nowNs + irqExitNs + idleLoopNs);
  }

  #isPending(data: RcuData): boolean {
    const mustReport = data.coreNeedsQs && !data.noQs && this.#rcu.isRunning;
    return mustReport || data.gpSeq !== data.leaf.gpSeq || this.#hasCallbackWork(data);
  }

  /** invoke_rcu_core(): rcu_core() follows at once in softirq, or in rcuc. */
  raise(data: RcuData): void {
    const { sim } = this.#rcu;
    if (data.rcuc !== undefined) {
      data.rcuc.invoke();
      return;
    }
    if (sim.queue.isPending(data.coreSlot)) return;
    data.cause = sim.cause;
    sim.queue.schedule(data.coreSlot, sim.nowNs + sim.machine.rcuCoreEnterNs);
  }

  /** rcu_core() or its batch goes on at a time. */
  later(data: RcuData, atNs: number): void {
    if (data.rcuc !== undefined) data.rcuc.continueAt(atNs);
    else this.#rcu.sim.queue.schedule(data.coreSlot, atNs);
  }

  #softirq(data: RcuData): void {
    const { sim } = this.#rcu;
    sim.cause = data.cause;
    this.#step(data);
    data.cause = sim.cause;
  }

  /** The next step of rcu_core(); true: a callback. */
  #step(data: RcuData): boolean {
    const { sim } = this.#rcu;
    const isCallback = data.invokes;
    if (isCallback) this.#batch(data).step();
    else this.#core(data);
    const { cause } = sim;
    this.consider(data);
    sim.cause = cause;
    return isCallback;
  }

  /** rcu_core(), one lock of the leaf per event: a lock is taken when its time has come, not before (R2.16b). */
  #core(data: RcuData): void {
    const { sim } = this.#rcu;
    const { machine, nowNs } = sim;
    const { leaf } = data;
    if (data.coreStep === CORE.enter) {
      sim.emit(KIND.rcu_utilization, data.cpu, RCU_UTILIZATION['Start RCU core']);
      data.coreStep = CORE.report;
      const ns = this.#tryLearn(data);
      this.#nextLock(data, nowNs + ns);
      return;
    }
    if (nowNs < leaf.lockedUntilNs) {
      this.later(data, leaf.lockedUntilNs);
      return;
    }
    const holdNs =
      data.coreStep === CORE.report ? machine.rcuReportHoldNs + this.#accelNs(data) : machine.rcuAccelHoldNs;
    leaf.lock(nowNs, holdNs);
    if (data.coreStep === CORE.report) {
      reportSelf(this.#rcu, data);
      data.coreStep = CORE.accelerate;
    } else {
      if (accelerate(this.#rcu, data, data.cpu)) wakeKthread(this.#rcu, data.cpu, true);
      data.coreStep = CORE.batch;
    }
    this.#nextLock(data, nowNs + holdNs);
  }

  #batch(data: RcuData): BatchRun {
    return this.#batches[data.cpu] as BatchRun;
  }

  #accelNs(data: RcuData): number {
    return data.callbacks.len > 0 ? this.#rcu.sim.machine.rcuAccelHoldNs : 0;
  }

  /** note_gp_changes(): learning is a trylock; returns what it took, ns. */
  #tryLearn(data: RcuData): number {
    const { sim } = this.#rcu;
    const holdNs = sim.machine.rcuLearnHoldNs + this.#accelNs(data);
    if (data.gpSeq === data.leaf.gpSeq || !data.leaf.trylock(sim.nowNs, holdNs))
      return sim.machine.rcuQsLockNs;
    if (learn(this.#rcu, data)) wakeKthread(this.#rcu, data.cpu, true);
    return holdNs;
  }

  /** Goes on at a time with the next thing that needs the lock, or with the callbacks. */
  #nextLock(data: RcuData, atNs: number): void {
    const rcu = this.#rcu;
    const { callbacks, isOffloaded } = data;
    const hasCallbacks = callbacks.len > 0 && !isOffloaded;
    if (data.coreStep === CORE.report && (!data.coreNeedsQs || data.noQs)) data.coreStep = CORE.accelerate;
    if (data.coreStep === CORE.accelerate && (rcu.isRunning || !hasCallbacks || callbacks.unnumbered === 0))
      data.coreStep = CORE.batch;
    if (data.coreStep !== CORE.batch) {
      if (atNs > rcu.sim.nowNs) this.later(data, atNs);
      else this.#core(data);
      return;
    }
    data.coreStep = CORE.enter;
    if (hasCallbacks && callbacks.done > 0) this.#batch(data).begin(atNs);
    else {
      if (isOffloaded) rcu.nocb?.flushDeferredWake(data);
      rcu.sim.emit(KIND.rcu_utilization, data.cpu, RCU_UTILIZATION['End RCU core']);
      this.endCore(data, atNs + rcu.sim.machine.rcuCoreExitNs);
    }
  }

  /** rcu_core() is over at a time: an idle CPU goes on to its extended quiescent state. */
  endCore(data: RcuData, atNs: number): void {
    const { executor, sim } = this.#rcu;
    if (!executor.isIdle(data.cpu)) return;
    data.exitEqs(sim.nowNs);
    data.enterEqs(atNs + sim.machine.irqExitNs + sim.machine.idleLoopNs);
  }

  /** rcu_note_context_switch(): __schedule() on this CPU; `previous` null: the idle task (R2.18, R2.21). */
  contextSwitch(cpu: number, previous: Task | null, readers: readonly Task[] = []): void {
    const rcu = this.#rcu;
    const data = rcu.data(cpu);
    if (rcu.constants.isPreemptible) {
      if (previous !== null && previous.rcuNesting > 0) rcu.blockedReaders.queue(data, previous);
      for (const reader of readers) rcu.blockedReaders.queue(data, reader);
      noteQs(rcu, data);
      return;
    }
    // no switch would have come before the end of their sections
    if (readers.length > 0) return;
    noteQs(rcu, data);
    this.#momentaryEqs(data);
  }

  /** cond_resched() that has nothing to switch to: rcu_all_qs() of non-preemptible kernels (R2.18). */
  condResched(cpu: number): void {
    const rcu = this.#rcu;
    const data = rcu.data(cpu);
    if (rcu.constants.isPreemptible || !data.urgentQs) return;
    this.#momentaryEqs(data);
    noteQs(rcu, data);
  }

  #momentaryEqs(data: RcuData): void {
    if (!data.urgentQs) return;
    data.urgentQs = false;
    if (data.needHeavyQs) data.momentaryEqs(this.#rcu.sim.nowNs);
    data.needHeavyQs = false;
  }

  /** Nothing is left to run here. */
  enterIdle(cpu: number): void {
    const { sim } = this.#rcu;
    const { switchNs, idleLoopNs } = sim.machine;
    const { cause } = sim;
    sim.emit(KIND.rcu_watching, cpu, 0);
    sim.cause = cause;
    this.#rcu.data(cpu).enterEqs(sim.nowNs + switchNs + idleLoopNs);
  }

  /** Something is about to run here. */
  exitIdle(cpu: number): void {
    const { sim } = this.#rcu;
    const { cause } = sim;
    sim.emit(KIND.rcu_watching, cpu, 1);
    sim.cause = cause;
    this.#rcu.data(cpu).exitEqs(sim.nowNs);
  }

  /** In an extended quiescent state: idle, or in user mode on a nohz_full CPU (R1.13). */
  isInEqs(data: RcuData): boolean {
    const { executor } = this.#rcu;
    return this.#isIdleInEqs(data) || (data.isNohzFull && (executor.running(data.cpu)?.userMode ?? false));
  }

  /** Was an idle CPU in one at any time since then? */
  wasInEqsSince(data: RcuData, sinceNs: number): boolean {
    const { nowNs } = this.#rcu.sim;
    if (!data.wasInEqsSince(sinceNs, nowNs)) return false;
    return !(this.#isOutForTick(data, sinceNs) && this.#isOutForTick(data, nowNs));
  }

  #isIdleInEqs(data: RcuData): boolean {
    const { nowNs } = this.#rcu.sim;
    return data.isInEqs(nowNs) && !this.#isOutForTick(data, nowNs);
  }

  /** A tick that was skipped takes it out for a moment, too: was that so at a time since that tick? */
  #isOutForTick(data: RcuData, atNs: number): boolean {
    const { irqExitNs, idleLoopNs } = this.#rcu.sim.machine;
    const handlerNs = this.#skippedHandlerNs(data);
    return handlerNs >= 0 && atNs >= handlerNs && atNs < handlerNs + irqExitNs + idleLoopNs;
  }
}
