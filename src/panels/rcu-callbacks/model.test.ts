import { describe, expect, it } from 'vitest';
import { makeInfo, typed } from '../panelData.testkit.ts';
import { makeRcuState } from '../rcuState.testkit.ts';
import { rcuCallbacksView } from './model.ts';

const LIST = {
  cpu: 0,
  isOffloaded: false,
  done: 0,
  wait: 0,
  nextReady: 0,
  next: 0,
  waitSeq: -1196,
  nextReadySeq: -1192,
  bypass: 0,
  lazy: 0,
  invoking: 0,
  len: 0,
  row: 91,
};

describe('callback lists of Tree RCU', () => {
  it('names the grace period that each segment waits for', () => {
    const state = makeRcuState({
      callbacks: [{ ...LIST, done: 4, wait: 21, nextReady: 2, next: 6, len: 33 }],
    });
    const view = rcuCallbacksView(state, makeInfo('v6.12'));
    expect(view.summary).toBe('33 callbacks on 1 CPU');
    expect(view.lists[0]?.segments.map(({ name, count, text }) => [name, count, typed(text)])).toEqual([
      ['DONE', 4, 'ready to be invoked'],
      ['WAIT', 21, 'ready at the end of grace period -300'],
      ['NEXT_READY', 2, 'ready at the end of grace period -299'],
      ['NEXT', 6, 'no number yet'],
    ]);
  });

  it('counts a lazy callback once, and says who waits', () => {
    const state = makeRcuState({
      callbacks: [{ ...LIST, isOffloaded: true, bypass: 3, lazy: 2, len: 3 }],
      callers: [
        {
          thread: 4,
          api: 'synchronize_rcu',
          number: 7,
          sinceNs: 6_000_000,
          row: 60,
          waitsFor: 'gp',
          cpu: 0,
          target: -1196,
        },
      ],
    });
    const view = rcuCallbacksView(state, makeInfo('v6.12'));
    expect(view.lists[0]?.title).toBe('CPU 0, offloaded');
    expect(view.lists[0]?.segments.map(({ id, count }) => [id, count])).toEqual([
      ['bypass', 1],
      ['lazy', 2],
    ]);
    expect(view.waiters.map(({ text, age }) => [text, typed(age)])).toEqual([
      ['updater/0 waits in synchronize_rcu(): a grace period', '4 ms'],
    ]);
  });
});
