import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CycleSums } from './sizes.ts';

describe('CycleSums', () => {
  const cycles = fc.oneof(
    fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 }),
    fc
      .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 5 }))
      .map(([value, length]) => new Array<number>(length).fill(value)),
  );

  it('adds up members one by one, equal ones too', () => {
    const first = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(cycles, first, first, (cycle, from, count) => {
        let sum = 0;
        for (let i = from; i < from + count; i++) sum += cycle[i % cycle.length] as number;
        const sums = new CycleSums(cycle);
        expect(sums.of(from, count)).toBe(sum);
        // so many fit, whatever is left of the next one
        expect(sums.within(from, sum)).toBe(count);
        expect(sums.within(from, sum + (cycle[(from + count) % cycle.length] as number) - 1)).toBe(count);
      }),
    );
  });
});
