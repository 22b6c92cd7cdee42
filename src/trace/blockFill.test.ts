import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { blockFill } from './blockFill.ts';
import { parseTrace } from './parseTrace.ts';

const fillOf = (text: string, capacity?: number) => blockFill(text, parseTrace(text).events, capacity).report;
const line = (cpu: number, time: string, records: number) =>
  `  kworker/${cpu}:1-77  [${String(cpu).padStart(3, '0')}] ..... ${time}: rcu_invoke_kfree_bulk_callback: rcu_preempt bulk=0x0000000001 nr_records=${records}`;

describe('the blocks of case f05', () => {
  const report = fillOf(readFileSync('test-data/cases/f05.txt', 'utf8'));
  const [before, after] = report?.sections ?? [];

  it('hold 510 pointers at most, which the trace does not say itself', () => {
    expect(report).toMatchObject({ capacity: 510, isCapacityGuessed: true });
  });

  it('were nearly empty with the short drain delay', () => {
    expect(before?.title).toMatch(/kernel A/);
    expect(before?.all).toMatchObject({ n: 15, median: 5, under10: 10, full: 0 });
    expect(before?.all.mean).toBeCloseTo(20.53, 2);
    expect((before?.all.fill ?? 0) * 100).toBeCloseTo(4.03, 2);
  });

  it('are more than half full with the long one', () => {
    expect(after?.all).toMatchObject({ n: 12, mean: 302.5, full: 4, under10: 0 });
    expect((after?.all.fill ?? 0) * 100).toBeCloseTo(59.31, 2);
  });

  it('by CPU', () => {
    expect(before?.cpus.map(({ cpu, n }) => [cpu, n])).toEqual([
      [0, 2],
      [1, 5],
      [3, 3],
      [6, 5],
    ]);
    expect(before?.cpus[0]).toMatchObject({ mean: 9, most: 11, gapNs: 1_397_476_000 });
    expect(after?.cpus.map(({ cpu, n }) => [cpu, n])).toEqual([
      [4, 4],
      [5, 6],
      [7, 2],
    ]);
  });
});

test('a known kernel says what a block holds, unless more was seen', () => {
  const text = [line(1, '1.000000', 507), line(1, '1.500000', 1)].join('\n');
  expect(fillOf(text, 510)).toMatchObject({ capacity: 510, isCapacityGuessed: false });
  expect(fillOf(text)?.sections[0]?.all).toMatchObject({ full: 1, gapNs: 500_000_000, fill: 254 / 507 });
  expect(fillOf(line(0, '1.0', 508), 507)).toMatchObject({ capacity: 508, isCapacityGuessed: true });
});

test('larger pages', () => {
  expect(fillOf(line(0, '1.0', 600))?.capacity).toBe(2043);
  expect(fillOf(line(0, '1.0', 2046))?.capacity).toBe(2046);
  expect(fillOf(line(0, '1.0', 2047))?.capacity).toBe(8187);
});

test('a CPU that no kernel has, and times that go back, are left out and named', () => {
  const at = (cpu: number, time: string) => line(cpu, time, 4);
  const text = [at(1, '6.0'), at(2, '5.5'), at(1, '1.0'), at(1, '1.25'), at(99_991, '2.0')].join('\n');
  const { report, strange, jumpsBack } = blockFill(text, parseTrace(text).events);
  expect(report?.sections[0]?.all).toMatchObject({ n: 4, gapNs: 250_000_000 });
  expect(report?.sections[0]?.cpus).toMatchObject([{ cpu: 1, gapNs: 250_000_000 }, { cpu: 2 }]);
  expect(strange).toEqual(['line 5: CPU 99991: kernels have CPUs 0 to 8191']);
  expect(jumpsBack).toEqual(['line 3: CPU 1 is at an earlier time again: no gap is counted']);
  const back = fillOf([at(1, '6.0'), at(1, '1.0')].join('\n'));
  expect(back?.sections[0]?.all).not.toHaveProperty('gapNs');
});

test('each part has its own blocks', () => {
  const text = ['# a', line(1, '9.0', 1), '# b', 'else', '# c', line(1, '1.0', 2), line(1, '2.0', 3)].join(
    '\n',
  );
  const { report, jumpsBack } = blockFill(text, parseTrace(text).events);
  expect(report?.sections.map(({ title, all }) => [title, all.n])).toEqual([
    ['a', 1],
    ['c', 2],
  ]);
  expect(jumpsBack).toEqual([]);
});

test('a trace without such events says nothing', () => {
  expect(fillOf('')).toBeUndefined();
  expect(fillOf(readFileSync('test-data/traces/gp-idle.txt', 'utf8'))).toBeUndefined();
});
