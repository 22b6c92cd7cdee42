/**
 * Single values as they stand in a link. Reading gives a JSON value for `parseConfig`; text that means nothing is
 * passed on as it is, so that the message is about what was written.
 *
 *   duration   1.5ms                      draws   0..3ms   exp:1ms   list:1ms/2ms   lcg:1/0/0..3ms
 *   start      21ticks+31us               list    50us/1ms/1ms
 *   stop       done   40ms   done,40ms    race    none   offsets   0.011   cpus:1/2/3
 *   cost       900ns   900ns..2us         rcuGp   idle   startedTicksAgo:2   callbacksQueued:5
 *   by size    238ns   32:238ns/256:280ns                          sizes   32   32/64/96/128
 */
import type { Dist, RcuGp, Start, Stop } from '../../engine/index.ts';
import type { BySize } from '../../engine/machine/bySize.ts';
import type { CostNs, JiffyRace } from '../../engine/machine/presets.ts';
import { DURATION_RANGE, formatDuration, readDuration } from '../duration.ts';

/** How one kind of value is read from and written to text. */
export interface TextForm {
  /** A JSON value; never throws. */
  parse(text: string): unknown;
  format(value: never): string;
  /** What is allowed in a link, where that differs from what is allowed in JSON. */
  readonly allowed?: string;
}

const DIGITS = /^\d{1,16}$/;

function parseDuration(text: string): number | string {
  return DIGITS.test(text) ? Number(text) : text;
}

function formatNs(ns: number): string {
  return ns === 0 ? '0' : formatDuration(ns);
}

/** "1..3ms" as ["1ms", "3ms"]: a number without a unit takes the unit of the other end. */
export function splitRange(text: string): [from: string, to: string] | undefined {
  const [from = '', to, ...more] = text.split('..');
  if (to === undefined || more.length > 0) return undefined;
  const unit = /[^\d.]+$/.exec(to)?.[0] ?? '';
  return [/^\d+(\.\d+)?$/.test(from) ? from + unit : from, to];
}

function parseRange(text: string): [number | string, number | string] | undefined {
  const ends = splitRange(text);
  return ends && [parseDuration(ends[0]), parseDuration(ends[1])];
}

function parseLcg(text: string): unknown {
  const [seed = '', stream = '', rangeText = '', ...more] = text.split('/');
  const range = parseRange(rangeText);
  if (range === undefined || more.length > 0) return undefined;
  return {
    lcg: { seed: numberForm.parse(seed), stream: numberForm.parse(stream), lo: range[0], hi: range[1] },
  };
}

function parseDist(text: string): unknown {
  const colon = text.indexOf(':');
  const rest = text.slice(colon + 1);
  switch (text.slice(0, Math.max(colon, 0))) {
    case 'exp':
      return { exp: parseDuration(rest) };
    case 'list':
      return { list: rest.split('/').map(parseDuration) };
    case 'lcg':
      return parseLcg(rest) ?? text;
    default: {
      const range = parseRange(text);
      return range === undefined ? parseDuration(text) : { uniform: range };
    }
  }
}

function formatDist(dist: Dist): string {
  if (typeof dist === 'number') return formatNs(dist);
  if ('uniform' in dist) return dist.uniform.map(formatNs).join('..');
  if ('exp' in dist) return `exp:${formatNs(dist.exp)}`;
  if ('list' in dist) return `list:${dist.list.map(formatNs).join('/')}`;
  const { seed, stream, lo, hi } = dist.lcg;
  return `lcg:${seed}/${stream}/${formatNs(lo)}..${formatNs(hi)}`;
}

function parseStart(text: string): unknown {
  const match = /^(\d{1,10})ticks(?:\+(.+))?$/.exec(text);
  if (match === null) return parseDuration(text);
  return { ticks: Number(match[1]), ...(match[2] === undefined ? {} : { plus: parseDuration(match[2]) }) };
}

function formatStart(start: Start): string {
  if (typeof start === 'number') return formatNs(start);
  return `${start.ticks}ticks${start.plus === 0 ? '' : `+${formatNs(start.plus)}`}`;
}

function parseStop(text: string): unknown {
  const words = text.split(',');
  const times = words.filter((word) => word !== 'done');
  const isTwice = times.length > 1 || words.length - times.length > 1;
  if (isTwice || (times[0] !== undefined && readDuration(parseDuration(times[0])) === undefined)) return text;
  return {
    ...(times.length < words.length ? { whenDone: true } : {}),
    ...(times[0] === undefined ? {} : { afterNs: parseDuration(times[0]) }),
  };
}

function formatStop({ whenDone, afterNs }: Stop): string {
  return [...(whenDone ? ['done'] : []), ...(afterNs === undefined ? [] : [formatNs(afterNs)])].join(',');
}

function parseRace(text: string): unknown {
  if (text.startsWith('cpus:')) return { cpus: text.slice(5).split('/').map(numberForm.parse) };
  return shareForm.parse(text);
}

function formatRace(race: JiffyRace): string {
  return typeof race === 'object' ? `cpus:${race.cpus.join('/')}` : String(race);
}

