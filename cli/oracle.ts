/**
 * `npm run -s oracle`: every SRCU record of a real kernel through the engine. Prints measured, simulated and
 * difference a record, and a summary line a group.
 *
 *   --check   nominal state for all records, all 20 states for every tenth; fails below test-data/oracle/reached.json
 *   --nominal state 0 only       --group ID  one group       --misses  only records that miss something
 *   --json    the table as JSON and nothing else
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type Group, loadGroups, loadRecords, loadStates, loadStoredTable } from './oracle/records.ts';
import { judgeRecord, type Verdict } from './oracle/verdict.ts';
import { runInThreads } from './threadPool.ts';

const TAG = 'rcuscope-oracle';
/** In --check every so manieth record runs in all states. */
const TENTH = 10;

interface Job {
  readonly group: string;
  readonly record: number;
  readonly allStates: boolean;
}

const groups = loadGroups();
const states = loadStates();
const recordsOf = new Map(groups.map((group) => [group.id, loadRecords(group)]));

function judge(job: Job): Verdict {
  const group = groups.find(({ id }) => id === job.group) as Group;
  const record = (recordsOf.get(job.group) ?? [])[job.record];
  if (record === undefined) throw new Error(`no record ${job.record} in ${job.group}`);
  return judgeRecord(group, record, job.allStates ? states : states.slice(0, 1));
}

/** How many records met each criterion, and of how many it was asked. */
type Counts = Record<string, { met: number; of: number }>;

function count(verdicts: readonly Verdict[]): Counts {
  const counts: Counts = {};
  for (const { met } of verdicts) {
    for (const [criterion, isMet] of Object.entries(met)) {
      counts[criterion] ??= { met: 0, of: 0 };
      const entry = counts[criterion];
      entry.of++;
      if (isMet) entry.met++;
    }
  }
  return counts;
}

function summary(counts: Counts): string {
  return Object.entries(counts)
    .map(([criterion, { met, of }]) => `${criterion} ${met}/${of} ${((100 * met) / of).toFixed(1)} %`)
    .join('  ');
}

/** Criteria that fell below the stored table, as sentences. */
function fallenBelow(table: Readonly<Record<string, Counts>>): string[] {
  return Object.entries(loadStoredTable()).flatMap(([group, criteria]) =>
    Object.entries(criteria).flatMap(([criterion, stored]) => {
      const met = table[group]?.[criterion]?.met ?? 0;
      return met < stored ? [`${group}: ${criterion} ${met}, stored ${stored}`] : [];
    }),
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      nominal: { type: 'boolean', default: false },
      misses: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      group: { type: 'string' },
    },
  });
  const wanted = groups.filter(({ id }) => values.group === undefined || id === values.group);
  if (wanted.length === 0) {
    console.error(
      `--group ${values.group}: no such group; there are ${groups.map(({ id }) => id).join(', ')}`,
    );
    process.exitCode = 2;
    return;
  }
  const jobs = wanted.flatMap(({ id }) =>
    (recordsOf.get(id) ?? []).map((_, record): Job => {
      const allStates = !values.nominal && (!values.check || record % TENTH === 0);
      return { group: id, record, allStates };
    }),
  );
  const script = new URL(import.meta.url);
  const verdicts = await runInThreads<Job, Verdict>(jobs, availableParallelism(), script, TAG, judge);
  const table: Record<string, Counts> = {};
  const say = values.json ? () => {} : console.log;
  for (const { id, title } of wanted) {
    const own = verdicts.filter((_, i) => jobs[i]?.group === id);
    if (!values.check) say(`\n${title}\n  (measured, simulated in state 0, difference; times in us)`);
    for (const { id: record, met, line } of values.check ? [] : own) {
      const missed = Object.keys(met).filter((criterion) => met[criterion] === false);
      if (missed.length > 0 || !values.misses)
        say(`  ${record}  ${line}${missed.length > 0 ? `  misses ${missed.join(', ')}` : ''}`);
    }
    table[id] = count(own);
    say(`${id}: ${summary(table[id])}`);
  }
  const latency = new Set(wanted.filter(({ judgedBy }) => judgedBy === 'latency').map(({ id }) => id));
  const all = count(verdicts.filter((_, i) => latency.has(jobs[i]?.group ?? '')));
  if (latency.size > 0) say(`all latency records: ${summary(all)}`);
  if (values.json) console.log(JSON.stringify({ groups: table, all }));
  const fallen = values.check ? fallenBelow(table) : [];
  for (const line of fallen) console.error(`below the stored table: ${line}`);
  if (fallen.length > 0) process.exitCode = 1;
}

if (isMainThread) await main();
else if (workerData === TAG) parentPort?.on('message', (job: Job) => parentPort?.postMessage(judge(job)));
