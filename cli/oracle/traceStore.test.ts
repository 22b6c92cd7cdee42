import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { count, fallenBelow, summary } from './counts.ts';
import type { OracleConfig } from './records.ts';
import { compareFloodTrace, compareTrace, type StoredTrace, storedTrace } from './traceStore.ts';

const text = readFileSync('test-data/traces/gp-idle.txt', 'utf8');
const IDLE = 'start init fqswait scan*1 end | 0 learn scan | 1 scan | 2 init note self | 3 scan';

test('of a trace its patterns, shapes and the CPUs of the kthread are kept', () => {
  expect(storedTrace('gp-idle', text, [])).toMatchObject({
    ...{ id: 'gp-idle', kthreadCpus: [2], gps: 1, patterns: { [IDLE]: 1 } },
    events: ['rcu_grace_period', 'rcu_grace_period_init', 'rcu_quiescent_state_report', 'rcu_fqs'],
  });
  expect(storedTrace('none', '', [])).toBeUndefined();
});

test('a real pattern is met if the run has it, with any number of scans or with the same', () => {
  const patterns = { [IDLE]: 3, 'start fqswait end | 1 learn': 1 };
  const { verdicts, missing } = compareTrace({ patterns }, [IDLE.replace('scan*1', 'scan*2')]);
  expect(summary(count(verdicts))).toBe('kthread 3/4 75.0 %  pattern 3/4 75.0 %  scans 0/4 0.0 %');
  expect(missing.map((each) => each.text)).toEqual(['start fqswait end | 1 learn']);
});

test('stored traces add up', () => {
  const traces = JSON.parse(readFileSync('test-data/traces/patterns.json', 'utf8')) as StoredTrace[];
  expect(traces.length).toBeGreaterThan(10);
  for (const { gps, patterns, configs } of traces) {
    expect(Object.values(patterns).reduce((sum, n) => sum + n, 0)).toBe(gps);
    expect(configs.length).toBeGreaterThan(0);
  }
});

test('a count below the stored one is said, and a group that is gone', () => {
  const table = { a: { strict: { met: 3, of: 4 } } };
  expect(fallenBelow(table, { a: { strict: 3 } })).toEqual([]);
  expect(fallenBelow(table, { a: { strict: 4 }, b: { mean: 1 } })).toEqual([
    'a: strict 3, stored 4',
    'b: mean 0, stored 1',
  ]);
});

test('of a flood batches and monitor runs are kept; each that occurs in the run is met', () => {
  const nocache = readFileSync('test-data/traces/kfree-nocache.txt', 'utf8');
  const config = { actors: [{ kind: 'kfree' }] } as unknown as OracleConfig;
  expect(storedTrace('x', nocache, [])?.flood).toBeUndefined();
  const flood = storedTrace('x', nocache, [config])?.flood;
  expect(flood).toMatchObject({ works: false, blocks: [2, 2, 2, 2] });
  const { verdicts, missing } = compareFloodTrace(flood ?? { patterns: {} }, [
    'work: blocks',
    'monitor attach | start end | callback',
  ]);
  expect(summary(count(verdicts))).toBe('flood 5/8 62.5 %  floodGps 4/8 50.0 %');
  expect(missing.map(({ times }) => times)).toEqual([3]);
});
