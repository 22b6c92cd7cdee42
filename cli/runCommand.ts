/** `rcuscope run` and `run-many`. */
import { formatDuration } from '../src/config/duration.ts';
import { showValue } from '../src/config/problem.ts';
import { EXIT, Fault, fault } from './fault.ts';
import type { Io } from './io.ts';
import { formatResult } from './resultTable.ts';
import { type CliResult, type ResultOptions, resultOf, simulate } from './simulate.ts';
import { parseJson, readWords, sayNotes, toConfig } from './source.ts';
import { checkEventsPath, writeEvents } from './writeEvents.ts';

/** Options of `run`. */
export interface RunOptions extends ResultOptions {
  readonly json: boolean;
  /** File for the log as JSON lines. */
  readonly events: string | undefined;
}

function compareDigest(expected: string, result: CliResult, io: Io): void {
  const isSame = expected === result.digest;
  io.err(isSame ? 'notice: identical run\n' : 'notice: the model has changed since this link was made\n');
}

/** Runs one configuration and prints its result. Throws a Fault. */
export function runOne(words: readonly string[], options: RunOptions, io: Io): number {
  const notes: string[] = [];
  const note = (message: string) => notes.push(message);
  const source = readWords(words, io, note);
  if (options.events !== undefined) checkEventsPath(options.events, source.file, io);
  const config = toConfig(source.input, note);
  sayNotes(notes, io);
  const simulation = simulate(config);
  const result = resultOf(simulation, options);
  if (options.events !== undefined) writeEvents(options.events, simulation.log, simulation.info, io);
  if (result.stopped !== undefined) io.err(`notice: ${result.stopped}\n`);
  if (source.digest !== undefined) compareDigest(source.digest, result, io);
  io.out(options.json ? `${JSON.stringify(result)}\n` : formatResult(result));
  return judge(result, io);
}

/** Prints violations; the exit status that a result stands for. */
function judge({ invariants }: CliResult, io: Io): number {
  const violations = invariants?.violations ?? [];
  for (const { id, atNs, event, text } of violations) {
    io.err(`${id} violated at ${formatDuration(atNs)} (event ${event}): ${text}\n`);
  }
  return violations.length === 0 ? EXIT.fine : EXIT.violated;
}

/** What `run-many` prints for a line. */
interface Answer {
  readonly id: unknown;
  readonly result?: CliResult;
  readonly error?: string;
}

const hasKey = (json: unknown, key: string): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && Object.hasOwn(json, key);

/** The configuration of a line of `run-many`, which may have an id. Throws a Fault. */
function configOfLine(json: unknown): unknown {
  if (!hasKey(json, 'config')) {
    if (hasKey(json, 'id')) throw fault('config is missing beside id: {"id": ..., "config": {...}}');
    return json;
  }
  const { id, config, ...others } = json;
  const [other] = Object.keys(others);
  if (other !== undefined) throw fault(`${other}: unknown key beside config; allowed: id, config`);
  return config;
}

function answerLine(text: string, number: number, options: ResultOptions, io: Io): Answer {
  let id: unknown = number;
  try {
    const json = parseJson(text, `line ${number}`);
    if (hasKey(json, 'id')) id = json.id;
    const note = (message: string) => io.err(`notice: ${showValue(id)}: ${message}\n`);
    return { id, result: resultOf(simulate(toConfig(configOfLine(json), note)), options) };
  } catch (error) {
    if (error instanceof Fault) return { id, error: error.lines.join('; ') };
    return { id, error: `the run failed: ${(error as Error).message}` };
  }
}

/**
 * Runs every line of a file and prints a line for each, in order: {"id", "result"} or {"id", "error"}. Without an id
 * of its own a line has its number, counted from 1. Status 1 if an invariant was violated in any of them. Throws a Fault if the file cannot be read.
 */
export function runMany(words: readonly string[], options: ResultOptions, io: Io): number {
  const [path, ...more] = words;
  if (path === undefined) throw fault('the file is missing: one configuration a line, "-" for stdin');
  if (more.length > 0) throw fault(`${showValue(more[0])}: one file only`);
  let text: string;
  try {
    text = io.read(path);
  } catch (error) {
    throw fault(`${path}: cannot be read: ${(error as Error).message}`);
  }
  if (text.trim() === '') io.err(`notice: ${path}: there is no configuration in it\n`);
  let status: number = EXIT.fine;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const answer = answerLine(line, index + 1, options, io);
    io.out(`${JSON.stringify(answer)}\n`);
    if ((answer.result?.invariants?.violations.length ?? 0) > 0) status = EXIT.violated;
  }
  return status;
}
