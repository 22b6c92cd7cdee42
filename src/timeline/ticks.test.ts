import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ticks } from '../engine/core/ticks.ts';
import { jiffyRuler, tickAt, tickNs, timeRuler } from './ticks.ts';

const windows = fc
  .record({
    atNs: fc.double({ min: 0, max: 230e9, noNaN: true }),
    lengthNs: fc.double({ min: 2, max: 11.3, noNaN: true }).map((power) => 10 ** power),
    widthPx: fc.integer({ min: 240, max: 3_000 }),
  })
  .map(({ atNs, lengthNs, widthPx }) => ({ viewport: { fromNs: atNs, toNs: atNs + lengthNs }, widthPx }));

describe('ticks of the kernel', () => {
  it("are the engine's, at any HZ", () => {
    fc.assert(
      fc.property(fc.integer({ min: 24, max: 1200 }), fc.integer({ min: 0, max: 230e9 }), (hz, timeNs) => {
        const ticks = new Ticks(hz, 0);
        const k = tickAt(timeNs, hz);
        expect(k).toBe(ticks.numberAt(timeNs));
        expect(tickNs(k, hz)).toBe(ticks.timeNs(k));
      }),
    );
  });

  it('are found between whole nanoseconds too', () => {
    expect(tickAt(3_333_332.9, 300)).toBe(0);
    expect(tickAt(3_333_333.0, 300)).toBe(1);
    expect(tickAt(-0.5, 250)).toBe(-1);
  });
});

describe('time ruler', () => {
  it('has a few distinct labels, in order, inside the window, at least a label apart', () => {
    fc.assert(
      fc.property(windows, ({ viewport, widthPx }) => {
        const { ticks } = timeRuler(viewport, widthPx);
        const pxPerNs = widthPx / (viewport.toNs - viewport.fromNs);
        expect(new Set(ticks.map((tick) => tick.label)).size).toBe(ticks.length);
        for (const [i, tick] of ticks.entries()) {
          expect(tick.timeNs).toBeGreaterThanOrEqual(viewport.fromNs - 1e-9);
          expect(tick.timeNs).toBeLessThanOrEqual(viewport.toNs);
          expect(tick.label.length).toBeLessThanOrEqual(13);
          const before = ticks[i - 1];
          if (before) expect((tick.timeNs - before.timeNs) * pxPerNs).toBeGreaterThan(75);
        }
      }),
    );
  });

  it('counts in milliseconds where the whole window is milliseconds', () => {
    const ruler = timeRuler({ fromNs: 0, toNs: 40e6 }, 800);
    expect(ruler.base).toBe('');
    expect(ruler.ticks.map((tick) => tick.label)).toEqual([
      '0 ms',
      '5 ms',
      '10 ms',
      '15 ms',
      '20 ms',
      '25 ms',
      '30 ms',
      '35 ms',
      '40 ms',
    ]);
  });

  it('counts from a base where absolute labels would be too long', () => {
    const ruler = timeRuler({ fromNs: 161_433_000_120, toNs: 161_433_000_220 }, 1_000);
    expect(ruler.base).toBe('161.433000 s');
    expect(ruler.ticks[0]?.label).toBe('+120 ns');
    expect(ruler.ticks.at(-1)?.label).toBe('+220 ns');
  });
});

describe('jiffy ruler', () => {
  it('draws every tick of the kernel where there is room, labelled with jiffies', () => {
    const ruler = jiffyRuler({ fromNs: 0, toNs: 40e6 }, 800, 250, 1_000);
    expect(ruler.isComplete).toBe(true);
    expect(ruler.ticks.map((tick) => tick.timeNs)).toEqual(
      [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40].map((ms) => ms * 1e6),
    );
    expect(ruler.ticks[1]?.label).toBe('1001');
  });

  it('thins lines out instead of drawing one per pixel, and every line is a tick', () => {
    fc.assert(
      fc.property(windows, fc.integer({ min: 24, max: 1200 }), ({ viewport, widthPx }, hz) => {
        const { ticks, isComplete } = jiffyRuler(viewport, widthPx, hz, 0);
        expect(ticks.length).toBeLessThanOrEqual(widthPx / 7 + 2);
        for (const tick of ticks) expect(tickNs(tickAt(tick.timeNs, hz), hz)).toBe(tick.timeNs);
        if (isComplete) {
          const all = tickAt(viewport.toNs, hz) - Math.ceil(tickAt(viewport.fromNs, hz));
          expect(Math.abs(ticks.length - all)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('says where it is where no line has room or a number', () => {
    expect(jiffyRuler({ fromNs: 9e6, toNs: 9e6 + 100 }, 800, 250, 1_000)).toEqual({
      ticks: [],
      isComplete: true,
      base: 'jiffy 1002',
    });
    expect(jiffyRuler({ fromNs: 0, toNs: 40e6 }, 800, 250, 1_000).base).toBe('');
  });

  it('has nothing before t = 0', () => {
    const ruler = jiffyRuler({ fromNs: -8e6, toNs: 8e6 }, 800, 250, 0);
    expect(ruler.ticks.map((tick) => tick.timeNs)).toEqual([0, 4e6, 8e6]);
  });
});
