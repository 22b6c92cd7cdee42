/** A fault in what somebody gave us: where, what, and what would be allowed. */
export interface Problem {
  /** JSON path ("actors[0].hold"), link key, or boot parameter. */
  readonly path: string;
  readonly value: unknown;
  /** What is allowed there, or what is wrong: the last part of `message`. */
  readonly allowed: string;
  /** True if the kernel that was chosen does not have the thing named, and another one has. */
  readonly isAbsent: boolean;
  /** True if the value is none that its key can have: `allowed` is about all of them, as JSON has them. */
  readonly isForm?: true;
  /** What the kernel itself makes of the value, where it would raise or cut it. */
  readonly effective?: number | string;
  /** "path: value: what is allowed", one line, to be shown as it is. */
  readonly message: string;
}

const SHOWN_CHARS = 60;

function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Nested too deeply for JSON.stringify, a bigint, or a symbol.
    return String(typeof value === 'object' ? 'a value that cannot be shown' : value);
  }
}

/** A value as it can stand in a message: JSON, shortened, on one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = toText(value);
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}...`;
}

/** A problem whose message reads "path: value: allowed". An empty path stands for the whole input. */
export function createProblem(path: string, value: unknown, allowed: string, isAbsent = false): Problem {
  const place = path === '' ? '' : `${showName(path)}: `;
  return { path, value, allowed, isAbsent, message: `${place}${showValue(value)}: ${allowed}` };
}

/** A path or key that may be somebody's junk: without line breaks, shortened. */
export function showName(name: string): string {
  const clean = /^[\x20-\x7e]*$/.test(name) ? name : JSON.stringify(name).slice(1, -1);
  return clean.length <= SHOWN_CHARS * 2 ? clean : `${clean.slice(0, SHOWN_CHARS * 2)}...`;
}

/** The path of a key inside `parent`: "a", "a.b", "a[0]". */
export function joinPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** "a, b or c". */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
