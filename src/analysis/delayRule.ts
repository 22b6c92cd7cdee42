/** srcu_get_delay() and the per-jiffy limit as the rules of a profile say (spec srcu 2.4 step 3, 3.1). */
import type { RuleSet } from '../engine/profiles/profiles.ts';

const MAX_DELAY = 10;

/** What srcu_get_delay() looks at. `counted`: srcu_n_exp_nodelay with the present call included. */
export interface DelayInput {
  readonly expedited: boolean;
  readonly idle: boolean;
  readonly ageJiffies: number;
  readonly counted: number;
  readonly phaseLimit: number;
}

/** Its answer before the count is looked at; 0 is what costs a count. */
export function baseDelay(rules: RuleSet, input: DelayInput): number {
  const base = input.expedited ? 0 : 1;
  if (input.idle) return base;
  switch (rules['srcu.delay']) {
    case 'exp-only':
      return base;
    case 'age-1':
      return base + input.ageJiffies;
    case 'age-2':
      return base + (input.ageJiffies >= 2 ? input.ageJiffies - 1 : 0);
  }
}

/** The answer of srcu_get_delay() in jiffies. */
export function srcuGetDelay(rules: RuleSet, input: DelayInput): number {
  const base = baseDelay(rules, input);
  if (rules['srcu.delay'] === 'exp-only') return base;
  const isCounted = rules['srcu.delay'] === 'age-1' || !input.idle;
  const delay = base === 0 && isCounted && input.counted > input.phaseLimit ? 1 : base;
  return Math.min(delay, MAX_DELAY);
}

/** Counts that a failing pass without delay costs: SCAN1, SCAN2 (spec srcu 3.2). */
export function countsPerPass(rules: RuleSet, scan: 1 | 2): number {
  return rules['srcu.tryCheck'] === 'once' ? 2 : scan === 1 ? 3 : 4;
}
