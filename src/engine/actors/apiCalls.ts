/** The update-side functions as machines of steps on the calling thread (spec srcu 2.1, 2.2, 2.8, 11.1). */
import { isKvfreeApi, isRcuApi, isTasksApi } from '../config.ts';
import { CALLBACK } from '../core/eventKinds.ts';
import { createCallback } from '../srcu/callbackList.ts';
import type { Domain } from '../srcu/domain.ts';
import { barrierLists, mightBeIdle, queueBarrier, requestGp } from '../srcu/request.ts';
import { isAlwaysExpedited, isAlwaysNormal } from '../tree/params.ts';
import { type ApiCall, Call } from './call.ts';
import { CallbackBatch } from './callbackBatch.ts';
import { KvfreeRcuBarrier } from './kvfreeBarrier.ts';
import { createRcuCall } from './rcuCalls.ts';
import { createTasksCall } from './tasksCalls.ts';
import type { Thread } from './thread.ts';
import type { UpdaterCalls } from './updater.ts';

/** What the calls of SRCU share. */
abstract class SrcuCall extends Call<UpdaterCalls> {
  protected readonly domain: Domain;

  constructor(calls: UpdaterCalls, thread: Thread) {
    super(calls, thread);
    this.domain = this.world.domain(calls.actor.domain);
  }

  protected override get domainTrack(): number {
    return this.domain.track;
  }

  /** Callbacks run on the CPU of their list. */
  protected override wake(): void {
    const cpu = this.domain.sizeState === 0 ? 0 : this.thread.cpu;
    this.world.executor.wake(this.thread, cpu, false);
  }
}

const SYNC = { entry: 0, request: 1, unlock: 2, block: 3, woken: 4, leave: 5 } as const;

/** synchronize_srcu() and synchronize_srcu_expedited(): __synchronize_srcu(). */
class Synchronize extends SrcuCall {
  /** Its own section is a matter of the scheduler (5.6): it is seen. */
  readonly #isSeen: boolean;
  /** By its name and by rcu_expedited, or not because of rcu_normal; undefined: 2.2 decides. */
  readonly #isAskedExpedited: boolean | undefined;
  /** wakeme_after_rcu() of the call under way. */
  readonly #wakeme = createCallback(-1, CALLBACK.wakeme, this.complete);
  #idx = -1;

  constructor(calls: UpdaterCalls, thread: Thread) {
    super(calls, thread);
    const { params } = this.sim.config;
    const byName = calls.actor.api === 'synchronize_srcu_expedited' || isAlwaysExpedited(params);
    this.#isSeen = this.machine.requester === 'scheduler';
    this.#isAskedExpedited = isAlwaysNormal(params) ? false : byName || undefined;
  }

  override begin(number: number): void {
    super.begin(number);
    this.#idx = -1;
  }

  step(): boolean {
    const { machine, thread } = this;
    if (this.phase === SYNC.entry) {
      this.enter(this.calls.actor.api);
      this.phase = SYNC.request;
      if (!thread.work(machine.syncToQueueNs)) return true;
    }
    if (this.phase === SYNC.request) {
      this.#request();
      this.phase = SYNC.unlock;
      if (!thread.work(machine.syncQueueToUnlockNs)) return true;
    }
    if (this.phase === SYNC.unlock) {
      if (this.#idx >= 0) this.domain.unlock(thread.track, thread.cpu, this.#idx, true);
      this.phase = SYNC.block;
      if (!thread.work(machine.syncUnlockToBlockNs)) return true;
    }
    if (this.phase === SYNC.block) {
      this.phase = SYNC.woken;
      if (!this.isComplete) {
        this.wait();
        return true;
      }
      if (!thread.work(0)) return true;
    }
    if (this.phase === SYNC.woken) {
      this.phase = SYNC.leave;
      if (!thread.work(machine.syncReturnNs)) return true;
    }
    this.leave();
    return false;
  }

  /**
   * 2.1: expedited by name, by 2.2 or by rcu_expedited, unless "normal only" is in force. The measurements do not say where inside
   * syncToQueueNs the clock is read for 2.2; its end is the choice that puts calls 25 us after a grace period on
   * both sides of the hold-off, as measured.
   */
  #isExpedited(): boolean {
    return this.#isAskedExpedited ?? mightBeIdle(this.domain, this.thread.cpu);
  }

  #request(): void {
    const { thread, domain } = this;
    // 2.1 step 1: a section of its own, seen only where the model looks at it (5.6)
    if (this.#isSeen) {
      this.#idx = domain.srcuIdx % 2;
      domain.lock(thread.track, thread.cpu, this.#idx, true);
    } else this.calls.credit?.spend(thread.track, thread.cpu);
    this.expect(1);
    this.#wakeme.id = this.world.nextCallbackId();
    requestGp(domain, this.#isExpedited(), thread.track, thread.cpu, this.#wakeme);
  }
}

const BARRIER = { entry: 0, mutex: 1, queue: 2, woken: 3, leave: 4 } as const;

/** srcu_barrier(). One at a time; a whole barrier by somebody else after the call will do (2.8). */
class Barrier extends SrcuCall {
  /** srcu_barrier_seq that tells that a whole barrier has passed. */
  #doneSeq = 0;

