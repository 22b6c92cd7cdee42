/**
 * Grace-period sequence numbers: the two low bits are the state, the rest counts (rcu_seq_*(), tree R1.1 to R1.7).
 * The engine keeps them as signed integers, as trace events print them; they never wrap here. The same functions on
 * 64-bit words that may wrap: seqWord.ts.
 */

/** What one grace period adds. */
export const GP_STEP = 4;
/** rcu_state.gp_seq at boot, 300 grace periods before 0 (R1.7). */
export const INITIAL_GP_SEQ = -1200;

/** Counter of a number. */
export function seqCtr(seq: number): number {
  return Math.floor(seq / GP_STEP);
}

/** State of a number: 0 idle, 1 a grace period runs. */
export function seqState(seq: number): number {
  return seq - seqCtr(seq) * GP_STEP;
}

/** rcu_seq_snap(): the earliest value that proves a full grace period from now on (R1.3). */
export function seqSnap(seq: number): number {
  return seqCtr(seq + 7) * GP_STEP;
}

/** rcu_seq_start() (R1.2). Throws unless idle. */
export function seqStart(seq: number): number {
  if (seqState(seq) !== 0) throw new Error(`grace period ${seq} runs already`);
  return seq + 1;
}

/** rcu_seq_endval(): the value at the end of the grace period that runs or would come next (R1.2). */
export function seqEnd(seq: number): number {
  return (seqCtr(seq) + 1) * GP_STEP;
}

/** rcu_seq_started(): has the grace period that `target` stands for begun (R1.4)? */
export function seqStarted(seq: number, target: number): boolean {
  return seqCtr(target - 1) * GP_STEP < seq;
}

/** rcu_seq_done() (R1.4). */
export function seqDone(seq: number, target: number): boolean {
  return seq >= target;
}

/** rcu_seq_done_exact(): done, or more than `guard` behind, as after a wrap (R1.4). */
export function seqDoneExact(seq: number, target: number, guard: number): boolean {
  return seqDone(seq, target) || seq < target - guard;
}

/** rcu_seq_completed_gp(): did a grace period end between the two (R1.5)? */
export function completedGp(old: number, now: number): boolean {
  return old < seqCtr(now) * GP_STEP;
}

/** rcu_seq_new_gp(): did one start (R1.5)? */
export function newGp(old: number, now: number): boolean {
  return seqCtr(old + 3) * GP_STEP < now;
}
