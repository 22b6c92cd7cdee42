/**
 * Column `c` of a srcu_pass row, packed in one integer:
 *
 *   bits 0-1    scan at its start (1 SCAN1, 2 SCAN2, 0 idle: nothing to do)
 *   bits 2-3    scan at its end   (1, 2; 0 the grace period ended)
 *   bits 4-7    checks that found a reader, per pass
 *   bits 8-11   checks in all, per pass
 *   bits 12-15  delay d decided at its end, in jiffies (0..10)
 *   bits 16-17  PASS_OUTCOME
 *   bits 20-31  CPU of the worker
 *   bits 32-52  srcu_n_exp_nodelay after the (last) pass; 2^21-1 stands for that and more
 */
export const PASS_OUTCOME = {
  /** A reader was found: queued again after d jiffies. */
  again: 0,
  /** Ended the grace period (or found nothing to do); the domain is idle. */
  idle: 1,
  /** Ended the grace period, the next one is running. */
  next: 2,
} as const;

/** What a srcu_pass row says of (each of) its pass(es). */
export interface PassInfo {
  readonly scanStart: number;
  readonly scanEnd: number;
  readonly failedChecks: number;
  readonly checks: number;
  readonly delay: number;
  readonly outcome: number;
  readonly cpu: number;
  readonly nAfter: number;
}

const N_MAX = 2 ** 21 - 1;

/** The packed form without srcu_n_exp_nodelay: equal for passes of equal shape. */
export function passShape(
  scanStart: number,
  scanEnd: number,
  failedChecks: number,
  checks: number,
  delay: number,
  outcome: number,
  cpu: number,
): number {
  const low =
    scanStart | (scanEnd << 2) | (failedChecks << 4) | (checks << 8) | (delay << 12) | (outcome << 16);
  return low + cpu * 2 ** 20;
}

/** A shape with srcu_n_exp_nodelay after the pass. */
export function withNAfter(shape: number, nAfter: number): number {
  return shape + Math.min(nAfter, N_MAX) * 2 ** 32;
}

/** The shape of a packed pass. */
export function shapeOf(code: number): number {
  return code % 2 ** 32;
}

/** Packs; the inverse of `unpackPass`. */
export function packPass(p: PassInfo): number {
  const { scanStart, scanEnd, failedChecks, checks, delay, outcome, cpu } = p;
  return withNAfter(passShape(scanStart, scanEnd, failedChecks, checks, delay, outcome, cpu), p.nAfter);
}

/** True for the shape of passes that bursts are made of: a reader was found, no delay. */
export function isBurstShape(shape: number): boolean {
  return ((shape >> 12) & 255) === 0;
}

/** Unpacks column `c` of a srcu_pass row. */
export function unpackPass(code: number): PassInfo {
  const low = code % 2 ** 20;
  return {
    scanStart: low & 3,
    scanEnd: (low >> 2) & 3,
    failedChecks: (low >> 4) & 15,
    checks: (low >> 8) & 15,
    delay: (low >> 12) & 15,
    outcome: (low >> 16) & 3,
    cpu: Math.floor(code / 2 ** 20) % 2 ** 12,
    nAfter: Math.floor(code / 2 ** 32),
  };
}
