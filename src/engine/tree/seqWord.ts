/**
 * Grace-period sequence numbers as the kernel has them: words of 64 (or 32) bits that wrap (rcu_seq_*(), tree R1.1 to
 * R1.6). A word is an unsigned bigint. The engine's own numbers never wrap: gpSeq.ts, equal where neither does.
 */

/** Bits of an unsigned long. */
export type WordBits = 64 | 32;

const STATE_BITS = 2n;
/** RCU_SEQ_STATE_MASK. */
const STATE_MASK = 3n;
/** Further behind its target than this, a word counts as wrapped (3 * mask + 1; 2 * mask + 1 before tree.srOrder). */
export const DONE_EXACT_GUARD = { 'before-start': 10, 'after-start': 7 } as const;

/** The word of a number of any sign. */
export function seqWord(value: bigint, bits: WordBits = 64): bigint {
  return BigInt.asUintN(bits, value);
}

/** The word as trace events print it: signed. */
export function signedSeqWord(word: bigint, bits: WordBits = 64): bigint {
  return BigInt.asIntN(bits, word);
}

/** Decimal (signed or not) or 0x… to a word; undefined if it is not a number or has too many bits. */
export function parseSeqWord(text: string, bits: WordBits = 64): bigint | undefined {
  const trimmed = text.trim();
  if (!/^(-?\d+|0x[\da-f]+)$/i.test(trimmed)) return undefined;
  const value = BigInt(trimmed);
  const fits = value >= -(1n << BigInt(bits - 1)) && value < 1n << BigInt(bits);
  return fits ? seqWord(value, bits) : undefined;
}

/** ULONG_CMP_GE(): a at or after b, at most half the range apart. */
function isAtOrAfter(a: bigint, b: bigint, bits: WordBits): boolean {
  return seqWord(a - b, bits) < 1n << BigInt(bits - 1);
}

/** The word without its state. */
function counterPart(word: bigint, bits: WordBits): bigint {
  return seqWord(word & ~STATE_MASK, bits);
}

/** rcu_seq_ctr(): the counter, unsigned (R1.1). */
export function seqWordCtr(word: bigint): bigint {
  return word >> STATE_BITS;
}

/** rcu_seq_state(): 0 idle, 1 a grace period runs (R1.1). */
export function seqWordState(word: bigint): number {
  return Number(word & STATE_MASK);
}

/** rcu_seq_start(); undefined unless the state is 0, as the kernel warns then (R1.2). */
export function seqWordStart(word: bigint, bits: WordBits = 64): bigint | undefined {
  return seqWordState(word) === 0 ? seqWord(word + 1n, bits) : undefined;
}

/** rcu_seq_endval(): the value at the end of the grace period that runs or would come next (R1.2). */
export function seqWordEnd(word: bigint, bits: WordBits = 64): bigint {
  return seqWord((word | STATE_MASK) + 1n, bits);
}

/** rcu_seq_snap(): the earliest value that proves a full grace period from now on (R1.3). */
export function seqWordSnap(word: bigint, bits: WordBits = 64): bigint {
  return counterPart(word + 2n * STATE_MASK + 1n, bits);
}

/** rcu_seq_started(): has the grace period that `target` stands for begun (R1.4)? */
export function seqWordStarted(word: bigint, target: bigint, bits: WordBits = 64): boolean {
  return !isAtOrAfter(counterPart(seqWord(target - 1n, bits), bits), word, bits);
}

/** rcu_seq_done() (R1.4). */
export function seqWordDone(word: bigint, target: bigint, bits: WordBits = 64): boolean {
  return isAtOrAfter(word, target, bits);
}

/** rcu_seq_done_exact(): done, or so far behind that the counter must have wrapped (R1.4). */
export function seqWordDoneExact(
  word: bigint,
  target: bigint,
  guard: number = DONE_EXACT_GUARD['before-start'],
  bits: WordBits = 64,
): boolean {
  const oldest = seqWord(target - BigInt(guard), bits);
  return seqWordDone(word, target, bits) || !isAtOrAfter(word, oldest, bits);
}

/** rcu_seq_completed_gp(): did a grace period end between the two readings (R1.5)? */
export function seqWordCompletedGp(old: bigint, now: bigint, bits: WordBits = 64): boolean {
  return !isAtOrAfter(old, counterPart(now, bits), bits);
}

/** rcu_seq_new_gp(): did one start between them (R1.5)? */
export function seqWordNewGp(old: bigint, now: bigint, bits: WordBits = 64): boolean {
  return !isAtOrAfter(counterPart(seqWord(old + STATE_MASK, bits), bits), now, bits);
}

/** rcu_seq_diff(): grace periods between two readings, up to one too many (R1.6). */
export function seqWordDiff(now: bigint, old: bigint, bits: WordBits = 64): bigint {
  if (now === old) return 0n;
  const isRunning = seqWordState(now) !== 0 || seqWordState(old) !== 0;
  const rounded = counterPart(now, bits) - counterPart(old + STATE_MASK, bits) + (isRunning ? 1n : 0n);
  const apart = seqWord(rounded, bits);
  if (isAtOrAfter(STATE_MASK, apart, bits)) return 1n;
  return ((apart - STATE_MASK - 1n) >> STATE_BITS) + 2n;
}
