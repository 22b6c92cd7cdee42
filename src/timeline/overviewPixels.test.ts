import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SPAN_CLASS } from '../analysis/laneTypes.ts';
import { laneInfo, spanLane } from './laneView.testkit.ts';
import { coverageOf, overviewPixels } from './overviewPixels.ts';
import { TEST_PALETTE } from './palette.testkit.ts';
import { createInks } from './pixelLayer.ts';

describe('overview', () => {
  it('keeps the time of every class when spans become shares', () => {
    const bounds = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { minLength: 4, maxLength: 20 });
    fc.assert(
      fc.property(bounds, fc.integer({ min: 1, max: 300 }), (times, widthPx) => {
        times.sort((a, b) => a - b);
        const spans = times.slice(0, -1).map((from, i) => {
          return [i % 2 ? 'poll' : 'sleepHeld', from, times[i + 1] ?? 0] as const;
        });
        const view = coverageOf(spanLane(laneInfo('worker'), spans), widthPx);
        for (const [plane, cls] of view.classes.entries()) {
          const name = cls === SPAN_CLASS.poll ? 'poll' : 'sleepHeld';
          const wantedNs = spans.reduce((sum, span) => sum + (span[0] === name ? span[2] - span[1] : 0), 0);
          const shares = view.coverage.subarray(plane * widthPx, (plane + 1) * widthPx);
          expect(shares.reduce((sum, share) => sum + share, 0) * (1_000 / widthPx)).toBeCloseTo(wantedNs, 1);
          expect(Math.max(...shares)).toBeLessThanOrEqual(1.0001);
        }
      }),
    );
  });

  it('paints the lanes below each other', () => {
    const layer = { widthPx: 10, heightPx: 14, pixels: new Uint32Array(140) };
    const lanes = [
      spanLane(laneInfo('gp'), [['gpScan2', 0, 500, 1]]),
      spanLane(laneInfo('worker'), [['sleepHeld', 500, 1_000, 1]]),
    ];
    overviewPixels(layer, lanes, { fromNs: 0, toNs: 1_000 }, 7, createInks(TEST_PALETTE));
    const isPainted = (x: number, y: number) => layer.pixels[y * 10 + x] !== 0;
    expect([isPainted(2, 3), isPainted(7, 3), isPainted(2, 10), isPainted(7, 10)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
