import { describe, expect, it } from 'vitest';
import {
  type Gesture,
  type GestureContext,
  type GestureEffect,
  IDLE,
  type PointerInput,
  stepGesture,
} from './gestures.ts';
import { limitsOf, pxOfTime } from './viewport.ts';

/** 1,000 px for 1 ms: a pixel is 1,000 ns. */
const CONTEXT: GestureContext = {
  viewport: { fromNs: 0, toNs: 1e6 },
  limits: limitsOf(1e7),
  widthPx: 1_000,
  cursorNs: 900_000,
  endNs: 1e7,
};

type Sketch = readonly [PointerInput['type'], number, Partial<PointerInput>?];

/** Plays pointer events; the viewport that one of them brings about is in force for the next. */
function play(
  events: readonly Sketch[],
  given = CONTEXT,
): {
  effects: GestureEffect[];
  gesture: Gesture;
  context: GestureContext;
} {
  let gesture: Gesture = IDLE;
  let context = given;
  const effects: GestureEffect[] = [];
  for (const [type, xPx, more] of events) {
    const input = { type, id: 1, xPx, yPx: 10, isTouch: false, wantsPan: false, ...more };
    const step = stepGesture(gesture, input, context);
    gesture = step.gesture;
    if (step.effect) effects.push(step.effect);
    if (step.effect?.type === 'viewport') context = { ...context, viewport: step.effect.viewport };
  }
  return { effects, gesture, context };
}

describe('pointer gestures', () => {
  it('take a press that hardly moves for a click', () => {
    const { effects, gesture } = play([
      ['down', 100],
      ['move', 102],
      ['up', 102],
    ]);
    expect(effects).toEqual([{ type: 'click', xPx: 102, yPx: 10 }]);
    expect(gesture).toEqual(IDLE);
  });

  it('select a range by dragging, in either direction', () => {
    const range = { fromNs: 100_000, toNs: 300_000 };
    expect(
      play([
        ['down', 100],
        ['move', 200],
        ['move', 300],
        ['up', 300],
      ]).effects.at(-1),
    ).toEqual({
      type: 'range',
      range,
      isFinal: true,
    });
    expect(
      play([
        ['down', 300],
        ['move', 100],
        ['up', 100],
      ]).effects.at(-1),
    ).toMatchObject({ range });
    expect(
      play([
        ['down', 300],
        ['move', 100],
      ]).effects.at(-1),
    ).toMatchObject({ range, isFinal: false });
  });

  it('keep a range inside the run', () => {
    expect(
      play([
        ['down', 100],
        ['move', -300],
        ['up', -300],
      ]).effects.at(-1),
    ).toMatchObject({
      range: { fromNs: 0, toNs: 100_000 },
    });
  });

  it('move the window with shift or the middle button, and with one finger', () => {
    for (const how of [{ wantsPan: true }, { isTouch: true }]) {
      const { effects, context } = play([
        ['down', 500, how],
        ['move', 400, how],
        ['up', 400, how],
      ]);
      expect(effects.every((effect) => effect.type === 'viewport')).toBe(true);
      expect(context.viewport).toEqual({ fromNs: 100_000, toNs: 1_100_000 });
    }
  });

  it('end a range where the run ends, and the cursor too', () => {
    const atEnd = { ...CONTEXT, endNs: 800_000, limits: limitsOf(800_000), cursorNs: 500_000 };
    const rangeOf = (fromPx: number, toPx: number) =>
      play(
        [
          ['down', fromPx],
          ['move', toPx],
          ['up', toPx],
        ],
        atEnd,
      ).effects.at(-1);
    expect(rangeOf(300, 950)).toMatchObject({ range: { fromNs: 300_000, toNs: 800_000 } });
    expect(rangeOf(850, 950)).toMatchObject({ range: { fromNs: 799_999, toNs: 800_000 } });
    expect(
      play(
        [
          ['down', 500],
          ['move', 950],
        ],
        atEnd,
      ).effects,
    ).toEqual([{ type: 'cursor', timeNs: 800_000 }]);
  });

  it('drag the cursor line where it is caught, from farther away with a finger', () => {
    expect(
      play([
        ['down', 903],
        ['move', 700],
        ['up', 700],
      ]).effects,
    ).toEqual([{ type: 'cursor', timeNs: 700_000 }]);
    expect(
      play([
        ['down', 890],
        ['move', 700],
      ]).effects[0]?.type,
    ).toBe('range');
    const touch = { isTouch: true };
    expect(
      play([
        ['down', 890, touch],
        ['move', 700, touch],
      ]).effects[0]?.type,
    ).toBe('cursor');
  });

  it('click through the cursor line', () => {
    expect(
      play([
        ['down', 901],
        ['up', 901],
      ]).effects,
    ).toEqual([{ type: 'click', xPx: 901, yPx: 10 }]);
  });

  it('pinch with two fingers, then go on with the one that stays', () => {
    const a = { isTouch: true, id: 1 };
    const b = { isTouch: true, id: 2 };
    const pinched = play([
      ['down', 400, a],
      ['down', 600, b],
      ['move', 300, a],
      ['move', 700, b],
    ]);
    expect(pinched.gesture.mode).toBe('pinch');
    expect(pxOfTime(pinched.context.viewport, 1_000, 400_000)).toBeCloseTo(300, 6);
    expect(pxOfTime(pinched.context.viewport, 1_000, 600_000)).toBeCloseTo(700, 6);
    const after = play([
      ['down', 400, a],
      ['down', 600, b],
      ['move', 300, a],
      ['move', 700, b],
      ['up', 700, b],
      ['move', 200, a],
    ]);
    expect(after.gesture.mode).toBe('pan');
    expect(after.context.viewport.fromNs).toBeGreaterThan(pinched.context.viewport.fromNs);
  });

  it('forget everything when the browser takes the pointer away', () => {
    const { gesture, effects } = play([
      ['down', 100],
      ['cancel', 100],
      ['move', 500],
      ['up', 500],
    ]);
    expect(gesture).toEqual(IDLE);
    expect(effects).toEqual([]);
  });
});
