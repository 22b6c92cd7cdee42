import { describe, expect, test } from 'vitest';
import { KIND } from '../engine/core/eventKinds.ts';
import { cursorAt, findGp, findRow, pollTimeNs, stepCursor } from './cursor.ts';
import { coversTime, rowOf, sliceRows } from './rowWindow.ts';
import { createRunIndex } from './runIndex.ts';
import { run, SAMPLES } from './runs.testkit.ts';
import type { Cursor } from './types.ts';

describe.each(['long reader', 'contended', 'two domains', 'late incrementer'])(
  'stepping through the run: %s',
  (name) => {
    const { log, info } = run(SAMPLES[name]?.() as never);
    const window = sliceRows(log, 0, Math.min(log.length, 600));

    test('by rows visits every row, and back again', () => {
      let cursor: Cursor | undefined = { row: -1, timeNs: 0 };
      for (let row = 0; row < window.length; row++) {
        cursor = stepCursor(window, cursor as Cursor, 1, info.srcu, false);
        expect(cursor).toEqual({ row, timeNs: log.timeNs(row) });
      }
      for (let row = window.length - 2; row >= 0; row--) {
        cursor = stepCursor(window, cursor as Cursor, -1, info.srcu, false);
        expect(cursor).toEqual({ row, timeNs: log.timeNs(row) });
      }
    });

    test('poll by poll goes the same way back', () => {
      const path: Cursor[] = [{ row: 0, timeNs: log.timeNs(0) }];
      for (let i = 0; i < 400; i++) {
        const next = stepCursor(window, path.at(-1) as Cursor, 1, info.srcu, true);
        if (next === undefined) break;
        expect(next.timeNs).toBeGreaterThanOrEqual((path.at(-1) as Cursor).timeNs);
        path.push(next);
      }
      expect(path.some((cursor) => cursor.poll !== undefined)).toBe(true);
      const back = path.slice(1).toReversed();
      expect(back.map((cursor) => stepCursor(window, cursor, -1, info.srcu, true))).toEqual(
        path.slice(0, -1).toReversed(),
      );
    });
  },
);

test('the polls of a burst are where pollTimeNs says, three a pass', () => {
  const { log, info } = run(SAMPLES['long reader']?.() as never);
  const window = sliceRows(log, 0, log.length);
  const burst = findRow(log, -1, 1, { kind: KIND.srcu_pass });
  const second = findRow(log, burst, 1, { kind: KIND.srcu_pass });
  let cursor: Cursor = { row: second, timeNs: log.timeNs(second) };
  const polls: unknown[] = [];
  for (let i = 0; i < 5; i++) {
    cursor = stepCursor(window, cursor, 1, info.srcu, true) as Cursor;
    polls.push([cursor.poll?.pass, cursor.poll?.check, cursor.timeNs]);
    expect(pollTimeNs(log.row(second), cursor.poll as never, info.srcu)).toBe(cursor.timeNs);
  }
  // The burst begins at 16 us (after the pass of SCAN1); c = r = 5 us.
  expect(polls).toEqual([
    [0, 0, 21_000],
    [0, 1, 26_000],
    // The third check of a pass takes place when the next pass begins: P = 2r + c.
    [0, 2, 31_000],
    [1, 0, 36_000],
    [1, 1, 41_000],
  ]);
});

test('a time is after all rows up to then', () => {
  const { log } = run(SAMPLES['long reader']?.() as never);
  const window = sliceRows(log, 0, log.length);
  expect(cursorAt(window, 999)).toEqual({ timeNs: 999, row: 0 });
  expect(cursorAt(window, 1000).row).toBe(log.lowerBound(1001) - 1);
  expect(coversTime(sliceRows(log, 0, 10), 1e9)).toBe(false);
  expect(coversTime(window, 1e9)).toBe(true);
  expect(rowOf(window, log.length)).toBeUndefined();
});

test('rows of a track and grace periods of a domain are found in both directions', () => {
  const { log, info } = run(SAMPLES['two domains']?.() as never);
  const { gps } = createRunIndex(log, info);
  const domain = info.tracks.find((track) => track.name === 'srcu:b')?.id as number;
  const first = findGp(gps, -1, 1, domain);
  const second = findGp(gps, gps.startRow[first] as number, 1, domain);
  expect(gps.track[second]).toBe(domain);
  expect(findGp(gps, gps.startRow[second] as number, -1, domain)).toBe(first);
  expect(findGp(gps, gps.startRow[first] as number, -1, domain)).toBe(-1);
  const row = findRow(log, -1, 1, { track: domain });
  expect(log.row(row).track).toBe(domain);
  expect(findRow(log, row, -1, { track: domain })).toBe(-1);
});
