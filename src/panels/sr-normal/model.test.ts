import { describe, expect, it } from 'vitest';
import { makeInfo, typed } from '../panelData.testkit.ts';
import { makeRcuState } from '../rcuState.testkit.ts';
import { srNormalView } from './model.ts';

const INFO = makeInfo('v6.12');

describe('sr_normal list', () => {
  it('says that callers wait by a callback where it is not in use', () => {
    const view = srNormalView(makeRcuState(), INFO);
    expect([view.isEnabled, view.facts.length]).toEqual([false, 0]);
    expect(view.lead).toContain('rcu_normal_wake_from_gp is 0');
  });

  it('lists callers newest first with what each waits for', () => {
    const caller = (number: number, segment: 'next' | 'wait') => ({
      thread: 4,
      number,
      sinceNs: 6_000_000 + number,
      row: 60 + number,
      segment,
      gpSeq: Number.NaN,
    });
    const srNormal = {
      isEnabled: true,
      callers: [caller(1, 'next'), caller(0, 'wait')],
      dummies: 1,
      isWorkQueued: false,
    };
    const view = srNormalView(makeRcuState({ srNormal }), INFO);
    expect(view.lead).toBe('2 callers, newest first');
    expect(view.callers.map(({ row, text }) => [row, text])).toEqual([
      [61, 'updater/0: waits for the next grace period to take it'],
      [60, 'updater/0: the running grace period is for it'],
    ]);
    expect(typed(view.callers[1]?.age ?? '')).toBe('4 ms');
    expect(view.facts[0]?.text).toBe('1 of 5 in use');
  });
});
