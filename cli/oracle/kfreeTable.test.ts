import { expect, test } from 'vitest';
import { readFloods } from './kfreeRecords.testkit.ts';
import type { KfreeRecord } from './kfreeRecords.ts';
import { floodTable, judgeFlood, unjudgedLines } from './kfreeTable.ts';

const records = readFloods(['kfree.jsonl']);
const [first, second] = records as [KfreeRecord, KfreeRecord];
const three = records.find(({ threads }) => threads === 3) as KfreeRecord;
const doubled = (record: KfreeRecord) => ({
  flood: { ...record.measured, floodNs: 2 * record.measured.floodNs },
});

test('a line says both figures, the difference and what is missed', () => {
  const lines = floodTable([judgeFlood(first, doubled(first))], false).split('\n');
  expect(lines[1]?.replace(/ +/g, ' ')).toBe(
    'kfree/kfree-p250/kfree_rcu/t1-s256 5.58 11.16 +100.0 % 279 558 0 0 16.28 16.28 1 1 7.258 7.258 +0.0 % misses duration',
  );
});

test('misses only: what meets all and what is not judged is left out', () => {
  const floods = [
    judgeFlood(first, { flood: first.measured }),
    judgeFlood(second, { fault: `${second.id}: no engine` }),
    judgeFlood(three, doubled(three)),
  ];
  const text = floodTable(floods, true);
  expect(text).toBe(`does not run: ${second.id}: no engine`);
  expect(floodTable(floods, false)).toContain('not judged; would miss duration');
  expect(floodTable(floods.slice(0, 1), true)).toBe('');
  expect(unjudgedLines(floods)).toEqual([
    'not judged, 3 threads: duration 0/1  gracePeriods 1/1',
    'not judged, other peaks: peak 2/3 within 30 %',
  ]);
});
