/** The records of RCU Tasks, by the medians over three seeds; urgent looks left over are chosen where they show. */
import { latencyStats } from '../../src/analysis/latency.ts';
import { createRunIndex } from '../../src/analysis/runIndex.ts';
import { compared } from './compared.ts';
import { type Counts, count } from './counts.ts';
import type { Figures } from './judge.ts';
import { figureError, medianFigures, SEEDS, smallest } from './rcuFits.ts';
import { loadFile, type OracleRecord } from './records.ts';
import { rowTable } from './rows.ts';
import { runConfig } from './runConfig.ts';
import type { Options, RunJobs } from './suite.ts';
import {
  isEnqueue,
  judgeTasks,
  loadTasksRecords,
  loadTasksRows,
  mayChooseUrgent,
  type TasksCriterion,
  type TasksRow,
  type TasksWorkload,
  workloadsOf,
} from './tasksRecords.ts';

/** A workload, and the values of initial.tasksUrgent to choose from. */
export interface TasksJob {
  readonly suite: 'tasks';
  readonly id: string;
  readonly urgents: readonly number[];
}

/** Of the records of a workload, in their order: what became of them. `urgent` was chosen. */
export interface TasksResult {
  readonly urgent: number;
  readonly verdicts: readonly {
    readonly met: Readonly<Partial<Record<TasksCriterion, boolean>>>;
    readonly line: string;
  }[];
}

/** What was chosen: by id of the workload; what is not there is 0. */
export interface TasksFits {
  readonly tasksUrgent: Readonly<Record<string, number>>;
}

/** Values of initial.tasksUrgent that a replay may choose from: nothing before, or a synchronous test in the same boot. */
const URGENTS: readonly number[] = [0, 2];
/** Where what was chosen is kept. */
export const TASKS_FITS = 'tasks-fits.json';

const rows = loadTasksRows();
const all = workloadsOf([...new Set(rows.flatMap(({ files }) => files))].flatMap(loadTasksRecords));

/** Ids of the rows. */
export const tasksRows: readonly string[] = rows.map(({ id }) => id);

/** Figures of every record's series, in a run with a seed. */
function runWorkload({ id, config, records }: TasksWorkload, seed: number, tasksUrgent: number): Figures[] {
  const initial = tasksUrgent === 0 ? config.initial : { ...config.initial, tasksUrgent };
  const { log, info } = runConfig(id, { ...config, seed, ...(initial === undefined ? {} : { initial }) });
  const { series } = createRunIndex(log, info);
  return records.map(({ measured }) => {
    const values = series.find(({ name }) => name === measured.series)?.values;
    if (values?.length !== measured.n)
      throw new Error(`${id}: ${values?.length ?? 0} of ${measured.n} ${measured.series}`);
    return latencyStats(values);
  });
}

/** By record the medians over the seeds. */
function medians(workload: TasksWorkload, urgent: number): Figures[] {
  const runs = SEEDS.map((seed) => runWorkload(workload, seed, urgent));
  return workload.records.map((_, i) =>
    medianFigures(runs.map((figures) => ({ figures: figures[i] as Figures }))),
  );
}

function errorOf(records: readonly OracleRecord[], figures: readonly Figures[]): number {
  return records.reduce(
    (sum, record, i) => (isEnqueue(record) ? sum : sum + figureError(figures[i] as Figures, record.measured)),
    0,
  );
}

const NOTHING_MET = { match: false, percentiles: false, mean: false };

/** Runs a workload with each value to choose from and judges the one that is nearest. */
export function doTasksJob({ id, urgents }: TasksJob): TasksResult {
  const workload = all.find((candidate) => candidate.id === id);
  if (workload === undefined) throw new Error(`no workload ${id}`);
  try {
    const tried = urgents.map((urgent) => medians(workload, urgent));
    const best = smallest(tried.map((figures) => errorOf(workload.records, figures)));
    const figures = tried[best] as Figures[];
    const verdicts = workload.records.map((record, i) => {
      const simulated = figures[i] as Figures;
      return { met: judgeTasks(record, simulated), line: compared(simulated, record.measured) };
    });
    return { urgent: urgents[best] as number, verdicts };
  } catch (error) {
    const line = `does not run: ${(error as Error).message}`;
    return { urgent: 0, verdicts: workload.records.map(() => ({ met: NOTHING_MET, line })) };
  }
}

const CRITERIA = [
  ['match', 'p50, p90, mean'],
  ['percentiles', 'p50, p90'],
  ['mean', 'mean'],
] as const;

interface JudgedRecord {
  readonly record: OracleRecord;
  readonly urgent: number;
  readonly met: Readonly<Partial<Record<TasksCriterion, boolean>>>;
  readonly line: string;
}

function recordLines(judged: readonly JudgedRecord[], misses: boolean): string[] {
  return judged.flatMap(({ record, urgent, met, line }) => {
    if (misses && met.match === true) return [];
    const missed = (['percentiles', 'mean'] as const).filter((criterion) => met[criterion] === false);
    const verdict = missed.length > 0 ? `misses ${missed.join(', ')}` : 'meets all';
    return [`  ${record.id}${urgent > 0 ? `  urgent ${urgent}` : ''}  ${line}  ${verdict}`];
  });
}

/** Judges the wanted rows and prints records, what was chosen, and the table. `--check`: with the stored choice. */
export async function runTasksSuite(
  { group, check, unfitted, misses, say }: Options,
  runJobs: RunJobs<TasksJob, TasksResult>,
): Promise<{ readonly table: Record<string, Counts>; readonly fits: TasksFits }> {
  const wanted = rows.filter(({ id }) => group === undefined || id === group);
  const isIn = (row: TasksRow, record: OracleRecord) => row.series.includes(record.measured.series);
  const workloads = all.filter(({ records }) =>
    records.some((record) => wanted.some((row) => isIn(row, record))),
  );
  const stored = check ? (JSON.parse(loadFile(TASKS_FITS)) as TasksFits) : undefined;
  const urgentsFor = (workload: TasksWorkload) => {
    if (unfitted || !mayChooseUrgent(workload)) return [0];
    return stored === undefined ? URGENTS : [stored.tasksUrgent[workload.id] ?? 0];
  };
  const jobs = workloads.map(
    (workload): TasksJob => ({ suite: 'tasks', id: workload.id, urgents: urgentsFor(workload) }),
  );
  const results = await runJobs(jobs);
  const judged = workloads.flatMap(({ records }, i) =>
    records.flatMap((record, k): JudgedRecord[] => {
      const verdict = results[i]?.verdicts[k];
      return verdict === undefined ? [] : [{ record, urgent: results[i]?.urgent ?? 0, ...verdict }];
    }),
  );
  const tasksUrgent = Object.fromEntries(
    workloads.flatMap(({ id }, i) => (results[i]?.urgent ? [[id, results[i].urgent]] : [])),
  );
  const table = Object.fromEntries(
    wanted.map((row) => [row.id, count(judged.filter(({ record }) => isIn(row, record)))]),
  );
  if (!check && judged.length > 0) {
    say('\nRCU Tasks (urgent: initial.tasksUrgent as chosen; measured, simulated, difference; times in us)');
    for (const row of wanted.filter(({ id }) => wanted.length === 1 || id !== 'tasks-all')) {
      const lines = recordLines(
        judged.filter(({ record }) => isIn(row, record)),
        misses,
      );
      if (lines.length > 0) for (const line of [row.title, ...lines]) say(line);
    }
    say('');
  }
  if (wanted.length > 0) say(rowTable(CRITERIA, wanted, table));
  return { table, fits: { tasksUrgent } };
}
