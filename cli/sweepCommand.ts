/** `rcuscope sweep`: every combination of some values, over some seeds. */
import { bytes } from '../src/analysis/phrase.ts';
import type { ConfigInput } from '../src/config/configInput.ts';
import type { SimConfig } from '../src/engine/index.ts';
import { EXIT, Fault, fault } from './fault.ts';
import type { Io } from './io.ts';
import type { CliResult } from './simulate.ts';
import { type Note, readWords, sayNotes, toConfig, withPairs } from './source.ts';
import { runAll } from './sweepPool.ts';
import { formatTable, formatTime } from './table.ts';

/** Options of `sweep`, as text. */
export interface SweepOptions {
  readonly json: boolean;
  /** NAME=v1,v2,... each. */
  readonly params: readonly string[];
  readonly seeds: string | undefined;
  readonly jobs: string | undefined;
  /** Module that worker threads load. */
  readonly script: URL;
}

/** One run of a sweep. */
interface Point {
  readonly values: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly config: SimConfig;
}

const MAX_RUNS = 100_000;
const MAX_JOBS = 64;

function readAxis(text: string): { name: string; values: string[] } {
  const equals = text.indexOf('=');
  const values = text.slice(equals + 1).split(',');
  if (equals <= 0 || values.includes('')) throw fault(`--param ${text}: NAME=v1,v2,... is expected`);
  return { name: text.slice(0, equals), values };
}

function readCount(name: string, text: string | undefined, max: number): number {
  if (text === undefined) return 1;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw fault(`--${name}: ${text}: a whole number from 1 to ${max}`);
  return value;
}

function combinations(axes: readonly { name: string; values: string[] }[]): Record<string, string>[] {
  return axes.reduce<Record<string, string>[]>(
    (all, { name, values }) => all.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
    [{}],
  );
}

function toPoints(input: ConfigInput, options: SweepOptions, note: Note): Point[] {
  const axes = options.params.map(readAxis);
  const twice = axes.find(({ name }, i) => axes.findIndex((axis) => axis.name === name) !== i);
  if (twice !== undefined) throw fault(`--param ${twice.name}: given twice`);
  const seeds = readCount('seeds', options.seeds, MAX_RUNS);
  const runs = axes.reduce((product, { values }) => product * values.length, seeds);
  if (runs > MAX_RUNS) throw fault(`${runs} runs: at most ${MAX_RUNS}`);
  const faults = new Set<string>();
  const points: Point[] = [];
  for (const values of combinations(axes)) {
    try {
      const config = toConfig(withPairs(input, Object.entries(values), note), note);
      const { seed: first } = config;
      if (!Number.isSafeInteger(first + seeds - 1))
        throw fault(`seed=${first}: with --seeds ${seeds} beyond 2^53-1`);
      for (let seed = first; seed < first + seeds; seed++)
        points.push({ values, seed, config: { ...config, seed } });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      for (const line of error.lines) faults.add(line);
    }
  }
  if (faults.size > 0) throw new Fault([...faults]);
  return points;
}

/** The figures of one run that a table shows. */
function figures(result: CliResult): string[] {
  const [series] = Object.values(result.latency ?? {});
  const time = (ns: number | undefined) => (ns === undefined ? '-' : formatTime(ns));
  return [
    formatTime(result.virtualNs),
    time(series?.p50),
    time(series?.p99),
    String(result.srcu?.sleeps ?? 0),
    time(result.srcu?.pollNs),
  ];
}

/** Those of a flood of kfree_rcu(), as `run` has them. */
const FLOOD_COLUMNS = ['flood', 'grace periods', 'peak'];

function floodFigures({ kfree, memory }: CliResult): string[] {
  return [
    kfree === undefined ? '-' : formatTime(kfree.floodNs),
    kfree === undefined ? '-' : String(kfree.gracePeriods),
    memory === undefined ? '-' : bytes(memory.peakBytes),
  ];
}

function formatSweep(points: readonly Point[], results: readonly CliResult[]): string {
  const names = Object.keys(points[0]?.values ?? {}).filter((name) => name !== 'seed');
  const hasFloods = results.some(({ memory }) => memory !== undefined);
  const floodColumns = hasFloods ? FLOOD_COLUMNS : [];
  const head = [...names, 'seed', 'run time', 'p50', 'p99', 'sleeps', 'polling', ...floodColumns];
  const rows = points.map(({ values, seed }, i) => [
    ...names.map((name) => values[name] as string),
    String(seed),
    ...figures(results[i] as CliResult),
    ...(hasFloods ? floodFigures(results[i] as CliResult) : []),
  ]);
  return formatTable(
    [head, ...rows],
    head.map((_, column) => column),
  );
}

/** Runs all combinations and prints a table, or one JSON object with all results. Throws a Fault. */
export async function sweep(words: readonly string[], options: SweepOptions, io: Io): Promise<number> {
  const notes: string[] = [];
  const note = (message: string) => notes.push(message);
  const { input } = readWords(words, io, note);
  const points = toPoints(input, options, note);
  const jobs = readCount('jobs', options.jobs, MAX_JOBS);
  sayNotes(notes, io);
  const answers = await runAll(
    points.map((point) => point.config),
    jobs,
    options.script,
  );
  const failed = answers.flatMap((entry) => ('error' in entry ? [entry.error] : []));
  if (failed.length > 0) throw new Error([...new Set(failed)].join('; '));
  const results = answers.map((entry) => (entry as { result: CliResult }).result);
  for (const [i, { stopped }] of results.entries()) {
    const at = points[i] as Point;
    const place = [...Object.entries(at.values), ['seed', at.seed]].map((pair) => pair.join('=')).join(' ');
    if (stopped !== undefined) io.err(`notice: ${place}: ${stopped}\n`);
  }
  const runs = points.map(({ values, seed }, i) => ({ values, seed, result: results[i] }));
  io.out(options.json ? `${JSON.stringify({ v: 1, runs })}\n` : formatSweep(points, results));
  return EXIT.fine;
}
