import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRow } from './eventLog.testkit.ts';
import { EventLog } from './eventLog.ts';
import { LogMemory } from './logMemory.ts';
import { type EventRow, ROW_BYTES, RowReader } from './rows.ts';

function makeRow(i: number): EventRow {
  return {
    timeNs: 1000 * Math.floor(i / 3),
    kind: 1 + (i % 34),
    track: (i * 31) % 65_536,
    cause: i % 5 === 0 ? -1 : i - 1,
    a: i,
    b: -i / 8,
    c: i * 2 ** 20,
    d: i % 2 === 0 ? 0 : Number.MAX_SAFE_INTEGER - i,
  };
}

function add(log: EventLog, row: EventRow): number {
  return addRow(log, row.timeNs, row.kind, row.track, row.cause, row.a, row.b, row.c, row.d);
}

function makeLog(rows: number): EventLog {
  const log = new EventLog();
  for (let i = 0; i < rows; i++) add(log, makeRow(i));
  return log;
}

/** Rows of a full block. */
const BLOCK_ROWS = 2 ** 11;

describe('EventLog', () => {
  it('gives every row an index and gives it back, over blocks that grow and that follow', () => {
    const log = new EventLog();
    const rows = 2 * BLOCK_ROWS + 5;
    for (let i = 0; i < rows; i++) {
      const index = add(log, makeRow(i));
      if (index !== i) expect.fail(`row ${i} got the index ${index}`);
    }
    expect(log.length).toBe(rows);
    const edges = [256, 512, BLOCK_ROWS, 2 * BLOCK_ROWS].flatMap((edge) => [edge - 1, edge, edge + 1]);
    const places = [0, 1, ...edges, rows - 1];
    for (const i of places) {
      expect(log.row(i)).toEqual(makeRow(i));
      expect(log.timeNs(i)).toBe(makeRow(i).timeNs);
      expect(log.kind(i)).toBe(makeRow(i).kind);
    }
  });

  it('begins small: a short log does not take a whole block', () => {
    const bytes = (log: EventLog) =>
      log.blocks.reduce((sum, rows) => sum + (rows?.floats.byteLength ?? 0), 0);
    expect(bytes(makeLog(1))).toBeLessThan(20_000);
    expect(bytes(makeLog(300))).toBeLessThan(40_000);
    expect(makeLog(BLOCK_ROWS - 1).blocks).toHaveLength(1);
  });

  it('keeps rows when the first block grows between two rows', () => {
    for (const rows of [256, 257, 512, 513, 1025]) {
      const log = makeLog(rows);
      const all: EventRow[] = [];
      log.forEach((_row, index) => {
        all.push(log.row(index));
      });
      expect(all).toEqual(Array.from({ length: rows }, (_, i) => makeRow(i)));
    }
  });

  it.each([
    [0, 0],
    [3, 7],
    [BLOCK_ROWS - 6, 2 * BLOCK_ROWS + 4],
  ])('copies the rows [%i, %i), and the copy is no part of the log', (from, to) => {
    const log = makeLog(2 * BLOCK_ROWS + 10);
    const copy = new RowReader(log.copy(from, to));
    for (let i = from; i < to; i++) {
      log.patch(i, 1, 2, 3, 4);
      copy.moveTo(i - from);
      if (JSON.stringify(copy.copy()) !== JSON.stringify(makeRow(i))) expect.fail(`row ${i} differs`);
    }
    expect(log.copy(from, to).floats).toHaveLength((to - from) * (ROW_BYTES / 8));
  });

  it.each([-1, 3, BLOCK_ROWS])('has no row %i of 3', (index) => {
    const log = makeLog(3);
    expect(() => log.row(index)).toThrow(`no log row ${index}`);
    expect(() => log.timeNs(index)).toThrow(`no log row ${index}`);
  });

  it('patches the payload of a row and nothing else', () => {
    const log = makeLog(BLOCK_ROWS + 10);
    for (const i of [3, BLOCK_ROWS + 2]) {
      log.patch(i, 1, 2, 3, 4);
      expect(log.row(i)).toEqual({ ...makeRow(i), a: 1, b: 2, c: 3, d: 4 });
      expect(log.row(i - 1)).toEqual(makeRow(i - 1));
      expect(log.row(i + 1)).toEqual(makeRow(i + 1));
    }
  });

  it('finds the first row at or after a time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20), { maxLength: 60 }),
        fc.integer({ min: -1, max: 21 }),
        (gaps, timeNs) => {
          const times = gaps.map((_, i) => gaps.slice(0, i + 1).reduce((sum, gap) => sum + (gap % 3), 0));
          const log = new EventLog();
          for (const time of times) addRow(log, time, 1, 0, -1, 0, 0, 0, 0);
          const found = times.findIndex((time) => time >= timeNs);
          expect(log.lowerBound(timeNs)).toBe(found < 0 ? times.length : found);
        },
      ),
    );
  });

  it('finds rows by time across blocks', () => {
    const log = makeLog(BLOCK_ROWS + 10);
    expect(log.lowerBound(makeRow(BLOCK_ROWS).timeNs)).toBe(Math.floor(BLOCK_ROWS / 3) * 3);
    expect(log.lowerBound(Number.POSITIVE_INFINITY)).toBe(log.length);
  });

  it.each([
    [0, 0],
    [0, 1],
    [5, 9],
    [BLOCK_ROWS - 6, BLOCK_ROWS + 4],
    [BLOCK_ROWS, BLOCK_ROWS + 2],
    [3, 2 * BLOCK_ROWS + 10],
  ])('visits the rows [%i, %i) in order', (from, to) => {
    const log = makeLog(2 * BLOCK_ROWS + 10);
    const visited: [number, number][] = [];
    const visit = (row: EventRow, index: number) => {
      visited.push([index, row.a]);
    };
    log.forEach(visit, from, to);
    expect(visited).toEqual(Array.from({ length: to - from }, (_, k) => [from + k, from + k]));
  });
});

