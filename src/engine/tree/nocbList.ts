/** The callbacks of an offloaded CPU: its segmented list and the bypass list before it (call_rcu_nocb(), tree R3.9). */
import { KIND } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import type { RcuCallback } from './callbackList.ts';
import { advance } from './callbacks.ts';
import { enqueueCallback } from './callRcu.ts';
import { seqDone, seqState } from './gpSeq.ts';
import { DEFER, type NocbGroup } from './nocbGroup.ts';
import type { RcuData } from './rcuData.ts';
import type { TreeRcu } from './treeRcu.ts';

/** What the configuration says about offloading. */
export interface NocbConstants {
  /** Callbacks that go to the segmented list in one jiffy (nocb_nobypass_lim_per_jiffy); Infinity where no bypass list exists. */
  readonly directLimit: number;
  /** rcuog kthreads look every jiffy, nobody wakes them (rcu_nocb_poll). */
  readonly isPolled: boolean;
  /** call_rcu() is lazy (R3.11). */
  readonly hasLazy: boolean;
  /** rcu_get_jiffies_lazy_flush(). */
  readonly lazyJiffies: number;
}

/** State of an offloaded CPU. */
export class NocbList {
  readonly data: RcuData;
  readonly group: NocbGroup;
  /** rcuop; createNocb() sets it. */
  kthread!: Task;
  /** rcuop sleeps, or will (nocb_cb_sleep). */
  cbSleep = true;
  readonly #rcu: TreeRcu;
  readonly #constants: NocbConstants;
  /** Callbacks not yet in the segmented list, oldest first (nocb_bypass); `callbacks.len` counts them. */
  #bypass: RcuCallback[] = [];
  /** Lazy ones among them. */
  #lazy = 0;
  /** jiffies at the first of them. */
  #bypassFirst = 0;
  /** Callbacks of the present jiffy that did not go there, and that jiffy. */
  #directCount = 0;
  #directJiffy = -1;
  /** jiffies at the last advance by a caller of call_rcu() (nocb_gp_adv_time). */
  #advancedJiffy = -1;

  constructor(rcu: TreeRcu, data: RcuData, group: NocbGroup, constants: NocbConstants) {
    this.#rcu = rcu;
    this.data = data;
    this.group = group;
    this.#constants = constants;
  }

  /** Callbacks on the bypass list. */
  get bypassed(): number {
    return this.#bypass.length;
  }

  /** There are some, and all are lazy. */
  get isAllLazy(): boolean {
    return this.#lazy > 0 && this.#lazy === this.#bypass.length;
  }

  /** The task on this CPU queues a callback. */
  enqueue(callback: RcuCallback, task: Task, isLazy: boolean): void {
    const { jiffies } = this.#rcu.sim;
    const { qhimark } = this.#rcu.constants;
    const had = this.bypassed;
    const isBelowLimit = this.#countThisJiffy(jiffies) < this.#constants.directLimit && !isLazy;
    if (isBelowLimit || (had === 0 && qhimark <= 0)) this.#enqueueDirect(callback, task, jiffies);
    else if (had > 0 && (this.#isStaleForCaller(jiffies) || had >= qhimark))
      this.#enqueueAndFlush(callback, task, jiffies);
    else this.#enqueueBypass(callback, task, jiffies, isLazy);
  }

  /** Callbacks so far in this jiffy; what was beyond the limit in the one before counts on. */
  #countThisJiffy(jiffies: number): number {
    const { directLimit } = this.#constants;
    if (jiffies === this.#directJiffy) return ++this.#directCount;
    this.#directJiffy = jiffies;
    const beyond = this.#directCount - directLimit;
    this.#directCount = Math.min(Math.max(beyond, 0), directLimit);
    return this.#directCount;
  }

  #isStaleForCaller(jiffies: number): boolean {
    if (this.isAllLazy) return jiffies > this.#bypassFirst + this.#constants.lazyJiffies;
    return jiffies !== this.#bypassFirst;
  }

  #enqueueDirect(callback: RcuCallback, task: Task, jiffies: number): void {
    const { data } = this;
    const wasAllDone = data.callbacks.pending === 0;
    if (wasAllDone) this.#trace('FirstQ');
    this.flush(jiffies);
    enqueueCallback(this.#rcu, data, callback, task);
    this.#wakeGp(wasAllDone, jiffies);
  }

  /** The bypass list is too old or too long: it moves on, the new callback behind it. */
  #enqueueAndFlush(callback: RcuCallback, task: Task, jiffies: number): void {
    const wasAllDone = this.data.callbacks.pending === 0;
    this.#addToBypass(callback, task);
    this.flush(jiffies);
    this.#advanceOncePerJiffy(jiffies);
    this.#wakeGp(wasAllDone, jiffies);
  }

