import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStream, Draws, drawAt, hashOf, Lcg, ln, uniformNs } from './random.ts';

const U32 = 0xffffffffn;
const U64 = (1n << 64n) - 1n;

/** The generator of the measured kernels' workloads, word for word in 64-bit arithmetic. */
class BigLcg {
  #x: bigint;

  constructor(seed: number, stream: number) {
    this.#x = (BigInt(seed) + 0x9e3779b97f4a7c15n * BigInt(stream + 1)) & U64;
  }

  next(lo: number, hi: number): number {
    this.#x = (this.#x * 6364136223846793005n + 1442695040888963407n) & U64;
    return Number(BigInt(lo) + (((this.#x >> 33n) * BigInt(hi - lo + 1)) >> 31n));
  }
}

describe('Lcg', () => {
  it('gives the numbers of the 64-bit generator, 10 000 in a row', () => {
    const [lcg, big] = [new Lcg(1, 0), new BigLcg(1, 0)];
    for (let i = 0; i < 10_000; i++) {
      const hi = 2 ** (i % 38) - 1;
      const [given, expected] = [lcg.next(0, hi), big.next(0, hi)];
      if (given !== expected) expect.fail(`draw ${i} from [0, ${hi}]: ${given}, not ${expected}`);
    }
  });

  it('does so for every seed, stream and range up to 2^37', () => {
    const range = fc.tuple(fc.integer({ min: 0, max: 10 ** 10 }), fc.integer({ min: 0, max: 2 ** 37 - 1 }));
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        fc.nat(4096),
        fc.array(range, { minLength: 5 }),
        (seed, stream, ranges) => {
          const [lcg, big] = [new Lcg(seed, stream), new BigLcg(seed, stream)];
          for (const [lo, width] of ranges) expect(lcg.next(lo, lo + width)).toBe(big.next(lo, lo + width));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('throws one number away with skip()', () => {
    const [skipped, drawn] = [new Lcg(7, 2), new Lcg(7, 2)];
    skipped.skip();
    drawn.next(0, 1_000_000);
    expect(skipped.next(0, 1_000_000)).toBe(drawn.next(0, 1_000_000));
  });
});

describe('ln', () => {
  it('is within 1e-15 of the natural logarithm on all draws', () => {
    const draws = fc.oneof(
      fc.integer({ min: 1, max: 2 ** 32 }).map((k) => k / 2 ** 32),
      fc.integer({ min: 0, max: 31 }).map((bits) => 2 ** -bits),
      fc.integer({ min: 1, max: 1000 }).map((k) => 1 - k / 2 ** 32),
      fc.integer({ min: -1000, max: 1000 }).map((k) => 0.75 + k / 2 ** 32),
    );
    fc.assert(
      fc.property(draws, (x) => {
        expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(1e-15 * Math.abs(Math.log(x)));
      }),
      { numRuns: 20_000 },
    );
    expect(ln(1)).toBe(0);
  });
});

/** sfc32 (Chris Doty-Humphrey), in integers without a sign. */
function* sfc32(seed: readonly number[]): Generator<bigint> {
  let [a, b, c] = seed.map(BigInt) as [bigint, bigint, bigint];
  for (let counter = 1n; ; counter++) {
    const result = (a + b + counter) & U32;
    a = b ^ (b >> 9n);
    b = (c + (c << 3n)) & U32;
    c = (((c << 21n) & U32) | (c >> 11n)) & U32;
    c = (c + result) & U32;
    yield result;
  }
}

describe('createStream', () => {
  it('is sfc32 after 12 rounds', () => {
    const parts = [2 ** 40 + 17, 3, 1, 'hold'] as const;
    const reference = sfc32([1, 2, 3].map((word) => hashOf(...parts, word)));
    for (let i = 0; i < 12; i++) reference.next();
    const stream = createStream(...parts);
    for (let i = 0; i < 1000; i++) expect(BigInt(stream() * 2 ** 32)).toBe(reference.next().value);
  });

  it('has a stream of its own for every seed, actor, number and purpose', () => {
    const firsts = new Set<string>();
    let streams = 0;
    for (const seed of [0, 1, 2, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
      for (let actor = 0; actor < 6; actor++) {
        for (let number = 0; number < 6; number++) {
          for (const purpose of ['hold', 'idle', 'gap', 'spin']) {
            const stream = createStream(seed, actor, number, purpose);
            firsts.add([stream(), stream()].join());
            streams++;
          }
        }
      }
    }
    expect(firsts.size).toBe(streams);
  });

  it('does not depend on what others draw in between', () => {
    const alone = createStream(5, 0, 0, 'hold');
    const expected = Array.from({ length: 20 }, () => alone());
    const [hold, gap] = [createStream(5, 0, 0, 'hold'), createStream(5, 0, 0, 'gap')];
    const interleaved = expected.map((_, i) => {
      for (let k = 0; k < i; k++) gap();
      return hold();
    });
    expect(interleaved).toEqual(expected);
  });

  it('fills [0, 1) evenly', () => {
    const stream = createStream(1, 0, 0, 'hold');
    expect(chiSquare(() => stream())).toBeLessThan(CHI_SQUARE_LIMIT);
  });

  it('is not correlated with its neighbours', () => {
    const [x, y] = [createStream(1, 0, 0, 'hold'), createStream(1, 0, 1, 'hold')];
    let sum = 0;
    const n = 20_000;
    for (let i = 0; i < n; i++) sum += (x() - 0.5) * (y() - 0.5) * 12;
    // 5 standard deviations of the mean of n products
    expect(Math.abs(sum / n)).toBeLessThan(5 / Math.sqrt(n));
  });
});

const BINS = 64;
/** 63 degrees of freedom: mean 63, deviation 11.2; five deviations above. */
const CHI_SQUARE_LIMIT = 63 + 5 * 11.3;

function chiSquare(draw: (i: number) => number): number {
  const counts = new Array<number>(BINS).fill(0);
  const n = BINS * 500;
  for (let i = 0; i < n; i++) counts[Math.floor(draw(i) * BINS)]!++;
  return counts.reduce((sum, count) => sum + (count - 500) ** 2 / 500, 0);
}

describe('drawAt (R1.18)', () => {
  it('is a function of its arguments', () => {
    expect(drawAt(1, 'tick-jitter', 2, 3)).toBe(drawAt(1, 'tick-jitter', 2, 3));
  });

  it('is what Draws with its seed and purpose give', () => {
    const draws = new Draws(2 ** 33 + 5, 'kfree-form');
    for (const [cpu, ordinal] of [
      [0, 0],
      [70, 2 ** 31],
      [3, 2 ** 40 + 1],
    ] as const)
      expect(draws.at(cpu, ordinal)).toBe(drawAt(2 ** 33 + 5, 'kfree-form', cpu, ordinal));
  });

  it('differs with the seed, the purpose, the CPU and the ordinal', () => {
    const base = [1, 'tick-jitter', 2, 3] as const;
    const draws = [
      drawAt(...base),
      ...[drawAt(2, 'tick-jitter', 2, 3), drawAt(1 + 2 ** 32, 'tick-jitter', 2, 3)],
      ...[drawAt(1, 'idle-exit', 2, 3), drawAt(1, 'tick-jitter', 3, 3), drawAt(1, 'tick-jitter', 2, 4)],
      ...[drawAt(1, 'tick-jitter', 3, 2), drawAt(1, 'tick-jitter', 2, 3 + 2 ** 32)],
    ];
    expect(new Set(draws).size).toBe(draws.length);
  });

  it('fills [0, 1) evenly over ordinals and over CPUs', () => {
    expect(chiSquare((i) => drawAt(1, 'jiffy-race', 0, i))).toBeLessThan(CHI_SQUARE_LIMIT);
    expect(chiSquare((i) => drawAt(1, 'jiffy-race', i, 77))).toBeLessThan(CHI_SQUARE_LIMIT);
  });
});

describe('uniformNs', () => {
  it('takes both ends and nothing outside', () => {
    expect(uniformNs(0, 10, 12)).toBe(10);
    expect(uniformNs(1 - 2 ** -32, 10, 12)).toBe(12);
    expect(uniformNs(0.5, 10, 12)).toBe(11);
  });
});
