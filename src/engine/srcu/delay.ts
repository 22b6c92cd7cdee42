/** srcu_get_delay() and the start of a grace period (spec srcu 3.1, 2.3). */
import { KIND } from '../core/eventKinds.ts';
import { type Domain, STATE } from './domain.ts';

/** SRCU_MAX_INTERVAL: no delay is longer (3.5). */
export const MAX_DELAY_JIFFIES = 10;

/** srcu_get_delay() in jiffies, at a time at which `jiffies` has this value. May count one more no-delay instance. */
export function getDelay(domain: Domain, jiffies: number): number {
  const { ageFrom } = domain;
  let delay = domain.isExpedited ? 0 : 1;
  if (ageFrom === Number.POSITIVE_INFINITY) return delay;
  if (domain.state !== STATE.idle) {
    const age = jiffies - domain.gpStartJiffy;
    if (age >= ageFrom) delay += age - ageFrom + 1;
  }
  const counts = ageFrom === 1 || domain.state !== STATE.idle;
  if (delay === 0 && counts) {
    domain.n++;
    if (domain.n > domain.constants.phaseLimit) delay = 1;
  }
  return Math.min(delay, MAX_DELAY_JIFFIES);
}

/** First instant at which the age rule forbids a zero delay to the grace period under way; Infinity: never. */
export function ageLimitNs(domain: Domain): number {
  if (domain.ageFrom === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  return domain.sim.ticks.timeOfJiffyNs(domain.gpStartJiffy + domain.ageFrom);
}

/** srcu_gp_start() (2.3). */
export function gpStart(domain: Domain): void {
  const { sim } = domain;
  if (domain.gpSeq >= domain.needed) throw new Error('srcu_gp_start: no grace period is needed');
  domain.gpStartJiffy = sim.jiffies;
  domain.n = 0;
  domain.gpSeq++;
  const number = (domain.gpSeq - STATE.scan1) / 4 + 1;
  sim.emit(
    KIND.srcu_gp_start,
    domain.track,
    domain.gpSeq,
    domain.gpStartJiffy,
    domain.isExpedited ? 1 : 0,
    number,
  );
}
