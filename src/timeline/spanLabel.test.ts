import { describe, expect, it } from 'vitest';
import { SPAN_CLASS } from '../analysis/laneTypes.ts';
import { spanLabel } from './spanLabel.ts';

describe('labels', () => {
  it('use the longest wording that fits, and none where nothing fits', () => {
    const source = { laneKind: 'gp', cls: SPAN_CLASS.gpScan1, value: 1_418, name: 'srcu' } as const;
    expect([40, 14, 8, 3, 0].map((room) => spanLabel(source, room))).toEqual([
      'GP 1\u202f418 SCAN1',
      'GP 1\u202f418 SCAN1',
      'SCAN1',
      '1',
      '',
    ]);
  });

  it('name the thread on CPUs and the number on the lane of calls', () => {
    const call = { cls: SPAN_CLASS.call, value: 0, name: 'updater/0' };
    expect(spanLabel({ ...call, laneKind: 'cpu' }, 40)).toBe('updater/0');
    expect(spanLabel({ ...call, laneKind: 'calls' }, 40)).toBe('call 0');
  });

  it('count with the right noun', () => {
    const sleep = { laneKind: 'worker', cls: SPAN_CLASS.sleepHeld, name: '' } as const;
    expect(spanLabel({ ...sleep, value: 1 }, 40)).toBe('sleeps 1 jiffy');
    expect(spanLabel({ ...sleep, value: 3 }, 40)).toBe('sleeps 3 jiffies');
    expect(spanLabel({ laneKind: 'worker', cls: SPAN_CLASS.poll, name: '', value: 1 }, 40)).toBe('1 pass');
  });
});