  #enqueueBypass(callback: RcuCallback, task: Task, jiffies: number, isLazy: boolean): void {
    const wasEmpty = this.bypassed === 0;
    const hadOnlyLazy = this.isAllLazy;
    this.#addToBypass(callback, task);
    if (isLazy) this.#lazy++;
    if (wasEmpty) {
      this.#bypassFirst = jiffies;
      this.#trace('FirstBQ');
    }
    if (!wasEmpty && !(hadOnlyLazy && !isLazy)) return;
    const isAllDone = this.data.callbacks.pending === 0;
    this.#trace(isAllDone ? 'FirstBQwake' : 'FirstBQnoWake');
    if (isAllDone) this.#wakeGp(true, jiffies);
  }

  #addToBypass(callback: RcuCallback, task: Task): void {
    const { callbacks, cpu } = this.data;
    callbacks.len++;
    this.#bypass.push(callback);
    this.#rcu.sim.emit(KIND.rcu_callback, cpu, callback.id, callback.func, callbacks.len, task.track);
  }

  #trace(reason: Parameters<NocbGroup['trace']>[1]): void {
    this.group.trace(this.data.cpu, reason, this.data.cpu);
  }

  /** rcu_nocb_do_flush_bypass(): the bypass list moves into NEXT. */
  flush(jiffies: number): void {
    for (const callback of this.#bypass) this.data.callbacks.enqueue(callback, true);
    this.#bypass = [];
    this.#lazy = 0;
    this.#bypassFirst = jiffies;
  }

  /** What rcuog does with the bypass list when it looks at jiffy `jiffies` (R3.10). */
  flushIfStale(jiffies: number): void {
    if (this.bypassed === 0) return;
    const maxAge = this.isAllLazy ? this.#constants.lazyJiffies : 1;
    const isLong = this.bypassed > 2 * this.#rcu.constants.qhimark;
    if (isLong || jiffies > this.#bypassFirst + maxAge) this.flush(jiffies);
  }

  /** What waits for the nearest grace period is ready, though nobody has moved it. */
  get isNextDone(): boolean {
    const { callbacks, leaf } = this.data;
    return callbacks.nextSeq !== undefined && seqDone(leaf.gpSeq, callbacks.nextSeq);
  }

  /** rcu_advance_cbs_nowake(), while the next grace period runs already. */
  #advanceOncePerJiffy(jiffies: number): void {
    const { data } = this;
    if (jiffies === this.#advancedJiffy || !this.isNextDone) return;
    this.#advancedJiffy = jiffies;
    const { sim } = this.#rcu;
    if (seqState(data.leaf.gpSeq) === 0 || !data.leaf.trylock(sim.nowNs, sim.machine.rcuAccelHoldNs)) return;
    advance(this.#rcu, data, data.cpu);
  }

  /** __call_rcu_nocb_wake(). */
  #wakeGp(wasAllDone: boolean, jiffies: number): void {
    const { data, group } = this;
    const { cpu, callbacks } = data;
    const { sim } = this.#rcu;
    const { cause } = sim;
    if (this.#constants.isPolled) this.#trace('WakeNotPoll');
    else if (wasAllDone) {
      data.qlenLastFqsCheck = callbacks.len;
      if (this.isAllLazy) group.deferWake(cpu, cpu, DEFER.lazy, 'WakeLazy');
      else {
        group.wake(cpu, cpu, false);
        this.#trace('WakeEmpty');
      }
    } else if (callbacks.len > data.qlenLastFqsCheck + this.#rcu.constants.qhimark) {
      data.qlenLastFqsCheck = callbacks.len;
      this.#advanceOncePerJiffy(jiffies);
      if ((this.cbSleep || callbacks.done === 0) && !group.isTimerPending)
        group.deferWake(cpu, cpu, DEFER.force, 'WakeOvfIsDeferred');
      else this.#trace('WakeNot');
    } else this.#trace('WakeNot');
    sim.cause = cause;
  }

  /** rcu_barrier_entrain() (R3.13); false if the CPU has no callbacks. */
  entrain(barrier: RcuCallback): boolean {
    const { callbacks, cpu } = this.data;
    const wasAllDone = callbacks.pending === 0;
    this.flush(this.#rcu.sim.jiffies);
    const mustWake = wasAllDone && callbacks.pending > 0;
    const isQueued = callbacks.entrain(barrier);
    if (mustWake) this.group.wake(cpu, cpu, true);
    return isQueued;
  }
}
