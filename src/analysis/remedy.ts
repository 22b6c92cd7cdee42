/** What would have avoided a stretch of a grace period: computed from the rules, never guessed. */

import type { RunInfo } from '../engine/core/info.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { meanNs } from '../engine/machine/costs.ts';
import { kernelHasParam } from '../engine/profiles/kernelParams.ts';
import { SRCU_PARAMS } from '../engine/srcu/params.ts';
import type { Remedy } from './blameTypes.ts';
import { countsPerPass } from './delayRule.ts';
import type { PassFact, PeriodFacts, ScanFact, SleepFact, Waited } from './periodFacts.ts';
import { count, duration } from './phrase.ts';

const PHASE_LIMIT = 'srcutree.srcu_max_nodelay_phase';
const JIFFY_LIMIT = 'srcutree.srcu_max_nodelay';

/** Why a pass decided to sleep (spec srcu 2.4 step 3, 3.1). */
export type SleepReason = 'first' | 'normal' | 'phase' | 'jiffy' | 'age';

/** The pass that armed a sleep: the last one before it. */
export function passBefore(facts: PeriodFacts, sleep: SleepFact): PassFact | undefined {
  return facts.passes.findLast((pass) => pass.endNs <= sleep.startNs);
}

/** When a pass decides, after its last check; jiffies are read then. */
function decisionNs(pass: PassFact, info: RunInfo): number {
  return pass.startNs + pass.count * pass.lengthNs - (info.srcu.passLoopNs - info.srcu.passFirstCheckNs);
}

/** Why process_srcu slept. */
export function sleepReason(facts: PeriodFacts, sleep: SleepFact, info: RunInfo): SleepReason {
  const pass = passBefore(facts, sleep);
  if (sleep.isFirst || pass === undefined) return 'first';
  if (!facts.expedited) return 'normal';
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const age = ticks.jiffiesAt(decisionNs(pass, info)) - ticks.jiffiesAt(facts.startNs);
  const fromAge = info.rules['srcu.delay'] === 'age-1' ? 1 : 2;
  if (age >= fromAge) return 'age';
  return pass.info.nAfter > info.srcu.phaseLimit ? 'phase' : 'jiffy';
}

/** Time of a steady pass that finds a reader in this scan (spec srcu 4.1, 4.2). */
function steadyPassNs(scan: 1 | 2, info: RunInfo): number {
  const { retryNs, secondRetryNs, passLoopNs, checkNs } = info.srcu;
  return scan === 1 ? retryNs + passLoopNs + checkNs : retryNs + secondRetryNs + passLoopNs;
}

/** Offsets of the checks of a pass without delay in this scan. */
function checkOffsets(scan: 1 | 2, info: RunInfo): readonly number[] {
  const { retryNs, secondRetryNs, passFirstCheckNs, checkNs } = info.srcu;
  return scan === 1
    ? [passFirstCheckNs + checkNs, passFirstCheckNs + checkNs + retryNs]
    : [passFirstCheckNs, passFirstCheckNs + retryNs, passFirstCheckNs + retryNs + secondRetryNs];
}

/**
 * More polls in place of a sleep: from the decision to sleep on, passes of P ns follow each other until a check comes
 * at or after the reader's leave. They need counts (2 per pass, or 3 and 4), passes per jiffy, and they must decide
 * before the age rule bites; where it does, only another rule would have helped. Undefined where a
 * reader can leave only when the worker gives up the CPU, as its requester does, or nothing would have been saved.
 */
