import { describe, expect, it, vi } from 'vitest';
import { createDragPace } from './dragPace.ts';

/** A display whose frames are let pass by hand, in ms. */
function createDisplay() {
  let asked: ((nowMs: number) => void) | undefined;
  let nowMs = 0;
  return {
    requestFrame: (frame: (nowMs: number) => void) => {
      asked = frame;
    },
    pass: (frameMs: number) => {
      nowMs += frameMs;
      const frame = asked;
      asked = undefined;
      frame?.(nowMs);
    },
    isAsked: () => asked !== undefined,
  };
}

const FRAME_MS = 1000 / 60;

/** Drags for `frames` frames of the display; each step makes the frame after it `stepFrames` long. */
function drag(frames: number, stepFrames: number, frameMs = FRAME_MS) {
  const display = createDisplay();
  const pace = createDragPace(display.requestFrame);
  let steps = 0;
  let missed = 0;
  let passed = 0;
  let isStepped = false;
  while (passed < frames) {
    pace.step(() => {
      steps++;
      isStepped = true;
    });
    const length = isStepped ? stepFrames : 1;
    isStepped = false;
    display.pass(length * frameMs);
    passed += length;
    missed += length - 1;
  }
  return { steps, missedShare: missed / passed };
}

describe('drag pace', () => {
  it('a step per frame where that makes the page miss none', () => {
    expect(drag(60, 1).steps).toBe(60);
  });

  it.each([2, 3, 4])('steps that take %i frames leave more than nine of ten to the page', (stepFrames) => {
    const { steps, missedShare } = drag(600, stepFrames);
    expect(missedShare).toBeLessThan(0.08);
    expect(steps).toBeGreaterThan(600 / (16 * (stepFrames - 1)) - 2);
  });

  it('the picture follows about once a second, however slow', () => {
    expect(drag(600, 12).steps).toBeGreaterThanOrEqual(600 / 60 - 1);
  });

  it('a display of 30 frames a second is soon known to be one', () => {
    expect(drag(120, 1, 2 * FRAME_MS).steps).toBeGreaterThan(100);
  });

  it('the newest step counts, and is done when the drag ends', () => {
    const display = createDisplay();
    const pace = createDragPace(display.requestFrame);
    const [old, newest] = [vi.fn(), vi.fn()];
    pace.step(old);
    pace.step(newest);
    pace.flush();
    pace.flush();
    expect(old).not.toHaveBeenCalled();
    expect(newest).toHaveBeenCalledTimes(1);
  });

  it('stops watching frames when nothing is dragged', () => {
    const display = createDisplay();
    const pace = createDragPace(display.requestFrame);
    pace.step(() => undefined);
    for (let i = 0; i < 60; i++) display.pass(FRAME_MS);
    expect(display.isAsked()).toBe(false);
  });
});
