import { describe, expect, it } from 'vitest';
import { makeCallback, makeState, typed } from '../panelData.testkit.ts';
import { callbacksView } from './model.ts';

describe('callbacks', () => {
  it('lists CPU by CPU, and draws equal neighbours as one line', () => {
    const callbacks = [
      makeCallback({ cpu: 3, row: 99 }),
      makeCallback({ id: 2, row: 92, target: 24, ready: true, kind: 0 }),
      makeCallback({ id: 3, row: 93 }),
      makeCallback({ id: 4, row: 94 }),
      makeCallback({ id: 5, row: 95, target: 32, kind: 2 }),
    ];
    const view = callbacksView(makeState({ callbacks }));
    expect(view.lists.map(({ cpu, count }) => [cpu, count])).toEqual([
      [0, 4],
      [3, 1],
    ]);
    expect(view.lists[0]?.groups.map(({ row, count, purpose, text }) => [row, count, purpose, text])).toEqual(
      [
        [92, 1, 'wakes its caller', 'ready: waits for its timer or its turn'],
        [93, 2, 'call_srcu', 'waits for grace period 7, which runs'],
        [95, 1, 'srcu_barrier', 'waits for grace period 8, not started'],
      ],
    );
    expect(view.summary).toBe('5 callbacks pending, 1 ready');
    expect(typed(view.lists[0]?.groups[0]?.ageText ?? '')).toBe('1 ms');
  });

  it('between grace periods none runs', () => {
    const state = makeState({ phase: 'IDLE', gpSeq: 24, callbacks: [makeCallback()] });
    expect(callbacksView(state).lists[0]?.groups[0]?.text).toBe('waits for grace period 7, not started');
  });

  it.each([
    [0, 'SMALL: callbacks join the list of the boot CPU'],
    [2, 'WAIT_BARRIER: callbacks join the list of the boot CPU'],
    [3, 'WAIT_CALL: callbacks join the list of their caller’s CPU'],
    [8, 'BIG: callbacks join the list of their caller’s CPU'],
    [-1, 'no size state in this kernel: callbacks join their caller’s CPU'],
  ])('size state %d: %s', (sizeState, text) => {
    expect(callbacksView(makeState({ sizeState })).sizeText).toBe(text);
  });
});
