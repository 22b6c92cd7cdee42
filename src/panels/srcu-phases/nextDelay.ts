import { baseDelay, countsPerPass } from '../../analysis/delayRule.ts';
import type { SrcuStateAt } from '../../analysis/stateTypes.ts';
import type { RuleSet } from '../../engine/profiles/profiles.ts';

/** What the pass at hand, or else the next one, decides if it still finds a reader. */
export interface NextDelay {
  /** Jiffies; 0: polls on. */
  readonly delay: number;
  /** Which rule makes it sleep; empty if it does not. */
  readonly reason: string;
}

/** SRCU_MAX_INTERVAL: no delay is longer (spec srcu 3.5). */
const MAX_INTERVAL = 10;

/** The delay of a pass that finds a reader, by srcu_get_delay() and process_srcu() (spec srcu 3.1, 2.4 step 3). */
export function delayIfReaderFound(state: SrcuStateAt, rules: RuleSet): NextDelay {
  const { expedited, ageJiffies, phaseLimit } = state;
  // A pass under way has counted some of its answers already; they are in nExpNodelay only when it ends.
  const counted = state.nExpNodelay + countsPerPass(rules, state.phase === 'SCAN1' ? 1 : 2);
  const base = baseDelay(rules, { expedited, idle: false, ageJiffies, counted, phaseLimit });
  if (base > 0) {
    const isAged = base > (expedited ? 0 : 1);
    return { delay: Math.min(base, MAX_INTERVAL), reason: isAged ? 'the age rule' : 'not expedited' };
  }
  if (counted > phaseLimit) return { delay: 1, reason: 'srcu_max_nodelay_phase is used up' };
  // The first requeue of a jiffy is not tested (spec srcu 2.4 step 3).
  if (state.rescheduleJiffies === state.jiffies && state.rescheduleCount + 1 > state.jiffyLimit) {
    return { delay: 1, reason: 'srcu_max_nodelay is used up' };
  }
  return { delay: 0, reason: '' };
}
