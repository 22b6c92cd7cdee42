/** The measured records and their groups, from test-data/oracle. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoredTable } from './counts.ts';

/** One measurement; see test-data/oracle/README.md. */
export interface OracleRecord {
  readonly id: string;
  /** A configuration of docs/configuration.md, sparse. */
  readonly config: OracleConfig;
  readonly measured: Measured;
}

/** The parts of a record's configuration that start states change. */
export interface OracleConfig {
  readonly kernel: string;
  readonly hz: number;
  readonly cpus: number;
  readonly seed: number;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly initial?: { readonly workerLagNs?: number | readonly number[] };
  readonly actors: readonly Readonly<Record<string, unknown>>[];
}

/** What was measured: percentiles and mean in ns, and by group an overrun share or calls one by one. */
export interface Measured {
  readonly series: string;
  /** Calls. */
  readonly n: number;
  readonly p50: number;
  readonly p90: number;
  readonly mean: number;
  /** Every latency in call order, where there are at most 200. */
  readonly values?: readonly number[];
  readonly overrunShare?: number;
  readonly calls?: readonly MeasuredCall[];
}

/** A traced call: executions of process_srcu, timers armed as [ns since the call began, function, jiffies]. */
export interface MeasuredCall {
  readonly npasses: number;
  readonly delays: readonly (readonly [number, string, number])[];
}

/** A start state: what to change in a configuration. */
export interface StartState {
  readonly state: number;
  readonly seed?: number;
  readonly readerStart?: number;
  readonly readerStaggerNs?: number;
  readonly updaterPlusNs?: number;
  readonly workerLagOthersNs?: number;
  readonly jiffyRace?: unknown;
  readonly timerSelfExpire?: number;
}

/** A row of the table of what an earlier implementation of the same rules reached. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly files: readonly string[];
  readonly judgedBy: 'latency' | 'overrunShare' | 'passes';
  readonly reference?: { readonly n: number; readonly any?: number; readonly envelope?: number };
}

/** The built command stands in dist-cli/ beside test-data/. */
const FOLDER = join(fileURLToPath(import.meta.url), '..', '..', 'test-data', 'oracle');

/** The path of a file, relative to test-data/oracle. */
export function dataPath(name: string): string {
  return join(FOLDER, name);
}

/** The text of a file. */
export function loadFile(name: string): string {
  return readFileSync(dataPath(name), 'utf8');
}

/** The records of one file. */
export function loadRecordFile<R = OracleRecord>(file: string): readonly R[] {
  return loadFile(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as R);
}

/** All groups, in table order. */
export function loadGroups(): readonly Group[] {
  return (JSON.parse(loadFile('groups.json')) as { groups: Group[] }).groups;
}

/** The 20 start states; number 0 changes nothing. */
export function loadStates(): readonly StartState[] {
  return JSON.parse(loadFile('states.json')) as StartState[];
}

/** The records of a group. */
export function loadRecords(group: Group): readonly OracleRecord[] {
  return group.files.flatMap((file) => loadRecordFile(file));
}

/** Reads the stored table of the counts that `npm test` asks for. */
export function loadStoredTable(): StoredTable {
  return JSON.parse(loadFile('reached.json')) as StoredTable;
}
