import { describe, expect, it } from 'vitest';
import { createLanes, laneInfos, laneOfRow } from './lanes.ts';
import { type Lane, MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import { createRunIndex } from './runIndex.ts';
import { MS, run } from './runs.testkit.ts';
import { TASKS_SAMPLES, tasksSample } from './tasksRuns.testkit.ts';

function lanesOf(sample: string) {
  const { log, info } = run(tasksSample(sample));
  const lanes = createLanes(log, createRunIndex(log, info));
  return { lane: (id: string) => lanes.find((lane) => lane.id === id) as Lane, lanes, log, info };
}

/** Class, start and end in ms of spans from a depth on. */
function spansOf({ spans }: Lane, depth = 0): [cls: number, startMs: number, endMs: number][] {
  return Array.from({ length: spans.length }, (_, i) => i)
    .filter((i) => (spans.depth[i] as number) >= depth)
    .map((i) => [spans.cls[i] as number, (spans.startNs[i] as number) / MS, (spans.endNs[i] as number) / MS]);
}

describe('lanes of RCU Tasks', () => {
  it('the kthread goes through inner grace periods, waits and scans; the holdout is on its CPU', () => {
    const { lane } = lanesOf('plain, kernel holdout');
    const phases = spansOf(lane('gp:rcu_tasks_kthread')).filter(([, startMs, endMs]) => endMs > startMs);
    expect(phases.map(([cls]) => cls)).toEqual([
      ...[SPAN_CLASS.tasksInner, SPAN_CLASS.tasksWait, SPAN_CLASS.tasksWait, SPAN_CLASS.tasksWait],
      ...[SPAN_CLASS.tasksInner, SPAN_CLASS.tasksSleep].slice(0, phases.length - 4),
    ]);
    const cpu = lane('cpu:1');
    const [held, left] = spansOf(cpu, 1).filter(([cls]) => cls >= SPAN_CLASS.holdout);
    expect(held?.[0]).toBe(SPAN_CLASS.holdout);
    expect(held?.[2]).toBe(250);
    expect(left?.[0]).toBe(SPAN_CLASS.holdoutLeft);
    // until the scan after which there is none: the last wait ends then
    expect(left?.[2]).toBe(phases[3]?.[2]);
    expect([...cpu.marks.cls].filter((cls) => cls === MARK_CLASS.holdoutOff)).toHaveLength(1);
  });

  it('calls are one grace period, not numbered; callbacks wait from the first to the last', () => {
    const { lane } = lanesOf('plain, kernel holdout');
    const calls = spansOf(lane('calls:rcu_tasks_kthread')).map(([cls]) => cls);
    expect(calls).toContain(SPAN_CLASS.callGp);
    expect(calls).not.toContain(SPAN_CLASS.callNumber);
    expect(spansOf(lane('callbacks:rcu_tasks_kthread'))).toHaveLength(1);
  });

  for (const name of Object.keys(TASKS_SAMPLES)) {
    it(`every row has a lane that there is, and lanes have no span without length: ${name}`, () => {
      const { lanes, log, info } = lanesOf(name);
      const ids = new Set(laneInfos(info).map(({ id }) => id));
      for (let row = 0; row < log.length; row++) expect(ids).toContain(laneOfRow(log.row(row), info));
      for (const { spans } of lanes)
        for (let i = 0; i < spans.length; i++)
          expect(spans.endNs[i]).toBeGreaterThan(spans.startNs[i] as number);
    });
  }
});
