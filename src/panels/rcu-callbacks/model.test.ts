import { describe, expect, it } from 'vitest';
import type { RcuStateAt } from '../../analysis/rcuStateTypes.ts';
import { makeInfo, typed } from '../panelData.testkit.ts';
import { makeRcuState } from '../rcuState.testkit.ts';
import { rcuCallbacksView, type Shown } from './model.ts';

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
          segment: 'wait',
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
      [
        'updater/0 on CPU 0 waits in synchronize_rcu(): its callback is in WAIT on CPU 0, for grace period -300',
        '4 ms',
      ],
    ]);
  });

  it('says of each waiter where its callback is, or what it waits for without one', () => {
    const caller = { thread: 4, api: 'synchronize_rcu', number: 7, sinceNs: 6_000_000, row: 60 } as const;
    const none = { ...caller, cpu: -1, segment: undefined };
    const of = (one: RcuStateAt['callers'][number]) => {
      const view = rcuCallbacksView(makeRcuState({ callers: [one] }), makeInfo('v6.12'));
      return view.waiters[0]?.text.split('(): ')[1];
    };
    const target = Number.NaN;
    expect(of({ ...caller, cpu: 3, segment: 'next', waitsFor: 'number', target })).toBe(
      'its callback is in NEXT on CPU 3, without a number yet',
    );
    expect(of({ ...caller, cpu: 3, segment: 'done', waitsFor: 'callback', target })).toBe(
      'its callback is in DONE on CPU 3, its grace period is over',
    );
    expect(of({ ...none, cpu: 3, waitsFor: 'callback', target })).toBe(
      'its callback has run, it is being woken',
    );
    expect(of({ ...none, waitsFor: 'expedited', target: 8 })).toBe('an expedited grace period, s 8');
    expect(of({ ...none, waitsFor: 'srNormal', target })).toBe(
      'on the sr_normal list, for the next grace period',
    );
    expect(of({ ...none, waitsFor: 'srNormal', target: -1196 })).toBe(
      'on the sr_normal list, for grace period -300',
    );
  });

  it('has a way to every list: the first six, all, or that of one CPU with its waiters', () => {
    const callbacks = Array.from({ length: 8 }, (_, cpu) => ({ ...LIST, cpu, next: 1, len: 1 }));
    const callers = callbacks.map(({ cpu }) => ({
      ...({ thread: 4, api: 'synchronize_rcu', number: cpu, sinceNs: 6_000_000, row: 60, cpu } as const),
      ...({ waitsFor: 'number', segment: 'next', target: Number.NaN } as const),
    }));
    const state = makeRcuState({ callbacks, callers }, 8);
    const shown = (what: Shown) => {
      const { lists, moreLists, waiters, moreWaiters } = rcuCallbacksView(state, makeInfo('v6.12'), what);
      return [lists.map(({ cpu }) => cpu), moreLists, waiters.map(({ key }) => key), moreWaiters];
    };
    expect(shown('first')).toEqual([[0, 1, 2, 3, 4, 5], 2, ['4 0', '4 1', '4 2', '4 3', '4 4'], 3]);
    expect(shown('all')).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], 0, callers.map(({ cpu }) => `4 ${cpu}`), 0]);
    expect(shown(7)).toEqual([[7], 0, ['4 7'], 0]);
    const names = (one: RcuStateAt, what: Shown) =>
      rcuCallbacksView(one, makeInfo('v6.12'), what).choices.map(({ name }) => name);
    expect(names(state, 'first').slice(0, 3)).toEqual(['first 6 CPUs', 'all CPUs', 'CPU 0']);
    // nothing to choose on four CPUs, but the way back from a choice
    expect(names(makeRcuState(), 'first')).toEqual([]);
    expect(names(makeRcuState(), 7)).toEqual([
      ...['first 6 CPUs', 'all CPUs', 'CPU 0', 'CPU 1', 'CPU 2', 'CPU 3', 'CPU 7'],
    ]);
  });
});
