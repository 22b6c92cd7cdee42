/** How long an object may sit between kfree_rcu() and its free, by kernel (kvfree K3, K7, K12). */
import { Ticks, wheelExpiry } from '../engine/core/ticks.ts';
import { drainJiffies, recordsPerBlock } from '../engine/kvfree/params.ts';
import type { RuleSet } from '../engine/profiles/profiles.ts';
import { duration } from './phrase.ts';

/** A delay of the monitor as the timer wheel makes it. */
export interface DrainDelay {
  readonly jiffies: number;
  /** From arming to expiry, over all phases of the tick and all values of jiffies. */
  readonly leastNs: number;
  readonly mostNs: number;
}

/** What a kernel does. */
export interface KfreeLife {
  /** Until the monitor comes while less than a block is queued on the CPU; absent without batching (up to 5.5). */
  readonly drain?: DrainDelay;
  /** The same from `records` objects on; absent where the delay does not depend on it. */
  readonly drainFull?: DrainDelay;
  /** Pointers a block holds; 0 without blocks. */
  readonly records: number;
  /** A grace period that elapses while the object sits in its batch is enough; else one must follow. */
  readonly takesElapsedGp: boolean;
}

/** A value of jiffies that every level of the wheel divides. */
const LEVELS = 8 * 8 * 8 * 8;

function drainDelay(jiffies: number, hz: number): DrainDelay {
  const ticks = new Ticks(hz, 0);
  // Just before a multiple of all levels the timer is rounded by least, on one by most.
  const edge = LEVELS * Math.ceil((jiffies + 1) / LEVELS);
  const [early, late] = [edge - 1, edge].map((sum) => wheelExpiry(sum - jiffies, jiffies) - (sum - jiffies));
  return { jiffies, leastNs: ticks.timeNs((early as number) - 1), mostNs: ticks.timeNs(late as number) };
}

/** The life of an object by the rules of a kernel. */
export function kfreeLife(rules: RuleSet, hz: number, pageSize: number): KfreeLife {
  const records = recordsPerBlock(rules['kvfree.block'], pageSize);
  const wait = rules['kvfree.wait'];
  const takesElapsedGp = wait === 'per-block' || wait === 'ready-by-monitor';
  if (rules['kvfree.batching'] === 'none') return { records, takesElapsedGp };
  const isAdaptive = rules['kvfree.monitor'] === '5hz-or-1';
  return {
    drain: drainDelay(drainJiffies(rules['kvfree.monitor'], hz), hz),
    ...(isAdaptive ? { drainFull: drainDelay(1, hz) } : {}),
    ...{ records, takesElapsedGp },
  };
}

const span = ({ leastNs, mostNs }: DrainDelay) => `${duration(leastNs)} to ${duration(mostNs)}`;

/** The same in words. */
export function kfreeLifeWords({ drain, drainFull, records, takesElapsedGp }: KfreeLife): string {
  if (drain === undefined) return 'Each object is a callback of its own and waits for a grace period only.';
  const gp = takesElapsedGp
    ? 'a grace period, which may have passed meanwhile'
    : 'a full grace period that begins after that';
  const full =
    drainFull === undefined
      ? ''
      : ` With ${records} objects or more on a CPU the monitor comes after 1 jiffy, ${span(drainFull)}.`;
  return (
    `An object sits in the batch of its CPU until the monitor comes, ${span(drain)} after the first one was queued, ` +
    `and then needs ${gp}.${full} While both batches of the CPU wait for a grace period it sits longer.`
  );
}

/**
 * True if an object that was given to kfree_rcu() `ageNs` ago may be waiting in good order; what a leak detector then
 * reports is no leak. `gpNs`: how long a grace period may take there; two may pass, the rest of one and a full one.
 */
export function mayStillWait({ drain }: KfreeLife, ageNs: number, gpNs: number): boolean {
  return ageNs <= (drain?.mostNs ?? 0) + 2 * gpNs;
}
