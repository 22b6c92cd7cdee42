/** What passes have done to the counts of their domain when they are over (spec srcu 2.4 step 3, 3.2). */
import type { RunInfo } from '../engine/core/info.ts';
import { PASS_OUTCOME, unpackPass } from '../engine/core/passCode.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { srcuGetDelay } from './delayRule.ts';
import type { DomainState } from './replay.ts';
import type { DomainSnapshot, OpenPass } from './stateTypes.ts';

/** The counts that limit polling. */
export interface Counts {
  readonly nExpNodelay: number;
  readonly rescheduleCount: number;
  readonly rescheduleJiffies: number;
}

/** End of the last pass of a burst. */
export function passEndNs(pass: OpenPass): number {
  return pass.startNs + pass.count * pass.lengthNs;
}

/** Complete passes of a burst at `timeNs`. */
export function passesDone(pass: OpenPass, timeNs: number): number {
  if (timeNs >= passEndNs(pass)) return pass.count;
  return Math.max(0, Math.floor((timeNs - pass.startNs) / pass.lengthNs));
}

/** A srcu_pass row has come at `timeNs`: a burst ahead of its passes, a single pass at its end. */
export function logged(domain: DomainState, info: RunInfo, pass: OpenPass, timeNs: number): void {
  domain.queued = undefined;
  domain.zeroNs = [];
  if (timeNs < passEndNs(pass)) domain.burst = pass;
  else book(domain, info, pass);
}

/** Books the domain's burst if it is over at `timeNs`. */
export function settle(domain: DomainState, info: RunInfo, timeNs: number): void {
  const { burst } = domain;
  if (burst === undefined || timeNs < passEndNs(burst)) return;
  domain.burst = undefined;
  book(domain, info, burst);
}

function book(domain: DomainState, info: RunInfo, pass: OpenPass): void {
  const counts = countsAfter(domain, pass, pass.count, info);
  domain.nExpNodelay = counts.nExpNodelay;
  domain.rescheduleCount = counts.rescheduleCount;
  domain.rescheduleJiffies = counts.rescheduleJiffies;
  // A pass that has ended a grace period and started the next belongs to the one before.
  if (unpackPass(pass.code).outcome !== PASS_OUTCOME.next) domain.gpPasses += pass.count;
}

/** The counts after the first `done` passes of `pass`, the domain being as it was before them. */
export function countsAfter(
  domain: DomainSnapshot | DomainState,
  pass: OpenPass,
  done: number,
  info: RunInfo,
): Counts {
  const { rescheduleCount, rescheduleJiffies } = domain;
  if (done === 0) return domain;
  const { delay, outcome, nAfter } = unpackPass(pass.code);
  // The passes of a burst add the same each.
  const perPass = (nAfter - domain.nExpNodelay) / pass.count;
  const nExpNodelay = done === pass.count ? nAfter : domain.nExpNodelay + done * perPass;
  if (info.srcu.jiffyLimit === Number.POSITIVE_INFINITY)
    return { nExpNodelay, rescheduleCount, rescheduleJiffies };
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  // jiffies are read right after the last check; the rest of the pass follows (spec srcu 11.1 passFirstCheckNs).
  const tailNs = info.srcu.passLoopNs - info.srcu.passFirstCheckNs;
  const decidedNs = pass.startNs + done * pass.lengthNs - tailNs;
  const jiffies = ticks.jiffiesAt(decidedNs);
  const sinceTickNs = decidedNs - ticks.timeOfJiffyNs(jiffies);
  const inJiffy = done === 1 ? 1 : Math.min(done, Math.floor(sinceTickNs / pass.lengthNs) + 1);
  const carried = inJiffy === done && rescheduleJiffies === jiffies ? rescheduleCount : 0;
  const counted = { nExpNodelay, rescheduleCount: carried + inJiffy, rescheduleJiffies: jiffies };
  const slept = { nExpNodelay, rescheduleCount: 0, rescheduleJiffies };
  if (outcome === PASS_OUTCOME.idle) return slept;
  if (delay === 0) return counted;
  const answer = srcuGetDelay(info.rules, {
    expedited: domain.seq < domain.neededExp,
    idle: (domain.seq & 3) === 0,
    ageJiffies: jiffies - domain.gpStartJiffies,
    counted: nExpNodelay,
    phaseLimit: info.srcu.phaseLimit,
  });
  // A delay that srcu_max_nodelay forced does not reset the count.
  return answer === 0 ? counted : slept;
}
