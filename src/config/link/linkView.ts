/** The keys of a link that say what is looked at. Nothing here changes a run. */
import { formatDuration, readDuration } from '../duration.ts';
import { listOf } from '../problem.ts';
import { booleanForm, durationForm, numberForm, splitRange } from './linkText.ts';

/** What a link shows. Absent: as the page opens. */
export interface LinkView {
  /** The visible stretch of the run, ns. */
  readonly t?: { readonly fromNs: number; readonly toNs: number };
  /** The cursor: a time, and which row of that instant (with `poll`: which check inside a burst). */
  readonly cur?: {
    readonly timeNs: number;
    readonly row?: number;
    readonly poll?: { readonly pass: number; readonly check: number };
  };
  /** What is selected, by its index in the run. */
  readonly sel?: { readonly of: 'gp' | 'call' | 'unit' | 'row'; readonly index: number };
  /** Panels: one that fills the window, and those that are hidden. */
  readonly panel?: { readonly full?: string; readonly hidden: readonly string[] };
  /** Controls that change the configuration are read-only. */
  readonly lock?: boolean;
  /** False: starts playing. */
  readonly paused?: boolean;
  readonly theme?: 'dark' | 'light' | 'system';
  /** Digest of the run that the sender saw, 8 hex digits. */
  readonly d?: string;
}

type ViewKey = keyof LinkView;
interface ViewForm<K extends ViewKey> {
  readonly allowed: string;
  parse(text: string): LinkView[K] | undefined;
  format(value: NonNullable<LinkView[K]>): string;
}

const SELECTABLE = ['gp', 'call', 'unit', 'row'] as const;
const THEMES = ['dark', 'light', 'system'] as const;
const PANEL_ID = /^[a-z][a-z0-9-]{0,40}$/;

function readNs(text: string): number | undefined {
  return readDuration(durationForm.parse(text));
}

function parseRange(text: string): LinkView['t'] {
  const [from, to] = splitRange(text) ?? ['', ''];
  const fromNs = readNs(from);
  const toNs = readNs(to);
  if (fromNs === undefined || toNs === undefined || fromNs >= toNs) return undefined;
  return { fromNs, toNs };
}

function parseCursor(text: string): LinkView['cur'] {
  const match = /^([^:]+)(?::(\d{1,10})(?::(\d{1,10})\.(\d))?)?$/.exec(text);
  const timeNs = readNs(match?.[1] ?? '');
  if (match === null || timeNs === undefined) return undefined;
  const [, , row, pass, check] = match;
  return {
    timeNs,
    ...(row === undefined ? {} : { row: Number(row) }),
    ...(pass === undefined ? {} : { poll: { pass: Number(pass), check: Number(check) } }),
  };
}

function parsePanel(text: string): LinkView['panel'] {
  const words = text.split(',');
  const hidden = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
  const full = words.filter((word) => !word.startsWith('-'));
  if (full.length > 1 || words.length > 50) return undefined;
  if (![...hidden, ...full].every((id) => PANEL_ID.test(id))) return undefined;
  return { ...(full[0] === undefined ? {} : { full: full[0] }), hidden };
}

const BOOLEAN_VIEW = {
  allowed: 'true or false',
  parse: (text: string): boolean | undefined => {
    const value = booleanForm.parse(text);
    return typeof value === 'boolean' ? value : undefined;
  },
  format: (value: boolean): string => String(value),
};

/** The view keys, how they are read and written. */
export const VIEW_FORMS: { readonly [K in ViewKey]-?: ViewForm<K> } = {
  t: {
    allowed: 'a stretch of time, as 12.4ms..18ms',
    parse: parseRange,
    format: ({ fromNs, toNs }) => `${formatDuration(fromNs)}..${formatDuration(toNs)}`,
  },
  cur: {
    allowed: 'a time, as 12.4ms, with the number of a row if need be: 12.4ms:411',
    parse: parseCursor,
    format: ({ timeNs, row, poll }) => {
      const rowText = row === undefined ? '' : `:${row}`;
      return `${formatDuration(timeNs)}${rowText}${poll === undefined ? '' : `:${poll.pass}.${poll.check}`}`;
    },
  },
  sel: {
    allowed: 'gp:NUMBER, call:NUMBER, unit:NUMBER or row:NUMBER',
    parse: (text) => {
      const [word = '', number = '', ...more] = text.split(':');
      const of = SELECTABLE.find((known) => known === word);
      const index = numberForm.parse(number);
      return of === undefined || typeof index !== 'number' || more.length > 0 ? undefined : { of, index };
    },
    format: ({ of, index }) => `${of}:${index}`,
  },
  panel: {
    allowed: 'the id of a panel that fills the window, and ids with "-" that are hidden: why,-latency',
    parse: parsePanel,
    format: ({ full, hidden }) =>
      [...(full === undefined ? [] : [full]), ...hidden.map((id) => `-${id}`)].join(','),
  },
  lock: BOOLEAN_VIEW,
  paused: BOOLEAN_VIEW,
  theme: {
    allowed: listOf(THEMES),
    parse: (text) => THEMES.find((theme) => theme === text),
    format: String,
  },
  d: {
    allowed: 'the digest of a run: 8 hexadecimal digits',
    parse: (text) => (/^[0-9a-f]{8}$/.test(text) ? text : undefined),
    format: String,
  },
};

/** True for keys that say what is looked at. */
export function isViewKey(key: string): key is ViewKey {
  return Object.hasOwn(VIEW_FORMS, key);
}