function parseBySize(text: string): unknown {
  if (!text.includes(':')) return parseDuration(text);
  const parts = text.split('/').map((part) => part.split(':'));
  const sizes = new Set(parts.map(([size]) => size));
  if (parts.some((part) => part.length !== 2) || sizes.size < parts.length) return text;
  return Object.fromEntries(parts.map(([size, ns]) => [size, parseDuration(ns as string)]));
}

function formatBySize(cost: BySize): string {
  if (typeof cost === 'number') return formatNs(cost);
  return Object.entries(cost)
    .map(([size, ns]) => `${size}:${formatNs(ns)}`)
    .join('/');
}

function parseRcuGp(text: string): unknown {
  const match = /^(startedTicksAgo|callbacksQueued):(.+)$/.exec(text);
  return match === null ? text : { [match[1] as string]: numberForm.parse(match[2] as string) };
}

function formatRcuGp(gp: RcuGp): string {
  if (gp === 'idle') return gp;
  return Object.entries(gp)
    .map(([name, count]) => `${name}:${count}`)
    .join('');
}

function parseBoolean(text: string): unknown {
  if (['true', 'y', '1'].includes(text)) return true;
  return ['false', 'n', '0'].includes(text) ? false : text;
}

/** Signed durations: a lag may be negative. */
function parseLag(text: string): unknown {
  const one = (part: string) => (/^-?\d{1,16}$/.test(part) ? Number(part) : part);
  return text.includes('/') ? text.split('/').map(one) : one(text);
}

/** Whole numbers, decimal. */
export const numberForm = {
  parse: (text: string): unknown => (DIGITS.test(text) ? Number(text) : text),
  format: (value: number): string => String(value),
};
/** Whole numbers that may be negative. */
export const signedForm = {
  parse: (text: string): unknown => (/^-?\d{1,16}$/.test(text) ? Number(text) : text),
  format: (value: number): string => String(value),
};
/** Bytes, cycled. */
export const sizesForm = {
  parse: (text: string): unknown =>
    /^\d{1,16}(\/\d{1,16})*$/.test(text) ? text.split('/').map(Number) : text,
  format: (sizes: readonly number[]): string => sizes.join('/'),
  allowed: '1 to 64 sizes from 1 to 8192 bytes, cycled: 32 or 32/64/96/128',
};
/** Numbers with a fraction. */
export const shareForm = {
  parse: (text: string): unknown => (/^\d{1,16}(\.\d{1,20})?$/.test(text) ? Number(text) : text),
  format: (value: number): string => String(value),
};
export const wordForm = { parse: (text: string): unknown => text, format: (value: string): string => value };
export const booleanForm = { parse: parseBoolean, format: (value: boolean): string => String(value) };
export const durationForm = {
  parse: parseDuration,
  format: formatNs,
  allowed: 'a duration (1.5ms): from 0 to 10^15 ns, in ns where no unit (ns, us, ms, s) is given',
};
/** Costs of the machine: a duration, or a range of which every use draws. */
export const costForm = {
  parse: (text: string): unknown => parseRange(text) ?? parseDuration(text),
  format: (cost: CostNs): string =>
    typeof cost === 'number' ? formatNs(cost) : cost.map(formatNs).join('..'),
  allowed: `a duration (1.5ms), or a range of which every use draws, least first: 0..3ms; ${DURATION_RANGE}`,
};
/** Costs by the size of an object in bytes. */
export const bySizeForm = {
  parse: parseBySize,
  format: formatBySize,
  allowed: `a duration (238ns), or one for each of 1 to 64 sizes from 1 to 8192 bytes: 32:238ns/256:280ns; ${DURATION_RANGE}`,
};
/** Nanoseconds per microsecond: no duration, so without a unit. */
export const perUsForm = {
  parse: (text: string): unknown => splitRange(text)?.map(numberForm.parse) ?? shareForm.parse(text),
  format: (cost: CostNs): string => (typeof cost === 'number' ? String(cost) : cost.join('..')),
  allowed:
    'a number from 0 to 1000000, or a range of whole ones of which every use draws, least first: 900..1000',
};
export const distForm = {
  parse: parseDist,
  format: formatDist,
  allowed: `a duration (1.5ms), 0..3ms (least first), exp:1ms, list:1ms/2ms (at most 10000) or lcg:SEED/STREAM/0..3ms; ${DURATION_RANGE}`,
};
export const startForm = {
  parse: parseStart,
  format: formatStart,
  allowed: `a duration (1.5ms), or at most 10^9 ticks and a duration: 21ticks+31us; ${DURATION_RANGE}`,
};
export const stopForm = {
  parse: parseStop,
  format: formatStop,
  allowed: 'done, a duration from 1 to 10^15 ns (40ms), or both: done,40ms',
};
export const raceForm = {
  parse: parseRace,
  format: formatRace,
  allowed: 'none, offsets, a share from 0 to 1, or cpus:1/2/3',
};
export const lagForm = {
  parse: parseLag,
  format: (lags: readonly number[]): string => lags.map(formatNs).join('/'),
  allowed: 'a duration from -1s to 1s, or one per CPU: 50us/1ms/1ms',
};
export const rcuGpForm = {
  parse: parseRcuGp,
  format: formatRcuGp,
  allowed: 'idle, startedTicksAgo:0 to 1000, or callbacksQueued:1 to 1000000',
};
