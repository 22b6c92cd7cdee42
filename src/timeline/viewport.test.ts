import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  constrain,
  fitAll,
  fitRange,
  limitsOf,
  MIN_SPAN_NS,
  panBy,
  pinch,
  pxOfTime,
  reveal,
  spanNs,
  timeOfPx,
  type Viewport,
  wheelFactor,
  wheelPx,
  zoomAbout,
} from './viewport.ts';

/** A run of up to 230 s, a window inside its limits, and a screen. */
const scenes = fc
  .record({
    durationNs: fc.integer({ min: 1_000, max: 230e9 }),
    middle: fc.double({ min: 0, max: 1, noNaN: true }),
    zoom: fc.double({ min: 0, max: 1, noNaN: true }),
    widthPx: fc.integer({ min: 200, max: 4_000 }),
  })
  .map(({ durationNs, middle, zoom, widthPx }) => {
    const limits = limitsOf(durationNs);
    const widestNs = limits.toNs - limits.fromNs;
    const lengthNs = widestNs * (MIN_SPAN_NS / widestNs) ** zoom;
    const atNs = durationNs * middle;
    const viewport = constrain({ fromNs: atNs - lengthNs / 2, toNs: atNs + lengthNs / 2 }, limits);
    return { limits, viewport, widthPx, durationNs };
  });

/** A ten-thousandth of a pixel: far below what can be seen, far above rounding at 230 s. */
const HAIR_PX = 1e-2;

function expectInside(viewport: Viewport, limits: Viewport): void {
  const slackNs = 1e-4;
  expect(viewport.fromNs).toBeGreaterThanOrEqual(limits.fromNs - slackNs);
  expect(viewport.toNs).toBeLessThanOrEqual(limits.toNs + slackNs);
  expect(spanNs(viewport)).toBeGreaterThanOrEqual(MIN_SPAN_NS - slackNs);
}

