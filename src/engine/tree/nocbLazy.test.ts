/** Lazy callbacks on offloaded CPUs (tree R3.11). */
import { describe, expect, it } from 'vitest';
import type { ReaderActor } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import type { ConfigParts } from '../reference/simConfig.testkit.ts';
import { nocbReasons, nocbWakes, rcuUpdater, runOffloaded } from './nocb.testkit.ts';

const MS = 1_000_000;
const S = 1000 * MS;
const kconfig = { RCU_LAZY: true };
const lazy = rcuUpdater('call_rcu', { cpu: 1, start: MS });

function invokedNs(parts: ConfigParts): number[] {
  return rowsOf(runOffloaded({ kconfig, ...parts }).log, KIND.rcu_invoke_callback).map((row) => row.timeNs);
}

describe('a lazy callback', () => {
  it.each([
    [250, 10.26],
    [1000, 10.51],
  ])('HZ=%i: is flushed after 10.00 to %f s', (hz, most) => {
    const waits: number[] = [];
    for (let startJiffies = 0; startJiffies < 512; startJiffies += 7) {
      const { log } = runOffloaded({ hz, startJiffies, kconfig, actors: [lazy] });
      const timer = nocbWakes(log).find(({ reason }) => reason === 'Timer');
      const waitS = ((timer?.timeNs ?? 0) - MS) / S;
      expect(waitS).toBeGreaterThanOrEqual(10);
      expect(waitS).toBeLessThanOrEqual(most);
      waits.push(waitS);
    }
    // both ends are reached within 8 jiffies
    expect(Math.min(...waits)).toBeLessThan(10 + 8 / hz);
    expect(Math.max(...waits)).toBeGreaterThan(most - 0.01 - 8 / hz);
  });

  it('says so, and waits for a grace period after the flush', () => {
    const { log } = runOffloaded({ kconfig, actors: [lazy] });
    expect(nocbReasons(log)).toEqual([
      ...['FirstBQ', 'FirstBQwake', 'WakeLazy'],
      ...['Timer', 'DoWake', 'DeferredWake', 'EndSleep', 'NeedWaitGP'],
      ...['Sleep', 'CBSleep'],
    ]);
    // 2500 jiffies of 4 ms in units of 64: jiffy 2560; then a whole grace period
    expect(rowsOf(log, KIND.rcu_invoke_callback).map(({ timeNs }) => timeNs)).toEqual([2562 * 4 * MS]);
  });

  it('a lazy one on another CPU of the group has a wait of its own', () => {
    const other = rcuUpdater('call_rcu', { cpu: 2, start: 5 * S });
    const { log } = runOffloaded({ kconfig, actors: [lazy, other] });
    // one timer a group: it is put off, and both are old enough when it fires (5 s: jiffy 1250 + 2500, by 64)
    const timers = nocbWakes(log).filter(({ reason }) => reason === 'Timer');
    expect(timers.map(({ timeNs }) => timeNs)).toEqual([3776 * 4 * MS]);
    expect(rowsOf(log, KIND.rcu_invoke_callback).map(({ c }) => c)).toEqual([1, 2]);
  });

  it('a lazy one on the first CPU of the group makes rcuog look soon: what is deferred is noted there', () => {
    const other = rcuUpdater('call_rcu', { cpu: 0, start: 5 * S });
    const { log } = runOffloaded({ kconfig, actors: [lazy, other] });
    const timers = nocbWakes(log).filter(({ reason }) => reason === 'Timer');
    // 5 s is jiffy 1250: one jiffy fires at 1252; then as above
    expect(timers.map(({ timeNs }) => timeNs)).toEqual([1252 * 4 * MS, 3776 * 4 * MS]);
    expect(nocbReasons(log)).toContain('WakeLazyIsDeferred');
  });

  it('is flushed with one that is not lazy and goes to the bypass list too', () => {
    const sync = rcuUpdater('synchronize_rcu', { cpu: 1, start: 5 * MS });
    const params = { 'rcutree.nocb_nobypass_lim_per_jiffy': 0 };
    // rcuog is woken at 5 ms, looks again 2 jiffies later (jiffy 4, 16 ms), then a grace period
    expect(invokedNs({ actors: [lazy, sync], params })).toEqual([24 * MS, 24 * MS]);
  });

  it('synchronize_rcu() on the same CPU takes it along: its own callback is not lazy', () => {
    const sync = rcuUpdater('synchronize_rcu', { cpu: 1, start: 5 * MS });
    expect(invokedNs({ actors: [lazy, sync] })).toEqual([12 * MS, 12 * MS]);
  });

  it('synchronize_rcu() on another CPU does not', () => {
    const sync = rcuUpdater('synchronize_rcu', { cpu: 2, start: 5 * MS });
    const [first, second] = invokedNs({ actors: [lazy, sync] });
    expect(first).toBe(12 * MS);
    expect(second).toBeGreaterThan(10 * S);
  });

  it('rcu_barrier() does, from any CPU, and does not wait for the timer', () => {
    const barrier = rcuUpdater('rcu_barrier', { cpu: 2, start: 5 * MS });
    const { log } = runOffloaded({ kconfig, actors: [lazy, barrier] });
    // the lazy one and the barrier's own behind it
    expect(rowsOf(log, KIND.rcu_invoke_callback).map(({ c, timeNs }) => [c, timeNs / MS])).toEqual([
      [1, 12],
      [1, 12],
    ]);
    expect(rowsOf(log, KIND.api_return).at(-1)?.timeNs).toBe(12 * MS);
  });
});

describe('no callback is lazy', () => {
  it.each<[string, Partial<ConfigParts>]>([
    ['without CONFIG_RCU_LAZY', { kconfig: {} }],
    ['with enable_rcu_lazy=0', { params: { 'rcutree.enable_rcu_lazy': 0 } }],
    ['before 6.2', { kernel: 'v6.1' }],
    ['on a CPU that is not offloaded', { params: { rcu_nocbs: '2' } }],
  ])('%s', (_what, parts) => {
    expect(invokedNs({ actors: [lazy], ...parts })[0]).toBeLessThan(S);
  });
});

describe('a run that ends before the flush', () => {
  it('leaves the callback queued', () => {
    const reader: ReaderActor = {
      kind: 'reader',
      domain: 'rcu',
      cpu: 0,
      count: 1,
      start: 0,
      stagger: 0,
      hold: MS,
      holdMode: 'spin',
      idle: MS,
      idleMode: 'sleep',
      incDelay: 0,
    };
    expect(invokedNs({ actors: [lazy, reader], stop: { afterNs: 9 * S } })).toEqual([]);
  });
});
