/** rcu_barrier() and call_rcu() as machines of steps on the calling thread (tree §3). */
import { RCU_FUNC } from '../core/eventKinds.ts';
import { callRcu } from '../tree/callRcu.ts';
import { CallbackBatch } from './callbackBatch.ts';
import { RcuCall } from './rcuCall.ts';
import type { Thread } from './thread.ts';
import type { UpdaterCalls } from './updater.ts';

const BARRIER = { entry: 0, mutex: 1, cpus: 2, handler: 3, asked: 4, completed: 5, leave: 6 } as const;

/** rcu_barrier() (R3.13). */
export class RcuBarrier extends RcuCall {
  /** barrier_sequence that tells that a whole barrier has passed. */
  #target = 0;
  /** CPU that comes next. */
  #cpu = 0;

  step(): boolean {
    const { machine, thread, rcu } = this;
    const { barrier } = rcu;
    switch (this.phase++) {
      case BARRIER.entry:
        this.enter('rcu_barrier');
        this.#target = barrier.enter(thread.cpu);
        thread.work(machine.callRcuNs);
        return true;
      case BARRIER.mutex:
        this.#takeMutex();
        return true;
      case BARRIER.cpus:
        this.#askNext();
        return true;
      case BARRIER.handler:
        barrier.handle(this.#cpu);
        barrier.handled(this.#cpu, thread.cpu);
        this.#cpu++;
        this.phase = BARRIER.cpus;
        thread.work(0);
        return true;
      case BARRIER.asked:
        if (barrier.allAsked()) this.completeFrom(thread.cpu, false);
        if (this.isComplete) thread.work(0);
        else this.wait();
        return true;
      case BARRIER.completed:
        barrier.end(thread.cpu);
        thread.work(this.returnNs);
        return true;
      default:
        this.leave();
        return false;
    }
  }

  #takeMutex(): void {
    const { thread, rcu } = this;
    const { barrier } = rcu;
    this.expect(1);
    if (!barrier.lock(this.completeFrom)) {
      // somebody else may take it before this thread runs again
      this.phase = BARRIER.mutex;
      this.wait();
      return;
    }
    if (barrier.isDone(this.#target, thread.cpu)) {
      this.phase = BARRIER.leave;
      thread.work(this.machine.rcuSyncReturnNs);
      return;
    }
    barrier.start(thread.cpu, this.completeFrom);
    this.#cpu = 0;
    thread.work(0);
  }

  /** Runs the handler on the next CPU that has callbacks: here, or by an interrupt there that is waited for. */
  #askNext(): void {
    const { thread, rcu, sim } = this;
    while (this.#cpu < sim.config.cpus && !rcu.barrier.needs(this.#cpu, thread.cpu)) this.#cpu++;
    if (this.#cpu === sim.config.cpus) {
      this.phase = BARRIER.asked;
      thread.work(0);
    } else thread.work(this.#cpu === thread.cpu ? 0 : this.machine.ipiNs);
  }
}

/** call_rcu(), `batch` times, then rcu_barrier() if the updater waits. */
export class CallRcu extends RcuCall<UpdaterCalls> {
  readonly #batch: CallbackBatch;

  constructor(calls: UpdaterCalls, thread: Thread) {
    super(calls, thread);
    const { machine, rcu } = this;
    this.#batch = new CallbackBatch({
      ...{ calls, thread, barrier: new RcuBarrier(calls, thread) },
      firstNs: () => machine.callRcuNs,
      nextNs: () => machine.callRcuNs,
      queueOne: (invoke) => {
        const id = rcu.nextCallbackId();
        callRcu(rcu, thread, { id, func: RCU_FUNC.call_rcu, invoke, isLazy: true });
        return 0;
      },
      enter: () => this.enter('call_rcu'),
      leave: () => this.leave(),
    });
  }

  override begin(number: number): void {
    super.begin(number);
    this.#batch.begin(number);
  }

  step(): boolean {
    return this.#batch.step();
  }
}
