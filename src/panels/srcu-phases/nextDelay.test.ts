import { describe, expect, it } from 'vitest';
import type { SrcuStateAt } from '../../analysis/stateTypes.ts';
import { PROFILES, type ProfileId } from '../../engine/profiles/profiles.ts';
import { makeState } from '../panelData.testkit.ts';
import { delayIfReaderFound } from './nextDelay.ts';

function delay(kernel: ProfileId, changes: Partial<SrcuStateAt>) {
  const rules = PROFILES.find(({ id }) => id === kernel)?.rules;
  if (rules === undefined) throw new Error(kernel);
  return delayIfReaderFound(makeState(changes), rules);
}

describe('the delay if a reader is found', () => {
  it('5.18 polls for ever when expedited and sleeps one jiffy when not', () => {
    const endless = { phaseLimit: Number.POSITIVE_INFINITY, jiffyLimit: Number.POSITIVE_INFINITY };
    expect(delay('v5.18', { ...endless, ageJiffies: 500, nExpNodelay: 1e6 }).delay).toBe(0);
    expect(delay('v5.18', { ...endless, expedited: false, ageJiffies: 500 }).delay).toBe(1);
  });

  it.each([
    ['v5.19-rc1', 0, 0],
    ['v5.19-rc1', 1, 1],
    ['v5.19-rc1', 4, 4],
    ['v6.12', 1, 0],
    ['v6.12', 2, 1],
    ['v6.12', 8, 7],
    ['v6.12', 40, 10],
  ] as const)('%s at an age of %d jiffies: %d', (kernel, ageJiffies, expected) => {
    expect(delay(kernel, { ageJiffies }).delay).toBe(expected);
  });

  it('a grace period that is not expedited pays one more, up to ten', () => {
    expect(delay('v6.12', { expedited: false }).delay).toBe(1);
    expect(delay('v5.19-rc1', { expedited: false, ageJiffies: 5 }).delay).toBe(6);
    expect(delay('v6.12', { expedited: false, ageJiffies: 30 }).delay).toBe(10);
  });

  it('counts a whole pass against the phase limit: 2 counts since the patch, 3 or 4 before', () => {
    const used = 'srcu_max_nodelay_phase is used up';
    expect(delay('v6.12', { nExpNodelay: 198 })).toEqual({ delay: 0, reason: '' });
    expect(delay('v6.12', { nExpNodelay: 199 })).toEqual({ delay: 1, reason: used });
    expect(delay('v5.19-640a', { nExpNodelay: 196 }).delay).toBe(0);
    expect(delay('v5.19-640a', { nExpNodelay: 197 }).delay).toBe(1);
    expect(delay('v5.19-640a', { nExpNodelay: 197, phase: 'SCAN1' }).delay).toBe(0);
    expect(delay('v5.19-640a', { nExpNodelay: 198, phase: 'SCAN1' }).delay).toBe(1);
  });

  it('counts this requeue against the limit of the jiffy, but never the first of a new one', () => {
    const count = { rescheduleCount: 100, jiffyLimit: 100 };
    expect(delay('v6.12', { ...count, rescheduleCount: 99 }).delay).toBe(0);
    expect(delay('v6.12', count)).toEqual({ delay: 1, reason: 'srcu_max_nodelay is used up' });
    expect(delay('v6.12', { ...count, rescheduleJiffies: 1 }).delay).toBe(0);
  });
});
