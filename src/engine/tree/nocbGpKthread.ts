/** rcuog: numbers callbacks of a group of offloaded CPUs, waits for grace periods, wakes rcuop (nocb_gp_wait(), tree R3.10). */
import { KIND, RCU_FUTURE, TIMER_FN } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import { advance } from './callbacks.ts';
import { seqCtr, seqDone } from './gpSeq.ts';
import { DEFER, type NocbGroup } from './nocbGroup.ts';
import type { NocbList } from './nocbList.ts';
import { wakeKthread } from './request.ts';
import type { TreeRcu } from './treeRcu.ts';

const PHASE = { look: 0, sleep: 1, woken: 2 } as const;

/**
 * One step a CPU of the group, then a sleep. A look at a list is taken to cost what rcu_core() costs with nothing to
 * learn (rcuQsLockNs), advancing it a hold of the leaf's lock (rcuAccelHoldNs).
 */
export class NocbGpKthread extends Task {
  override readonly bySteps = true;
  override readonly notesTasksQs = true;
  override readonly isPinned = false;
  readonly #rcu: TreeRcu;
  readonly #group: NocbGroup;
  /** Set where it polls (rcu_nocb_poll): wakes it for the next look. */
  readonly #pollTimer: WheelTimer | undefined;
  #phase: number = PHASE.woken;
  /** Number of the list that comes next. */
  #next = 0;
  /** jiffies when the look began. */
  #lookJiffy = 0;
  /** Nearest grace period that a list of the group waits for, as gp_seq at its end. */
  #waitSeq: number | undefined;
  #hasBypass = false;
  #hasLazy = false;
  #gotCallbacks = false;

  constructor(rcu: TreeRcu, host: TimerHost, group: NocbGroup, isPolled: boolean) {
    super(group.track, group.cpu);
    this.#rcu = rcu;
    this.#group = group;
    rcu.executor.add(this, PRIORITY.kthreads + this.track);
    if (!isPolled) return;
    const wake = (handler: number) => rcu.executor.wake(this, handler, true);
    this.#pollTimer = new WheelTimer(rcu.sim, host, TIMER_FN.process_timeout, this.track, wake, true);
    this.#pollTimer.arm(this.cpu, 1);
    rcu.sim.cause = -1;
  }

  step(): void {
    switch (this.#phase) {
      case PHASE.look:
        this.#look();
        return;
      case PHASE.sleep:
        this.#phase = PHASE.woken;
        if (this.#isWaitOver) this.work(0);
        else this.block();
        return;
      default:
        this.#woken();
    }
  }

  /** It sleeps on nocb_gp_wq of its leaf, in the queue for this number: there is one for even and one for odd ones. */
  isWaitingFor(gpSeq: number): boolean {
    const seq = this.#waitSeq;
    return this.blocked && seq !== undefined && (seqCtr(gpSeq) - seqCtr(seq)) % 2 === 0;
  }

  #trace(reason: Parameters<NocbGroup['trace']>[1], cpu = this.#group.cpu): void {
    this.#group.trace(this.cpu, reason, cpu);
  }

  /** The next list; behind the last one, the decision how to sleep. */
  #look(): void {
    if (this.#next === 0) {
      this.#lookJiffy = this.#rcu.sim.jiffies;
      this.#waitSeq = undefined;
      this.#hasBypass = false;
      this.#hasLazy = false;
      this.#gotCallbacks = false;
    }
    const list = this.#group.lists[this.#next++];
    if (list !== undefined) {
      this.work(this.#rcu.sim.machine.rcuQsLockNs + this.#check(list));
      return;
    }
    this.#next = 0;
    this.#deferWakes();
    this.#beginSleep();
  }

