/** How values lie on a slider. A log scale has integers and with `min` 0 keeps 0 as its first place. */
export interface SliderScale {
  readonly kind: 'linear' | 'log';
  readonly min: number;
  readonly max: number;
  /** Linear only: distance of neighbouring values; default 1. */
  readonly step?: number;
}

/** Places on the track, whatever the range: finer than pixels. */
export const TRACK_PLACES = 1000;
/** Share of a log track that belongs to 0. */
const ZERO_SHARE = 0.04;
/** Significant digits of a value that was dragged to. */
const DIGITS = 2;

/** Nearest value with two significant digits (below 100: integers). */
function roundToDigits(value: number): number {
  if (value < 10 ** DIGITS) return Math.round(value);
  const unit = 10 ** (Math.floor(Math.log10(value)) - (DIGITS - 1));
  return Math.round(value / unit) * unit;
}

function logSpan({ min, max }: SliderScale): { zero: number; low: number; high: number } {
  return {
    zero: min <= 0 ? ZERO_SHARE : 0,
    low: Math.log(Math.max(min, 1)),
    high: Math.log(Math.max(max, 1)),
  };
}

/** Where `value` lies, as a share 0..1 of the track. Values outside the range lie at its ends. */
export function shareOf(scale: SliderScale, value: number): number {
  const { min, max } = scale;
  if (max <= min) return 0;
  if (value <= min) return 0;
  if (value >= max) return 1;
  if (scale.kind === 'linear') return (value - min) / (max - min);
  const { zero, low, high } = logSpan(scale);
  if (value < 1) return 0;
  return zero + ((1 - zero) * (Math.log(value) - low)) / (high - low);
}

/** The value at a share of the track: a round one, so that one can stop at it. */
export function valueAt(scale: SliderScale, share: number): number {
  const { min, max, step = 1 } = scale;
  if (share <= 0) return min;
  if (share >= 1) return max;
  if (scale.kind === 'linear') return Math.min(max, min + Math.round((share * (max - min)) / step) * step);
  const { zero, low, high } = logSpan(scale);
  if (share < zero / 2) return min;
  const exponent = low + ((high - low) * Math.max(0, share - zero)) / (1 - zero);
  return Math.min(max, Math.max(min, roundToDigits(Math.exp(exponent))));
}

/**
 * The next value for a key: arrows move by one step (on a log scale by one in the second digit), `isLarge` (page
 * keys) by ten. The result stays in the range.
 */
export function steppedValue(scale: SliderScale, value: number, direction: 1 | -1, isLarge: boolean): number {
  const { min, max, step = 1 } = scale;
  let unit = step;
  if (scale.kind === 'log' && value >= 10 ** DIGITS) {
    const digits = Math.floor(Math.log10(value));
    const isPowerDown = direction < 0 && value === 10 ** digits;
    unit = 10 ** (digits - (DIGITS - 1) - (isPowerDown ? 1 : 0));
  }
  const by = unit * (isLarge ? 10 : 1);
  const next = Math.round(value / unit) * unit + direction * by;
  return Math.min(max, Math.max(min, next));
}
