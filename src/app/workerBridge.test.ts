import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scenarioSource } from '../scenarios/registry.ts';
import type { EngineClient, RunReply } from '../worker/engineClient.ts';
import { createStores } from './session.ts';
import { runOnChange } from './workerBridge.ts';

/** A client whose runs are finished by hand. */
function createHand() {
  const orders: Parameters<EngineClient['run']>[0][] = [];
  const settle: ((reply: RunReply | undefined) => void)[] = [];
  const client: EngineClient = {
    run: (order) => {
      orders.push(order);
      return new Promise((resolve) => settle.push(resolve));
    },
    ask: () => Promise.resolve(undefined),
    cancel: () => undefined,
  };
  return { client, orders, settle };
}

const reply = { type: 'ran', id: 1 } as RunReply;

describe('runOnChange', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => setTimeout(frame, 16));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  function open(scenario = 'boot-storm:row-200') {
    const stores = createStores(scenarioSource, { scenario, overrides: {} }, {});
    const hand = createHand();
    const onRan = vi.fn();
    stores.timelineData.setState({ widthPx: 1000 });
    const rerun = runOnChange(stores, hand.client, onRan);
    return { ...hand, stores, onRan, rerun };
  }
  const frame = () => vi.advanceTimersByTimeAsync(20);

  it('opens the scenario where it says', async () => {
    const { orders, settle, onRan } = open();
    await frame();
    expect(orders[0]).toMatchObject({
      view: { fit: 'firstSleep', widthPx: 1000 },
      rows: { at: 'firstSleep' },
      explain: 'firstSleep',
    });
    settle[0]?.(reply);
    await frame();
    expect(onRan).toHaveBeenCalledWith(expect.objectContaining({ ran: reply, isFirst: true }));
  });

  it('explains what the scenario is about', async () => {
    const { orders } = open('probe-detach');
    await frame();
    expect(orders[0]).toMatchObject({ rows: { at: 'firstGp' }, explain: 'firstTasks' });
  });

  it('several changes in a frame are one run, of the newest', async () => {
    const { orders, settle, stores } = open();
    await frame();
    settle[0]?.(reply);
    await frame();
    for (const hz of [100, 300, 1000]) stores.config.dragValue(['hz'], hz);
    await frame();
    expect(orders.map(({ config }) => config.hz)).toEqual([250, 1000]);
  });

  it('while a run is under way the newest change waits for it', async () => {
    const { orders, settle, stores } = open();
    await frame();
    stores.config.dragValue(['hz'], 300);
    await frame();
    stores.config.dragValue(['hz'], 1000);
    await frame();
    expect(orders).toHaveLength(1);
    settle[0]?.(reply);
    await frame();
    expect(orders.map(({ config }) => config.hz)).toEqual([250, 1000]);
  });

  it('a run that takes long gives way, and its answer is not taken', async () => {
    const { orders, settle, stores, onRan } = open();
    await frame();
    stores.config.setValue(['hz'], 1000);
    await vi.advanceTimersByTimeAsync(500);
    expect(orders).toHaveLength(2);
    settle[0]?.(undefined);
    settle[1]?.(reply);
    await frame();
    expect(onRan).toHaveBeenCalledTimes(1);
  });

  it('a run that was cancelled is no failure, and runs again on request or after a change', async () => {
    const { orders, settle, stores, rerun } = open();
    await frame();
    settle[0]?.(undefined);
    await frame();
    expect(stores.run.getState()).toMatchObject({ status: 'cancelled', error: undefined });
    rerun();
    await frame();
    expect(orders).toHaveLength(2);
    expect(stores.run.getState().status).toBe('running');
    settle[1]?.(undefined);
    await frame();
    stores.config.setValue(['hz'], 1000);
    expect(stores.run.getState().status).toBe('running');
    await frame();
    expect(orders).toHaveLength(3);
  });

  it('a change that cannot be run starts nothing', async () => {
    const { orders, stores } = open();
    await frame();
    stores.config.setValue(['hz'], 5);
    await vi.advanceTimersByTimeAsync(500);
    expect(orders).toHaveLength(1);
    expect(stores.setup.getState().problems).toHaveLength(1);
  });
});