export function morePolls(
  facts: PeriodFacts,
  sleep: SleepFact,
  scan: ScanFact,
  info: RunInfo,
): Remedy | undefined {
  const reason = sleepReason(facts, sleep, info);
  const pass = passBefore(facts, sleep);
  const { holder } = scan;
  if (reason === 'first' || reason === 'normal' || pass === undefined || holder === undefined)
    return undefined;
  const isKeptIn = ({ cpu, leaveNs, own }: Waited) =>
    own || (info.contended && cpu === pass.info.cpu && leaveNs > pass.endNs);
  if (scan.waited.some(isKeptIn)) return undefined;
  const passNs = steadyPassNs(scan.scan, info);
  const fromNs = pass.startNs + pass.count * pass.lengthNs;
  const offsets = checkOffsets(scan.scan, info);
  if (passNs <= 0 || holder.leaveNs === Number.POSITIVE_INFINITY) return undefined;
  // The first pass (0, 1, ...) one of whose checks is not before the leave.
  const lastOffset = offsets.at(-1) as number;
  const last = Math.max(0, Math.ceil((holder.leaveNs - fromNs - lastOffset) / passNs));
  const found = offsets.findIndex((ns) => fromNs + last * passNs + ns >= holder.leaveNs);
  const offset = offsets[found] ?? lastOffset;
  const foundNs = fromNs + last * passNs + offset;
  const savesNs = scan.endNs - foundNs;
  if (savesNs <= 0) return undefined;
  // age is looked at by the decision before that pass, and by each failing check of it that is followed by another
  if (reason === 'age' || !isYoungEnough(facts, fromNs + last * passNs + (offsets[found - 1] ?? 0), info))
    return noAgeRule(savesNs, info);
  return moreOf(facts, pass, scan, last + 1, fromNs, passNs, savesNs, info);
}

/** The age rule stops the polling at the second jiffy (first in 5.19-rc1). */
function isYoungEnough(facts: PeriodFacts, lastStartNs: number, info: RunInfo): boolean {
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const age = ticks.jiffiesAt(lastStartNs) - ticks.jiffiesAt(facts.startNs);
  const rule = info.rules['srcu.delay'];
  return rule === 'exp-only' || age < (rule === 'age-1' ? 1 : 2);
}

/** The age rule (3.1) ended the polling, or would have: no limit helps, only the rule of 5.18, which has no age. */
function noAgeRule(savesNs: number, info: RunInfo): Remedy {
  const jiffy = info.rules['srcu.delay'] === 'age-1' ? 'first' : 'second';
  const text = `No srcutree parameter helps: from its ${jiffy} jiffy on the age of the grace period decides. The rule of v5.18, which polls on (rule srcu.delay), would have saved ${duration(savesNs)}.`;
  return { text, savesNs };
}

/** The remedy in words: so many passes, and the parameters that allow them. */
function moreOf(
  facts: PeriodFacts,
  pass: PassFact,
  scan: ScanFact,
  passes: number,
  fromNs: number,
  passNs: number,
  savesNs: number,
  info: RunInfo,
): Remedy | undefined {
  const phaseNeeded = pass.info.nAfter + passes * countsPerPass(info.rules, scan.scan);
  const jiffyNeeded = passesInJiffy(facts, fromNs, passes, passNs, info);
  const raised = [
    { name: PHASE_LIMIT, value: phaseNeeded, isShort: phaseNeeded > info.srcu.phaseLimit },
    { name: JIFFY_LIMIT, value: jiffyNeeded, isShort: jiffyNeeded > info.srcu.jiffyLimit },
  ].filter((limit) => limit.isShort);
  if (raised.length === 0) return undefined;
  const names = raised
    .map(({ name, value }) => `${name.replace('srcutree.', '')} raised to ${value}`)
    .join(' and ');
  const text = `${count(passes, 'more pass', 'more passes')} without delay would have saved ${duration(savesNs)}: ${names}.`;
  const isSettable = raised.every(({ name }) => {
    const param = SRCU_PARAMS.find((known) => known.name === name);
    return param !== undefined && kernelHasParam(info.config.kernel, param);
  });
  if (!isSettable) return { text: `${text} This kernel has no parameter for it.`, savesNs };
  const only = raised.length === 1 ? raised[0] : undefined;
  if (only === undefined) return { text, savesNs };
  return { text, savesNs, param: { name: only.name, value: only.value } };
}

