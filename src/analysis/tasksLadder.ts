/** The back-off of the hold-out loop as a ladder: when scans come, seen from the beginning of the phase (spec tasks 4.1, 4.3). */
import type { RunInfo } from '../engine/core/info.ts';
import { Ticks, wheelExpiry } from '../engine/core/ticks.ts';
import type { RuleSet } from '../engine/profiles/profiles.ts';
import { Backoff } from '../engine/tasks/backoff.ts';

/** A scan that is to come. */
export interface LadderScan {
  /** Jiffies slept before it. */
  readonly delay: number;
  /** Unrounded sleeps up to it, summed, jiffies. */
  readonly sum: number;
  /** When it comes, from the beginning of the phase, if the kthread gets its CPU at once and scans take no time. ns. */
  readonly atNs: number;
}

/** The back-off rules in the order of the kernels that have them. */
export const BACKOFF_RULES = [
  'hz',
  'seed-v2',
  'fract',
  'jiffies',
] as const satisfies readonly RuleSet['tasks.backoff'][];

/** Scans of `rule` in the first `spanNs` of a phase that begins at `startNs`, and the next one after that; at most `most`. */
export function backoffLadder(
  info: RunInfo,
  rule: RuleSet['tasks.backoff'],
  initFract: number,
  startNs: number,
  spanNs: number,
  most: number,
): readonly LadderScan[] {
  const { hz, startJiffies } = info.config;
  const ticks = new Ticks(hz, startJiffies);
  const backoff = new Backoff(rule, hz, initFract);
  const scans: LadderScan[] = [];
  let jiffies = ticks.jiffiesAt(startNs);
  let sum = 0;
  while (scans.length < most) {
    const delay = backoff.next;
    backoff.advance();
    sum += delay;
    jiffies = wheelExpiry(jiffies, delay);
    const atNs = ticks.timeOfJiffyNs(jiffies) - startNs;
    scans.push({ delay, sum, atNs });
    if (atNs > spanNs) break;
  }
  return scans;
}
