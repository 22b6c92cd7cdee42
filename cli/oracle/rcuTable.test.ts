import { expect, test } from 'vitest';
import type { RcuRecord, RcuRow } from './rcuRecords.ts';
import { fitLines, type Judged, rcuRowTable, recordLines } from './rcuTable.ts';

const row = (id: string, kinds: RcuRow['kinds'], acceptance = {}): RcuRow => ({
  ...{ id, title: `title of ${id}`, files: ['rcu.jsonl'], kinds, acceptance },
  reference: { n: 24, strict: 23, oneTick: 24, mean: 24 },
});
const rows = [row('idle', ['idle-1'], { strict: 0.85 }), row('all', ['idle-1', 'readers'])];
const judged = (id: string, kind: RcuRecord['kind'], strict: boolean): Judged => ({
  ...{ file: 'rcu.jsonl', record: { id, kind, boot: 'rcu/b' } as RcuRecord, rcuGp: 0 },
  ...{ met: { strict, oneTick: true, mean: true }, line: 'p50 1 1 +0.0 %' },
});
const fits = { gpKthreadCpu: { 'rcu/b': 3 }, rcuGp: { 'rcu/b/x/K2': 2 } };

test('a record is printed once, under the first row that it counts in', () => {
  const records = [judged('a', 'idle-1', true), judged('b', 'readers', false)];
  expect(recordLines(rows, records, fits, false).map((line) => line.trim().split('\n')[0])).toEqual([
    ...['title of idle', 'a  k 3  p50 1 1 +0.0 %  meets all'],
    ...['title of all', 'b  k 3  p50 1 1 +0.0 %  misses strict'],
  ]);
  expect(recordLines(rows, records, fits, true).join('\n')).not.toContain('title of idle');
});

test('the table says what was reached, what is asked for and what the reference had', () => {
  const counts = (met: number) => ({
    strict: { met, of: 24 },
    oneTick: { met: 24, of: 24 },
    mean: { met: 1, of: 24 },
  });
  const lines = rcuRowTable(rows, { idle: counts(20), all: counts(19) }).split('\n');
  expect(lines[1]).toMatch(
    /^title of idle +24 +20\/24 >= 20 +\(23\/24\) +24\/24 +\(24\/24\) +1\/24 +\(24\/24\)$/,
  );
  expect(rcuRowTable(rows, { idle: counts(19) })).toContain('19/24 < 20');
});

test('what was chosen is printed', () => {
  expect(fitLines(fits)).toContain('  rcu/b  3');
  expect(fitLines(fits)).toContain('  rcu/b/x/K2  2 {"startedTicksAgo":1}');
});
