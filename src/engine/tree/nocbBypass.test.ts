/** The bypass list of an offloaded CPU, and too many callbacks there (tree R3.9). */
import { describe, expect, it } from 'vitest';
import { KIND, RCU_SEGCB } from '../core/eventKinds.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { nocbReasons, nocbWakes, rcuUpdater, runOffloaded } from './nocb.testkit.ts';
import { unpackSegcb } from './segcbCode.ts';

const MS = 1_000_000;
const LIMIT = 4;
const params = { 'rcutree.nocb_nobypass_lim_per_jiffy': LIMIT };

describe('more callbacks in a jiffy than nocb_nobypass_lim_per_jiffy', () => {
  const burst = rcuUpdater('call_rcu', { cpu: 1, batch: 10, start: MS });

  it('are put on the bypass list', () => {
    const { log } = runOffloaded({ actors: [burst], params });
    expect(rowsOf(log, KIND.rcu_callback).map(({ c }) => c)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const queued = rowsOf(log, KIND.rcu_segcb_stats).filter(({ a }) => a % 16 === RCU_SEGCB.SegCBQueued);
    expect(queued.map(({ b, c, d }) => unpackSegcb(b, c, d).next)).toEqual([1, 2, 3, 4]);
    const reasons = nocbReasons(log).slice(0, 9);
    expect(reasons).toEqual([
      'FirstQ',
      'DoWake',
      'WakeEmpty',
      'WakeNot',
      'WakeNot',
      'WakeNot',
      'FirstBQ',
      'FirstBQnoWake',
      'EndSleep',
    ]);
  });

  it('stay there until it is more than a jiffy old, then wait for a grace period of their own', () => {
    const { log } = runOffloaded({ actors: [burst], params });
    const at = (reason: string) =>
      nocbWakes(log)
        .filter((row) => row.reason === reason)
        .map(({ timeNs }) => timeNs / MS);
    expect(at('Bypass')).toEqual([1]);
    expect(at('WakeBypassIsDeferred')).toEqual([1]);
    // armed in jiffy 0 for jiffy 2, so it would fire at jiffy 3: the grace period (to 8 ms, jiffy 2) ends before
    expect(at('Timer')).toEqual([]);
    const invoked = rowsOf(log, KIND.rcu_invoke_callback).map(({ timeNs }) => timeNs / MS);
    expect(invoked).toEqual([8, 8, 8, 8, 16, 16, 16, 16, 16, 16]);
    // in the order in which they were queued (V8)
    expect(rowsOf(log, KIND.rcu_invoke_callback).map(({ a }) => a)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('a timer wakes rcuog for them where no grace period does', () => {
    // the readers of CPU 2 hold the grace period up
    const hold = { cpu: 2, hold: 100 * MS, idle: 1e12, domain: 'rcu', start: 0 } as const;
    const reader = {
      kind: 'reader',
      count: 1,
      stagger: 0,
      holdMode: 'spin',
      idleMode: 'sleep',
      incDelay: 0,
      ...hold,
    } as const;
    const { log } = runOffloaded({ actors: [reader, burst], params });
    const timer = nocbWakes(log).find(({ reason }) => reason === 'Timer');
    expect(timer?.timeNs).toBe(12 * MS);
    const woken = nocbWakes(log).filter(({ timeNs }) => timeNs === 12 * MS);
    expect(woken.map(({ reason }) => reason).slice(0, 3)).toEqual(['Timer', 'DoWake', 'DeferredWake']);
  });

  it('the next one in a later jiffy takes the list along', () => {
    const next = rcuUpdater('call_rcu', { cpu: 1, start: 5 * MS });
    const { log } = runOffloaded({ actors: [burst, next], params });
    // 10 were 6 beyond the limit: it is still used up, so this one goes to the list of the earlier jiffy too
    const stats = rowsOf(log, KIND.rcu_segcb_stats).filter(({ timeNs }) => timeNs >= 5 * MS);
    expect(stats[0]?.timeNs).toBe(8 * MS);
    expect(unpackSegcb(stats[0]?.b ?? 0, stats[0]?.c ?? 0, stats[0]?.d ?? 0)).toMatchObject({
      done: LIMIT,
      next: 7,
    });
    const later = nocbWakes(log).filter(({ timeNs }) => timeNs === 5 * MS);
    expect(later.map(({ reason }) => reason)).toEqual(['WakeNot']);
  });

  it('after a quiet jiffy one goes to the segmented list, behind those of the bypass list', () => {
    const few = rcuUpdater('call_rcu', { cpu: 1, batch: LIMIT + 1, start: MS });
    const next = rcuUpdater('call_rcu', { cpu: 1, start: 5 * MS });
    const { log } = runOffloaded({ actors: [few, next], params });
    const queued = rowsOf(log, KIND.rcu_segcb_stats).find(({ timeNs }) => timeNs === 5 * MS);
    expect(queued?.a).toBe(RCU_SEGCB.SegCBQueued + 16);
    expect(unpackSegcb(queued?.b ?? 0, queued?.c ?? 0, queued?.d ?? 0)).toMatchObject({
      wait: LIMIT,
      next: 2,
    });
  });

  it('a list of qhimark moves on at once', () => {
    const flood = rcuUpdater('call_rcu', { cpu: 1, batch: LIMIT + 7, start: MS });
    const { log } = runOffloaded({ actors: [flood], params: { ...params, 'rcutree.qhimark': 5 } });
    // 4 direct, 5 on the bypass list; the tenth callback takes them along, the eleventh begins a new list
    const reasons = nocbReasons(log);
    expect(reasons.filter((reason) => reason === 'FirstBQ')).toHaveLength(2);
    expect(rowsOf(log, KIND.rcu_invoke_callback).map(({ a }) => a)).toEqual([...Array(LIMIT + 7).keys()]);
  });
});

describe('more than qhimark callbacks since rcuog was woken', () => {
  it('wake it again, later', () => {
    const actors = [rcuUpdater('call_rcu', { cpu: 1, batch: 12, start: MS })];
    const { log } = runOffloaded({ actors, params: { 'rcutree.qhimark': 10 } });
    const wakes = nocbWakes(log);
    const deferred = wakes.filter(({ reason }) => reason === 'WakeOvfIsDeferred');
    expect(deferred.map(({ timeNs }) => timeNs)).toEqual([MS]);
    // rcuog looks after the last of them and forgets it
    expect(wakes.some(({ reason }) => reason === 'DeferredWake')).toBe(false);
  });

  it.each([
    ['in rcu_core() of its CPU', [1], 2, 4, false],
    // what it does at 5 ms lets it report at 8 ms
    ['by a timer where there is no rcu_core() before', [1, 5], 10, 16, true],
  ])('%s, out of its wait for a grace period', (_where, firstMs, queuedMs, wokenMs, isTimer) => {
    const actors = [
      ...firstMs.map((ms) => rcuUpdater('call_rcu', { cpu: 1, start: ms * MS })),
      rcuUpdater('call_rcu', { cpu: 1, batch: 12, start: queuedMs * MS }),
    ];
    const params = { 'rcutree.qhimark': 10, rcu_nocbs: '1', 'rcutree.jiffies_till_first_fqs': 5 };
    const { log } = runOffloaded({ actors, params });
    const at = (reason: string) =>
      nocbWakes(log)
        .filter((row) => row.reason === reason)
        .map(({ timeNs }) => timeNs / MS);
    expect(at('WakeOvfIsDeferred')).toEqual([queuedMs]);
    expect(at('Timer')).toEqual(isTimer ? [wokenMs] : []);
    expect(at('DeferredWake')).toEqual([wokenMs]);
    // it numbers them then: grace period 1 to 24 ms, the next one to 48 ms
    expect(rowsOf(log, KIND.rcu_invoke_callback).map(({ timeNs }) => timeNs / MS)).toEqual([
      24,
      ...Array(12 + firstMs.length - 1).fill(48),
    ]);
  });
});
