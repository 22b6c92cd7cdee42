/** Times of slices of a run: the fastest of many rounds is what a slice costs when nothing else disturbs it. */

/** Keeps the smaller of both times, slice by slice. */
export function keepFastest(fastestMs: number[], sliceMs: readonly number[]): void {
  for (const [i, ms] of sliceMs.entries()) fastestMs[i] = Math.min(fastestMs[i] ?? ms, ms);
}

/** Ns per one of `count` things in all slices together. */
export function nsEach(sliceMs: readonly number[], count: number): number {
  return (sliceMs.reduce((sum, ms) => sum + ms, 0) * 1e6) / count;
}
