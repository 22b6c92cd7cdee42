/** What a cycle of object sizes costs and occupies, as sums over runs of objects (kvfree K23). */
import { type BySize, costOfSize } from '../machine/bySize.ts';
import { sizeClass } from './sizeClass.ts';

/** Sums of a repeated cycle of whole numbers, by how many of its members are taken. */
export class CycleSums {
  readonly #values: readonly number[];
  /** Sum of the first i members of one cycle. */
  readonly #sums: readonly number[];
  readonly #whole: number;
  /** One value only: sums are products. */
  readonly #isUniform: boolean;

  constructor(cycle: readonly number[]) {
    this.#isUniform = cycle.every((value) => value === cycle[0]);
    const values = this.#isUniform ? cycle.slice(0, 1) : cycle;
    const sums = [0];
    for (const value of values) sums.push((sums.at(-1) as number) + value);
    this.#values = values;
    this.#sums = sums;
    this.#whole = sums.at(-1) as number;
  }

  /** Sum of the first `count` members. */
  upTo(count: number): number {
    const { length } = this.#values;
    const cycles = Math.floor(count / length);
    return cycles * this.#whole + (this.#sums[count - cycles * length] as number);
  }

  /** Sum of `count` members from number `first` on. */
  of(first: number, count: number): number {
    if (this.#isUniform === true) return count * this.#whole;
    return this.upTo(first + count) - this.upTo(first);
  }

  /** How many members from number `first` on fit into a sum of `budget`; Infinity if they cost nothing. */
  within(first: number, budget: number): number {
    if (this.#whole === 0) return Number.POSITIVE_INFINITY;
    const { length } = this.#values;
    const total = this.upTo(first) + budget;
    let count = Math.floor(total / this.#whole) * length;
    while (this.upTo(count + 1) <= total) count++;
    return count - first;
  }
}

/** Cost and bytes of the objects of an actor, by their number. */
export interface SizeSums {
  /** Bytes as the allocator rounds them. */
  readonly bytes: CycleSums;
  /** Allocating and queueing, ns. */
  readonly queueNs: CycleSums;
  /** Freeing with kfree_bulk(), ns. */
  readonly freeNs: CycleSums;
}

/** Costs that the sums are made of. */
interface Costs {
  readonly kfreeAllocQueueNs: BySize;
  readonly kfreeOneArgSavesNs: number;
  readonly kfreeFreeNs: BySize;
}

/** Sums for sizes that are cycled; objects of the one-argument form cost less, of "mixed" every second one. */
export function sizeSums(
  sizes: readonly number[],
  form: 'double' | 'single' | 'mixed',
  machine: Costs,
  extraFreeNs: (classes: readonly number[]) => number,
): SizeSums {
  const classes = sizes.map(sizeClass);
  const cycle = form === 'mixed' && classes.length % 2 === 1 ? [...classes, ...classes] : classes;
  const extraNs = extraFreeNs(classes);
  const saves = (i: number) =>
    form === 'single' || (form === 'mixed' && i % 2 === 1) ? machine.kfreeOneArgSavesNs : 0;
  return {
    bytes: new CycleSums(classes),
    queueNs: new CycleSums(
      cycle.map((bytes, i) => Math.max(0, costOfSize(machine.kfreeAllocQueueNs, bytes) - saves(i))),
    ),
    freeNs: new CycleSums(classes.map((bytes) => costOfSize(machine.kfreeFreeNs, bytes) + extraNs)),
  };
}
