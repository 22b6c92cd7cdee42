/** The shape of passes that bursts are made of (spec srcu 3.2, 4.1, 4.2). Times in ns. */
import type { SrcuConstants } from '../core/info.ts';

/** A pass that finds a reader at every check and starts and ends in the same scan. */
export interface FailingPass {
  readonly passNs: number;
  /** From its start to its delay decision. */
  readonly decisionNs: number;
  readonly checks: number;
  /** What it adds to srcu_n_exp_nodelay (3.2). */
  readonly countsPerPass: number;
}

/** Length and counts of a failing pass in SCAN1 or SCAN2; `oncePerTry`: rule srcu.tryCheck (3.2). */
export function failingPass(constants: SrcuConstants, scan1: boolean, oncePerTry: boolean): FailingPass {
  const { passFirstCheckNs, passLoopNs, checkNs, retryNs, secondRetryNs } = constants;
  const decisionNs = passFirstCheckNs + retryNs + (scan1 ? checkNs : secondRetryNs);
  const checks = scan1 ? 2 : 3;
  const countsPerPass = oncePerTry ? 2 : checks + 1;
  return { passNs: decisionNs + passLoopNs - passFirstCheckNs, decisionNs, checks, countsPerPass };
}

/**
 * Passes of a burst that are over after so long. One that ends at this very instant has not decided yet: whatever
 * interrupts it came first (3.7).
 */
export function passesBefore(elapsedNs: number, passNs: number): number {
  return Math.max(0, Math.ceil(elapsedNs / passNs) - 1);
}