  step(): boolean {
    const { machine, thread, domain } = this;
    switch (this.phase++) {
      case BARRIER.entry:
        this.enter('srcu_barrier');
        this.#doneSeq = domain.barrierSeq + (domain.barrierSeq % 2 === 0 ? 2 : 3);
        thread.work(machine.callSrcuNs);
        return true;
      case BARRIER.mutex:
        if (domain.barrierSeq % 2 === 0) thread.work(0);
        else {
          // somebody else may take the mutex before this thread runs again: look once more
          this.phase = BARRIER.mutex;
          this.expect(1);
          domain.barrierWaiters.push(this.complete);
          this.wait();
        }
        return true;
      case BARRIER.queue:
        this.#queue();
        return true;
      case BARRIER.woken:
        thread.work(machine.syncReturnNs);
        return true;
      default:
        this.leave();
        return false;
    }
  }

  #queue(): void {
    const { domain, thread } = this;
    if (domain.barrierSeq >= this.#doneSeq) {
      this.#passMutexOn();
      thread.work(0);
      return;
    }
    domain.barrierSeq++;
    const lists = barrierLists(domain);
    this.expect(lists.length + 1, () => {
      domain.barrierSeq++;
      this.#passMutexOn();
    });
    for (const data of lists) {
      queueBarrier(
        domain,
        data,
        createCallback(this.world.nextCallbackId(), CALLBACK.barrier, this.complete),
      );
    }
    this.complete();
    if (this.isComplete) thread.work(0);
    else this.wait();
  }

  #passMutexOn(): void {
    this.domain.barrierWaiters.shift()?.();
  }
}

/** call_srcu(), `batch` times, then srcu_barrier() if the updater waits. */
class CallSrcu extends SrcuCall {
  readonly #batch: CallbackBatch;

  constructor(calls: UpdaterCalls, thread: Thread) {
    super(calls, thread);
    const { machine } = this;
    this.#batch = new CallbackBatch({
      ...{ calls, thread, barrier: new Barrier(calls, thread) },
      firstNs: () => machine.callSrcuFirstNs,
      nextNs: () => machine.callSrcuNs,
      queueOne: (ran) => this.#callOnce(ran),
      enter: () => this.enter('call_srcu'),
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

  #callOnce(ran: () => void): number {
    const { thread, domain, machine } = this;
    const id = this.world.nextCallbackId();
    const callback = createCallback(id, CALLBACK.call, ran);
    const idx = domain.srcuIdx % 2;
    const seen = machine.requester === 'scheduler';
    if (seen) domain.lock(thread.track, thread.cpu, idx, true);
    requestGp(domain, false, thread.track, thread.cpu, callback);
    if (seen) domain.unlock(thread.track, thread.cpu, idx, true);
    return 0;
  }
}

const POLL = { entry: 0, request: 1, leave: 2 } as const;

/** start_poll_synchronize_srcu(), then the first instant at which poll_state_synchronize_srcu() is true. */
class StartPoll extends SrcuCall {
  step(): boolean {
    const { machine, thread } = this;
    const api = 'start_poll_synchronize_srcu';
    switch (this.phase++) {
      case POLL.entry:
        this.enter(api);
        thread.work(machine.callSrcuFirstNs);
        return true;
      case POLL.request: {
        this.expect(1);
        const target = requestGp(this.domain, false, thread.track, thread.cpu, undefined);
        this.domain.pollers.push({ target, completed: this.complete });
        this.wait();
        return true;
      }
      default:
        this.leave();
        return false;
    }
  }
}

/** The calls that an updater makes on one of its threads. */
export function createApiCall(calls: UpdaterCalls, thread: Thread): ApiCall {
  const { api } = calls.actor;
  if (isRcuApi(api)) return createRcuCall(calls, thread);
  if (isTasksApi(api)) return createTasksCall(calls, thread);
  if (isKvfreeApi(api)) return new KvfreeRcuBarrier(calls, thread);
  switch (api) {
    case 'synchronize_srcu':
    case 'synchronize_srcu_expedited':
      return new Synchronize(calls, thread);
    case 'call_srcu':
      return new CallSrcu(calls, thread);
    case 'srcu_barrier':
      return new Barrier(calls, thread);
    case 'start_poll_synchronize_srcu':
      return new StartPoll(calls, thread);
    default:
      return unknownApi(api);
  }
}

/** No call is without its machine: what it is given cannot be. */
function unknownApi(api: never): never {
  throw new Error(`no such call: ${api}`);
}
