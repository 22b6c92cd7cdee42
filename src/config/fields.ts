/** Readers of single values: a JSON value in, the value the engine wants out, or undefined and a sentence. */
import type { Dist, RcuGp, Start } from '../engine/index.ts';
import type { CostNs } from '../engine/machine/presets.ts';
import { DURATION_ALLOWED, DURATION_RANGE, readDuration } from './duration.ts';
import { listOf } from './problem.ts';

/** `read` gives undefined where the value is not one of those that `allowed` describes. */
export interface Field<T> {
  readonly allowed: string;
  read(value: unknown): T | undefined;
}

/** Whole numbers from `min` to `max`. */
export function integerField(min: number, max: number, what = 'a whole number'): Field<number> {
  return {
    allowed: `${what} from ${min} to ${max === Number.MAX_SAFE_INTEGER ? '2^53-1' : max}`,
    read: (value) =>
      Number.isInteger(value) && (value as number) >= min && (value as number) <= max
        ? (value as number) + 0
        : undefined,
  };
}

/** Numbers from `min` to `max`, fractions too. */
export function numberField(min: number, max: number): Field<number> {
  return {
    allowed: `a number from ${min} to ${max}`,
    read: (value) => (typeof value === 'number' && value >= min && value <= max ? value + 0 : undefined),
  };
}

/** One of some words. */
export function wordField<const W extends string>(words: readonly W[]): Field<W> {
  return { allowed: listOf(words), read: (value) => words.find((word) => word === value) };
}

