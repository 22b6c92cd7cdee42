/** The calls of RCU Tasks as machines of steps on the calling thread (spec tasks 3, 8). */
import { domainOfApi } from '../config.ts';
import { CALLBACK, TASKS_FLAVOR } from '../core/eventKinds.ts';
import type { Task } from '../core/task.ts';
import { type ApiCall, Call } from './call.ts';
import { CallbackBatch } from './callbackBatch.ts';
import type { UpdaterCalls } from './updater.ts';

/** TASKS_FLAVOR by `domain` of an updater. */
const FLAVORS = new Map<string, number>([
  ['tasks', TASKS_FLAVOR.classic],
  ['tasks-rude', TASKS_FLAVOR.rude],
  ['tasks-trace', TASKS_FLAVOR.trace],
]);

/** What they share. */
abstract class TasksCall extends Call<UpdaterCalls> {
  protected readonly flavor: number;

  constructor(calls: UpdaterCalls, thread: Task) {
    super(calls, thread);
    this.flavor = FLAVORS.get(domainOfApi(calls.actor.api)) as number;
  }

  protected override get domainTrack(): number {
    return this.world.tasks.kthread(this.flavor).track;
  }

  /** Callbacks run in the kthread. */
  protected override wake(): void {
    this.world.executor.wake(this.thread, this.world.tasks.kthread(this.flavor).cpu, false);
  }

  /** What an enqueue takes beside its own cost, ns: it armed the lazy timer, or woke the kthread. */
  protected enqueue(kind: number, invoke: () => void): number {
    return this.world.tasks.call(this.flavor, this.thread, kind, invoke) ? this.machine.armLazyNs : 0;
  }
}

const SYNC = { entry: 0, queue: 1, block: 2, woken: 3 } as const;

/** synchronize_rcu_tasks() and those of the other flavours: a callback and a wait. */
class SynchronizeTasks extends TasksCall {
  step(): boolean {
    const { machine, thread } = this;
    const { api } = this.calls.actor;
    switch (this.phase++) {
      case SYNC.entry:
        this.enter(api);
        thread.work(machine.callTasksFirstNs);
        return true;
      case SYNC.queue:
        this.expect(1);
        thread.work(this.enqueue(CALLBACK.wakeme, this.complete) + machine.blockNs);
        return true;
      case SYNC.block:
        if (this.isComplete) thread.work(0);
        else this.wait();
        return true;
      case SYNC.woken:
        thread.work(machine.rcuSyncReturnNs);
        return true;
      default:
        this.leave();
        return false;
    }
  }
}

const BARRIER = { entry: 0, mutex: 1, entrain: 2, woken: 3, leave: 4 } as const;
const BARRIER_API = 'rcu_barrier_tasks';

/**
 * rcu_barrier_tasks(), or rcu_barrier_tasks_trace() under the same name: one at a time, a whole one by somebody else
 * since the call will do. With one list and no laziness (up to 5.16) it is synchronize_rcu_tasks().
 */
class Barrier extends TasksCall {
  /** barrier_q_seq that tells that a whole one has passed. */
  #doneSeq = 0;
  readonly #synchronizes: boolean;

  constructor(calls: UpdaterCalls, thread: Task) {
    super(calls, thread);
    this.#synchronizes = this.sim.rules['tasks.backoff'] !== 'jiffies';
  }

  step(): boolean {
    const { machine, thread, world } = this;
    const barrier = world.tasks.barrier(this.flavor);
    switch (this.phase++) {
      case BARRIER.entry:
        this.enter(BARRIER_API);
        this.#doneSeq = barrier.seq + (barrier.seq % 2 === 0 ? 2 : 3);
        thread.work(machine.callTasksFirstNs);
        return true;
      case BARRIER.mutex:
        if (barrier.seq % 2 === 0 || this.#synchronizes) thread.work(0);
        else {
          // somebody else may take the mutex before this thread runs again: look once more
          this.phase = BARRIER.mutex;
          this.expect(1);
          barrier.waiters.push(this.complete);
          this.wait();
        }
        return true;
      case BARRIER.entrain:
        this.#entrain();
        return true;
      case BARRIER.woken:
        thread.work(machine.rcuSyncReturnNs);
        return true;
      default:
        this.leave();
        return false;
    }
  }

  #entrain(): void {
    const { thread, world, flavor } = this;
    const barrier = world.tasks.barrier(flavor);
    if (this.#synchronizes) {
      this.expect(1);
      this.enqueue(CALLBACK.wakeme, this.complete);
    } else if (barrier.seq >= this.#doneSeq) {
      barrier.waiters.shift()?.();
      thread.work(0);
      return;
    } else {
      barrier.seq++;
      this.expect(1, () => {
        barrier.seq++;
        barrier.waiters.shift()?.();
      });
      if (!world.tasks.entrain(flavor, thread, this.complete)) this.complete();
    }
    if (this.isComplete) thread.work(0);
    else this.wait();
  }
}

/** call_rcu_tasks() or call_rcu_tasks_trace(), `batch` times, then the barrier if the updater waits. */
class CallRcuTasks extends TasksCall {
  readonly #batch: CallbackBatch;

  constructor(calls: UpdaterCalls, thread: Task) {
    super(calls, thread);
    const { machine } = this;
    const { api } = calls.actor;
    this.#batch = new CallbackBatch({
      ...{ calls, thread, barrier: new Barrier(calls, thread) },
      firstNs: () => machine.callTasksFirstNs,
      nextNs: () => machine.callTasksNs,
      queueOne: (ran) => this.enqueue(CALLBACK.call, ran),
      enter: () => this.enter(api),
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

/** The call of RCU Tasks that an updater makes on one of its threads. */
export function createTasksCall(calls: UpdaterCalls, thread: Task): ApiCall {
  switch (calls.actor.api) {
    case 'call_rcu_tasks':
    case 'call_rcu_tasks_trace':
      return new CallRcuTasks(calls, thread);
    case 'rcu_barrier_tasks':
      return new Barrier(calls, thread);
    default:
      return new SynchronizeTasks(calls, thread);
  }
}
