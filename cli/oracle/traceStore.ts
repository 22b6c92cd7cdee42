/** Patterns of the grace periods in real traces: made from trace text, kept in test-data/traces. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { floodPatterns, hasWorks, withoutFurtherGps } from '../../src/trace/floodPattern.ts';
import { traceFloodRows } from '../../src/trace/floodRows.ts';
import { gpPatterns, withoutScans } from '../../src/trace/gpPattern.ts';
import { traceGpRows } from '../../src/trace/gpRows.ts';
import { GP_EVENTS, type GpEventName } from '../../src/trace/logPayloads.ts';
import { parseTrace, type TraceEvent } from '../../src/trace/parseTrace.ts';
import { dataPath, loadFile, type OracleConfig } from './records.ts';

/** What is kept of a trace. */
export interface StoredTrace {
  /** Name of its file without ".txt". */
  readonly id: string;
  /** Of the events that make patterns, those that were enabled. */
  readonly events: readonly GpEventName[];
  /** CPUs on which its grace periods start, the most frequent first. */
  readonly kthreadCpus: readonly number[];
  /** Complete normal grace periods. */
  readonly gps: number;
  /** Pattern (src/trace/gpPattern.ts) to its number of grace periods, the most frequent first. */
  readonly patterns: Readonly<Record<string, number>>;
  /** Every shape of a row inside a grace period. */
  readonly shapes: readonly string[];
  /** The workload, as configurations that were run one after the other. */
  readonly configs: readonly OracleConfig[];
  /** Of a flood of kfree_rcu(). */
  readonly flood?: StoredFloodTrace;
}

/** What is kept of a flood. */
export interface StoredFloodTrace {
  /** Were the events of works enabled? */
  readonly works: boolean;
  /** Pattern (src/trace/floodPattern.ts) to how often it occurs. */
  readonly patterns: Readonly<Record<string, number>>;
  /** Blocks that each work freed, ascending. */
  readonly blocks: readonly number[];
  /** Of these works: how many freed on another CPU than the one that queued them. */
  readonly elsewhere: number;
}

const FILE = '../traces/patterns.json';

function countOf<T>(values: readonly T[]): [T, number][] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((x, y) => y[1] - x[1]);
}

function storedFlood(events: readonly TraceEvent[]): StoredFloodTrace {
  const rows = traceFloodRows(events);
  const works = hasWorks(rows);
  const { texts, blocks, elsewhere } = floodPatterns(rows, works);
  const patterns = Object.fromEntries(countOf(texts));
  return { works, patterns, blocks: blocks.toSorted((x, y) => x - y), elsewhere };
}

/** What to keep of a trace's text; undefined if it has no complete grace period. */
export function storedTrace(
  id: string,
  text: string,
  configs: readonly OracleConfig[],
): StoredTrace | undefined {
  const parsed = parseTrace(text).events;
  const rows = traceGpRows(parsed);
  const events = GP_EVENTS.filter((name) => rows.some(({ event }) => event === name));
  const gps = gpPatterns(rows, new Set(events));
  if (gps.length === 0) return undefined;
  return {
    ...{ id, events, kthreadCpus: countOf(gps.map(({ kthreadCpu }) => kthreadCpu)).map(([cpu]) => cpu) },
    gps: gps.length,
    patterns: Object.fromEntries(countOf(gps.map(({ text: pattern }) => pattern))),
    shapes: [...new Set(gps.flatMap(({ shapes }) => shapes))].sort(),
    configs,
    ...(configs.some(({ actors }) => actors.some(({ kind }) => kind === 'kfree'))
      ? { flood: storedFlood(parsed) }
      : {}),
  };
}

/** Reads NAME.txt and, beside it, NAME.config.json; writes test-data/traces/patterns.json. Returns what it did. */
export function storeTraces(paths: readonly string[]): string[] {
  const said: string[] = [];
  const traces = paths.flatMap((path) => {
    const id = basename(path, '.txt');
    const configs = JSON.parse(
      readFileSync(path.replace(/\.txt$/, '.config.json'), 'utf8'),
    ) as OracleConfig[];
    const trace = storedTrace(id, readFileSync(path, 'utf8'), configs);
    said.push(trace === undefined ? `${id}: no complete grace period` : `${id}: ${trace.gps} grace periods`);
    return trace === undefined ? [] : [trace];
  });
  const lines = traces.map((trace) => JSON.stringify(trace)).join(',\n');
  writeFileSync(dataPath(FILE), `[\n${lines}\n]\n`);
  return said;
}

/** The stored traces. */
export function loadTraces(): readonly StoredTrace[] {
  return JSON.parse(loadFile(FILE)) as StoredTrace[];
}

/** Of each batch and monitor run of a real flood: is its pattern in the run, further grace periods left free or not? */
export function compareFloodTrace(
  { patterns }: Pick<StoredFloodTrace, 'patterns'>,
  simulated: readonly string[],
) {
  const exact = new Set(simulated);
  const free = new Set(simulated.map(withoutFurtherGps));
  const each = Object.entries(patterns).map(([text, times]) => ({
    ...{ text, times },
    met: { flood: free.has(withoutFurtherGps(text)), floodGps: exact.has(text) },
  }));
  return {
    verdicts: each.flatMap(({ met, times }) => Array.from({ length: times }, () => ({ met }))),
    missing: each.filter(({ met }) => !met.flood),
  };
}

/** What the kthread did, without the CPUs. */
function kthreadPart(text: string): string {
  return withoutScans(text).split(' | ')[0] as string;
}

/**
 * Of each real grace period: is its pattern in the run, of the kthread alone (kthread) and with the CPUs (pattern), the
 * number of scans left free; and with as many scans (scans)?
 */
export function compareTrace({ patterns }: Pick<StoredTrace, 'patterns'>, simulated: readonly string[]) {
  const exact = new Set(simulated);
  const free = new Set(simulated.map(withoutScans));
  const kthread = new Set(simulated.map(kthreadPart));
  const each = Object.entries(patterns).map(([text, gps]) => ({
    ...{ text, gps },
    met: {
      kthread: kthread.has(kthreadPart(text)),
      pattern: free.has(withoutScans(text)),
      scans: exact.has(text),
    },
  }));
  return {
    verdicts: each.flatMap(({ met, gps }) => Array.from({ length: gps }, () => ({ met }))),
    missing: each.filter(({ met }) => !met.pattern),
  };
}
