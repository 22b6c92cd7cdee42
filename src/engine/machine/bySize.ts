/** Costs that depend on the size of an object (spec kvfree K23). */

/** ns for every size, or ns by bytes: {"32": 238, "256": 280}. */
export type BySize = number | Readonly<Record<string, number>>;

/** The cost of an object of `bytes`, whole ns: linear between two sizes that are given, else that of the nearest one. */
export function costOfSize(entry: BySize, bytes: number): number {
  if (typeof entry === 'number') return entry;
  let below: readonly [number, number] | undefined;
  let above: readonly [number, number] | undefined;
  for (const [key, ns] of Object.entries(entry)) {
    const size = Number(key);
    if (size <= bytes && (below === undefined || size > below[0])) below = [size, ns];
    if (size >= bytes && (above === undefined || size < above[0])) above = [size, ns];
  }
  const [from, fromNs] = below ?? above ?? [0, 0];
  const [to, toNs] = above ?? below ?? [0, 0];
  if (from === to) return fromNs;
  return fromNs + Math.round(((toNs - fromNs) * (bytes - from)) / (to - from));
}
