/**
 * The closed forms of spec srcu 4.1: how long an expedited grace period from idle polls before it sleeps, when its
 * reader never leaves. Times in ns.
 */

/** What the window depends on. */
export interface WindowInput {
  /** 'srcu.delay' and 'srcu.tryCheck' of the kernel. */
  readonly delayRule: 'exp-only' | 'age-1' | 'age-2';
  readonly oncePerTry: boolean;
  /** L and M; Infinity: no limit. */
  readonly phaseLimit: number;
  readonly jiffyLimit: number;
  /** P: length of one failing pass in SCAN2. */
  readonly passNs: number;
  /** From the start of the grace period to the first and to the second tick after it. */
  readonly firstTickNs: number;
  readonly secondTickNs: number;
}

/** The three bounds on the number of passes; the smallest ends the window. Infinity: this rule never ends it. */
export interface WindowPasses {
  readonly byPhase: number;
  readonly byJiffy: number;
  readonly byAge: number;
}

/** kL, kM and kA of spec srcu 4.1. */
export function windowPasses(input: WindowInput): WindowPasses {
  const { passNs, firstTickNs, jiffyLimit, phaseLimit } = input;
  const countsPerPass = input.oncePerTry ? 2 : 4;
  const inFirstJiffy = Math.ceil(firstTickNs / passNs) - 1;
  // M = 0: the first pass of a fresh jiffy is never limited, so it counts as 1 (4.8)
  const allowed = Math.max(jiffyLimit, 1) + 1;
  const byJiffy = allowed <= inFirstJiffy ? allowed : inFirstJiffy + allowed;
  const ageNs = input.delayRule === 'age-1' ? firstTickNs : input.secondTickNs;
  return {
    byPhase:
      input.delayRule === 'exp-only' ? Number.POSITIVE_INFINITY : Math.floor(phaseLimit / countsPerPass) + 1,
    byJiffy,
    byAge: input.delayRule === 'exp-only' ? Number.POSITIVE_INFINITY : Math.ceil(ageNs / passNs),
  };
}

/** W = k* P of spec srcu 4.1, not shortened for a last pass of two checks; Infinity if it never sleeps. */
export function windowNs(input: WindowInput): number {
  const passes = windowPasses(input);
  return Math.min(passes.byPhase, passes.byJiffy, passes.byAge) * input.passNs;
}
