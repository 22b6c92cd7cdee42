import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { logDigest } from '../engine/core/digest.ts';
import { STOP_REASON } from '../engine/core/eventKinds.ts';
import type { ProfileId } from '../engine/profiles/profiles.ts';
import { headlineOf } from './headline.ts';
import { createRunIndex } from './runIndex.ts';
import { runResult } from './runResult.ts';
import { config, MS, reader, run, SAMPLES, updater } from './runs.testkit.ts';

const done = { state: 'ended', reason: STOP_REASON.done } as const;

test('the worked example v6.x, expedited, hold 12 ms at HZ 250 (spec srcu 7): 14.010 ms, 401 passes, one sleep', () => {
  const tick = { ticks: 1, plus: 2 * MS };
  const simConfig = config([reader({ start: tick, hold: 12 * MS }), updater({ start: tick })]);
  const { log, info } = run(simConfig);
  const result = runResult(log, info, done, { values: true });
  expect(result).toMatchObject({
    v: 1,
    engine: '2',
    digest: logDigest(log),
    config: simConfig,
    virtualNs: 20 * MS + 10_000,
    events: log.length,
    latency: {
      synchronize_srcu_expedited: {
        n: 1,
        mean: 14_010_000,
        p0: 14_010_000,
        p100: 14_010_000,
        values: [14_010_000],
      },
    },
    gracePeriods: { srcu: { n: 1, p50: 14_005_000, p99: 14_005_000 } },
    srcu: { passes: 401, sleeps: 1, sleptJiffies: 1, requesterHits: 0 },
  });
  // The reader leaves 12 ms after the request, the timer fires at 14 ms.
  expect(result.srcu?.overshootNs).toBe(2 * MS);
  expect(result.srcu?.pollNs).toBe(6 * MS);
});

interface WorkedExample {
  readonly hz: number;
  readonly expedited: boolean;
  readonly kernel: ProfileId;
  readonly holdNs: number;
  readonly latencyNs: number;
  readonly passes: number;
  readonly sleeps: readonly number[];
}

const file = 'test-data/srcu-worked-examples.json';
const examples = JSON.parse(readFileSync(file, 'utf8')) as WorkedExample[];

test('latency, passes and sleeps of all worked examples of spec srcu 7', () => {
  expect(examples.length).toBeGreaterThan(100);
  for (const { hz, expedited, kernel, holdNs, latencyNs, passes, sleeps } of examples) {
    const tick = { ticks: 1, plus: Math.floor(1e9 / hz / 2) };
    const api = expedited ? 'synchronize_srcu_expedited' : 'synchronize_srcu';
    const actors = [reader({ start: tick, hold: holdNs }), updater({ start: tick, api })];
    const { log, info } = run(config(actors, { hz, kernel, params: { 'srcutree.exp_holdoff': 0 } }));
    const { latency, srcu } = runResult(log, info, done);
    const ours = [latency?.[api]?.p50, srcu?.passes, srcu?.sleeps, srcu?.sleptJiffies];
    const jiffies = sleeps.reduce((sum, delay) => sum + delay, 0);
    expect(ours, JSON.stringify({ hz, expedited, kernel, holdNs })).toEqual([
      latencyNs,
      passes,
      sleeps.length,
      jiffies,
    ]);
  }
});

test('sections with nothing to say are absent, a limit says why it stopped', () => {
  const { log, info } = run(config([reader()], { stop: { afterNs: MS } }));
  const result = runResult(log, info, { ...done, message: 'the run was stopped' });
  expect(Object.keys(result)).toEqual([
    'v',
    'engine',
    'digest',
    'config',
    'virtualNs',
    'events',
    'srcu',
    'stopped',
  ]);
  expect(result.stopped).toBe('the run was stopped');
});

test('a running grace period is not counted', () => {
  const { log, info } = run(SAMPLES['cut by time']?.() as never);
  const result = runResult(log, info, done);
  expect(result.gracePeriods).toBeUndefined();
  expect(result.srcu?.sleeps).toBe(3);
});

test('the headline figures of a run that sleeps', () => {
  const { log, info } = run(config([reader({ hold: 12 * MS, idle: MS }), updater({ calls: 20, gap: MS })]));
  const index = createRunIndex(log, info);
  const headline = headlineOf(index);
  expect(headline.n).toBe(20);
  expect(headline.gracePeriods).toBe(20);
  expect(headline.gracePeriodsPerSec).toBeCloseTo((20 / index.endNs) * 1e9);
  expect(headline.pollShare).toBeCloseTo(index.figures.pollNs / index.endNs);
  const { firstSleepingGp } = headline;
  expect(index.gps.sleeps[firstSleepingGp]).toBeGreaterThan(0);
  expect(index.gps.sleeps.slice(0, firstSleepingGp).every((sleeps) => sleeps === 0)).toBe(true);
  expect(headline.firstSleepingNs).toBe(log.timeNs(headline.firstSleepingRow));
});
