/**
 * Fast-forward over failing passes (spec srcu 4.1, 4.2, 4.8): how many passes from now on are certain to find a
 * reader, to decide no delay, and to have the same shape, if no reader leaves.
 */

/** The state in which a pass is about to begin. Times in ns. */
export interface BurstInput {
  readonly startNs: number;
  /** Length of one such pass. */
  readonly passNs: number;
  /** From the start of a pass to its delay decision (2.4 step 2), its last look at jiffies. */
  readonly decisionNs: number;
  /** srcu_n_exp_nodelay now, what each pass adds, and L. */
  readonly n: number;
  readonly countsPerPass: number;
  readonly phaseLimit: number;
  /** First instant at which the age rule forbids a zero delay; Infinity if it never does. */
  readonly ageNs: number;
  /** Zero-delay passes still allowed in the present jiffy (M), and its end. Infinity: no limit. */
  readonly leftInJiffy: number;
  readonly nextTickNs: number;
}

function decidedBefore(input: BurstInput, limitNs: number): number {
  if (limitNs === Number.POSITIVE_INFINITY) return limitNs;
  return Math.max(0, Math.floor((limitNs - 1 - input.startNs - input.decisionNs) / input.passNs) + 1);
}

/**
 * Passes that can be taken in one go, 0 and more; Infinity if only a leaving reader ends them (v5.18). Under a
 * per-jiffy limit a burst ends with its jiffy; the next one begins there.
 */
export function burstPasses(input: BurstInput): number {
  const byPhase = Math.max(0, Math.floor((input.phaseLimit - input.n) / input.countsPerPass));
  const byAge = decidedBefore(input, input.ageNs);
  if (input.leftInJiffy === Number.POSITIVE_INFINITY) return Math.min(byPhase, byAge);
  return Math.min(byPhase, byAge, input.leftInJiffy, decidedBefore(input, input.nextTickNs));
}
