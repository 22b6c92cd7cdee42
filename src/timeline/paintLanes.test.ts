import { describe, expect, it } from 'vitest';
import type { LaneView } from '../analysis/laneTypes.ts';
import { layoutLanes } from './laneLayout.ts';
import { denseLane, laneInfo, spanLane } from './laneView.testkit.ts';
import { paintLanes } from './paintLanes.ts';
import type { PaintContext } from './paintTools.ts';
import { TEST_PALETTE } from './palette.testkit.ts';
import { createInks } from './pixelLayer.ts';
import type { FindBurst } from './polls.ts';

interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly fillStyle: unknown;
}

/** A context that writes down what is drawn on it. */
function recordingContext(): { context: PaintContext; calls: Call[] } {
  const calls: Call[] = [];
  const state: Record<string, unknown> = {};
  const context = new Proxy(state, {
    get: (_, name) =>
      name in state
        ? state[String(name)]
        : (...args: unknown[]) => calls.push({ name: String(name), args, fillStyle: state.fillStyle }),
    set: (_, name, value) => {
      state[String(name)] = value;
      return true;
    },
  });
  return { context: context as unknown as PaintContext, calls };
}

const WIDTH_PX = 1_000;

function paint(views: readonly LaneView[], toNs = 1_000, findBurst: FindBurst = () => undefined) {
  const { context, calls } = recordingContext();
  const layout = layoutLanes(views, new Set(), 16, 1e6);
  const layer = { widthPx: WIDTH_PX, heightPx: 200, pixels: new Uint32Array(WIDTH_PX * 200) };
  const pixelLayers: { readonly topPx: number; readonly bottomPx: number }[] = [];
  paintLanes(
    context,
    { widthPx: WIDTH_PX, heightPx: 200, scrollPx: 0, gridNs: [100, 500] },
    {
      scene: {
        layout,
        views: new Map(views.map((view) => [view.id, view])),
        depths: new Map(),
        viewport: { fromNs: 0, toNs },
        widthPx: WIDTH_PX,
      },
      palette: TEST_PALETTE,
      textures: (texture) =>
        texture === 'solid' || texture === 'frame' || texture === 'low'
          ? undefined
          : (`pattern ${texture}` as unknown as CanvasPattern),
      inkOf: createInks(TEST_PALETTE),
      findBurst,
      nameOf: (track) => `track ${track}`,
    },
    layer,
    (_, topPx, bottomPx) => pixelLayers.push({ topPx, bottomPx }),
  );
  const texts = calls.filter((call) => call.name === 'fillText').map((call) => call.args[0]);
  return { calls, layer, pixelLayers, texts };
}

const worker = laneInfo('worker');

