import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLanes } from './lanes.ts';
import type { Lane, Spans } from './laneTypes.ts';
import { LaneDetail } from './lod.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, reader, run, SAMPLES, updater } from './runs.testkit.ts';

/** Coverage the slow way: every span against every pixel. */
function slowCoverage(spans: Spans, cls: number, t0Ns: number, pxNs: number, px: number): number {
  const fromNs = t0Ns + px * pxNs;
  let sum = 0;
  for (let i = 0; i < spans.length; i++) {
    if (spans.cls[i] !== cls) continue;
    const overlap =
      Math.min(spans.endNs[i] as number, fromNs + pxNs) - Math.max(spans.startNs[i] as number, fromNs);
    if (overlap > 0) sum += overlap;
  }
  return Math.min(1, sum / pxNs);
}

/** A lane with many spans: a reader that enters and leaves thousands of times. */
function denseLane(): { lane: Lane; endNs: number } {
  const many = reader({ hold: { uniform: [0, 20_000] }, idle: { uniform: [0, 20_000] }, idleMode: 'spin' });
  const { log, info } = run(config([many, updater({ calls: 30, gap: MS })], { stop: { afterNs: 60 * MS } }));
  const lane = createLanes(log, createRunIndex(log, info)).find((other) => other.id === 'cpu:1') as Lane;
  return { lane, endNs: log.timeNs(log.length - 1) };
}

describe('level of detail', () => {
  const { lane, endNs } = denseLane();
  const detail = new LaneDetail(lane, endNs);

  test('coverage is that of the spans, at any window and width', () => {
    let dense = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: endNs - 1 }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        fc.integer({ min: 2, max: 300 }),
        (t0Ns, share, widthPx) => {
          const t1Ns = t0Ns + Math.max(1, share * endNs);
          const view = detail.view(t0Ns, t1Ns, widthPx);
          if (view.mode !== 'coverage') return;
          dense++;
          const pxNs = (t1Ns - t0Ns) / widthPx;
          view.classes.forEach((cls, plane) => {
            let ours = 0;
            let slow = 0;
            for (let px = 0; px < widthPx; px++) {
              const covered = view.coverage[plane * widthPx + px] as number;
              expect(covered).toBeGreaterThanOrEqual(0);
              expect(covered).toBeLessThanOrEqual(1);
              ours += covered;
              slow += slowCoverage(lane.spans, cls, t0Ns, pxNs, px);
            }
            // A bucket is spread evenly over its own width: the error is at most a bucket at each side.
            expect(Math.abs(ours - slow)).toBeLessThan(2.5);
          });
        },
      ),
      { numRuns: 100 },
    );
    expect(dense).toBeGreaterThan(10);
  });

  test('where spans are few they are handed out as they are', () => {
    const t0Ns = 10 * MS;
    const t1Ns = 11 * MS;
    const view = detail.view(t0Ns, t1Ns, 1000);
    if (view.mode !== 'spans') throw new Error('expected spans');
    const isIn = (_: number, i: number) =>
      (lane.spans.startNs[i] as number) < t1Ns && (lane.spans.endNs[i] as number) > t0Ns;
    expect([...view.spans.startNs]).toEqual([...lane.spans.startNs.filter(isIn)]);
    expect(view.spans.length).toBeGreaterThan(3);
  });

  test('narrow windows in dense places are covered exactly', () => {
    const view = detail.view(0, MS / 2, 4);
    if (view.mode !== 'coverage') throw new Error('expected coverage');
    const pxNs = MS / 8;
    view.classes.forEach((cls, plane) => {
      for (let px = 0; px < 4; px++) {
        expect(view.coverage[plane * 4 + px]).toBeCloseTo(slowCoverage(lane.spans, cls, 0, pxNs, px), 1);
      }
    });
  });
});

describe.each(Object.keys(SAMPLES))('lanes of the run: %s', (name) => {
  const sample = SAMPLES[name];
  if (sample === undefined) throw new Error(name);
  const { log, info } = run(sample());
  const lanes = createLanes(log, createRunIndex(log, info));
  const endNs = log.timeNs(log.length - 1);

  test('spans ascend, and of one depth never overlap', () => {
    for (const { id, spans } of lanes) {
      const until = [0, 0, 0, 0];
      for (let i = 0; i < spans.length; i++) {
        const depth = spans.depth[i] as number;
        expect(spans.startNs[i], id).toBeGreaterThanOrEqual(until[depth] as number);
        expect(spans.endNs[i], id).toBeGreaterThanOrEqual(spans.startNs[i] as number);
        expect(spans.endNs[i], id).toBeLessThanOrEqual(endNs);
        if (i > 0) expect(spans.startNs[i], id).toBeGreaterThanOrEqual(spans.startNs[i - 1] as number);
        until[depth] = spans.endNs[i] as number;
      }
    }
  });

  test('on a shared CPU somebody runs, or nobody, at every instant', () => {
    if (!info.contended) return;
    for (const { spans } of lanes.filter((lane) => lane.kind === 'cpu' && lane.spans.length > 0)) {
      let atNs = spans.startNs[0] as number;
      for (let i = 0; i < spans.length; i++) {
        if (spans.depth[i] !== 0) continue;
        expect(spans.startNs[i]).toBe(atNs);
        atNs = spans.endNs[i] as number;
      }
      expect(atNs).toBe(endNs);
    }
  });
});
