import { describe, expect, it } from 'vitest';
import { createViewStore, DEFAULT_SPEED_NS_PER_SEC, SPEEDS_NS_PER_SEC } from './viewStore.ts';

describe('viewStore', () => {
  it('starts paused at t = 0, at a speed that it offers', () => {
    const { isPlaying, cursor } = createViewStore().getState();
    expect(isPlaying).toBe(false);
    expect(cursor).toEqual({ timeNs: 0, row: -1 });
    expect(SPEEDS_NS_PER_SEC).toContain(DEFAULT_SPEED_NS_PER_SEC);
  });

  it('a step stops playing, a seek does not', () => {
    const view = createViewStore({ isPlaying: true });
    view.seek({ timeNs: 5, row: 1 });
    expect(view.getState().isPlaying).toBe(true);
    view.stopAt({ timeNs: 6, row: 2 });
    expect(view.getState()).toMatchObject({ isPlaying: false, cursor: { timeNs: 6, row: 2 } });
  });

  it('reset goes to the start and never plays', () => {
    const view = createViewStore({ isPlaying: true, cursor: { timeNs: 9, row: 3 } });
    view.reset();
    expect(view.getState()).toMatchObject({ isPlaying: false, cursor: { timeNs: 0, row: -1 } });
  });

  it('another scenario keeps theme, speed and panels', () => {
    const view = createViewStore({
      theme: 'light',
      speedNsPerSec: 20_000,
      selection: { of: 'gp', index: 7 },
    });
    view.togglePanel('why');
    view.forgetRun();
    expect(view.getState()).toMatchObject({ theme: 'light', speedNsPerSec: 20_000, hiddenPanels: ['why'] });
    expect(view.getState().selection).toBeUndefined();
  });

  it('panels are hidden, shown, made full and small again', () => {
    const view = createViewStore();
    view.togglePanel('why');
    view.togglePanel('latency');
    view.togglePanel('why');
    expect(view.getState().hiddenPanels).toEqual(['latency']);
    view.toggleFullPanel('phases');
    view.toggleFullPanel('counters');
    expect(view.getState().fullPanel).toBe('counters');
    view.toggleFullPanel('counters');
    expect(view.getState().fullPanel).toBeUndefined();
  });
});
