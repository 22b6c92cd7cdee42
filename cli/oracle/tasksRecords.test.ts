import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OracleRecord } from './records.ts';
import {
  isEnqueue,
  judgeTasks,
  mayChooseUrgent,
  type TasksRow,
  type TasksWorkload,
  workloadsOf,
} from './tasksRecords.ts';

const text = (file: string) => readFileSync(`test-data/oracle/${file}`, 'utf8');
const records = text('tasks.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as OracleRecord);
const { rows } = JSON.parse(text('tasks-rows.json')) as { rows: TasksRow[] };
const find = (id: string) => records.find((record) => record.id.endsWith(id)) as OracleRecord;

test('64 records, each in one row besides all of them; those of one test are one workload', () => {
  expect(records).toHaveLength(64);
  for (const { measured } of records)
    expect(rows.filter(({ series }) => series.includes(measured.series))).toHaveLength(2);
  const workloads = workloadsOf(records);
  expect(workloads.flatMap((workload) => workload.records)).toHaveLength(64);
  const batch = workloads.find(({ id }) => id.endsWith('p250/call_batch_total/call_flavor2-b16'));
  expect(batch?.records.map(({ measured }) => measured.series)).toEqual([
    ...['call_rcu_tasks', 'call_rcu_tasks.enqueue', 'call_rcu_tasks.callback'],
  ]);
  expect(records.filter(isEnqueue)).toHaveLength(8);
  expect(workloads.filter(mayChooseUrgent).map(({ id }) => id.split('/').at(-1))).toEqual([
    ...['call_flavor2-b16', 'call_tasks-gapU2s'],
    ...['call_flavor2-b1', 'call_flavor2-b16', 'call_tasks-holdout200ms', 'call_tasks-gapU2s'],
  ]);
  expect(mayChooseUrgent(workloads[0] as TasksWorkload)).toBe(false);
});

test('percentiles within 5 % or a tick, the mean within 10 %', () => {
  const record = find('p1000/tasks_trace/noholdout-b2b');
  const { p50, p90, mean } = record.measured;
  expect(judgeTasks(record, { p50, p90, mean })).toEqual({ match: true, percentiles: true, mean: true });
  const shifted = (share: number) => ({ p50: p50 * share, p90: p90 * share, mean: mean * share });
  expect(judgeTasks(record, shifted(1.049))).toEqual({ match: true, percentiles: true, mean: true });
  expect(judgeTasks(record, shifted(1.051))).toEqual({ match: false, percentiles: false, mean: true });
  expect(judgeTasks(record, { p50, p90, mean: mean * 0.89 })).toEqual({
    ...{ match: false, percentiles: true, mean: false },
  });
  const rude = find('p250/tasks_rude/noholdout-gapU500ms'); // p50 19 us
  expect(judgeTasks(rude, { ...rude.measured, p50: 3_999_000 })).toMatchObject({ percentiles: true });
  expect(judgeTasks(rude, { ...rude.measured, p50: 4_100_000 })).toMatchObject({ percentiles: false });
});

test('queueing: only the mean, within 10 % or 100 ns', () => {
  const record = find('p1000/call_batch_enqueue/call_flavor2-b1'); // mean 255 ns
  const mean = (ns: number) => judgeTasks(record, { p50: 0, p90: 0, mean: ns });
  expect(mean(354)).toEqual({ match: true, mean: true });
  expect(mean(356)).toEqual({ match: false, mean: false });
});
