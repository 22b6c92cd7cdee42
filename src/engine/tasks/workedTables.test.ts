/** Back-off, wheel and hold-out phases without an engine around them: test-data/tasks-worked.json (tasks 4, 5.2). */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { Ticks, wheelExpiry } from '../core/ticks.ts';
import type { RuleSet } from '../profiles/profiles.ts';
import { Backoff } from './backoff.ts';

interface Table<Row> {
  readonly rows: readonly Row[];
}
type Version = '4.17' | 'seed-v2' | '4.19-5.10' | '5.11-6.12';
const worked = JSON.parse(readFileSync('test-data/tasks-worked.json', 'utf8')) as {
  holdOutTable: Table<
    readonly [
      ...[hz: number, version: Version, xMs: number | null],
      ...[meanMs: number, minMs: number, maxMs: number, minScans: number, maxScans: number],
    ]
  >;
  holdOutPhases: Table<
    readonly [
      ...[hz: number, version: Version, xNs: number | null, jiffies: number, phiNs: number],
      ...[durationNs: number, scanJiffies: readonly number[]],
    ]
  >;
  scanTimes: Table<
    readonly [
      hz: number,
      version: Version,
      sleeps: readonly number[],
      sums: readonly number[],
      sumMs: readonly number[],
    ]
  >;
  wheel: Table<readonly [hz: number, k: number, jiffies: number, firesAt: number]>;
  publishedPhases: Table<
    readonly [
      ...[hz: number, mean417Ms: number, min417Ms: number, max417Ms: number],
      ...[meanSeedV2Ms: number, minSeedV2Ms: number, maxSeedV2Ms: number],
    ]
  > & { readonly reportedMs: readonly [number, number] };
};

const RULE: Readonly<Record<Version, RuleSet['tasks.backoff']>> = {
  '4.17': 'hz',
  'seed-v2': 'seed-v2',
  '4.19-5.10': 'fract',
  '5.11-6.12': 'jiffies',
};
const MS = 1_000_000;

function backoffOf(version: Version, hz: number): Backoff {
  const backoff = new Backoff(RULE[version], hz, Math.floor(hz / 10));
  backoff.begin();
  return backoff;
}

/** The hold-out phase that begins `phiNs` after tick `jiffies`: its length, and the jiffies of its scans. */
function phase(version: Version, hz: number, xNs: number | null, jiffies: number, phiNs: number) {
  const ticks = new Ticks(hz, 0);
  const backoff = backoffOf(version, hz);
  const startNs = ticks.timeNs(jiffies) + phiNs;
  const scans: number[] = [];
  if (xNs === null && !backoff.sleepsFirst) return { durationNs: 0, scans };
  for (let now = jiffies; ; ) {
    now = wheelExpiry(now, backoff.next);
    backoff.advance();
    scans.push(now);
    const durationNs = ticks.timeNs(now) - startNs;
    if (durationNs >= (xNs ?? 0)) return { durationNs, scans };
  }
}

test.each(worked.scanTimes.rows)('HZ=%i, %s: the ladder of sleeps', (hz, version, sleeps, sums, sumMs) => {
  const backoff = backoffOf(version, hz);
  const own = sleeps.map(() => {
    const { next } = backoff;
    backoff.advance();
    return next;
  });
  expect(own).toEqual(sleeps);
  const added = own.map((_, i) => own.slice(0, i + 1).reduce((sum, sleep) => sum + sleep));
  expect(added).toEqual(sums);
  expect(added.map((sum) => Math.round((sum * 1000) / hz))).toEqual(sumMs);
});

test('the wheel rule of 4.3', () => {
  expect(worked.wheel.rows.length).toBeGreaterThan(100);
  for (const [, k, jiffies, firesAt] of worked.wheel.rows) expect(wheelExpiry(jiffies, k)).toBe(firesAt);
});

test('single hold-out phases, to the nanosecond', () => {
  expect(worked.holdOutPhases.rows).toHaveLength(160);
  for (const [hz, version, xNs, jiffies, phiNs, durationNs, scans] of worked.holdOutPhases.rows)
    expect(phase(version, hz, xNs, jiffies, phiNs)).toEqual({ durationNs, scans });
});

/** Lengths over all values of jiffies that matter and 20 phases of the tick, in ms; the number of scans. */
function sweep(version: Version, hz: number, xNs: number | null) {
  const periodNs = new Ticks(hz, 0).periodNs;
  const phases = Array.from({ length: 512 * 20 }, (_, i) =>
    phase(version, hz, xNs, i % 512, Math.floor((periodNs * (Math.floor(i / 512) + 0.5)) / 20)),
  );
  const lengths = phases.map(({ durationNs }) => durationNs / MS);
  const scans = phases.map((each) => each.scans.length);
  return {
    mean: lengths.reduce((sum, length) => sum + length, 0) / lengths.length,
    ...{ min: Math.min(...lengths), max: Math.max(...lengths) },
    ...{ minScans: Math.min(...scans), maxScans: Math.max(...scans) },
  };
}

describe('the table of 4.4', () => {
  it.each(worked.holdOutTable.rows)(
    'HZ=%i, %s, released after %s ms',
    (hz, version, xMs, meanMs, minMs, maxMs, minScans, maxScans) => {
      const own = sweep(version, hz, xMs === null ? null : xMs * MS);
      // The table has random phases, this has 20: the ends differ by less than a tick's twentieth and what was printed.
      const slack = 1000 / hz / 20 + 0.1;
      expect(Math.abs(own.min - minMs)).toBeLessThan(slack);
      expect(Math.abs(own.max - maxMs)).toBeLessThan(slack);
      // 4000 random draws: three standard errors of the widest range
      expect(Math.abs(own.mean - meanMs)).toBeLessThan(1.2);
      expect([own.minScans, own.maxScans]).toEqual([minScans, maxScans]);
    },
  );
});

describe('the published figures of 5.2', () => {
  const [before, after] = worked.publishedPhases.reportedMs;

  it.each(worked.publishedPhases.rows)('HZ=%i: one B fits both within the wheel', (hz, ...figures) => {
    const twoTicksNs = 2 * new Ticks(hz, 0).periodNs;
    const [mean417, min417, max417, meanV2, minV2, maxV2] = figures;
    const old = sweep('4.17', hz, twoTicksNs);
    const posted = sweep('seed-v2', hz, twoTicksNs);
    expect(Math.abs(old.mean - mean417)).toBeLessThan(1.2);
    expect(Math.abs(posted.mean - meanV2)).toBeLessThan(0.3);
    const slack = 1000 / hz / 20 + 0.1;
    for (const [own, printed] of [
      ...[[old.min, min417] as const, [old.max, max417] as const],
      ...[[posted.min, minV2] as const, [posted.max, maxV2] as const],
    ])
      expect(Math.abs(own - printed)).toBeLessThan(slack);
    // B from the one figure, and the other with it: within what the wheel rounds up
    const predicted = before - old.mean + posted.mean;
    expect(Math.abs(predicted - after)).toBeLessThan((max417 - min417) / 2);
  });
});
