import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { floodPatterns, hasWorks, withoutFurtherGps } from './floodPattern.ts';
import { type FloodRow, traceFloodRows } from './floodRows.ts';
import { parseTrace } from './parseTrace.ts';

const start: FloodRow = { step: 'gp', word: 'start' };
const end: FloodRow = { step: 'gp', word: 'end' };
const begin = (step: 'monitor' | 'work', worker: string): FloodRow => ({ step, worker });
const ends = (worker: string): FloodRow => ({ step: 'end', worker });
const attach = (cpu: number, worker = ''): FloodRow => ({ step: 'attach', cpu, worker });
const callback = (cpu: number): FloodRow => ({ step: 'callback', cpu });
const bulk = (worker: string, cpu: number, objects: number): FloodRow => ({
  ...{ step: 'bulk', worker, cpu, objects },
});
const head = (worker: string, cpu: number): FloodRow => ({ step: 'head', worker, cpu, objects: 6 });
const [A, B] = ['kworker/u17:0', 'kworker/u18:0'];

test('a trace without events of works: attach to callback, and what is freed in a row', () => {
  const { events } = parseTrace(readFileSync('test-data/traces/kfree-nocache.txt', 'utf8'));
  const rows = traceFloodRows(events);
  expect(hasWorks(rows)).toBe(false);
  const { texts, blocks } = floodPatterns(rows, false);
  expect(texts.toSorted()).toEqual([
    ...Array(3).fill('barrier attach | end start end | callback'),
    'monitor attach | start end start | callback',
    ...Array(4).fill('work: blocks'),
  ]);
  expect(blocks).toEqual([2, 2, 2, 2]);
});

const run = (worker: string, ...between: FloodRow[]) => [begin('monitor', worker), ...between, ends(worker)];
const flood: FloodRow[] = [
  ...run(A, attach(0, A)),
  start,
  ...run(A, attach(0, A)),
  ...run(B),
  end,
  start,
  callback(0),
  begin('work', A),
  bulk(A, 2, 100),
  bulk(A, 2, 507),
  ...run(B, attach(1, B)),
  bulk(A, 3, 507),
  head(A, 3),
  head(A, 3),
  ends(A),
  end,
  callback(0),
  begin('work', A),
  bulk(A, 0, 507),
  ends(A),
];

test('a batch from attach to the end of its work; the monitor after what happened on its pool', () => {
  expect(hasWorks(flood)).toBe(true);
  const { texts, blocks, elsewhere } = floodPatterns(flood, true);
  expect(texts).toEqual([
    'nothing before | none | monitor: attach',
    'monitor attach | start | monitor: attach',
    'nothing before | none | monitor: no attach',
    'monitor no attach | end start | monitor: attach',
    'monitor attach | start end start | callback | work: blocks head',
    'monitor attach | end start end | callback | work: blocks',
  ]);
  expect(blocks).toEqual([3, 1]);
  expect(elsewhere).toBe(1);
});

test('a wrong order is another pattern: a work before its callback, a partly filled block that is not the first', () => {
  const swapped = flood.filter((row) => row.step !== 'callback');
  expect(floodPatterns(swapped, true).texts.filter((text) => text.includes('work'))).toEqual([]);
  const late = flood.map((row): FloodRow => {
    if (row.step !== 'bulk' || row.cpu !== 2) return row;
    return { ...row, objects: row.objects === 507 ? 100 : 507 };
  });
  expect(floodPatterns(late, true).texts).toContain(
    'monitor attach | start end start | callback | work: blocks part full head',
  );
  const early = [...run(A, attach(0, A)), callback(0), begin('work', A), bulk(A, 0, 507), ends(A)];
  expect(floodPatterns(early, true).texts).toContain('monitor attach | none | callback | work: blocks');
});

test('what the monitor frees itself is its own; a batch whose end is not there has no pattern', () => {
  const drains = run(A, bulk(A, 0, 507), head(A, 0), attach(0, A));
  expect(floodPatterns([...drains, callback(0), begin('work', A)], true)).toEqual({
    ...{ texts: ['nothing before | none | monitor: blocks head attach'], blocks: [], elsewhere: 0 },
  });
});

test('grace periods beyond the first whole one are left out, a missing one is not', () => {
  const batch = (gps: string) => withoutFurtherGps(`monitor attach | ${gps} | callback | work: blocks`);
  expect(batch('start end start')).toBe(batch('start end'));
  expect(batch('end start end start end')).toBe(batch('end start end'));
  expect(batch('end start')).toBe('monitor attach | end start | callback | work: blocks');
  expect(new Set(['none', 'start', 'end start', 'start end', 'end start end'].map(batch)).size).toBe(5);
  expect(withoutFurtherGps('monitor attach | end start | monitor: no attach')).toBe(
    'monitor attach | monitor: no attach',
  );
  expect(withoutFurtherGps('work: blocks')).toBe('work: blocks');
});
