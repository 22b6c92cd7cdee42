import { describe, expect, test } from 'vitest';
import { KIND } from '../engine/core/eventKinds.ts';
import { createRunIndex } from './runIndex.ts';
import { run, SAMPLES } from './runs.testkit.ts';

describe.each(Object.keys(SAMPLES))('the index of a run: %s', (name) => {
  const sample = SAMPLES[name];
  if (sample === undefined) throw new Error(name);
  const { log, info } = run(sample());
  const index = createRunIndex(log, info);

  test('has one grace period per srcu_gp_start row, ended as logged', () => {
    let starts = 0;
    let ends = 0;
    log.forEach((event) => {
      if (event.kind === KIND.srcu_gp_start) starts++;
      if (event.kind === KIND.srcu_gp_end) ends++;
    });
    expect(index.gps.length).toBe(starts);
    expect(index.gps.endNs.filter((ns) => !Number.isNaN(ns)).length).toBe(ends);
  });

  test("has sums over its grace periods that are the run's figures", () => {
    const { gps, figures } = index;
    const sum = (column: Float64Array) => column.reduce((total, n) => total + n, 0);
    expect(sum(gps.passes)).toBe(figures.passes);
    expect(sum(gps.polls)).toBe(figures.polls);
    expect(sum(gps.pollNs)).toBe(figures.pollNs);
    expect(sum(gps.sleeps)).toBe(figures.sleeps);
    expect(sum(gps.sleptJiffies)).toBe(figures.sleptJiffies);
    expect(sum(gps.overshootNs)).toBe(figures.overshootNs);
  });

  test('has calls whose latency is return minus call', () => {
    const { calls } = index;
    for (let n = 0; n < calls.length; n++) {
      if (calls.returnRow[n] === -1) continue;
      expect((calls.returnNs[n] as number) - (calls.callNs[n] as number)).toBe(calls.latencyNs[n]);
    }
  });
});
