/** The measured records of RCU Tasks and how a run is judged (test-data/oracle/README.md, "RCU Tasks"). */
import type { Figures } from './judge.ts';
import { loadFile, loadRecordFile, type OracleConfig, type OracleRecord } from './records.ts';
import type { Row } from './rows.ts';

/** A row of the table: records of some series. */
export interface TasksRow extends Row {
  readonly series: readonly string[];
}

/** Records that were measured in one run of the same configuration: batch, queueing and callbacks of one test. */
export interface TasksWorkload {
  /** The id of its first record. */
  readonly id: string;
  readonly config: OracleConfig;
  readonly records: readonly OracleRecord[];
}

/** Criteria of a record: p50 and p90, the mean, and both. Of times to queue a batch only the mean is asked. */
export type TasksCriterion = 'match' | 'percentiles' | 'mean';

/** The rows, in table order. */
export function loadTasksRows(): readonly TasksRow[] {
  return (JSON.parse(loadFile('tasks-rows.json')) as { rows: TasksRow[] }).rows;
}

/** The records of a file. */
export function loadTasksRecords(file: string): readonly OracleRecord[] {
  return loadRecordFile(file);
}

/** Records by what they were measured in. */
export function workloadsOf(records: readonly OracleRecord[]): readonly TasksWorkload[] {
  const bootOf = ({ id }: OracleRecord) => id.split('/').slice(0, 2).join('/');
  const groups = new Map<string, OracleRecord[]>();
  for (const record of records) {
    const key = `${bootOf(record)} ${JSON.stringify(record.config)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return [...groups.values()].map((group) => {
    const { id, config } = group[0] as OracleRecord;
    return { id, config, records: group };
  });
}

/** May urgent looks be left over from earlier use? Only calls that are lazy show them. */
export function mayChooseUrgent({ config }: TasksWorkload): boolean {
  return config.actors.some(({ api }) => api === 'call_rcu_tasks');
}

/** True for the time to queue a batch: hundreds of ns, the same in every call. */
export function isEnqueue({ measured }: OracleRecord): boolean {
  return measured.series.endsWith('.enqueue');
}

const NS_PER_S = 1_000_000_000;
const SHARE = 0.05;
const MEAN_SHARE = 0.1;
const ENQUEUE_NS = 100;

/** Which criteria figures meet: p50 and p90 within max(5 %, one tick), the mean within 10 % (queueing: or 100 ns). */
export function judgeTasks(
  record: OracleRecord,
  simulated: Figures,
): Partial<Record<TasksCriterion, boolean>> {
  const { measured, config } = record;
  const near = (key: keyof Figures, slackNs: number) => Math.abs(simulated[key] - measured[key]) <= slackNs;
  const meanSlackNs = MEAN_SHARE * measured.mean;
  if (isEnqueue(record)) {
    const mean = near('mean', Math.max(meanSlackNs, ENQUEUE_NS));
    return { match: mean, mean };
  }
  const percentiles = (['p50', 'p90'] as const).every((key) =>
    near(key, Math.max(SHARE * measured[key], NS_PER_S / config.hz)),
  );
  const mean = near('mean', meanSlackNs);
  return { match: percentiles && mean, percentiles, mean };
}
