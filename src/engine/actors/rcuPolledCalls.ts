/** The polled update-side calls of Tree RCU on the calling thread (tree §6, R6.6). */
import type { Task } from '../core/task.ts';
import { type Cookie, POLL } from '../tree/polled.ts';
import { startPoll } from '../tree/request.ts';
import type { ApiCall } from './call.ts';
import { RcuCall } from './rcuCall.ts';
import type { Thread } from './thread.ts';
import type { UpdaterCalls } from './updater.ts';

const WHAT: Readonly<Record<string, (typeof POLL)[keyof typeof POLL]>> = {
  get_state_synchronize_rcu: POLL.getState,
  start_poll_synchronize_rcu: POLL.startPoll,
  start_poll_synchronize_rcu_expedited: POLL.startPollExpedited,
};
const PHASE = { entry: 0, take: 1 } as const;

/** A cookie is taken and perhaps a grace period asked for; the call has returned when the poll becomes true. */
class PollCall extends RcuCall<UpdaterCalls> {
  readonly #what = WHAT[this.calls.actor.api] ?? POLL.getState;

  step(): boolean {
    const { thread, machine } = this;
    switch (this.phase++) {
      case PHASE.entry:
        this.enter(this.calls.actor.api);
        thread.work(this.#what === POLL.getState ? 0 : machine.callRcuNs);
        return true;
      case PHASE.take:
        this.#take();
        return true;
      default:
        return false;
    }
  }

  #take(): void {
    const { rcu, thread, calls, sim } = this;
    const cookie = rcu.polled.take(calls.actor.cookie === 'full');
    rcu.polled.trace(this.#what, cookie, thread.cpu, thread.track);
    const { cause } = sim;
    this.expect(1);
    rcu.polled.watch(cookie, (onCpu) => this.#becameTrue(cookie, onCpu));
    if (this.#what === POLL.startPoll) startPoll(rcu, thread.cpu);
    if (this.#what === POLL.startPollExpedited)
      rcu.polledExpedited.request(rcu.polled.takeWord(), thread.cpu);
    sim.cause = cause;
    this.wait();
  }

  #becameTrue(cookie: Cookie, onCpu: number): void {
    const { rcu, thread } = this;
    rcu.polled.trace(POLL.becameTrue, cookie, onCpu, thread.track);
    this.leave();
    this.completeFrom(onCpu, false);
  }
}

/** get_state_synchronize_rcu(), in the form that the updater wants, from one of its threads. */
export function takeCookie(calls: UpdaterCalls, thread: Task): Cookie {
  const { polled } = calls.world.rcu;
  const cookie = polled.take(calls.actor.cookie === 'full');
  polled.trace(POLL.getState, cookie, thread.cpu, thread.track);
  return cookie;
}

/** cond_synchronize_rcu() with the cookie that was taken before the gap (R6.1). */
class CondSynchronize extends RcuCall<UpdaterCalls> {
  readonly #synchronize: ApiCall;
  #isSynchronizing = false;

  constructor(calls: UpdaterCalls, thread: Thread, synchronize: ApiCall) {
    super(calls, thread);
    this.#synchronize = synchronize;
  }

  override begin(number: number): void {
    super.begin(number);
    this.#isSynchronizing = false;
  }

  step(): boolean {
    if (this.#isSynchronizing) return this.#synchronize.step();
    const { calls, thread, rcu } = this;
    const { polled } = rcu;
    const cookie = calls.gapCookie() ?? takeCookie(calls, thread);
    if (!polled.isDone(cookie)) {
      this.#isSynchronizing = true;
      this.#synchronize.begin(this.number);
      return this.#synchronize.step();
    }
    this.enter(calls.actor.api);
    polled.trace(POLL.becameTrue, cookie, thread.cpu, thread.track);
    this.leave();
    return false;
  }
}

/** A polled call. `synchronize`: what cond_synchronize_rcu() does while its cookie is not true. */
export function createPolledCall(calls: UpdaterCalls, thread: Thread, synchronize: ApiCall): ApiCall {
  return calls.actor.api === 'cond_synchronize_rcu'
    ? new CondSynchronize(calls, thread, synchronize)
    : new PollCall(calls, thread);
}
