import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from './queue.ts';

interface Pending {
  readonly slot: number;
  readonly timeNs: number;
  readonly priority: number;
  readonly sequence: number;
}

/** The definition: a list, sorted by (time, priority, sequence) whenever somebody asks. */
class SortedList {
  readonly #priorities: readonly number[];
  #pending: Pending[] = [];
  #sequence = 0;

  constructor(priorities: readonly number[]) {
    this.#priorities = priorities;
  }

  schedule(slot: number, timeNs: number): void {
    this.cancel(slot);
    const priority = this.#priorities[slot] as number;
    this.#pending.push({ slot, timeNs, priority, sequence: this.#sequence++ });
    this.#pending.sort((x, y) => x.timeNs - y.timeNs || x.priority - y.priority || x.sequence - y.sequence);
  }

  cancel(slot: number): void {
    this.#pending = this.#pending.filter((event) => event.slot !== slot);
  }

  popMin(): number {
    return (this.#pending.shift() as Pending).slot;
  }

  get size(): number {
    return this.#pending.length;
  }

  get nextTimeNs(): number {
    return this.#pending[0]?.timeNs ?? Number.POSITIVE_INFINITY;
  }

  isPending(slot: number): boolean {
    return this.#pending.some((event) => event.slot === slot);
  }
}

const SLOTS = 24;
/** Few times and priorities, so that ties are the rule. */
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      slot: fc.nat(SLOTS - 1),
      timeNs: fc.nat(9),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      slot: fc.nat(SLOTS - 1),
      timeNs: fc.constant(0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pop' as const), slot: fc.constant(0), timeNs: fc.constant(0) }),
  },
);

/** What both say of an operation and of their state after it. */
function apply(
  queue: EventQueue,
  model: SortedList,
  { do: what, slot, timeNs }: { do: string; slot: number; timeNs: number },
) {
  if (what === 'schedule') {
    queue.schedule(slot, timeNs);
    model.schedule(slot, timeNs);
  } else if (what === 'cancel') {
    queue.cancel(slot);
    model.cancel(slot);
  } else if (model.size > 0) expect(queue.popMin()).toBe(model.popMin());
}

describe('EventQueue', () => {
  it('is a list sorted by time, priority, sequence', () => {
    const priorities = fc.array(fc.nat(3), { minLength: SLOTS, maxLength: SLOTS });
    fc.assert(
      fc.property(priorities, fc.array(operation, { maxLength: 120 }), (given, operations) => {
        const queue = new EventQueue();
        const model = new SortedList(given);
        for (const priority of given) queue.allocate(priority, () => {});
        for (const step of operations) {
          apply(queue, model, step);
          expect(queue.size).toBe(model.size);
          expect(queue.nextTimeNs()).toBe(model.nextTimeNs);
          expect(queue.isPending(step.slot)).toBe(model.isPending(step.slot));
        }
        while (model.size > 0) expect(queue.popMin()).toBe(model.popMin());
        expect(queue.size).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps what is pending when slots are added', () => {
    const queue = new EventQueue();
    const slots = Array.from({ length: 1000 }, (_, i) => {
      const slot = queue.allocate(i % 3, () => {});
      queue.schedule(slot, (i * 7919) % 100);
      return slot;
    });
    const expected = slots
      .map((slot, i) => ({ slot, timeNs: (i * 7919) % 100, priority: i % 3 }))
      .sort((x, y) => x.timeNs - y.timeNs || x.priority - y.priority || x.slot - y.slot)
      .map(({ slot }) => slot);
    expect(expected.map(() => queue.popMin())).toEqual(expected);
  });

  it('goes last among equals when scheduled again, also for the same time', () => {
    const queue = new EventQueue();
    const [first, second] = [queue.allocate(0, () => {}), queue.allocate(0, () => {})];
    queue.schedule(first, 5);
    queue.schedule(second, 5);
    queue.schedule(first, 5);
    expect([queue.popMin(), queue.popMin()]).toEqual([second, first]);
  });

  it('calls the handler of the slot and of no other', () => {
    const queue = new EventQueue();
    const called: string[] = [];
    const slots = ['x', 'y', 'z'].map((name) => queue.allocate(0, () => called.push(name)));
    queue.call(slots[2] as number);
    queue.call(slots[0] as number);
    expect(called).toEqual(['z', 'x']);
  });

  it('has no next time when nothing is pending', () => {
    const queue = new EventQueue();
    const slot = queue.allocate(0, () => {});
    expect(queue.nextTimeNs()).toBe(Number.POSITIVE_INFINITY);
    queue.schedule(slot, 3);
    queue.cancel(slot);
    queue.cancel(slot);
    expect(queue.nextTimeNs()).toBe(Number.POSITIVE_INFINITY);
    expect(queue.isPending(slot)).toBe(false);
  });
});
