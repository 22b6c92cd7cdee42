import { describe, expect, it } from 'vitest';
import { SPAN_CLASS } from '../analysis/laneTypes.ts';
import { denseLane, laneInfo } from './laneView.testkit.ts';
import { TEST_PALETTE } from './palette.testkit.ts';
import { createInks, type PixelLayer, paintCoverage, paintNarrow, pixelOf } from './pixelLayer.ts';

const inkOf = createInks(TEST_PALETTE);
const layerOf = (widthPx: number, heightPx: number): PixelLayer => ({
  widthPx,
  heightPx,
  pixels: new Uint32Array(widthPx * heightPx),
});

/** Pixels of a column that a class has painted, its strokes included. */
function countIn(layer: PixelLayer, x: number, cls: number): number {
  const ink = inkOf(cls);
  let count = 0;
  for (let y = 0; y < layer.heightPx; y++) {
    const pixel = layer.pixels[y * layer.widthPx + x];
    if (pixel === ink.body || pixel === ink.stroke) count++;
  }
  return count;
}

const lane = laneInfo('worker');
const viewport = { fromNs: 0, toNs: 1_000 };

describe('dense lanes', () => {
  it('stack the classes of a column by their shares', () => {
    const layer = layerOf(2, 20);
    const view = denseLane(lane, [
      ['poll', [0.25, 0]],
      ['sleepHeld', [0.5, 1]],
    ]);
    paintCoverage(layer, view, viewport, 0, 20, inkOf);
    expect(countIn(layer, 0, SPAN_CLASS.poll)).toBe(5);
    expect(countIn(layer, 0, SPAN_CLASS.sleepHeld)).toBe(10);
    expect(countIn(layer, 1, SPAN_CLASS.sleepHeld)).toBe(20);
    expect(countIn(layer, 1, SPAN_CLASS.poll)).toBe(0);
  });

  it('show a class that is there at all with at least one pixel', () => {
    const layer = layerOf(1, 10);
    paintCoverage(
      layer,
      denseLane(lane, [
        ['poll', [0.001]],
        ['sleepHeld', [0.999]],
      ]),
      viewport,
      0,
      10,
      inkOf,
    );
    expect(countIn(layer, 0, SPAN_CLASS.poll)).toBe(1);
  });

  it('stretch an older window to the present one and leave free what it does not know', () => {
    const layer = layerOf(4, 4);
    const view = denseLane(lane, [['gpScan2', [1, 0]]], [0, 1_000]);
    paintCoverage(layer, view, { fromNs: -500, toNs: 500 }, 0, 4, inkOf);
    expect([0, 1, 2, 3].map((x) => countIn(layer, x, SPAN_CLASS.gpScan2))).toEqual([0, 0, 4, 4]);
  });

  it('average what falls into one pixel', () => {
    const layer = layerOf(1, 10);
    paintCoverage(layer, denseLane(lane, [['gpScan2', [1, 0, 1, 0]]]), viewport, 0, 10, inkOf);
    expect(countIn(layer, 0, SPAN_CLASS.gpScan2)).toBe(5);
  });

  it('can be read without colours: every class that may stand on another has its own texture', () => {
    const strokesOf = (cls: number) => {
      const layer = layerOf(12, 12);
      const name =
        cls === SPAN_CLASS.poll ? 'poll' : cls === SPAN_CLASS.sleepHeld ? 'sleepHeld' : 'sleepWaste';
      paintCoverage(layer, denseLane(lane, [[name, new Array(12).fill(1)]]), viewport, 0, 12, inkOf);
      return [...layer.pixels].map((pixel) => (pixel === inkOf(cls).stroke ? '#' : '.')).join('');
    };
    const textures = [SPAN_CLASS.poll, SPAN_CLASS.sleepHeld, SPAN_CLASS.sleepWaste].map(strokesOf);
    expect(new Set(textures).size).toBe(3);
    for (const texture of textures) expect(texture).toContain('#');
  });

  it('never write outside their rows', () => {
    const layer = layerOf(3, 10);
    paintCoverage(layer, denseLane(lane, [['gpScan2', [1, 1, 1]]]), viewport, -4, 8, inkOf);
    paintCoverage(layer, denseLane(lane, [['gpScan2', [1, 1, 1]]]), viewport, 8, 8, inkOf);
    const rows = Array.from({ length: 10 }, (_, y) => layer.pixels[y * 3] !== 0);
    expect(rows).toEqual([true, true, true, true, false, false, false, false, true, true]);
  });
});

describe('narrow spans', () => {
  it('are columns, fainter the less they cover', () => {
    const layer = layerOf(3, 2);
    const columns = {
      x: Int32Array.of(0, 2, 7),
      share: Float32Array.of(1, 0.1, 1),
      cls: Uint8Array.of(SPAN_CLASS.gpScan2, SPAN_CLASS.gpScan2, SPAN_CLASS.gpScan2),
      count: 3,
    };
    paintNarrow(layer, columns, 0, 2, inkOf, pixelOf('#000000'));
    const green = (x: number) => ((layer.pixels[x] ?? 0) >>> 8) & 255;
    expect(green(0)).toBe(255);
    expect(green(1)).toBe(0);
    expect(green(2)).toBeGreaterThan(120);
    expect(green(2)).toBeLessThan(green(0));
  });
});
