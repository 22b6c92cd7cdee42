/** What a burst of passes has done to the counts of its domain after so many passes (spec srcu 2.4 step 3, 3.2). */
import type { RunInfo } from '../engine/core/info.ts';
import { PASS_OUTCOME, unpackPass } from '../engine/core/passCode.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { srcuGetDelay } from './delayRule.ts';
import type { DomainState } from './replay.ts';
import type { DomainSnapshot, OpenPass } from './stateTypes.ts';

/** End of the last pass of a burst. */
export function passEndNs(pass: OpenPass): number {
  return pass.startNs + pass.count * pass.lengthNs;
}

/** True if the pass ended a grace period and started the next (2.6 step 4). */
export function endsAndStarts(pass: OpenPass): boolean {
  return unpackPass(pass.code).outcome === PASS_OUTCOME.next;
}

/** Complete passes of a burst at `timeNs`. */
export function passesDone(pass: OpenPass, timeNs: number): number {
  if (timeNs >= passEndNs(pass)) return pass.count;
  return Math.max(0, Math.floor((timeNs - pass.startNs) / pass.lengthNs));
}

/**
 * Closes the domain's burst if it is over at `timeNs` and books what it did. Returns true if it is still under way
 * (its last instant included: what ends a burst happens then).
 */
export function settle(domain: DomainState, info: RunInfo, timeNs: number): boolean {
  const pass = domain.pass;
  if (pass === undefined) return false;
  if (timeNs <= passEndNs(pass)) return true;
  const counts = countsAfter(domain, pass, pass.count, info);
  domain.nExpNodelay = counts.nExpNodelay;
  domain.rescheduleCount = counts.rescheduleCount;
  domain.rescheduleJiffies = counts.rescheduleJiffies;
  domain.gpPasses += pass.count;
  domain.pass = undefined;
  return false;
}

/** The three counts after `done` complete passes of the open burst. */
export function countsAfter(
  domain: DomainSnapshot | DomainState,
  pass: OpenPass,
  done: number,
  info: RunInfo,
): { nExpNodelay: number; rescheduleCount: number; rescheduleJiffies: number } {
  const { nExpNodelay, rescheduleCount, rescheduleJiffies } = domain;
  if (done === 0) return { nExpNodelay, rescheduleCount, rescheduleJiffies };
  // Identical passes add the same each.
  const perPass = (pass.nAfter - nExpNodelay) / pass.count;
  const n = done === pass.count ? pass.nAfter : nExpNodelay + done * perPass;
  if (!Number.isFinite(info.srcu.jiffyLimit))
    return { nExpNodelay: n, rescheduleCount: 0, rescheduleJiffies };
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  // jiffies are read right after the last check; the rest of the pass follows (spec srcu 11.1 passFirstCheckNs).
  const tailNs = info.srcu.passLoopNs - info.srcu.passFirstCheckNs;
  const decidedNs = pass.startNs + done * pass.lengthNs - tailNs;
  const jiffies = ticks.jiffiesAt(Math.max(0, decidedNs));
  const sinceTickNs = decidedNs - ticks.timeOfJiffyNs(jiffies);
  const inJiffy = Math.min(done, Math.floor(sinceTickNs / pass.lengthNs) + 1);
  const carried = inJiffy === done && rescheduleJiffies === jiffies ? rescheduleCount : 0;
  const count = carried + inJiffy;
  const { delay, outcome } = unpackPass(pass.code);
  if (delay === 0 || done < pass.count) {
    return { nExpNodelay: n, rescheduleCount: count, rescheduleJiffies: jiffies };
  }
  const isForced =
    outcome === PASS_OUTCOME.again &&
    carried + inJiffy > info.srcu.jiffyLimit &&
    srcuGetDelay(info.rules, {
      expedited: domain.seq < domain.neededExp,
      idle: (domain.seq & 3) === 0,
      ageJiffies: jiffies - domain.gpStartJiffies,
      counted: n,
      phaseLimit: info.srcu.phaseLimit,
    }) === 0;
  return isForced
    ? { nExpNodelay: n, rescheduleCount: count, rescheduleJiffies: jiffies }
    : { nExpNodelay: n, rescheduleCount: 0, rescheduleJiffies };
}