/** Most passes that decide in one jiffy when the polling goes on: what srcu_max_nodelay must allow. */
function passesInJiffy(
  facts: PeriodFacts,
  fromNs: number,
  passes: number,
  passNs: number,
  info: RunInfo,
): number {
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const { passLoopNs, passFirstCheckNs } = info.srcu;
  const afterDecisionNs = passLoopNs - passFirstCheckNs;
  // as if each ended where it decides
  const decidedFrom = (startNs: number) => startNs - afterDecisionNs;
  const endNs = fromNs + passes * passNs;
  let most = 0;
  for (let tick = ticks.numberAt(facts.startNs); ticks.timeNs(tick) < endNs; tick++) {
    const t0Ns = ticks.timeNs(tick);
    const t1Ns = ticks.timeNs(tick + 1);
    let inJiffy = passesWithin(decidedFrom(fromNs), passNs, passes, t0Ns, t1Ns);
    for (const pass of facts.passes) {
      if (pass.endNs <= fromNs)
        inJiffy += passesWithin(decidedFrom(pass.startNs), pass.lengthNs, pass.count, t0Ns, t1Ns);
    }
    most = Math.max(most, inJiffy);
  }
  return most;
}

/** Passes of a run of equal ones that end in [t0, t1). */
function passesWithin(startNs: number, lengthNs: number, passes: number, t0Ns: number, t1Ns: number): number {
  const upTo = (ns: number) => Math.min(passes, Math.max(0, Math.ceil((ns - startNs) / lengthNs) - 1));
  return upTo(t1Ns) - upTo(t0Ns);
}

/**
 * An expedited grace period in place of a normal one (3.4, 2.6): its first pass comes at once, and so do its callbacks,
 * which waited `cbDelayNs`. Where a reader was in its section it polls until that leaves. Undefined where the limits
 * would have ended the polling before, or the requester would have met itself.
 */
export function expedited(facts: PeriodFacts, cbDelayNs: number, info: RunInfo): Remedy | undefined {
  const delay = facts.sleeps[0];
  if (delay?.isFirst !== true || !facts.couldBeExpedited || !facts.finished) return undefined;
  if (facts.openAtStart.some(({ own }) => own)) return undefined;
  const leaveNs = Math.max(facts.startNs, ...facts.openAtStart.map((section) => section.leaveNs));
  const passes = leaveNs === facts.startNs ? 0 : (leaveNs - facts.startNs) / steadyPassNs(2, info);
  const isPolled =
    passes * countsPerPass(info.rules, 2) < info.srcu.phaseLimit && isYoungEnough(facts, leaveNs, info);
  if (leaveNs >= delay.endNs || !isPolled) return undefined;
  const savesNs = delay.endNs - leaveNs + cbDelayNs;
  const callbacks = cbDelayNs > 0 ? ', and its callbacks run at once' : '';
  const text = `An expedited grace period makes its first pass at once${callbacks}: about ${duration(savesNs)} less.`;
  return { text, savesNs };
}

/**
 * A requester that met itself: what the grace period would have taken had the worker begun after it, waiting only for
 * the readers that were there besides. Undefined where that is no shorter.
 */
export function withoutPreemption(facts: PeriodFacts, info: RunInfo): Remedy | undefined {
  const { passFirstCheckNs, checkNs } = info.srcu;
  const startNs = facts.passes[0]?.startNs ?? facts.startNs;
  // One pass: both scans succeed at their first check.
  const endNs = startNs + passFirstCheckNs + 2 * checkNs + meanNs(info.config.machine.gpEndNs);
  const others = facts.scans.flatMap(({ waited }) => waited).filter(({ own }) => !own);
  const othersNs = Math.max(Number.NEGATIVE_INFINITY, ...others.map(({ leaveNs }) => leaveNs));
  const savesNs = facts.endNs - Math.max(endNs, othersNs);
  if (!(savesNs > 0)) return undefined;
  const how = othersNs > endNs ? 'up to ' : '';
  const text = `The requester can leave only when the worker gives up the CPU, so no poll can help: with preempt none or voluntary the worker starts after it, and the grace period is ${how}${duration(savesNs)} shorter.`;
  return { text, savesNs };
}
