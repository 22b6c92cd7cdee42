/** The memory footprint that rcuscale's kfree test prints (kfree_scale_thread(), kvfree K21). */

const MB = 2 ** 20;

/**
 * Bytes from what si_mem_available() gave: `startPages` at loop 0, `laterPages` at a quarter, a half and three quarters
 * of the loops. The kernel halves in whole pages, m := (m + available) / 2, so that this is up to a page above
 * d1/8 + d2/4 + d3/2 with d = what is missing. Negative where memory came free meanwhile.
 */
export function footprintBytes(startPages: number, laterPages: readonly number[], pageSize: number): number {
  let mean = startPages;
  for (const pages of laterPages) mean = Math.floor((mean + pages) / 2);
  return (startPages - mean) * pageSize;
}

/** The number before "MB" in the result line: rounded down, below 0 too. */
export function printedMb(bytes: number): number {
  return Math.floor(bytes / MB);
}
