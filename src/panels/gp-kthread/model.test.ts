import { describe, expect, it } from 'vitest';
import { typed } from '../panelData.testkit.ts';
import { makeRcuState } from '../rcuState.testkit.ts';
import { kthreadView } from './model.ts';

describe('grace-period kthread', () => {
  it('says what it waits for and how much of the wait is over', () => {
    const view = kthreadView(makeRcuState());
    expect(view.boxes.filter(({ isActive }) => isActive).map(({ name }) => name)).toEqual(['WAIT_FQS']);
    expect(view.waited).toBe(0.25);
    expect(view.waitText).toBe('first scan in 2 jiffies, at jiffy 4');
    expect(typed(view.facts[0]?.text ?? '')).toBe('-1199 = 4 × -300 + 1, running');
  });

  it('waits for nothing between grace periods', () => {
    const { kthread } = makeRcuState();
    const view = kthreadView(
      makeRcuState({
        gpSeq: -1196,
        isRunning: false,
        kthread: { ...kthread, gpState: 'WAIT_GPS', wait: undefined },
      }),
    );
    expect([view.waited, view.waitText, view.doing]).toEqual([
      undefined,
      '',
      'sleeps until somebody asks for a grace period',
    ]);
    expect(view.facts.find(({ name }) => name === 'next')?.text).toBe('nobody has asked');
  });
});
