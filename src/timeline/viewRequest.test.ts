import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { panBy, type Viewport, zoomAbout } from './viewport.ts';
import { suffices, windowFor } from './viewRequest.ts';

const limits = { fromNs: -1e12, toNs: 1e12 };
const viewport: Viewport = { fromNs: 1e6, toNs: 2e6 };

describe('what to ask the worker for', () => {
  it('is more than the window, at its resolution, in whole nanoseconds', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2e11, noNaN: true }),
        fc.double({ min: 100, max: 1e11, noNaN: true }),
        (fromNs, lengthNs) => {
          const window = { fromNs, toNs: fromNs + lengthNs };
          const request = windowFor(window, 800);
          expect(Number.isInteger(request.t0Ns) && Number.isInteger(request.t1Ns)).toBe(true);
          expect(request.t0Ns).toBeLessThan(fromNs);
          expect(request.t1Ns).toBeGreaterThan(window.toNs);
          expect(suffices(request, window, 800)).toBe(true);
        },
      ),
    );
  });

  it('is nothing while panning inside what was loaded, and a new window beyond it', () => {
    const asked = windowFor(viewport, 800);
    expect(suffices(asked, panBy(viewport, 3e5, limits), 800)).toBe(true);
    expect(suffices(asked, panBy(viewport, 6e5, limits), 800)).toBe(false);
    expect(suffices(asked, panBy(viewport, -6e5, limits), 800)).toBe(false);
  });

  it('is asked anew after zooming or resizing by more than a quarter', () => {
    const asked = windowFor(viewport, 800);
    expect(suffices(asked, zoomAbout(viewport, 1.5e6, 0.9, limits), 800)).toBe(true);
    expect(suffices(asked, zoomAbout(viewport, 1.5e6, 0.5, limits), 800)).toBe(false);
    expect(suffices(asked, viewport, 1_200)).toBe(false);
  });

  it('names lanes where there are too many to ask for all', () => {
    const asked = windowFor(viewport, 800, ['cpu:0', 'cpu:1']);
    expect(asked.lanes).toEqual(['cpu:0', 'cpu:1']);
    expect(suffices(asked, viewport, 800, ['cpu:1'])).toBe(true);
    expect(suffices(asked, viewport, 800, ['cpu:1', 'cpu:2'])).toBe(false);
    expect(suffices(asked, viewport, 800)).toBe(false);
    expect(suffices(windowFor(viewport, 800), viewport, 800, ['cpu:9'])).toBe(true);
  });
});