describe('a long log', () => {
  /** Far beyond what stays unpacked. */
  const rows = 2 ** 19 + 70 * BLOCK_ROWS + 11;
  const log = makeLog(rows);
  const packed = log.blocks.flatMap((block, i) => (block === null ? [i] : []));
  const firstPacked = (packed[0] as number) * BLOCK_ROWS;
  const lastPacked = (packed.at(-1) as number) * BLOCK_ROWS + BLOCK_ROWS - 1;

  it('packs all blocks but those at its beginning and its end', () => {
    expect(packed.length).toBeGreaterThan(65);
    expect(log.blocks.slice(firstPacked / BLOCK_ROWS).filter((block) => block !== null)).toHaveLength(2);
  });

  it('gives every row back, in order and by its index', () => {
    let seen = 0;
    log.forEach((row, index) => {
      const { timeNs, kind, track, cause, a, b, c, d } = makeRow(index);
      const isEqual =
        row.timeNs === timeNs &&
        row.kind === kind &&
        row.track === track &&
        row.cause === cause &&
        row.a === a &&
        row.b === b &&
        row.c === c &&
        row.d === d;
      if (!isEqual) expect.fail(`row ${index} differs`);
      seen++;
    });
    expect(seen).toBe(rows);
    for (const i of [
      firstPacked - 1,
      firstPacked,
      lastPacked,
      lastPacked + 1,
      firstPacked + 65 * BLOCK_ROWS,
      0,
    ]) {
      expect(log.row(i)).toEqual(makeRow(i));
      expect([log.timeNs(i), log.kind(i)]).toEqual([makeRow(i).timeNs, makeRow(i).kind]);
    }
  });

  it('leaves a visited row what it is while other rows are read, nested and far away', () => {
    const far = firstPacked + 64 * BLOCK_ROWS;
    log.forEach(
      (row, index) => {
        if (index % 1000 === 0) {
          log.row(index + 64 * BLOCK_ROWS);
          log.forEach((other, i) => void expect(other.a).toBe(i), far, far + 3);
        }
        if (row.a !== index) expect.fail(`row ${index} has become row ${row.a}`);
      },
      firstPacked,
      firstPacked + BLOCK_ROWS,
    );
    expect(log.row(far)).toEqual(makeRow(far));
  });

  it('finds rows by time', () => {
    for (const i of [3, firstPacked, firstPacked + 3 * BLOCK_ROWS, lastPacked, rows - 1]) {
      expect(log.lowerBound(makeRow(i).timeNs)).toBe(Math.floor(i / 3) * 3);
      expect(log.lowerBound(makeRow(i).timeNs + 1)).toBe(Math.min(rows, Math.floor(i / 3) * 3 + 3));
    }
  });

  it('copies rows of packed blocks', () => {
    const copy = new RowReader(log.copy(firstPacked - 2, firstPacked + BLOCK_ROWS + 2));
    for (const i of [0, 1, 2, BLOCK_ROWS + 1, BLOCK_ROWS + 2]) {
      copy.moveTo(i);
      expect(copy.copy()).toEqual(makeRow(firstPacked - 2 + i));
    }
  });

  it('patches a packed row', () => {
    const i = firstPacked + 5;
    log.patch(i, 1, 2, 3, 4);
    expect(log.row(i)).toEqual({ ...makeRow(i), a: 1, b: 2, c: 3, d: 4 });
    expect(log.row(i + 1)).toEqual(makeRow(i + 1));
    log.patch(i, 5, 6, 7, 8);
    expect(log.row(i)).toEqual({ ...makeRow(i), a: 5, b: 6, c: 7, d: 8 });
  });
});

describe('LogMemory', () => {
  it('gives the blocks of a log that is over to the next one, whose rows are its own', () => {
    const memory = new LogMemory();
    const first = new EventLog(memory);
    for (let i = 0; i < 3 * BLOCK_ROWS; i++) add(first, makeRow(i));
    const blocks = new Set(first.blocks);
    memory.recycle(first);
    expect([first.length, first.blocks.length]).toEqual([0, 0]);
    const second = new EventLog(memory);
    for (let i = 0; i < 2 * BLOCK_ROWS + 1; i++) add(second, makeRow(7 * i));
    expect(second.blocks.filter((block) => blocks.has(block)).length).toBeGreaterThan(1);
    for (const i of [0, BLOCK_ROWS, 2 * BLOCK_ROWS]) expect(second.row(i)).toEqual(makeRow(7 * i));
    expect(() => second.row(2 * BLOCK_ROWS + 1)).toThrow('no log row');
  });
});