describe('painting the lanes', () => {
  it('labels what is wide enough, with phase and number', () => {
    const { texts } = paint([
      spanLane(laneInfo('gp'), [
        ['gpScan1', 0, 300, 7],
        ['gpScan2', 300, 360, 7],
        ['gpScan1', 400, 404, 8],
      ]),
      spanLane(worker, [['sleepHeld', 0, 400, 3]]),
    ]);
    expect(texts).toEqual(['GP 7 SCAN1', 'SCAN2', 'sleeps 3 jiffies']);
  });

  it('puts a texture on what sleeps and polls, so that it is not told by colour alone', () => {
    const { calls } = paint([
      spanLane(worker, [
        ['poll', 0, 200, 200],
        ['sleepHeld', 200, 500, 1],
        ['sleepWaste', 500, 900, 1],
      ]),
    ]);
    const patterns = new Set(
      calls.map((call) => call.fillStyle).filter((style) => /^pattern/.test(String(style))),
    );
    expect(patterns).toEqual(new Set(['pattern comb', 'pattern hatch', 'pattern cross']));
  });

  it('draws every single check as soon as there is room for it', () => {
    const view = spanLane(worker, [['poll', 0, 900, 30]]);
    const burst = { startNs: 0, count: 30, passNs: 30, offsetsNs: [10, 20], failed: [true, true] };
    const teeth = (toNs: number) =>
      paint([view], toNs, () => burst).calls.filter(
        (call) => call.name === 'fillRect' && call.fillStyle === TEST_PALETTE.colours.poll,
      ).length;
    expect(teeth(1_000)).toBe(60);
    // A tenth of the window holds a tenth of them: the cost is that of what is seen.
    expect(teeth(90)).toBe(6);
    // Ten times the time: a check every pixel is a comb.
    expect(teeth(10_000)).toBe(0);
  });

  it('notches the objects of a unit as soon as there is room for them', () => {
    const unit = (cls: 'kfreeFill' | 'kfreeHead', objects: number, lastNs = 900) =>
      spanLane(laneInfo('kfree'), [[cls, 100, 900, 7]], [], [0, 1_000], [[objects, lastNs]]);
    const notches = (view: LaneView, toNs = 1_000) =>
      paint([view], toNs).calls.filter(
        (call) => call.name === 'fillRect' && call.fillStyle === TEST_PALETTE.colours.panel,
      );
    const xs = notches(unit('kfreeFill', 5)).map((call) => call.args[0] as number);
    expect(xs.slice(0, 4)).toEqual([100, 300, 500, 700]);
    // the last one ends with the bar
    expect(xs[4]).toBeCloseTo(900 - 0.75 - 3);
    expect(notches(unit('kfreeHead', 201))).toHaveLength(201);
    expect(notches(unit('kfreeFill', 401))).toHaveLength(0);
    // a tenth of it in view
    expect(notches(unit('kfreeFill', 401), 180)).toHaveLength(41);
    expect(notches(unit('kfreeFill', 0))).toHaveLength(0);
    // none after the last one, although the unit is closed later
    const early = notches(unit('kfreeFill', 5, 500)).map((call) => call.args[0] as number);
    expect(early).toEqual([100, 200, 300, 400, 500]);
  });

  it('falls back to passes where the rows are not loaded', () => {
    const { calls } = paint([spanLane(worker, [['poll', 0, 900, 30]])]);
    const teeth = calls.filter(
      (call) => call.fillStyle === TEST_PALETTE.colours.poll && call.name === 'fillRect',
    );
    expect(teeth).toHaveLength(30);
  });

  it('writes dense lanes and narrow spans as pixels and draws no shape for them', () => {
    const narrow = Array.from({ length: 400 }, (_, i) => ['reader', i * 2, i * 2 + 0.5] as const);
    const few = paint([spanLane(laneInfo('cpu'), [])]).calls.length;
    const { calls, layer, pixelLayers } = paint([
      spanLane(laneInfo('cpu'), narrow),
      denseLane(worker, [['poll', new Array(1_000).fill(0.5)]]),
    ]);
    expect(pixelLayers).toHaveLength(1);
    const drawn = pixelLayers[0] ?? { topPx: 0, bottomPx: 0 };
    const used = [...layer.pixels.keys()].filter((i) => layer.pixels[i] !== 0);
    const rowOf = (i: number | undefined) => Math.floor((i ?? Number.NaN) / WIDTH_PX);
    expect(rowOf(used[0])).toBeGreaterThanOrEqual(drawn.topPx);
    expect(rowOf(used.at(-1))).toBeLessThan(drawn.bottomPx);
    expect(drawn.bottomPx - drawn.topPx).toBeLessThan(100);
    expect(calls.length).toBeLessThan(few + 10);
  });

  it('leaves the pixels alone where nothing is dense', () => {
    expect(paint([spanLane(worker, [['poll', 0, 900, 30]])]).pixelLayers).toEqual([]);
  });

  it('never draws far outside the canvas, however deep the zoom', () => {
    const { calls } = paint([spanLane(worker, [['sleepHeld', -2e11, 2e11, 1]])], 100);
    for (const call of calls) {
      if (call.name !== 'roundRect' && call.name !== 'rect' && call.name !== 'fillRect') continue;
      const [x, , width] = call.args as number[];
      expect(x).toBeGreaterThan(-20);
      expect(width).toBeLessThan(WIDTH_PX + 40);
    }
  });

  it('shows callbacks as diamonds, merging those on one spot', () => {
    const diamonds = (marks: readonly number[]) =>
      paint([
        spanLane(
          laneInfo('callbacks'),
          [],
          marks.map((timeNs) => ['cbInvoked', timeNs] as const),
        ),
      ]).calls.filter((call) => call.name === 'moveTo').length;
    expect(diamonds([100, 300, 500])).toBe(3);
    expect(diamonds([100, 101, 102, 500])).toBe(2);
  });

  it('draws a chart as areas one on the other, the most of the run being the height of the lane', () => {
    const chart = {
      timeNs: Float64Array.of(0, 500, 1_000),
      parts: [Float64Array.of(0, 50, 0), Float64Array.of(0, 50, 100)],
      most: 200,
    };
    const { calls } = paint([{ ...spanLane(laneInfo('memory'), []), chart }]);
    const points = calls.filter(({ name }) => name === 'lineTo').map(({ args }) => args as [number, number]);
    expect(points.map(([x]) => x)).toEqual([0, 500, 1_000, 1_000, 500, 0, 0, 500, 1_000, 1_000, 500, 0]);
    const upper = points.slice(6, 9).map(([, y]) => y);
    const [bottom = 0, middle = 0, end = 0] = upper;
    expect(middle).toBe(end);
    // half of the most is half of the height between bottom and top of the bars
    expect(bottom - middle).toBeGreaterThan(5);
    expect(points.slice(0, 3).map(([, y]) => Math.round(10 * (bottom - y)))).toEqual([
      0,
      Math.round(5 * (bottom - middle)),
      0,
    ]);
    const texts = calls.filter(({ name }) => name === 'fillText').map(({ args }) => args[0]);
    expect(texts).toEqual(['most 200 B']);
  });
});
