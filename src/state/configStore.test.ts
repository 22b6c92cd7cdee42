import { describe, expect, it } from 'vitest';
import { type Choice, type ConfigPath, countChanges, createConfigStore, overrideAt } from './configStore.ts';

const phase: ConfigPath = ['params', 'srcutree.srcu_max_nodelay_phase'];
const row200: Choice = { scenario: 'boot-storm:row-200', overrides: {} };

/** A scenario whose HZ is 250 and whose phase limit is 200. */
function createStore() {
  return createConfigStore(row200, (_, path) =>
    path[0] === 'hz' ? 250 : path[1] === phase[1] ? 200 : undefined,
  );
}

describe('configStore', () => {
  it('keeps only what differs from the scenario', () => {
    const store = createStore();
    store.setValue(['hz'], 1000);
    store.setValue(phase, 300);
    expect(store.getState().overrides).toEqual({
      hz: 1000,
      params: { 'srcutree.srcu_max_nodelay_phase': 300 },
    });
    expect(countChanges(store.getState().overrides)).toBe(2);
    store.setValue(phase, 200);
    store.setValue(['hz'], 250);
    expect(store.getState().overrides).toEqual({});
  });

  it('a drag is one step to undo, and its release writes it', () => {
    const store = createStore();
    for (const value of [210, 220, 230]) store.dragValue(phase, value);
    expect(overrideAt(store.getState().overrides, phase)).toBe(230);
    expect(store.getState().past).toHaveLength(0);
    store.release();
    expect(store.getState().past).toEqual([row200]);
    store.undo();
    expect(store.getState().overrides).toEqual({});
    store.redo();
    expect(overrideAt(store.getState().overrides, phase)).toBe(230);
  });

  it('a drag that ends where it began leaves no step', () => {
    const store = createStore();
    store.dragValue(phase, 500);
    store.dragValue(phase, 200);
    store.release();
    expect(store.getState()).toMatchObject({ past: [], beforeDrag: undefined, overrides: {} });
  });

  it('after a drag, undo goes back behind it, then behind the change before it', () => {
    const store = createStore();
    store.setValue(['hz'], 1000);
    store.dragValue(phase, 500);
    store.release();
    store.undo();
    expect(store.getState().overrides).toEqual({ hz: 1000 });
    store.undo();
    expect(store.getState().overrides).toEqual({});
    store.undo();
    expect(store.getState().past).toHaveLength(0);
  });

  it('a new change forgets what could be redone', () => {
    const store = createStore();
    store.setValue(['hz'], 1000);
    store.undo();
    store.setValue(['hz'], 100);
    store.redo();
    expect(store.getState()).toMatchObject({ overrides: { hz: 100 }, future: [] });
  });

  it('what changes nothing is no step', () => {
    const store = createStore();
    store.setValue(['hz'], 250);
    store.choose({ ...row200 });
    store.resetAll();
    expect(store.getState().past).toHaveLength(0);
  });

  it('choosing a scenario, pasted values and reset are one step each', () => {
    const store = createStore();
    store.setValues([
      [phase, 1000],
      [['hz'], 300],
    ]);
    expect(store.getState().past).toHaveLength(1);
    store.choose({ scenario: 'one-reader', overrides: {} });
    expect(store.getState()).toMatchObject({ scenario: 'one-reader', overrides: {} });
    store.undo();
    store.resetAll();
    expect(store.getState()).toMatchObject({ scenario: 'boot-storm:row-200', overrides: {} });
    expect(store.getState().past).toHaveLength(2);
  });

  it('remembers at most 200 steps', () => {
    const store = createStore();
    for (let hz = 24; hz < 324; hz++) store.setValue(['hz'], hz === 250 ? 1200 : hz);
    expect(store.getState().past).toHaveLength(200);
  });
});