  /** One CPU; returns what it takes beyond the look itself, ns. */
  #check(list: NocbList): number {
    const rcu = this.#rcu;
    const { data } = list;
    const { callbacks } = data;
    this.#trace('Check', data.cpu);
    if (callbacks.len === 0) return 0;
    list.flushIfStale(this.#lookJiffy);
    if (list.bypassed > 0) {
      this.#trace(list.isAllLazy ? 'Lazy' : 'Bypass', data.cpu);
      if (list.isAllLazy) this.#hasLazy = true;
      else this.#hasBypass = true;
    }
    let ns = 0;
    let mustWakeGp = false;
    if (callbacks.unnumbered > 0 || list.isNextDone) {
      const { nowNs, machine } = rcu.sim;
      const { rcuAccelHoldNs } = machine;
      ns += data.leaf.lock(nowNs, rcuAccelHoldNs) - nowNs + rcuAccelHoldNs;
      mustWakeGp = advance(rcu, data, this.cpu);
    }
    const { nextSeq } = callbacks;
    if (nextSeq !== undefined) {
      this.#waitSeq = Math.min(this.#waitSeq ?? nextSeq, nextSeq);
      this.#trace('NeedWaitGP', data.cpu);
    }
    return ns + this.#wakeOthers(list, mustWakeGp);
  }

  /** rcuop where callbacks are ready, the grace-period kthread where one was asked for. */
  #wakeOthers(list: NocbList, mustWakeGp: boolean): number {
    const { executor, sim } = this.#rcu;
    const mustInvoke = list.data.callbacks.done > 0 && list.cbSleep;
    const { cause } = sim;
    if (mustInvoke) {
      list.cbSleep = false;
      this.#gotCallbacks = true;
      executor.wake(list.kthread, this.cpu, false);
      sim.cause = cause;
    }
    if (mustWakeGp) wakeKthread(this.#rcu, this.cpu, false);
    sim.cause = cause;
    return ((mustInvoke ? 1 : 0) + (mustWakeGp ? 1 : 0)) * sim.machine.wakeNs;
  }

  /** What stays on a bypass list must not be forgotten. */
  #deferWakes(): void {
    if (this.#pollTimer !== undefined) return;
    const group = this.#group;
    if (this.#hasBypass) group.deferWake(group.cpu, this.cpu, DEFER.bypass, 'WakeBypassIsDeferred');
    else if (this.#hasLazy) group.deferWake(group.cpu, this.cpu, DEFER.lazy, 'WakeLazyIsDeferred');
  }

  #beginSleep(): void {
    const { machine } = this.#rcu.sim;
    this.#phase = PHASE.sleep;
    if (this.#pollTimer !== undefined) {
      if (this.#gotCallbacks) this.#trace('Poll');
      this.#pollTimer.arm(this.cpu, 1);
      this.work(machine.armTimerNs + machine.blockNs);
      return;
    }
    if (this.#waitSeq === undefined) this.#trace('Sleep');
    else this.#traceWait('StartWait', this.#waitSeq);
    this.work(this.#isWaitOver ? 0 : machine.blockNs);
  }

  #traceWait(what: 'StartWait' | 'EndWait', seq: number): void {
    const { leaf } = this.#group;
    this.#rcu.sim.emit(
      KIND.rcu_future_grace_period,
      this.cpu,
      RCU_FUTURE[what],
      leaf.gpSeq,
      seq,
      leaf.shape.index,
    );
  }

  get #isWaitOver(): boolean {
    if (this.#pollTimer !== undefined) return !this.#pollTimer.isPending;
    if (!this.#group.maySleep) return true;
    return this.#waitSeq !== undefined && seqDone(this.#group.leaf.gpSeq, this.#waitSeq);
  }

  #woken(): void {
    const group = this.#group;
    if (!this.#isWaitOver) {
      // a grace period with the same parity ended
      this.#phase = PHASE.sleep;
      this.work(this.#rcu.sim.machine.blockNs);
      return;
    }
    if (this.#pollTimer === undefined) {
      if (this.#waitSeq === undefined) this.#trace('EndSleep');
      else this.#traceWait('EndWait', this.#waitSeq);
      group.forgetDeferred();
      group.maySleep = true;
    }
    this.#phase = PHASE.look;
    this.yields = true;
    this.work(0);
  }
}
