/**
 * Grace-period numbers as the checkers work them out (tree R1.1 to R1.4): two low bits state, the rest counts. Kept
 * apart from the engine's own functions, so that a fault there is seen.
 */
const STEP = 4;

/** State of a number: 0 idle, 1 a grace period runs. */
export function stateOf(seq: number): number {
  return ((seq % STEP) + STEP) % STEP;
}

/** Value at the end of the grace period that runs, or of the next one. */
export function endOf(seq: number): number {
  return seq - stateOf(seq) + STEP;
}

/** The number without its state: value at the end of the last grace period before it. */
export function idleOf(seq: number): number {
  return seq - stateOf(seq);
}

/** Earliest value that proves a full grace period from now on (R1.3). */
export function snapOf(seq: number): number {
  return stateOf(seq) === 0 ? seq + STEP : endOf(seq) + STEP;
}

/** Has the grace period that ends with `target` begun (R1.4)? */
export function hasStarted(seq: number, target: number): boolean {
  return seq > target - STEP;
}
