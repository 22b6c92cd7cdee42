import { expect, test } from 'vitest';
import type { SimConfig } from '../engine/config.ts';
import { createLanes } from './lanes.ts';
import { createRunIndex } from './runIndex.ts';
import { gpDurations } from './runResult.ts';
import { config, MS, reader, run, updater } from './runs.testkit.ts';
import { selectionStats } from './selection.ts';
import { holdout, tasksCall } from './tasksRuns.testkit.ts';
import { GP_FLAVOR } from './types.ts';

/** A finished run, and how to select in it. */
function selectable(simConfig: SimConfig) {
  const { log, info } = run(simConfig);
  const index = createRunIndex(log, info);
  const workers = createLanes(log, index).flatMap(({ kind, spans }) => (kind === 'worker' ? [spans] : []));
  const select = (t0Ns: number, t1Ns: number) => selectionStats(log, index, workers, t0Ns, t1Ns);
  return { log, index, select };
}

test('a selection has what returns and ends inside it', () => {
  const { log, index, select } = selectable(
    config([reader({ hold: 2 * MS, idle: MS }), updater({ calls: 20, gap: MS })]),
  );
  const all = select(0, index.endNs);
  const middleNs = Math.floor(index.endNs / 2);
  const parts = [select(0, middleNs), select(middleNs, index.endNs)];
  const ended = ({ gracePeriods: [gps] }: typeof all) => gps?.stats.n ?? 0;
  expect(parts.reduce((sum, part) => sum + part.rows, 0)).toBe(log.length);
  expect(parts.reduce((sum, part) => sum + ended(part), 0)).toBe(ended(all));
  expect(parts.reduce((sum, part) => sum + (part.series[0]?.stats.n ?? 0), 0)).toBe(20);
  expect(parts[0]?.gracePeriods[0]?.stats.n).toBeGreaterThan(0);
  expect(select(5, 5)).toMatchObject({ rows: 0, gracePeriods: [], series: [] });
});

test('the whole run has everything, what happens at its last instant included', () => {
  const { log, index, select } = selectable(config([reader({ hold: 2 * MS }), updater()]));
  expect(log.timeNs(log.length - 1)).toBe(index.endNs);
  const whole = select(0, index.endNs);
  expect(whole).toMatchObject({ rows: log.length, series: [{ stats: { n: 1 } }] });
  expect(select(0, index.endNs + MS)).toEqual({ ...whole, t1Ns: index.endNs + MS });
  const before = select(0, index.endNs - 1);
  expect(before.rows).toBeLessThan(log.length);
  expect(before.series).toEqual([]);
});

test('polling and sleep are counted where they are, also while their grace period goes on', () => {
  // A reader of 12 ms: polled at first, then slept.
  const { index, select } = selectable(config([reader({ hold: 12 * MS }), updater({ start: MS })]));
  const { polls, pollNs, sleeps, overshootNs } = index.figures;
  const { startNs, endNs, firstSleepNs } = index.gps;
  const [fromNs, sleepsNs, toNs] = [startNs[0], firstSleepNs[0], endNs[0]] as [number, number, number];
  expect(polls).toBeGreaterThan(0);
  expect(select(0, index.endNs).srcu).toMatchObject({ polls, pollNs, sleeps, wastedNs: overshootNs });
  const within = select(fromNs, toNs);
  expect(within.gracePeriods).toEqual([]);
  expect(within.srcu).toMatchObject({ polls, pollNs, sleeps, wastedNs: overshootNs });
  // A window inside the first sleep has a part of it.
  const inSleep = select(sleepsNs + 1000, sleepsNs + 3000);
  expect(inSleep.srcu).toEqual({ polls: 0, pollNs: 0, sleeps: 1, sleptNs: 2000, wastedNs: 0 });
  // Polls of a burst that goes on before and after are those of the time in between.
  const [aNs, bNs] = [fromNs + Math.floor(pollNs / 3), fromNs + Math.floor(pollNs / 2)];
  const part = select(aNs, bNs).srcu;
  expect(part?.pollNs).toBe(bNs - aNs);
  expect((part?.polls ?? 0) / polls).toBeCloseTo(1 / 2 - 1 / 3, 2);
});

test('a selection keeps flavours apart, and has figures of SRCU only where SRCU is', () => {
  const actors = [
    tasksCall('synchronize_rcu_tasks'),
    holdout(50 * MS),
    updater({ api: 'synchronize_rcu_expedited', domain: 'rcu', calls: 3, gap: MS }),
  ];
  const { index, select } = selectable(config(actors, { cpus: 4 }));
  const all = select(0, index.endNs);
  const { rcu, exp, tasks } = GP_FLAVOR;
  expect(all.gracePeriods.map(({ flavor }) => flavor)).toEqual([rcu, exp, tasks]);
  for (const { flavor, stats } of all.gracePeriods) {
    const lengths = gpDurations(index.gps, flavor);
    expect([stats.n, stats.p0, stats.p100]).toEqual([lengths.length, lengths[0], lengths.at(-1)]);
  }
  const scans = (flavor: number) => all.gracePeriods.find((one) => one.flavor === flavor)?.scans ?? 0;
  expect(scans(rcu)).toBeGreaterThan(0);
  expect(scans(exp)).toBe(0);
  expect(scans(tasks)).toBeGreaterThan(0);
  expect(all.srcu).toBeUndefined();
});