export const booleanField: Field<boolean> = {
  allowed: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const textField: Field<string> = {
  allowed: 'text',
  read: (value) => (typeof value === 'string' ? value : undefined),
};

export const durationField: Field<number> = { allowed: DURATION_ALLOWED, read: readDuration };

const MAX_LIST = 10_000;
/** Streams of the lcg: number i of several takes stream + i, which must stay safe. */
export const MAX_STREAM = 2 ** 52;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object that has exactly these keys. */
function hasExactly(value: Record<string, unknown>, keys: readonly string[]): boolean {
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

function readRange(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const lo = readDuration(value[0]);
  const hi = readDuration(value[1]);
  return lo === undefined || hi === undefined || lo > hi ? undefined : [lo, hi];
}

/** A cost where one value is read by `read`. A range of one value is that value. */
function costOf(one: Field<number>, rangeAllowed: string): Field<CostNs> {
  return {
    allowed: `${one.allowed}, or ${rangeAllowed}`,
    read: (value) => {
      if (!Array.isArray(value)) return one.read(value);
      const range = readRange(value);
      if (range === undefined || one.read(range[1]) === undefined) return undefined;
      return range[0] === range[1] ? range[0] : range;
    },
  };
}

/** Costs of the machine (docs/configuration.md): every use of a range draws whole ns from it. */
export const costField: Field<CostNs> = costOf(durationField, '[lo, hi] of two, lo <= hi, drawn uniformly');

/** The cost of which one value may have a fraction: the measured loop is no whole number of ns per microsecond. */
export const perUsField: Field<CostNs> = costOf(
  numberField(0, 1_000_000),
  '[lo, hi] of two whole ones, lo <= hi, drawn uniformly',
);

function readList(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LIST) return undefined;
  const list = value.map(readDuration);
  return list.every((ns) => ns !== undefined) ? list : undefined;
}

function readLcg(value: unknown): Dist | undefined {
  if (!isRecord(value) || !hasExactly(value, ['seed', 'stream', 'lo', 'hi'])) return undefined;
  const range = readRange([value.lo, value.hi]);
  const seed = integerField(0, Number.MAX_SAFE_INTEGER).read(value.seed);
  const stream = integerField(0, MAX_STREAM).read(value.stream);
  if (range === undefined || seed === undefined || stream === undefined) return undefined;
  return { lcg: { seed, stream, lo: range[0], hi: range[1] } };
}

function readDist(value: unknown): Dist | undefined {
  if (!isRecord(value)) return readDuration(value);
  if (hasExactly(value, ['uniform'])) {
    const uniform = readRange(value.uniform);
    return uniform && { uniform };
  }
  if (hasExactly(value, ['exp'])) {
    const exp = readDuration(value.exp);
    return exp === undefined ? undefined : { exp };
  }
  if (hasExactly(value, ['list'])) {
    const list = readList(value.list);
    return list && { list };
  }
  return hasExactly(value, ['lcg']) ? readLcg(value.lcg) : undefined;
}

/** Workload draws (docs/configuration.md). */
export const distField: Field<Dist> = {
  allowed:
    'a duration ("1.5ms"), {"uniform": [lo, hi]}, {"exp": mean}, {"list": [...]} (at most 10000) or ' +
    `{"lcg": {"seed": 1, "stream": 0, "lo": 0, "hi": 3000000}}, with lo <= hi and ${DURATION_RANGE}`,
  read: readDist,
};

const MAX_TICKS = 1_000_000_000;

/** When an actor first acts: a duration, or ticks and a duration. */
export const startField: Field<Start> = {
  allowed: `a duration ("1.5ms") or {"ticks": 0 to ${MAX_TICKS}, "plus": duration}; durations ${DURATION_RANGE}`,
  read: (value) => {
    if (!isRecord(value)) return readDuration(value);
    if (Object.keys(value).some((key) => key !== 'ticks' && key !== 'plus')) return undefined;
    const ticks = integerField(0, MAX_TICKS).read(value.ticks);
    const plus = value.plus === undefined ? 0 : readDuration(value.plus);
    return ticks === undefined || plus === undefined ? undefined : { ticks, plus };
  },
};

const MAX_LAG_NS = 1_000_000_000;

function readLag(value: unknown): number | undefined {
  if (typeof value !== 'string') return integerField(-MAX_LAG_NS, MAX_LAG_NS).read(value);
  const ns = readDuration(value.replace(/^-/, ''));
  if (ns === undefined || ns > MAX_LAG_NS) return undefined;
  return value.startsWith('-') ? 0 - ns : ns;
}

/** Lag of the sleeping workers (spec srcu 8.6 E2): for all CPUs, or one per CPU, the last one repeated. */
export const lagField: Field<number | readonly number[]> = {
  allowed: 'a duration from -1s to 1s, or a list of 1 to 4096 of them, one per CPU',
  read: (value) => {
    if (!Array.isArray(value)) return readLag(value);
    if (value.length === 0 || value.length > 4096) return undefined;
    const lags = value.map(readLag);
    return lags.every((lag) => lag !== undefined) ? lags : undefined;
  },
};

const SRCU_DOMAIN = 'srcu(:[A-Za-z0-9_.-]{1,32})?';
function domainField(others: readonly string[]): Field<string> {
  const pattern = new RegExp(`^(${SRCU_DOMAIN}|${others.join('|')})$`);
  const words = ['"srcu"', '"srcu:NAME" (letters, digits, "_", "-", ".", at most 32)'];
  return {
    allowed: listOf([...words, ...others.map((word) => `"${word}"`)]),
    read: (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined),
  };
}

/** What readers enter: flavours with sections that are marked. */
export const readerDomainField = domainField(['rcu', 'tasks-trace']);
/** What updaters wait for. */
export const updaterDomainField = domainField(['rcu', 'tasks', 'tasks-rude', 'tasks-trace']);

const MAX_TICKS_AGO = 1000;
const MAX_CALLBACKS_QUEUED = 1_000_000;

/** What Tree RCU has under way at t = 0 (spec tree 11.1). */
export const rcuGpField: Field<RcuGp> = {
  allowed: `"idle", {"startedTicksAgo": 0 to ${MAX_TICKS_AGO}} or {"callbacksQueued": 1 to ${MAX_CALLBACKS_QUEUED}}`,
  read: (value) => {
    if (value === 'idle') return value;
    if (!isRecord(value)) return undefined;
    if (hasExactly(value, ['startedTicksAgo'])) {
      const startedTicksAgo = integerField(0, MAX_TICKS_AGO).read(value.startedTicksAgo);
      return startedTicksAgo === undefined ? undefined : { startedTicksAgo };
    }
    if (!hasExactly(value, ['callbacksQueued'])) return undefined;
    const callbacksQueued = integerField(1, MAX_CALLBACKS_QUEUED).read(value.callbacksQueued);
    return callbacksQueued === undefined ? undefined : { callbacksQueued };
  },
};
