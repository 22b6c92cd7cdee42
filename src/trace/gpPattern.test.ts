import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gpPatterns, withoutScans } from './gpPattern.ts';
import { traceGpRows } from './gpRows.ts';
import { GP_EVENTS, type GpEventName } from './logPayloads.ts';
import { parseTrace } from './parseTrace.ts';

const ALL: ReadonlySet<GpEventName> = new Set(GP_EVENTS);
const rowsOf = (text: string) => traceGpRows(parseTrace(text).events);
const real = (name: string) => rowsOf(readFileSync(`test-data/traces/${name}`, 'utf8'));

test('an idle grace period: the kthread learns in init and reports itself, the scan finds the others', () => {
  const [gp, ...more] = gpPatterns(real('gp-idle.txt'), ALL);
  expect(more).toEqual([]);
  expect(gp).toMatchObject({
    ...{ gpSeq: -1143, kthreadCpu: 2 },
    text: 'start init fqswait scan*1 end | 0 learn scan | 1 scan | 2 init note self | 3 scan',
  });
  expect(gp?.shapes).toEqual(
    expect.arrayContaining([
      'rcu_fqs: rcu_preempt earlier cpu dti',
      'rcu_fqs: rcu_preempt this cpu dti',
      'rcu_grace_period: rcu_preempt this end',
      'rcu_grace_period_init: rcu_preempt this 0 0 3 f',
      'rcu_quiescent_state_report: rcu_preempt this one>some 0 0 3 0',
      'rcu_quiescent_state_report: rcu_preempt this some>none 0 0 3 0',
    ]),
  );
});

test('readers: CPUs report themselves, the last reader ends it', () => {
  const [gp] = gpPatterns(real('gp-readers.txt'), ALL);
  expect(gp?.text).toBe(
    'start init fqswait scan*1 end | 0 learn note self | 1 learn note self | 2 learn note self | 3 init note self',
  );
  expect(gp?.shapes).toContain('rcu_quiescent_state_report: preempt_rcu this none>none 0 0 3 0');
});

test('only events that were enabled make the pattern', () => {
  const kinds = new Set<GpEventName>(['rcu_grace_period']);
  expect(gpPatterns(real('gp-idle.txt'), kinds)[0]?.text).toBe(
    'start fqswait scan*1 end | 0 learn | 2 init note',
  );
});

/** Lines of a made-up trace: "cpu comm flags seq string". */
const lines = (...rows: string[]) =>
  rows
    .map((row, i) => {
      const [cpu, comm, flags, seq, string] = row.split(' ');
      return `${comm}-1 [00${cpu}] ${flags} 1.00000${i}: rcu_grace_period: rcu_preempt ${seq} ${string}`;
    })
    .join('\n');

test('a grace period whose start or end is not in the trace is left out', () => {
  const rows = rowsOf(
    lines(
      ...['1 rcu_preempt ..... 1 end', '1 rcu_preempt ..... 5 start', '1 rcu_preempt ..... 9 start'],
      ...['1 rcu_preempt ..... 9 fqswait', '1 rcu_preempt ..... 9 end', '1 rcu_preempt ..... 13 start'],
    ),
  );
  expect(gpPatterns(rows, ALL).map(({ gpSeq, text }) => [gpSeq, text])).toEqual([[9, 'start fqswait end']]);
});

test('scans are counted; a scan that lacks a part stays visible', () => {
  const scan = ['fqsstart', 'fqsend', 'fqswait'].map((string) => `1 rcu_preempt ..... 1 ${string}`);
  const gp = (...parts: string[]) =>
    gpPatterns(
      rowsOf(
        lines(
          '1 rcu_preempt ..... 1 start',
          '1 rcu_preempt ..... 1 fqswait',
          ...parts,
          '1 rcu_preempt ..... 1 end',
        ),
      ),
      ALL,
    )[0]?.text ?? '';
  expect(gp(...scan, ...scan)).toBe('start fqswait scan*2 end');
  expect(withoutScans(gp(...scan, ...scan))).toBe(withoutScans(gp()));
  expect(withoutScans(gp(...scan.slice(0, 2)))).toBe('start fqswait fqsstart fqsend end');
});

test('what a softirq on the kthread writes is not the kthread; notes of an earlier grace period do not count', () => {
  const rows = rowsOf(
    lines(
      ...['1 rcu_preempt ..... 5 start', '1 rcu_preempt d..1. 5 cpustart', '1 rcu_preempt d.s1. 5 cpustart'],
      ...['2 task d..1. 1 cpuqs', '2 task d..1. 5 cpuqs', '1 rcu_preempt ..... 5 end'],
    ),
  );
  expect(gpPatterns(rows, ALL)[0]?.text).toBe('start end | 1 init learn | 2 note');
});
