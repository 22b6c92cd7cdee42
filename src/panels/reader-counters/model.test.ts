import { describe, expect, it } from 'vitest';
import { makeInfo, makeReader, makeState, typed } from '../panelData.testkit.ts';
import { countersView } from './model.ts';

const worker = { state: 'sleeping', sinceNs: 9e6, row: 95, delay: 1, untilJiffy: 4, untilNs: 16e6 } as const;

describe('reader counters', () => {
  it('names the scanned index "being drained" and the current one "new readers"', () => {
    const view = countersView(makeState({ lockSum: [7, 12], unlockSum: [5, 11] }), makeInfo('v6.12'));
    expect(view.indexes).toEqual([
      { idx: 0, role: 'new readers', lock: 7, unlock: 5, active: 2 },
      { idx: 1, role: 'being drained', lock: 12, unlock: 11, active: 1 },
    ]);
    const idle = countersView(makeState({ phase: 'IDLE', scannedIdx: -1 }), makeInfo('v6.12'));
    expect(idle.indexes.map(({ role }) => role)).toEqual(['new readers', 'old readers']);
  });

  it('lists every CPU of a small machine, a negative count included', () => {
    const state = makeState();
    state.lock[2 * 1 + 1] = 3;
    state.unlock[2 * 2 + 1] = 1;
    const view = countersView(state, makeInfo('v6.12'));
    expect(view.rows.map(({ counts }) => counts)).toEqual([
      [0, 0],
      [0, 3],
      [0, -1],
      [0, 0],
    ]);
    expect([view.full, view.omitted]).toEqual([3, '']);
  });

  it('of 4 096 CPUs lists those that count something', () => {
    const state = makeState({}, 4096);
    state.lock[2 * 4095] = 9;
    state.lock[2 * 17 + 1] = 5;
    state.unlock[2 * 17 + 1] = 4;
    state.lock[2 * 30] = 6;
    state.unlock[2 * 30] = 6;
    const view = countersView(state, makeInfo('v6.12', 4096));
    expect(view.rows).toEqual([
      { cpu: 17, counts: [0, 1] },
      { cpu: 4095, counts: [9, 0] },
    ]);
    expect([view.full, typed(view.omitted)]).toEqual([9, '4 094 CPUs with both counts at zero not listed']);
  });

  it('of too many CPUs with readers shows those that hold the scan up before the others', () => {
    const state = makeState({}, 4096);
    for (let cpu = 0; cpu < 1000; cpu++) state.lock[2 * cpu] = 1;
    for (let cpu = 3000; cpu < 3100; cpu++) state.lock[2 * cpu + 1] = 1;
    const view = countersView(state, makeInfo('v6.12', 4096));
    expect(view.rows).toHaveLength(128);
    expect(view.rows.filter(({ counts }) => counts[1] === 1)).toHaveLength(100);
    expect(typed(view.omitted)).toBe(
      '972 CPUs with readers and 2 996 CPUs with both counts at zero not listed',
    );
  });

  it('lists the first of very many readers and counts the rest', () => {
    const readers = Array.from({ length: 100 }, (_, row) => makeReader({ row }));
    const view = countersView(makeState({ readers }), makeInfo('v6.12'));
    expect([view.readers.length, view.moreReaders]).toEqual([64, 36]);
  });

  it('puts those waited for first, the oldest on top, and knows the requester’s own section', () => {
    const readers = [
      makeReader({ row: 1, waitedFor: false, sinceNs: 1e6 }),
      makeReader({ row: 2, thread: 4, cpu: 0, own: true, sinceNs: 9_500_000 }),
      makeReader({ row: 3 }),
    ];
    const view = countersView(makeState({ readers, worker }), makeInfo('v6.12'));
    expect(view.readers.map(({ row }) => row)).toEqual([3, 2, 1]);
    expect(view.readers[1]).toMatchObject({ name: 'updater/0', isOwn: true, isWaitedFor: true });
    expect(typed(view.readers[0]?.sinceText ?? '')).toBe('2 ms');
    expect(view.verdict).toBe('2 readers left on CPU 0, 1: process_srcu sleeps until tick 4.');
  });

  it('sees the waste: nobody left, but the worker sleeps on', () => {
    const view = countersView(makeState({ worker }), makeInfo('v6.12'));
    expect(typed(view.verdict)).toBe(
      'Nobody is left on idx 1. process_srcu sees it only at tick 4, in 6 ms.',
    );
    expect(view.verdictTone).toBe('sleep');
  });
});
