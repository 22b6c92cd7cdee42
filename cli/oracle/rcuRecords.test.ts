import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isInRow, judgeFigures, type RcuRecord, type RcuRow, toRcuRecord } from './rcuRecords.ts';
import type { OracleRecord } from './records.ts';

const FOLDER = 'test-data/oracle';
const { rows } = JSON.parse(readFileSync(`${FOLDER}/rcu-rows.json`, 'utf8')) as { rows: RcuRow[] };
const records = ['rcu.jsonl', 'rcu-expedited.jsonl', 'rcu-other-wake-seeds.jsonl', 'rcu-v61.jsonl'].flatMap(
  (file) =>
    readFileSync(`${FOLDER}/${file}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => ({ file, record: toRcuRecord(JSON.parse(line) as OracleRecord) })),
);

test.each(rows.map((row) => [row.id, row] as const))(
  '%s has the records that the reference had',
  (_, row) => {
    expect(records.filter(({ file, record }) => isInRow(row, file, record))).toHaveLength(
      row.reference?.n ?? 0,
    );
  },
);

test('every record is in a row, and what a caller measured is complete', () => {
  for (const { file, record } of records) {
    expect(rows.some((row) => isInRow(row, file, record))).toBe(true);
    const { values = [], n } = record.measured;
    if (n <= 200) expect(values).toHaveLength(n);
    expect(n % record.callers).toBe(0);
  }
});

const record = (kind: RcuRecord['kind'], ns: number) =>
  ({ kind, config: { hz: 250 }, measured: { p50: ns, p90: ns, mean: ns } }) as RcuRecord;
const met = (kind: RcuRecord['kind'], measured: number, simulated: number) =>
  judgeFigures(record(kind, measured), { p50: simulated, p90: measured, mean: simulated });

test('half a tick and 20 us more is strict, a tick and 20 us more is one tick, 10 % is the mean', () => {
  const ms = 1_000_000;
  expect(met('idle-1', 16 * ms, 18 * ms + 20_000)).toEqual({ strict: true, oneTick: true, mean: false });
  expect(met('idle-1', 16 * ms, 18 * ms + 20_001)).toEqual({ strict: false, oneTick: true, mean: false });
  expect(met('idle-1', 16 * ms, 12 * ms - 20_001)).toEqual({ strict: false, oneTick: false, mean: false });
  expect(met('readers', 100 * ms, 105 * ms)).toEqual({ strict: true, oneTick: true, mean: true });
});

test('expedited: 2 and 4 us, or 5 %', () => {
  expect(met('exp-idle', 10_000, 12_000)).toEqual({ strict: true, oneTick: true, mean: false });
  expect(met('exp-idle', 10_000, 12_001)).toEqual({ strict: false, oneTick: true, mean: false });
  expect(met('exp-kernel', 10_000, 14_001)).toEqual({ strict: false, oneTick: false, mean: false });
});
