import { describe, expect, it } from 'vitest';
import { typed } from '../panelData.testkit.ts';
import { LANE_CELLS, MAX_CPUS, objectsPerCell, overviewView } from './overview.ts';
import { makeBatch, makeKrc, makeKvfreeState } from './state.testkit.ts';

describe('scale of the cells', () => {
  it('is a part of a block, a block, or several, and everything fits', () => {
    expect([1, 8, 9, 100, 4056, 4057, 40_000].map((most) => objectsPerCell(most, 507))).toEqual([
      1, 1, 2, 20, 507, 1014, 5070,
    ]);
    expect(objectsPerCell(1000, 0)).toBe(200);
    for (let most = 1; most < 200_000; most += 997)
      expect(objectsPerCell(most, 507) * LANE_CELLS).toBeGreaterThanOrEqual(most);
  });
});

describe('all CPUs', () => {
  it('have a lane of what is queued and one of each batch, with its state', () => {
    const batch = makeBatch({ objects: 2028 });
    const busy = makeKrc({
      ...{ cpu: 3, objects: 4056 },
      krw: [
        { index: 0, state: 'waiting', batch, reclaim: undefined },
        { index: 1, state: 'empty', batch: undefined, reclaim: undefined },
      ],
    });
    const state = makeKvfreeState([busy], { queued: 4056, waiting: 2028 });
    const view = overviewView(state);
    expect(typed(view.summary)).toBe('4 056 objects queued, 2 028 waiting, 0 being freed on 1 CPU');
    expect(view.scaleText).toBe('a block of 507');
    expect(view.cells[0]?.lanes).toEqual([
      { id: 'queue', fill: 1, sign: '' },
      { id: 'krw0', fill: 0.5, sign: 'w' },
      { id: 'krw1', fill: 0, sign: '' },
    ]);
    expect(typed(view.cells[0]?.text ?? '')).toBe(
      'CPU 3: 4 056 objects queued; batch 0 waits for a grace period, 2 028; batch 1 empty, 0; monitor in 3 jiffies',
    );
    expect(typed(view.cells[0]?.monitor ?? '')).toBe('3 j');
  });

  it('are counted where there are too many', () => {
    const krcs = Array.from({ length: MAX_CPUS + 2 }, (_, cpu) => makeKrc({ cpu }));
    const view = overviewView(makeKvfreeState(krcs));
    expect([view.cells.length, view.moreCpus, view.summary]).toEqual([
      MAX_CPUS,
      2,
      'nothing waits to be freed',
    ]);
  });

  it('name the parts of the memory that there are, and what was freed without waiting', () => {
    const memory = {
      ...{ queued: 1_000_000, blocks: 40_960, waiting: 0 },
      ...{ freeing: 0, leaked: 0, retained: 0, total: 1_040_960 },
    };
    const view = overviewView(makeKvfreeState([makeKrc()], { memory, freedWithoutWaiting: 1014 }));
    expect(view.memory.map(({ name, text }) => typed(`${name} ${text}`))).toEqual([
      'queued 1 MB',
      'pages of blocks 41.0 kB',
    ]);
    expect(typed(view.withoutWaiting ?? '')).toBe(
      '1 014 objects freed without waiting: snapshot already elapsed',
    );
  });

  it('of a kernel without batches wait as callbacks', () => {
    const state = makeKvfreeState([makeKrc()], { isBatching: false, records: 0, waiting: 12 });
    expect(overviewView(state).summary).toBe('12 objects wait as callbacks of their own on 1 CPU');
  });
});
