/** The polled API on the engine's state: who takes cookies, and when they become true (tree §6). */
import { KIND } from '../core/eventKinds.ts';
import { seqSnap } from './gpSeq.ts';
import {
  type FullCookie,
  INITIAL_POLLED,
  isCookieDone,
  isFullCookieDone,
  type PolledWords,
  polledEnd,
  polledStart,
  takeFullCookie,
} from './polledSeq.ts';
import { DONE_EXACT_GUARD } from './seqWord.ts';
import type { GpObserver, TreeRcu } from './treeRcu.ts';

/** One word (compressed) or two (full). */
export type Cookie = number | FullCookie;

/** `a` of rcu_poll rows; full cookies have POLL_FULL added. */
export const POLL = { getState: 0, startPoll: 1, startPollExpedited: 2, becameTrue: 3 } as const;
const POLL_FULL = 4;

/** Somebody polls at every end of a grace period (R6.6). */
interface Poller {
  readonly cookie: Cookie;
  readonly completed: (onCpu: number) => void;
}

/** gp_seq_polled, cookies, and those who poll. */
export class Polled implements GpObserver {
  readonly #rcu: TreeRcu;
  /** tree.polled: kernels before gp_seq_polled compare cookies with gp_seq. */
  readonly #hasOwnWord: boolean;
  readonly #guard: number;
  #words: PolledWords = INITIAL_POLLED;
  #pollers: Poller[] = [];
  /** Told when an expedited grace period starts: cookies taken from then on differ. */
  onExpeditedStart: (() => void) | undefined;

  constructor(rcu: TreeRcu) {
    const { rules } = rcu.sim;
    this.#rcu = rcu;
    this.#hasOwnWord = rules['tree.polled'] === 'gp-seq-polled';
    this.#guard = DONE_EXACT_GUARD[rules['tree.srOrder']];
  }

  /** What one-word cookies are compared with. */
  get #seq(): number {
    return this.#hasOwnWord ? this.#words.seq : this.#rcu.gpSeq;
  }

  /** A normal grace period starts; the kthread runs on this CPU. */
  started(onCpu: number): void {
    this.#become(polledStart(this.#words, 'normal'), onCpu);
  }

  /** rcu_gp_cleanup() begins (R2.22). */
  cleanup(onCpu: number): void {
    this.#become(polledEnd(this.#words, 'normal'), onCpu);
  }

  /** A normal grace period has ended. */
  ended(onCpu: number): number {
    this.look(onCpu);
    return 0;
  }

  /** An expedited one starts, from code on this CPU. */
  expStarted(onCpu: number): void {
    this.onExpeditedStart?.();
    this.#become(polledStart(this.#words, 'expedited'), onCpu);
  }

  /** It is about to end (rcu_exp_gp_seq_end()). */
  expEnds(onCpu: number): void {
    this.#become(polledEnd(this.#words, 'expedited'), onCpu);
  }

  #become(words: PolledWords, onCpu: number): void {
    if (!this.#hasOwnWord) return;
    const { sim } = this.#rcu;
    const hasChanged = words.seq !== this.#words.seq;
    this.#words = words;
    if (hasChanged) sim.emit(KIND.rcu_poll_gp_seq, onCpu, words.seq);
  }

  /** get_state_synchronize_rcu(). */
  takeWord(): number {
    return seqSnap(this.#seq);
  }

  /** That, or its _full form. */
  take(isFull: boolean): Cookie {
    return isFull ? takeFullCookie(this.#rcu.gpSeq, this.#rcu.expedited.seq) : this.takeWord();
  }

  /** poll_state_synchronize_rcu(), or its _full form. */
  isDone(cookie: Cookie): boolean {
    if (typeof cookie === 'number') return isCookieDone(this.#seq, cookie, this.#guard);
    return isFullCookieDone(this.#rcu.root.gpSeq, this.#rcu.expedited.seq, cookie, this.#guard);
  }

  /** Calls `completed` at the end of the grace period that makes the cookie true, from code on a CPU. */
  watch(cookie: Cookie, completed: (onCpu: number) => void): void {
    this.#pollers.push({ cookie, completed });
  }

  /** A grace period has ended: everybody polls. */
  look(onCpu: number): void {
    const done = this.#pollers.filter(({ cookie }) => this.isDone(cookie));
    if (done.length === 0) return;
    this.#pollers = this.#pollers.filter((poller) => !done.includes(poller));
    const { sim } = this.#rcu;
    const { cause } = sim;
    for (const { completed } of done) {
      sim.cause = cause;
      completed(onCpu);
    }
    sim.cause = cause;
  }

  /** Writes a rcu_poll row of a thread (its track) on a CPU. */
  trace(what: (typeof POLL)[keyof typeof POLL], cookie: Cookie, onCpu: number, thread: number): void {
    const { sim } = this.#rcu;
    if (typeof cookie === 'number') sim.emit(KIND.rcu_poll, onCpu, what, cookie, this.#seq, thread);
    else sim.emit(KIND.rcu_poll, onCpu, what + POLL_FULL, cookie.normal, cookie.exp, thread);
  }
}
