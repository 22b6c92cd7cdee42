/** What a grace-period number that somebody pastes says (rcu_seq_*(), tree R1.1 to R1.4). Words are unsigned, 64 bits. */
import type { RunInfo } from '../engine/core/info.ts';
import {
  DONE_EXACT_GUARD,
  parseSeqWord,
  seqWordCtr,
  seqWordDone,
  seqWordDoneExact,
  seqWordEnd,
  seqWordSnap,
  seqWordStarted,
  seqWordState,
  signedSeqWord,
} from '../engine/tree/seqWord.ts';

/** RCU_GET_STATE_COMPLETED (tree R6.1). */
const COMPLETED = 1n;

/** A gp_seq in its parts. */
export interface SeqReading {
  readonly word: bigint;
  /** As the kernel prints it with %ld. */
  readonly signed: bigint;
  /** rcu_seq_ctr(), and the same of the signed word: the number of the grace period. */
  readonly counter: bigint;
  readonly number: bigint;
  /** rcu_seq_state(): 0 idle, 1 running. */
  readonly state: number;
  /** rcu_seq_endval(): gp_seq once the grace period is over. */
  readonly end: bigint;
  /** rcu_seq_snap(): the cookie that is taken now. */
  readonly snap: bigint;
}

/** Reads a gp_seq, decimal or 0x; undefined: it is no number. */
export function readSeq(text: string): SeqReading | undefined {
  const parsed = parseSeqWord(text);
  if (parsed === undefined) return undefined;
  const word = BigInt.asUintN(64, parsed);
  return {
    word,
    signed: signedSeqWord(word),
    counter: seqWordCtr(word),
    number: signedSeqWord(word) >> 2n,
    state: seqWordState(word),
    end: seqWordEnd(word),
    snap: seqWordSnap(word),
  };
}

/** What a cookie is worth at a gp_seq: rcu_seq_started(), rcu_seq_done(), rcu_seq_done_exact() with the guard of a kernel. */
export function judgeCookie(
  { word }: SeqReading,
  { word: cookie }: SeqReading,
  rules: Pick<RunInfo['rules'], 'tree.srOrder'>,
): { readonly started: boolean; readonly done: boolean; readonly doneExact: boolean } {
  return {
    started: seqWordStarted(word, cookie),
    done: cookie === COMPLETED || seqWordDone(word, cookie),
    doneExact:
      cookie === COMPLETED || seqWordDoneExact(word, cookie, DONE_EXACT_GUARD[rules['tree.srOrder']]),
  };
}

/** The signed decimal of a word, as traces print it. */
export function signedOf(word: bigint): bigint {
  return signedSeqWord(word);
}
