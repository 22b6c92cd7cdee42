import { expect, test } from 'vitest';
import { readFloods } from './kfreeRecords.testkit.ts';
import { askedOf, compareFlood, type Flood, isPeakJudged } from './kfreeRecords.ts';

const records = readFloods(['kfree.jsonl', 'kfree-fine.jsonl']);
const find = (id: string) => {
  const record = records.find((candidate) => candidate.id === id);
  if (record === undefined) throw new Error(id);
  return record;
};

test('what is asked of the records: 75 without 3 threads, 13 peaks, 28 workloads measured twice', () => {
  expect(records.length).toBe(84);
  const asked = records.map((record) => askedOf(record, { duration: true, gracePeriods: true, peak: true }));
  expect(asked.filter(({ duration }) => duration).length).toBe(75);
  expect(asked.filter(({ gracePeriods }) => gracePeriods).length).toBe(75);
  expect(asked.filter(({ peak }) => peak).length).toBe(13);
  expect(records.filter(({ twin }) => twin !== undefined).length).toBe(2 * 28);
});

test('the measured flood meets its own record, and its twin within the span of both', () => {
  for (const record of records) {
    expect(compareFlood(record, record.measured)).toEqual({ duration: true, gracePeriods: true, peak: true });
    if (record.twin !== undefined)
      expect(compareFlood(record, record.twin)).toMatchObject({ duration: true, gracePeriods: true });
  }
});

const long = find('kfree/kfree-long-p250/kfree_rcu/t4-s32-long');
const like = (record: { readonly measured: Flood }, change: Partial<Flood>) => ({
  ...record.measured,
  ...change,
});

test('durations within 5 %, grace periods within 15 % or one, peaks within 30 %', () => {
  const { floodNs, peakBytes } = long.measured;
  expect(long).toMatchObject({ threads: 4, objects: 800_000, bytes: 32 });
  expect(long.twin).toBeUndefined();
  expect(compareFlood(long, like(long, { floodNs: floodNs * 1.049, peakBytes: peakBytes * 0.71 }))).toEqual({
    ...{ duration: true, gracePeriods: true, peak: true },
  });
  expect(compareFlood(long, like(long, { floodNs: floodNs * 1.051, peakBytes: peakBytes * 0.69 }))).toEqual({
    ...{ duration: false, gracePeriods: true, peak: false },
  });
  const gps = (gracePeriods: number) => compareFlood(long, like(long, { gracePeriods })).gracePeriods;
  expect([16, 17, 23, 24].map(gps)).toEqual([false, true, true, false]);
  expect(isPeakJudged(long)).toBe(false);
  const short = find('kfree/kfree-p250/kfree_rcu/t1-s256');
  expect(compareFlood(short, like(short, { gracePeriods: 1 })).gracePeriods).toBe(true);
  expect(compareFlood(short, like(short, { gracePeriods: 2 })).gracePeriods).toBe(false);
});

test('between the two measured figures counts, and what is near to the record itself', () => {
  const { floodNs } = long.measured;
  const record = { ...long, twin: { ...long.measured, floodNs: 0.8 * floodNs, gracePeriods: 10 } };
  const duration = (share: number) =>
    compareFlood(record, like(record, { floodNs: share * floodNs })).duration;
  expect([0.79, 0.8, 0.9, 1, 1.04, 1.06].map(duration)).toEqual([false, true, true, true, true, false]);
  const gps = (gracePeriods: number) => compareFlood(record, like(record, { gracePeriods })).gracePeriods;
  expect([9, 10, 15, 23, 24].map(gps)).toEqual([false, true, true, true, false]);
});
