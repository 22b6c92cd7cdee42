/** From a machine whose costs may be ranges to numbers. */
import { createStream, uniformNs } from '../core/random.ts';
import type { CostNs, Costs, Machine } from './presets.ts';

/** The smallest value of a cost, ns. */
export function leastNs(cost: CostNs): number {
  return typeof cost === 'number' ? cost : cost[0];
}

/** The largest value of a cost, ns. */
export function mostNs(cost: CostNs): number {
  return typeof cost === 'number' ? cost : cost[1];
}

/** The middle of a cost, ns, rounded down where it is a range. */
export function meanNs(cost: CostNs): number {
  return typeof cost === 'number' ? cost : Math.floor((cost[0] + cost[1]) / 2);
}

function isRange(value: unknown): value is readonly [number, number] {
  return Array.isArray(value);
}

/** True if any of these entries is a range. */
export function hasRange(machine: Machine, entries: readonly (keyof Machine)[]): boolean {
  return entries.some((entry) => isRange(machine[entry]));
}

/** True if no entry is a range: the machine is a table of costs as it is. */
function isFixed(machine: Machine): machine is Costs {
  return !Object.values(machine).some(isRange);
}

/** Every range replaced by the one value that `of` takes from it: for explanations and checks, not for runs. */
export function fixedCosts(machine: Machine, of: (cost: CostNs) => number): Costs {
  if (isFixed(machine)) return machine;
  const entries = Object.entries(machine).map(([entry, value]) => [
    entry,
    isRange(value) ? of(value) : value,
  ]);
  return Object.fromEntries(entries) as unknown as Costs;
}

/**
 * Costs for one run: reading an entry that is a range draws from a stream of its own (seed, entry). Ranges are read
 * through the prototype: an object with getters of its own would be slow to read for all its entries.
 */
export function drawnCosts(machine: Machine, seed: number): Costs {
  if (isFixed(machine)) return machine;
  const ranges: Record<string, unknown> = {};
  for (const [entry, value] of Object.entries(machine)) {
    if (!isRange(value)) continue;
    const [lo, hi] = value;
    const stream = createStream(seed, -1, 0, entry);
    Object.defineProperty(ranges, entry, { get: () => uniformNs(stream(), lo, hi), enumerable: true });
  }
  const numbers = Object.fromEntries(Object.entries(machine).filter(([, value]) => !isRange(value)));
  return Object.setPrototypeOf(numbers, ranges) as Costs;
}
