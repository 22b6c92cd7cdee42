/** The records of kfree_rcu(): every flood once with its own seed, judged by duration, grace periods and peak memory. */
import { runResult } from '../../src/analysis/runResult.ts';
import { type Counts, count } from './counts.ts';
import { loadKfreeRecords, loadKfreeRows } from './kfreeRecords.ts';
import { floodTable, type JudgedFlood, judgeFlood, type KfreeResult, unjudgedLines } from './kfreeTable.ts';
import { type Row, rowTable } from './rows.ts';
import { runConfig } from './runConfig.ts';
import type { Options, RunJobs } from './suite.ts';

/** A record to run. */
export interface KfreeJob {
  readonly suite: 'kfree';
  readonly id: string;
}

const rows = loadKfreeRows();
const all = loadKfreeRecords([...new Set(rows.flatMap(({ files }) => files))]);

/** Ids of the rows. */
export const kfreeRows: readonly string[] = rows.map(({ id }) => id);

/** The row that counts peaks only. */
const PEAKS = 'kfree-peaks';

/** Runs the flood of a record. */
export function doKfreeJob({ id }: KfreeJob): KfreeResult {
  const record = all.find((candidate) => candidate.id === id);
  if (record === undefined) throw new Error(`no record ${id}`);
  try {
    const { log, info, status } = runConfig(id, record.config);
    const { kfree, memory } = runResult(log, info, status);
    if (kfree?.drainNs === undefined || memory === undefined)
      return { fault: `${id}: did not come to its end` };
    const { floodNs, drainNs, gracePeriods, drainGracePeriods = 0 } = kfree;
    return { flood: { floodNs, drainNs, gracePeriods, drainGracePeriods, peakBytes: memory.peakBytes } };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

function countRow(row: Row, floods: readonly JudgedFlood[]): Counts {
  const counts = count(floods.filter(({ record }) => row.files.includes(record.file)));
  const isPeaks = row.id === PEAKS;
  return Object.fromEntries(
    Object.entries(counts).filter(([criterion]) => isPeaks === (criterion === 'peak')),
  );
}

const CRITERIA = [
  ['duration', 'duration'],
  ['gracePeriods', 'grace periods'],
  ['peak', 'peak'],
] as const;

/** Judges the wanted rows and prints the records and the table. Returns the counts by row. */
export async function runKfreeSuite(
  { group, check, misses, say }: Options,
  runJobs: RunJobs<KfreeJob, KfreeResult>,
): Promise<Record<string, Counts>> {
  const wanted = rows.filter(({ id }) => group === undefined || id === group);
  const files = wanted.flatMap((row) => row.files);
  const records = all.filter(({ file }) => files.includes(file));
  const results = await runJobs(records.map(({ id }): KfreeJob => ({ suite: 'kfree', id })));
  const floods = records.map((record, i) => judgeFlood(record, results[i] as KfreeResult));
  const table = Object.fromEntries(wanted.map((row) => [row.id, countRow(row, floods)]));
  if (!check && records.length > 0) {
    say('\nFloods of kfree_rcu(): measured and simulated; times in ms, memory in MB');
    say(floodTable(floods, misses));
    for (const line of unjudgedLines(floods)) say(line);
    say('');
  }
  if (wanted.length > 0) say(rowTable(CRITERIA, wanted, table));
  return table;
}
