import { formatDuration, readDuration } from '../../config/duration.ts';
import { splitRange } from '../../config/link/linkText.ts';
import type { CostNs } from '../../engine/machine/presets.ts';
import type { Typed } from '../../ui/TypedNumber.tsx';

/** How a value is written and read in a field. */
export interface ValueCodec<T> {
  readonly unit: string;
  readonly format: (value: T) => string;
  readonly parse: (text: string) => Typed<T>;
}
export type NumberCodec = ValueCodec<number>;

/** Whole numbers in a range; spaces and commas between digits are allowed, a minus where one may be negative. */
export function integerCodec(min: number, max: number, unit = ''): NumberCodec {
  const most = max === Number.MAX_SAFE_INTEGER ? '2^53-1' : String(max);
  const message = `a whole number from ${min} to ${most}${unit === '' ? '' : ` (${unit})`}`;
  return {
    unit,
    format: String,
    parse: (text) => {
      const digits = text.replace(/[\s\u202f,]/g, '');
      const value = Number(digits);
      return /^-?\d+$/.test(digits) && value >= min && value <= max
        ? { ok: true, value }
        : { ok: false, message };
    },
  };
}

/** Durations: "1.5 ms"; a bare number counts `bareNs` each. */
export function durationCodec(bareUnit: 'ns' | 'us' | 'ms' = 'ns'): NumberCodec {
  return {
    unit: '',
    format: (ns) =>
      formatDuration(ns)
        .replace(/(\D+)$/, ' $1')
        .replace('us', 'µs'),
    parse: (text) => {
      const value = readDuration(/^[\d.]+$/.test(text) ? `${text}${bareUnit}` : text);
      return value === undefined
        ? { ok: false, message: 'a duration such as 1.5 ms, 20 us, 3 s or 800 ns' }
        : { ok: true, value };
    },
  };
}

/** Costs: what `one` reads, or a range "900 ns..2 µs" of two such values. */
export function costCodec(one: NumberCodec): ValueCodec<CostNs> {
  return {
    unit: one.unit,
    format: (cost) => (typeof cost === 'number' ? one.format(cost) : cost.map(one.format).join('..')),
    parse: (text) => {
      const ends = splitRange(text.replace(/\s*\.\.\s*/, '..'));
      if (ends === undefined) return one.parse(text);
      const [lo, hi] = ends.map(one.parse) as [Typed<number>, Typed<number>];
      if (!lo.ok) return lo;
      if (!hi.ok) return hi;
      if (lo.value > hi.value) return { ok: false, message: 'a range from its smaller to its larger end' };
      return { ok: true, value: lo.value === hi.value ? lo.value : [lo.value, hi.value] };
    },
  };
}
