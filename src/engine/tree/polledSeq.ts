/** Cookies of the polled API and the word gp_seq_polled, as functions of values (tree R6.1 to R6.5). */
import { seqDoneExact, seqEnd, seqSnap, seqStart, seqState } from './gpSeq.ts';

/** RCU_GET_STATE_COMPLETED: a cookie that stands for a grace period that is over already. */
export const COMPLETED_COOKIE = 1;

/** gp_seq_polled and what it was at the start of the normal and of the expedited grace period; 0: none noted. */
export interface PolledWords {
  readonly seq: number;
  readonly snapNormal: number;
  readonly snapExp: number;
}

/** Which grace period starts or ends. */
export type GpFlavor = 'normal' | 'expedited';

/** gp_seq_polled at boot (R1.7). */
export const INITIAL_POLLED: PolledWords = { seq: 0, snapNormal: 0, snapExp: 0 };

/** rcu_poll_gp_seq_start(): a grace period starts (R6.4). */
export function polledStart(words: PolledWords, flavor: GpFlavor): PolledWords {
  const seq = seqState(words.seq) === 0 ? seqStart(words.seq) : words.seq;
  return flavor === 'normal' ? { ...words, seq, snapNormal: seq } : { ...words, seq, snapExp: seq };
}

/** rcu_poll_gp_seq_end(): it ends. Only if nobody has ended the polled one meanwhile does that one end too (R6.4). */
export function polledEnd(words: PolledWords, flavor: GpFlavor): PolledWords {
  const snap = flavor === 'normal' ? words.snapNormal : words.snapExp;
  if (snap !== 0 && snap === words.seq) return { seq: seqEnd(words.seq), snapNormal: 0, snapExp: 0 };
  return flavor === 'normal' ? { ...words, snapNormal: 0 } : { ...words, snapExp: 0 };
}

/** The two words that a full cookie is taken from (struct rcu_gp_oldstate). */
export interface FullCookie {
  readonly normal: number;
  readonly exp: number;
}

/** get_state_synchronize_rcu_full(), from rcu_state.gp_seq and expedited_sequence (R6.2). */
export function takeFullCookie(gpSeq: number, expSeq: number): FullCookie {
  return { normal: seqSnap(gpSeq), exp: seqSnap(expSeq) };
}

/** poll_state_synchronize_rcu() against gp_seq_polled, or gp_seq in kernels before it (R6.1). */
export function isCookieDone(seq: number, cookie: number, guard: number): boolean {
  return cookie === COMPLETED_COOKIE || seqDoneExact(seq, cookie, guard);
}

/** poll_state_synchronize_rcu_full(), against the root's gp_seq and expedited_sequence (R6.2). */
export function isFullCookieDone(
  rootSeq: number,
  expSeq: number,
  cookie: FullCookie,
  guard: number,
): boolean {
  return isCookieDone(rootSeq, cookie.normal, guard) || isCookieDone(expSeq, cookie.exp, guard);
}
