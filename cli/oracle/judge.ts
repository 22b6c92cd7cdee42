/** When a simulated distribution counts as the measured one (docs/model/measurements.md). Times in ns. */

/** The three figures that are compared. */
export interface Figures {
  readonly p50: number;
  readonly p90: number;
  readonly mean: number;
}

const SHARE = 0.05;
const MEAN_SHARE = 0.1;
const ENVELOPE_NS = 20_000;
const KEYS = ['p50', 'p90', 'mean'] as const;

/** match: p50 and p90 within max(5 %, half a tick), the mean within 10 %. */
export function matches(simulated: Figures, measured: Figures, tickNs: number): boolean {
  const near = (key: 'p50' | 'p90') =>
    Math.abs(simulated[key] - measured[key]) <= Math.max(SHARE * measured[key], tickNs / 2);
  return near('p50') && near('p90') && Math.abs(simulated.mean - measured.mean) <= MEAN_SHARE * measured.mean;
}

const CALL_SHARE = 0.005;
const CALL_NS = 30_000;
const CALLS_SHARE = 0.9;

/** Call by call, for records without readers: nine in ten within max(30 us, 0.5 %) (docs/model, 2.2). */
export function matchesCallByCall(simulated: ArrayLike<number>, measured: readonly number[]): boolean {
  const near = measured.filter(
    (ns, i) => Math.abs((simulated[i] ?? Number.NaN) - ns) <= Math.max(CALL_NS, CALL_SHARE * ns),
  );
  return near.length >= CALLS_SHARE * measured.length;
}

/** The measured figures lie in the range over the states, widened by 5 % (p50 and p90 by 20 us more). */
export function inEnvelope(simulated: readonly Figures[], measured: Figures): boolean {
  return KEYS.every((key) => {
    const values = simulated.map((figures) => figures[key]);
    const extraNs = key === 'mean' ? 0 : ENVELOPE_NS;
    const low = Math.min(...values) * (1 - SHARE) - extraNs;
    const high = Math.max(...values) * (1 + SHARE) + extraNs;
    return measured[key] >= low && measured[key] <= high;
  });
}
