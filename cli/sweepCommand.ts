/** `rcuscope sweep`: every combination of some values, over some seeds. */
import { bytes } from '../src/analysis/phrase.ts';
import type { ConfigInput } from '../src/config/configInput.ts';
import { isViewKey } from '../src/config/link/linkView.ts';
import type { SimConfig } from '../src/engine/index.ts';
import { EXIT, Fault, fault } from './fault.ts';
import type { Io } from './io.ts';
import type { CliResult } from './simulate.ts';
import { LINKS_ONLY, type Note, readWords, sayNotes, toConfig, withPairs } from './source.ts';
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

/** A value up to the next comma, or in quotes. */
const VALUE = /(?:^|,)(?:"([^"]*)"|([^",]*))/g;

/** Values between commas; one in double quotes may hold commas. Undefined: they are not written so, or one is empty. */
function splitValues(text: string): string[] | undefined {
  const matches = [...text.matchAll(VALUE)];
  const isWhole = matches.reduce((length, [all]) => length + all.length, 0) === text.length;
  const values = matches.map(([, quoted, plain = '']) => quoted ?? plain);
  return isWhole && !values.includes('') ? values : undefined;
}

function readAxis(text: string): { name: string; values: string[] } {
  const equals = text.indexOf('=');
  const values = splitValues(text.slice(equals + 1));
  if (equals <= 0 || values === undefined)
    throw fault(`--param ${text}: NAME=v1,v2,... is expected, a value with a comma in double quotes`);
  const name = text.slice(0, equals);
  if (name === 'v' || name === 'd') throw fault(`--param ${name}: it changes nothing in a run`);
  if (isViewKey(name)) throw fault(`--param ${name}: ${LINKS_ONLY}`);
  return { name, values };
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

/** What `figures` gives. */
const COLUMNS = ['run time', 'latency of', 'p50', 'p99', 'sleeps', 'polling'];

/** The figures of one run that a table shows; of several series the first one. */
function figures(result: CliResult): string[] {
  const [first] = Object.entries(result.latency ?? {});
  const [name, series] = first ?? ['-'];
  const time = (ns: number | undefined) => (ns === undefined ? '-' : formatTime(ns));
  return [
    formatTime(result.virtualNs),
    name,
    time(series?.p50),
    time(series?.p99),
    String(result.srcu?.sleeps ?? '-'),
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
  const head = [...names, 'seed', ...COLUMNS, ...floodColumns];
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
