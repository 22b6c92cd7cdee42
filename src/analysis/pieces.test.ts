import { expect, test } from 'vitest';
import { KIND } from '../engine/core/eventKinds.ts';
import { addRow } from '../engine/core/eventLog.testkit.ts';
import { EventLog } from '../engine/core/eventLog.ts';
import { atOnce, type Pieces, part, readRows } from './pieces.ts';
import { config, run, updater } from './runs.testkit.ts';

const ROWS = 2 ** 16;

function sharesOf<T>(work: Pieces<T>): { readonly shares: number[]; readonly value: T } {
  const shares: number[] = [];
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return { shares, value };
    shares.push(value);
  }
}

test('reads a long log in pieces', () => {
  const log = new EventLog();
  for (let i = 0; i < 2 * ROWS + 1; i++) addRow(log, i, KIND.tick, 0, -1, 0, 0, 0, 0);
  let seen = 0;
  const { shares } = sharesOf(readRows(log, () => seen++));
  expect(seen).toBe(2 * ROWS + 1);
  expect(shares).toEqual([ROWS / seen, (2 * ROWS) / seen, 1]);
});

test('reads every row once, with its number', () => {
  const { log } = run(config([updater({ calls: 5 })]));
  const rows: number[] = [];
  atOnce(readRows(log, (_, row) => rows.push(row)));
  expect(rows).toEqual(Array.from({ length: log.length }, (_, row) => row));
});

test('a part keeps to its shares, and hands on what it is for', () => {
  function* work(): Pieces<string> {
    yield 0;
    yield 0.5;
    yield 1;
    return 'done';
  }
  expect(sharesOf(part(work(), 0.4, 0.8))).toEqual({ shares: [0.4, 0.4 + 0.5 * 0.4, 0.8], value: 'done' });
  expect(atOnce(work())).toBe('done');
});
