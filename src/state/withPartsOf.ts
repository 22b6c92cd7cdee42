const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A JSON value equal to `next` that shares every equal part with `before`, and is `before` where all is equal: whoever
 * compares by identity then sees what has changed, and nothing else.
 */
export function withPartsOf<T>(before: unknown, next: T): T {
  if (Object.is(before, next)) return next;
  if (Array.isArray(next) && Array.isArray(before)) {
    const parts = next.map((part, i) => withPartsOf(before[i], part));
    const isSame = parts.length === before.length && parts.every((part, i) => Object.is(part, before[i]));
    return (isSame ? before : parts) as T;
  }
  if (isRecord(next) && isRecord(before)) {
    const was = (key: string) => (Object.hasOwn(before, key) ? before[key] : undefined);
    const parts = Object.entries(next).map(([key, part]) => [key, withPartsOf(was(key), part)] as const);
    const isSame =
      parts.length === Object.keys(before).length &&
      parts.every(([key, part]) => Object.hasOwn(before, key) && Object.is(part, before[key]));
    return (isSame ? before : Object.fromEntries(parts)) as T;
  }
  return next;
}
