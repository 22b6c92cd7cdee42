import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomConfig } from '../reference/randomConfig.testkit.ts';
import { runToEnd } from '../reference/simConfig.testkit.ts';
import { coalesce } from './coalesce.ts';
import { logDigest } from './digest.ts';
import { KIND } from './eventKinds.ts';
import { addRow } from './eventLog.testkit.ts';
import { EventLog } from './eventLog.ts';
import { PASS_OUTCOME, packPass, type unpackPass } from './passCode.ts';
import type { EventRow } from './rows.ts';

const P = 15_000;

/** A pass from `startNs` on that found a reader three times. */
function code(part: Partial<ReturnType<typeof unpackPass>> = {}): number {
  const scans = { scanStart: 2, scanEnd: 2, failedChecks: 3, checks: 3 };
  return packPass({ ...scans, delay: 0, outcome: PASS_OUTCOME.again, cpu: 0, nAfter: 2, ...part });
}

interface Given extends Partial<EventRow> {
  readonly timeNs: number;
}

function logOf(rows: readonly Given[]): EventLog {
  const log = new EventLog();
  for (const { timeNs, kind = KIND.srcu_lock, track = 9, cause = -1, a = 0, b = 0, c = 0, d = 0 } of rows) {
    addRow(log, timeNs, kind, track, cause, a, b, c, d);
  }
  return log;
}

function pass(startNs: number, part: Partial<Given> & { endNs?: number } = {}): Given {
  const { endNs = startNs + P, ...rest } = part;
  return { timeNs: endNs, kind: KIND.srcu_pass, track: 5, a: 1, b: startNs, c: code(), d: P, ...rest };
}

function rows(log: EventLog): EventRow[] {
  return Array.from({ length: log.length }, (_, i) => log.row(i));
}

describe('coalesce', () => {
  it('makes one row of a run of equal passes, at its start, with the count of all and the n of the last', () => {
    const given = [0, 1, 2].map((i) => pass(1000 + i * P, { c: code({ nAfter: 2 * (i + 1) }) }));
    const result = rows(coalesce(logOf(given)));
    expect(result).toHaveLength(1);
    expect(result[0]).toMatchObject({ timeNs: 1000, a: 3, b: 1000, c: code({ nAfter: 6 }), d: P });
  });

  it('joins a burst that stands at its start with the passes that follow it', () => {
    const burst = pass(1000, { endNs: 1000, a: 10 });
    const result = rows(coalesce(logOf([burst, pass(1000 + 10 * P)])));
    expect(result.map(({ timeNs, a }) => [timeNs, a])).toEqual([[1000, 11]]);
  });

  it.each([
    ['a gap between them', pass(1000 + P + 1)],
    ['another length', pass(1000 + P, { d: P + 1 })],
    ['another CPU', pass(1000 + P, { c: code({ cpu: 1 }) })],
    ['another number of checks', pass(1000 + P, { c: code({ checks: 2, failedChecks: 2 }) })],
    ['another domain', pass(1000 + P, { track: 6 })],
  ])('does not join passes with %s', (_, second) => {
    expect(coalesce(logOf([pass(1000), second])).length).toBe(2);
  });

  it.each([
    ['waits', code({ delay: 1 })],
    ['ended the grace period', code({ scanEnd: 0, outcome: PASS_OUTCOME.idle })],
  ])('leaves a pass that %s where it is, and does not go on behind it', (_, c) => {
    const [first, last] = [pass(1000), pass(1000 + 2 * P)];
    const single = pass(1000 + P, { c });
    const result = rows(coalesce(logOf([first, single, last])));
    expect(result.map(({ timeNs, a }) => [timeNs, a])).toEqual([
      [1000, 1],
      [1000 + 2 * P, 1],
      [1000 + 2 * P, 1],
    ]);
    expect(result[1]).toMatchObject({ b: 1000 + P, c });
  });

  it('puts a burst behind all other rows up to its start and before later ones', () => {
    const given = [{ timeNs: 1000 }, { timeNs: 1000 }, { timeNs: 1001 }, pass(1000)];
    expect(rows(coalesce(logOf(given))).map(({ kind, timeNs }) => [kind, timeNs])).toEqual([
      [KIND.srcu_lock, 1000],
      [KIND.srcu_lock, 1000],
      [KIND.srcu_pass, 1000],
      [KIND.srcu_lock, 1001],
    ]);
  });

  it('drops bursts of no pass and renumbers causes', () => {
    const given = [
      { timeNs: 0 },
      pass(1000, { endNs: 1000, a: 0, cause: 0 }),
      { timeNs: 1500, cause: 0 },
      pass(1000, { cause: 0 }),
      { timeNs: 20_000, cause: 3 },
      { timeNs: 20_000, cause: 2 },
    ];
    const result = rows(coalesce(logOf(given)));
    expect(result.map(({ kind, timeNs, cause }) => [kind, timeNs, cause])).toEqual([
      [KIND.srcu_lock, 0, -1],
      [KIND.srcu_pass, 1000, 0],
      [KIND.srcu_lock, 1500, 0],
      [KIND.srcu_lock, 20_000, 1],
      [KIND.srcu_lock, 20_000, 2],
    ]);
  });

  it('is idempotent, keeps times in order and loses no pass, on logs of real runs', () => {
    fc.assert(
      fc.property(randomConfig(), (config) => {
        const { log } = runToEnd(config, { maxEvents: 5000 });
        const once = coalesce(log);
        expect(logDigest(coalesce(once))).toBe(logDigest(once));
        const passes = (of: EventLog) =>
          rows(of).reduce((sum, { kind, a }) => sum + (kind === KIND.srcu_pass ? a : 0), 0);
        expect(passes(once)).toBe(passes(log));
        const times = rows(once).map(({ timeNs }) => timeNs);
        expect(times).toEqual([...times].sort((x, y) => x - y));
      }),
      { numRuns: 60 },
    );
  });
});
