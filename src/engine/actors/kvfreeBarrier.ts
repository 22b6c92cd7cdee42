/** kvfree_rcu_barrier() as a machine of steps on the calling thread (kvfree K16). */
import { KIND, KVFREE_BARRIER } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import type { Krc } from '../kvfree/krc.ts';
import type { Kvfree } from '../kvfree/kvfree.ts';
import type { Caller } from './call.ts';
import { RcuCall } from './rcuCall.ts';

const PHASE = { entry: 0, attach: 1, cancel: 2, flush: 3, leave: 4, returned: 5 } as const;

/** For each CPU what is queued is attached; then for each CPU its monitor is cancelled and both works are waited for. */
export class KvfreeRcuBarrier extends RcuCall {
  readonly #kvfree: Kvfree;
  #krcs: Krc[] = [];
  #at = 0;

  constructor(calls: Caller, thread: Task) {
    super(calls, thread);
    this.#kvfree = this.world.kvfree;
  }

  #trace(what: keyof typeof KVFREE_BARRIER, cpu: number): void {
    const { sim } = this;
    const { cause } = sim;
    sim.emit(KIND.kvfree_barrier, this.thread.cpu, KVFREE_BARRIER[what], cpu);
    sim.cause = cause;
  }

  step(): boolean {
    switch (this.phase) {
      case PHASE.entry:
        this.#enter();
        return true;
      case PHASE.attach:
        this.#attach();
        return true;
      case PHASE.cancel:
        this.#cancel();
        return true;
      case PHASE.flush:
        this.#flush();
        return true;
      case PHASE.leave:
        this.phase = PHASE.returned;
        this.#trace('end', -1);
        this.thread.work(this.machine.rcuSyncReturnNs);
        return true;
      default:
        this.leave();
        return false;
    }
  }

  #enter(): void {
    this.enter('kvfree_rcu_barrier');
    this.#trace('begin', -1);
    this.#krcs = [...this.#kvfree.krcs.values()].sort((a, b) => a.cpu - b.cpu);
    this.#at = 0;
    this.phase = PHASE.attach;
    this.thread.work(this.machine.callRcuNs);
  }

  /** kvfree_rcu_queue_batch() until a batch has taken what is queued here. */
  #attach(): void {
    const krc = this.#krcs[this.#at];
    if (krc === undefined) {
      this.#at = 0;
      this.phase = PHASE.cancel;
      this.thread.work(0);
      return;
    }
    krc.settle();
    const attached = krc.monitor.attach(this.thread);
    if (attached) this.#trace('attached', krc.cpu);
    // old rules of attaching may leave a channel behind
    if (!krc.needsOffload) this.#at++;
    else if (!this.#waitForBatches(krc)) return;
    this.thread.work(this.machine.kvfreeMonitorNs);
  }

  /** cancel_delayed_work_sync(). */
  #cancel(): void {
    const krc = this.#krcs[this.#at];
    if (krc === undefined) {
      this.phase = PHASE.leave;
      this.thread.work(0);
      return;
    }
    this.expect(1);
    if (!krc.monitor.cancel(this.#completed)) {
      this.#trace('cancel', krc.cpu);
      this.wait();
      return;
    }
    this.phase = PHASE.flush;
    this.#trace('flush', krc.cpu);
    this.thread.work(0);
  }

  #flush(): void {
    const krc = this.#krcs[this.#at] as Krc;
    if (!this.#waitForBatches(krc)) return;
    this.#at++;
    this.phase = PHASE.cancel;
    this.thread.work(0);
  }

  readonly #completed = () => this.completeFrom(this.thread.cpu, false);

  /** flush_rcu_work() of both; false: it blocks, and looks again. */
  #waitForBatches(krc: Krc): boolean {
    for (const batch of krc.batches) {
      this.expect(1);
      if (batch.flush(this.#completed)) continue;
      this.wait();
      return false;
    }
    return true;
  }
}
