/**
 * `npm run -s oracle`: records of a real kernel, of SRCU, Tree RCU, floods of kfree_rcu() and RCU Tasks, through the
 * engine, and its traces against logs.
 * Prints measured, simulated and difference a record, and a summary line a group.
 *
 *   --check    what `npm test` runs: SRCU in its nominal state, every tenth record in all 20; Tree RCU with the stored
 *              fits; floods; RCU Tasks; traces. Fails below test-data/oracle/reached.json
 *   --only srcu|rcu|kfree|tasks|traces   one of the parts     --group ID  one group, row or trace
 *   --nominal  SRCU: state 0 only                       --misses    only records that miss something
 *   --unfitted nothing is chosen: of Tree RCU the kthread is on CPU 0 and RCU idle everywhere, no urgent looks of Tasks
 *   --json     the tables as JSON and nothing else
 *   --store    keeps what was chosen in test-data/oracle/rcu-fits.json, tasks-fits.json; with --check the counts in
 *              reached.json
 *   --store-traces FILE.txt ...   makes test-data/traces/patterns.json of trace text and FILE.config.json beside it
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type Counts, fallenBelow } from './oracle/counts.ts';
import { doKfreeJob, type KfreeJob, kfreeRows, runKfreeSuite } from './oracle/kfreeSuite.ts';
import { doRcuJob, type RcuJob, rcuRows, runRcuSuite } from './oracle/rcuSuite.ts';
import { dataPath, loadStoredTable } from './oracle/records.ts';
import { doSrcuJob, runSrcuSuite, type SrcuJob, srcuGroups } from './oracle/srcuSuite.ts';
import type { Options, RunJobs } from './oracle/suite.ts';
import { doTasksJob, runTasksSuite, TASKS_FITS, type TasksJob, tasksRows } from './oracle/tasksSuite.ts';
import { storeTraces } from './oracle/traceStore.ts';
import { doTraceJob, runTraceSuite, type TraceJob, traceIds } from './oracle/traceSuite.ts';
import { runInThreads } from './threadPool.ts';

const TAG = 'rcuscope-oracle';
const PARTS = ['srcu', 'rcu', 'kfree', 'tasks', 'traces'] as const;
type Part = (typeof PARTS)[number];
type Job = SrcuJob | RcuJob | KfreeJob | TasksJob | TraceJob;

function doJob(job: Job) {
  switch (job.suite) {
    case 'srcu':
      return doSrcuJob(job);
    case 'rcu':
      return doRcuJob(job);
    case 'kfree':
      return doKfreeJob(job);
    case 'tasks':
      return doTasksJob(job);
    case 'trace':
      return doTraceJob(job);
  }
}

/** In threads; results are what doJob() makes of such jobs. */
function inThreads<J extends Job, R>(jobs: readonly J[]): Promise<R[]> {
  const local = (job: J) => doJob(job) as R;
  return runInThreads<J, R>(jobs, availableParallelism(), new URL(import.meta.url), TAG, local);
}

interface Outcome {
  readonly table: Readonly<Record<string, Counts>>;
  /** What was chosen, by the file that keeps it. */
  readonly fits?: Readonly<Record<string, object>>;
}

async function runPart(part: Part, options: Options): Promise<Outcome> {
  switch (part) {
    case 'srcu':
      return { table: await runSrcuSuite(options, inThreads) };
    case 'rcu': {
      const run = inThreads as RunJobs<RcuJob, ReturnType<typeof doRcuJob>>;
      const { table, fits } = await runRcuSuite(options, run);
      return { table, fits: { 'rcu-fits.json': fits } };
    }
    case 'kfree':
      return { table: await runKfreeSuite(options, inThreads) };
    case 'tasks': {
      const { table, fits } = await runTasksSuite(options, inThreads);
      return { table, fits: { [TASKS_FITS]: fits } };
    }
    case 'traces':
      return { table: await runTraceSuite(options, inThreads) };
  }
}

/** Every count that a run has: what `npm test` asks for from then on. */
function asStored(table: Readonly<Record<string, Counts>>) {
  return Object.fromEntries(
    Object.entries(table).map(([id, counts]) => [
      id,
      Object.fromEntries(Object.entries(counts).map(([criterion, { met }]) => [criterion, met])),
    ]),
  );
}

/** One key a line. */
function write(name: string, content: object): void {
  const spaced = (value: unknown) =>
    JSON.stringify(value)
      .replace(/([,:])"/g, '$1 "')
      .replace(/":/g, '": ');
  const lines = Object.entries(content).map(([key, value]) => `  ${JSON.stringify(key)}: ${spaced(value)}`);
  writeFileSync(dataPath(name), `{\n${lines.join(',\n')}\n}\n`);
}

function options() {
  return parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      nominal: { type: 'boolean', default: false },
      misses: { type: 'boolean', default: false },
      unfitted: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      store: { type: 'boolean', default: false },
      'store-traces': { type: 'boolean', default: false },
      group: { type: 'string' },
      only: { type: 'string' },
    },
  });
}

const idsOf: Record<Part, readonly string[]> = {
  srcu: srcuGroups,
  rcu: rcuRows,
  kfree: kfreeRows,
  tasks: tasksRows,
  traces: traceIds,
};

/** Parts that were asked for; undefined, with a message, for what is not there. */
function partsOf(group: string | undefined, only: string | undefined): readonly Part[] | undefined {
  const parts = PARTS.filter(
    (part) => (only ?? part) === part && (group === undefined || idsOf[part].includes(group)),
  );
  if (parts.length > 0) return parts;
  const known = group === undefined ? PARTS : PARTS.flatMap((part) => idsOf[part]);
  console.error(
    `${group === undefined ? `--only ${only}` : `--group ${group}`}: there are ${known.join(', ')}`,
  );
  return undefined;
}

async function main(): Promise<void> {
  const { values, positionals } = options();
  if (values['store-traces']) {
    for (const line of storeTraces(positionals)) console.log(line);
    return;
  }
  const parts = partsOf(values.group, values.only);
  if (parts === undefined) {
    process.exitCode = 2;
    return;
  }
  const { group, check, nominal, unfitted, misses } = values;
  const asked: Options = {
    group,
    check,
    nominal,
    unfitted,
    misses,
    say: values.json ? () => {} : console.log,
  };
  const tables: Partial<Record<Part, Outcome>> = {};
  for (const part of parts) tables[part] = await runPart(part, asked);
  const table = Object.assign({}, ...parts.map((part) => tables[part]?.table)) as Record<string, Counts>;
  if (values.json) console.log(JSON.stringify(table));
  if (values.store && !check && group === undefined && !unfitted) {
    const fits = parts.flatMap((part) => Object.entries(tables[part]?.fits ?? {}));
    for (const [name, content] of fits) write(name, content);
  }
  if (!check) return;
  const stored = loadStoredTable();
  if (values.store) write('reached.json', { ...stored, ...asStored(table) });
  const everything = group === undefined && parts.length === PARTS.length;
  const relevant = Object.entries(stored).filter(([id]) => everything || table[id] !== undefined);
  const fallen = fallenBelow(table, Object.fromEntries(relevant));
  for (const line of fallen) console.error(`below the stored table: ${line}`);
  if (fallen.length > 0) process.exitCode = 1;
}

/** Faults of the command's own words are one line, as on the other command line. */
async function mainOrMessage(): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error)) throw error;
    console.error(`oracle: ${error.message}`);
    process.exitCode = 2;
  }
}

if (isMainThread) await mainOrMessage();
else if (workerData === TAG) parentPort?.on('message', (job: Job) => parentPort?.postMessage(doJob(job)));
