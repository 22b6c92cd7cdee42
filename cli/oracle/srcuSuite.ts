/** The records of SRCU: every group in state 0 or in all 20 start states. */
import { type Counts, count, summary } from './counts.ts';
import { loadGroups, loadRecords, loadStates } from './records.ts';
import type { Options, RunJobs } from './suite.ts';
import { judgeRecord, type Verdict } from './verdict.ts';

/** In --check every so manieth record runs in all states. */
const TENTH = 10;

/** One record, in state 0 or in all states. */
export interface SrcuJob {
  readonly suite: 'srcu';
  readonly group: string;
  readonly record: number;
  readonly allStates: boolean;
}

const groups = loadGroups();
const states = loadStates();
const recordsOf = new Map(groups.map((group) => [group.id, loadRecords(group)]));

/** Ids of the groups. */
export const srcuGroups: readonly string[] = groups.map(({ id }) => id);

/** Runs and judges one record. */
export function doSrcuJob(job: SrcuJob): Verdict {
  const group = groups.find(({ id }) => id === job.group);
  const record = (recordsOf.get(job.group) ?? [])[job.record];
  if (group === undefined || record === undefined) throw new Error(`no record ${job.record} in ${job.group}`);
  return judgeRecord(group, record, job.allStates ? states : states.slice(0, 1));
}

/** Judges the wanted groups; prints records and one summary a group. Returns the counts by group. */
export async function runSrcuSuite(
  { group: only, check, nominal, misses, say }: Options,
  runJobs: RunJobs<SrcuJob, Verdict>,
): Promise<Record<string, Counts>> {
  const wanted = groups.filter(({ id }) => only === undefined || id === only);
  const jobs = wanted.flatMap(({ id }) =>
    (recordsOf.get(id) ?? []).map((_, record): SrcuJob => {
      const allStates = !nominal && (!check || record % TENTH === 0);
      return { suite: 'srcu', group: id, record, allStates };
    }),
  );
  const verdicts = await runJobs(jobs);
  const table: Record<string, Counts> = {};
  for (const { id, title } of wanted) {
    const own = verdicts.filter((_, i) => jobs[i]?.group === id);
    if (!check) say(`\n${title}\n  (measured, simulated in state 0, difference; times in us)`);
    for (const { id: record, met, line } of check ? [] : own) {
      const missed = Object.keys(met).filter((criterion) => met[criterion] === false);
      if (missed.length > 0 || !misses)
        say(`  ${record}  ${line}${missed.length > 0 ? `  misses ${missed.join(', ')}` : ''}`);
    }
    table[id] = count(own);
    say(`${id}: ${summary(table[id])}`);
  }
  const latency = new Set(wanted.filter(({ judgedBy }) => judgedBy === 'latency').map(({ id }) => id));
  const all = verdicts.filter((_, i) => latency.has(jobs[i]?.group ?? ''));
  if (latency.size > 0) say(`all latency records: ${summary(count(all))}`);
  return table;
}
