/**
 * Random numbers: sfc32 streams, one per (seed, actor, purpose), draws by position for ticks, idle exits and locks,
 * and the 64-bit generator of the measured kernel's workloads. Integers and + - * / only.
 */

function mix(h: number, value: number): number {
  let x = Math.imul(h ^ value, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca77);
  return (x ^ (x >>> 13)) >>> 0;
}

const END_OF_PART = 0x7f4a7c15;

/** The hash goes on with a safe integer. */
function addNumber(h: number, value: number): number {
  return mix(mix(mix(h, value >>> 0), Math.floor(value / 2 ** 32) >>> 0), END_OF_PART);
}

function addWord(hash: number, word: string): number {
  let h = hash;
  for (let i = 0; i < word.length; i++) h = mix(h, word.charCodeAt(i));
  return mix(h, END_OF_PART);
}

/** One 32-bit number from any list of safe integers and words. */
export function hashOf(...parts: readonly (number | string)[]): number {
  let h = 0x2545f491;
  for (const part of parts) h = typeof part === 'string' ? addWord(h, part) : addNumber(h, part);
  return h;
}

/** A stream of numbers in [0, 1) with 32 bits each. */
export type Stream = () => number;

/** The sfc32 stream of (seed, actor, number, purpose). */
export function createStream(seed: number, actor: number, number: number, purpose: string): Stream {
  let a = hashOf(seed, actor, number, purpose, 1);
  let b = hashOf(seed, actor, number, purpose, 2);
  let c = hashOf(seed, actor, number, purpose, 3);
  let d = 1;
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** The draw in [0, 1) that belongs to (seed, purpose, cpu, ordinal): independent of all others (tree R1.18). */
export function drawAt(seed: number, purpose: string, cpu: number, ordinal: number): number {
  return hashOf(seed, purpose, cpu, ordinal) / 2 ** 32;
}

/** The draws of drawAt() with one seed and purpose, for whoever makes many. */
export class Draws {
  readonly #hash: number;

  constructor(seed: number, purpose: string) {
    this.#hash = hashOf(seed, purpose);
  }

  /** drawAt(seed, purpose, cpu, ordinal). */
  at(cpu: number, ordinal: number): number {
    return addNumber(addNumber(this.#hash, cpu), ordinal) / 2 ** 32;
  }
}

/** ln(x) for 0 < x <= 1 from + - * / only (relative error about 4e-16): Math.log differs between engines. */
export function ln(x: number): number {
  let mantissa = x;
  let exponent = 0;
  while (mantissa < 0.75) {
    mantissa *= 2;
    exponent--;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), |(m - 1) / (m + 1)| <= 1/5
  const y = (mantissa - 1) / (mantissa + 1);
  const y2 = y * y;
  let term = y;
  let sum = y;
  for (let k = 3; k <= 25; k += 2) {
    term *= y2;
    sum += term / k;
  }
  return 2 * sum + exponent * Math.LN2;
}

/**
 * The workload generator of the measured kernel: x = x * 6364136223846793005 + 1442695040888963407 mod 2^64 from
 * x = seed + 0x9E3779B97F4A7C15 * (stream + 1); a draw is lo + (((x >> 33) * (hi - lo + 1)) >> 31).
 */
export class Lcg {
  #high: number;
  #low: number;

  constructor(seed: number, stream: number) {
    const x = BigInt.asUintN(64, BigInt(seed) + 0x9e3779b97f4a7c15n * BigInt(stream + 1));
    this.#high = Number(x >> 32n);
    this.#low = Number(x & 0xffffffffn);
  }

  /** The next draw from [lo, hi]. Ranges up to 2^37 are exact. */
  next(lo: number, hi: number): number {
    // 64-bit product in 16-bit limbs: (high, low) * 0x5851F42D4C957F2D + 0x14057B7EF767814F
    const l0 = this.#low & 0xffff;
    const l1 = this.#low >>> 16;
    const h0 = this.#high & 0xffff;
    const h1 = this.#high >>> 16;
    let carry = l0 * 0x7f2d + 0x814f;
    const r0 = carry & 0xffff;
    carry = Math.floor(carry / 65536) + l1 * 0x7f2d + l0 * 0x4c95 + 0xf767;
    const r1 = carry % 65536;
    carry = Math.floor(carry / 65536) + h0 * 0x7f2d + l1 * 0x4c95 + l0 * 0xf42d + 0x7b7e;
    const r2 = carry % 65536;
    carry = Math.floor(carry / 65536) + h1 * 0x7f2d + h0 * 0x4c95 + l1 * 0xf42d + l0 * 0x5851 + 0x1405;
    const r3 = carry % 65536;
    this.#low = r1 * 65536 + r0;
    this.#high = r3 * 65536 + r2;
    const top = Math.floor(this.#high / 2);
    const range = hi - lo + 1;
    // floor(top * range / 2^31) in two halves of `top`, as the product can leave the safe integers
    const topHigh = Math.floor(top / 65536);
    const topLow = top % 65536;
    return lo + Math.floor((topHigh * range + Math.floor((topLow * range) / 65536)) / 32768);
  }

  /** Throws a number away, as a constant hold or idle of an lcg reader does. */
  skip(): void {
    this.next(0, 0);
  }
}

/** Whole ns from [lo, hi], uniformly, from a draw in [0, 1). */
export function uniformNs(draw: number, lo: number, hi: number): number {
  return lo + Math.floor(draw * (hi - lo + 1));
}