describe('viewport', () => {
  it('keeps the time under the pointer when zooming, unless a limit is in the way', () => {
    fc.assert(
      fc.property(
        scenes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.05, max: 20, noNaN: true }),
        ({ limits, viewport, widthPx }, share, factor) => {
          const xPx = share * widthPx;
          const timeNs = timeOfPx(viewport, widthPx, xPx);
          const next = zoomAbout(viewport, timeNs, factor, limits);
          expectInside(next, limits);
          const touches =
            Math.abs(next.fromNs - limits.fromNs) < 1e-3 || Math.abs(next.toNs - limits.toNs) < 1e-3;
          if (!touches) expect(Math.abs(pxOfTime(next, widthPx, timeNs) - xPx)).toBeLessThan(HAIR_PX);
        },
      ),
    );
  });

  it('has exactly the asked-for zoom factor between its limits', () => {
    const limits = limitsOf(1e9);
    const viewport = { fromNs: 4e8, toNs: 5e8 };
    expect(spanNs(zoomAbout(viewport, 4.5e8, 0.5, limits))).toBeCloseTo(5e7, 3);
    expect(spanNs(zoomAbout(viewport, 4.5e8, 1e-12, limits))).toBeCloseTo(MIN_SPAN_NS, 6);
    expect(zoomAbout(viewport, 4.5e8, 1e6, limits)).toEqual(fitAll(limits));
  });

  it('goes back to where it was when a zoom is undone', () => {
    fc.assert(
      fc.property(
        scenes,
        fc.double({ min: 0.2, max: 1, noNaN: true }),
        ({ limits, viewport, widthPx }, f) => {
          fc.pre(spanNs(viewport) * f > MIN_SPAN_NS);
          const middleNs = (viewport.fromNs + viewport.toNs) / 2;
          const back = zoomAbout(zoomAbout(viewport, middleNs, f, limits), middleNs, 1 / f, limits);
          const pxNs = spanNs(viewport) / widthPx;
          expect(Math.abs(back.fromNs - viewport.fromNs) / pxNs).toBeLessThan(HAIR_PX);
          expect(Math.abs(back.toNs - viewport.toNs) / pxNs).toBeLessThan(HAIR_PX);
        },
      ),
    );
  });

  it('stays inside its limits and keeps its length when panned', () => {
    fc.assert(
      fc.property(
        scenes,
        fc.double({ min: -1e12, max: 1e12, noNaN: true }),
        ({ limits, viewport }, deltaNs) => {
          const next = panBy(viewport, deltaNs, limits);
          expectInside(next, limits);
          expect(Math.abs(spanNs(next) - spanNs(viewport))).toBeLessThan(1e-3);
        },
      ),
    );
  });

  it('tells neighbouring pixels apart at the deepest zoom at the end of the longest run', () => {
    const limits = limitsOf(230e9);
    const viewport = constrain({ fromNs: 230e9 - 50, toNs: 230e9 + 50 }, limits);
    expect(spanNs(viewport)).toBeCloseTo(100, 3);
    for (let xPx = 0; xPx < 1_600; xPx++) {
      const timeNs = timeOfPx(viewport, 1_600, xPx);
      expect(Math.abs(pxOfTime(viewport, 1_600, timeNs) - xPx)).toBeLessThan(HAIR_PX);
    }
  });

  it('fits the whole run and any range of it', () => {
    fc.assert(
      fc.property(
        scenes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ limits, durationNs }, a, b) => {
          const fromNs = Math.min(a, b) * durationNs;
          const toNs = Math.max(a, b) * durationNs;
          const viewport = fitRange(fromNs, toNs, limits);
          expectInside(viewport, limits);
          expect(viewport.fromNs).toBeLessThanOrEqual(fromNs);
          expect(viewport.toNs).toBeGreaterThanOrEqual(toNs);
          const all = fitAll(limits);
          expect(all.fromNs).toBeLessThan(0);
          expect(all.toNs).toBeGreaterThan(durationNs);
        },
      ),
    );
  });

  it('shows an instant with some microseconds around it', () => {
    expect(fitRange(5e6, 5e6, limitsOf(1e9))).toEqual({ fromNs: 4_980_000, toNs: 5_020_000 });
  });

  it('moves no further than needed to reveal a time', () => {
    const limits = limitsOf(1e9);
    const viewport = { fromNs: 1e8, toNs: 2e8 };
    expect(reveal(viewport, 1.5e8, limits)).toBe(viewport);
    expect(reveal(viewport, 2.5e8, limits)).toEqual({ fromNs: 1.6e8, toNs: 2.6e8 });
    expect(reveal(viewport, 5e7, limits)).toEqual({ fromNs: 4e7, toNs: 1.4e8 });
  });

  it('keeps both pinched times under the fingers', () => {
    const limits = limitsOf(1e9);
    const viewport = { fromNs: 1e8, toNs: 2e8 };
    const next = pinch(viewport, [1.2e8, 1.4e8], [100, 700], 1_000, limits);
    expect(pxOfTime(next, 1_000, 1.2e8)).toBeCloseTo(100, 6);
    expect(pxOfTime(next, 1_000, 1.4e8)).toBeCloseTo(700, 6);
    expect(pinch(viewport, [1.2e8, 1.4e8], [300, 300], 1_000, limits)).toBe(viewport);
    expect(pinch(viewport, [1.2e8, 1.4e8], [700, 100], 1_000, limits)).toBe(viewport);
  });

  it('reads wheels that count lines, pages and pixels, and touchpad pinches', () => {
    expect(wheelPx(3, 1)).toBe(48);
    expect(wheelPx(1, 2)).toBe(400);
    expect(wheelPx(100, 0)).toBe(100);
    expect(wheelFactor(-250, false)).toBe(0.5);
    expect(wheelFactor(250, false)).toBe(2);
    expect(wheelFactor(-5, true)).toBeLessThan(wheelFactor(-5, false));
  });
});
