import { describe, expect, it } from 'vitest';
import { dragWindow, grabbedPart } from './minimapDrag.ts';
import { limitsOf, MIN_SPAN_NS, spanNs } from './viewport.ts';

const limits = limitsOf(1e9);
const viewport = { fromNs: 2e8, toNs: 4e8 };

describe('the window of the minimap', () => {
  it('is caught at its edges and in its middle', () => {
    expect([93, 98, 105, 150, 195, 204, 210].map((xPx) => grabbedPart(xPx, 100, 200))).toEqual([
      'outside',
      'from',
      'from',
      'middle',
      'to',
      'to',
      'outside',
    ]);
  });

  it('is all middle when it is too narrow for edges', () => {
    expect([96, 101, 108].map((xPx) => grabbedPart(xPx, 100, 103))).toEqual(['middle', 'middle', 'middle']);
  });

  it('moves by its middle and changes length by its edges', () => {
    expect(dragWindow(viewport, 'middle', 1e8, limits)).toEqual({ fromNs: 3e8, toNs: 5e8 });
    expect(dragWindow(viewport, 'from', -1e8, limits)).toEqual({ fromNs: 1e8, toNs: 4e8 });
    expect(dragWindow(viewport, 'to', 1e8, limits)).toEqual({ fromNs: 2e8, toNs: 5e8 });
  });

  it('never turns inside out', () => {
    expect(spanNs(dragWindow(viewport, 'from', 9e8, limits))).toBeCloseTo(MIN_SPAN_NS, 3);
    expect(spanNs(dragWindow(viewport, 'to', -9e8, limits))).toBeCloseTo(MIN_SPAN_NS, 3);
    expect(dragWindow(viewport, 'to', 9e9, limits).toNs).toBe(limits.toNs);
  });
});
