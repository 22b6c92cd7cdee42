/** Who asks for which grace period, and how fast: rules 1.3, 2.1, 2.2, 5.6 and the polled api. */
import { describe, expect, it } from 'vitest';
import { SRCU_APIS, type SrcuApi, type UpdaterActor } from '../config.ts';
import { CALLBACK, KIND } from '../core/eventKinds.ts';
import type { EventRow } from '../core/rows.ts';
import { latenciesNs, passRows, rowsOf, sleepsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, reader, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';
import { seqSnap } from './domain.ts';

const MS = 1_000_000;
/** `plain`: c of a pass and of a callback. */
const C = 5000;
const TICK_1 = { ticks: 1, plus: 0 };

function run(actors: ConfigParts['actors'], parts: Omit<ConfigParts, 'actors'> = {}) {
  const { log } = runToEnd(simConfig({ ...parts, actors }));
  const requests = rowsOf(log, KIND.srcu_request);
  return { log, requests, expedited: requests.map(({ b }) => b) };
}

describe('seqSnap (1.3)', () => {
  it.each([
    [40, 44],
    [41, 48],
    [42, 48],
    [0, 4],
  ])('of %i is %i: a running grace period does not count', (seq, target) => {
    expect(seqSnap(seq)).toBe(target);
    expect(target % 4).toBe(0);
  });
});

describe('synchronize_srcu() after a grace period (2.2)', () => {
  /** Whether the second of two calls is expedited, its request coming so long after the end of the first. */
  const second = (sinceNs: number, parts: Omit<ConfigParts, 'actors'> = {}) => {
    const gap = { list: [0, sinceNs - C] };
    const { expedited } = run([updater({ start: TICK_1, api: 'synchronize_srcu', calls: 2, gap })], parts);
    // the domain was initialised long ago (1.6)
    expect(expedited[0]).toBe(1);
    return expedited[1];
  };

  it('is normal within exp_holdoff of its end, expedited from then on', () => {
    expect(second(C)).toBe(0);
    expect(second(24_999)).toBe(0);
    expect(second(25_000)).toBe(1);
    expect(second(MS)).toBe(1);
  });

  it('goes by the exp_holdoff that is set', () => {
    const params = { 'srcutree.exp_holdoff': 40_000 };
    expect(second(39_999, { params })).toBe(0);
    expect(second(40_000, { params })).toBe(1);
  });

  it('is never expedited with exp_holdoff 0', () => {
    const params = { 'srcutree.exp_holdoff': 0 };
    const calls = updater({ start: TICK_1, api: 'synchronize_srcu', calls: 3, gap: 10 * MS });
    expect(run([calls], { params }).expedited).toEqual([0, 0, 0]);
  });

  it('is normal while a grace period is needed that has not ended (c)', () => {
    const { expedited } = run([
      updater({ start: TICK_1, api: 'start_poll_synchronize_srcu' }),
      updater({ cpu: 1, start: { ticks: 1, plus: 2 * MS }, api: 'synchronize_srcu' }),
    ]);
    expect(expedited).toEqual([0, 0]);
  });

  it('is normal while callbacks of its CPU wait for a grace period (a, c)', () => {
    const { expedited } = run([
      updater({ start: TICK_1, api: 'call_srcu', wait: 'none' }),
      updater({ start: { ticks: 1, plus: 2 * MS }, api: 'synchronize_srcu' }),
    ]);
    expect(expedited).toEqual([0, 0]);
  });
});

describe('which calls are expedited (2.1)', () => {
  const first = (api: SrcuApi, parts: Omit<ConfigParts, 'actors'> = {}) =>
    run([updater({ start: TICK_1, api, batch: 1, wait: 'none' })], parts).expedited;

  it('synchronize_srcu_expedited() always, call_srcu() and start_poll never', () => {
    const byApi = SRCU_APIS.map((api) => [api, first(api)]);
    expect(Object.fromEntries(byApi)).toEqual({
      synchronize_srcu_expedited: [1],
      synchronize_srcu: [1],
      call_srcu: [0],
      srcu_barrier: [],
      start_poll_synchronize_srcu: [0],
    });
  });

  it('none on PREEMPT_RT', () => {
    const kconfig = { PREEMPT_RT: true };
    expect(first('synchronize_srcu_expedited', { kconfig })).toEqual([0]);
    expect(first('synchronize_srcu', { kconfig })).toEqual([0]);
  });

  it('none with rcu_normal, and all that wait with rcu_expedited', () => {
    const back = (params: Record<string, number>) =>
      run([updater({ start: TICK_1, api: 'synchronize_srcu', calls: 4 })], { params }).expedited;
    expect(back({ 'rcupdate.rcu_normal': 1 })).toEqual([0, 0, 0, 0]);
    expect(back({ 'rcupdate.rcu_expedited': 1 })).toEqual([1, 1, 1, 1]);
    expect(back({ 'rcupdate.rcu_expedited': 1, 'rcupdate.rcu_normal': 1 })).toEqual([0, 0, 0, 0]);
    expect(first('call_srcu', { params: { 'rcupdate.rcu_expedited': 1 } })).toEqual([0]);
  });

  it('synchronize_srcu() every second time, back to back: a normal one returns two ticks after its end', () => {
    const calls = updater({ start: TICK_1, api: 'synchronize_srcu', calls: 4 });
    expect(run([calls]).expedited).toEqual([1, 0, 1, 0]);
  });
});

describe('the target of a request (1.3, 2.1)', () => {
  const at = (plus: number, part: Partial<Omit<UpdaterActor, 'kind'>>) =>
    updater({ start: { ticks: 1, plus }, api: 'call_srcu', wait: 'none', ...part });

  it('is the next grace period, from idle the one that it starts', () => {
    const { requests, log } = run([at(0, {})]);
    expect(requests.map(({ a }) => a)).toEqual([4]);
    expect(rowsOf(log, KIND.srcu_gp_start).map(({ timeNs }) => timeNs)).toEqual([requests[0]?.timeNs]);
  });

  it('is the one after the running one, which several requests share', () => {
    const { requests, log } = run([at(0, {}), at(1000, { cpu: 1 }), at(2000, { cpu: 2, batch: 3 })]);
    expect(requests.map(({ a }) => a)).toEqual([4, 8, 8, 8, 8]);
    expect(rowsOf(log, KIND.srcu_gp_end).map(({ a }) => a)).toEqual([4, 8]);
  });

  it('is given to the callback, and callbacks run in order once it has been reached (1.4, 2.7)', () => {
    const { log } = run([at(0, {}), at(1000, { cpu: 1 }), at(2000, { cpu: 2, batch: 3 })]);
    const queued = rowsOf(log, KIND.srcu_cb_queue);
    const invoked = rowsOf(log, KIND.srcu_cb_invoke);
    expect(queued.map(({ b }) => b)).toEqual([4, 8, 8, 8, 8]);
    expect(invoked.map(({ a }) => a)).toEqual(queued.map(({ a }) => a));
    expect(new Set(queued.map(({ d }) => d))).toEqual(new Set([CALLBACK.call]));
  });

  it('expedited for a grace period that is on order makes the running one expedited, but wakes nobody (step 4)', () => {
    const { log } = run(
      [
        reader({ cpu: 3, start: { ticks: 1, plus: 0 }, hold: 9 * MS, idle: 1000 * MS }),
        updater({ start: TICK_1, api: 'synchronize_srcu' }),
        updater({ cpu: 1, start: { ticks: 1, plus: MS }, api: 'call_srcu', wait: 'none' }),
        updater({ cpu: 2, start: { ticks: 1, plus: 2 * MS } }),
      ],
      { params: { 'srcutree.exp_holdoff': 0 } },
    );
    const ends = rowsOf(log, KIND.srcu_gp_end);
    const firstTimer = rowsOf(log, KIND.timer_expire_entry)[0] as EventRow;
    // the first pass had been given one jiffy: it comes at tick 3 all the same
    expect(firstTimer.timeNs).toBe(3 * 4 * MS);
    // at tick 3 the grace period is 2 jiffies old: it sleeps one more, as expedited ones do, not two
    expect(sleepsOf(log).slice(0, 2)).toEqual([1, 1]);
    expect(ends.map(({ c }) => c)).toEqual([1, 1]);
  });
});

describe('start_poll_synchronize_srcu()', () => {
  it('is true from the end of its grace period on, without a callback', () => {
    const phi = MS;
    const { log } = run([updater({ start: { ticks: 1, plus: phi }, api: 'start_poll_synchronize_srcu' })]);
    // 4.6 up to the end of the grace period: the first pass comes at the second tick
    expect(latenciesNs(log)).toEqual([2 * 4 * MS - phi + C]);
    expect(rowsOf(log, KIND.srcu_cb_queue)).toEqual([]);
    expect(rowsOf(log, KIND.api_return)[0]?.timeNs).toBe(rowsOf(log, KIND.srcu_gp_end)[0]?.timeNs);
  });

  it('is not satisfied by the grace period that runs', () => {
    const { log } = run([
      updater({ start: TICK_1, api: 'start_poll_synchronize_srcu' }),
      updater({ cpu: 1, start: { ticks: 1, plus: MS }, api: 'start_poll_synchronize_srcu' }),
    ]);
    const ends = rowsOf(log, KIND.srcu_gp_end).map(({ timeNs }) => timeNs);
    expect(rowsOf(log, KIND.api_return).map(({ timeNs }) => timeNs)).toEqual(ends);
    expect(ends).toHaveLength(2);
  });

  it('waits for readers as every grace period does', () => {
    const { log } = run([
      reader({ cpu: 1, start: TICK_1, hold: 10 * MS, idle: 1000 * MS }),
      updater({ start: TICK_1, api: 'start_poll_synchronize_srcu' }),
    ]);
    const unlock = rowsOf(log, KIND.srcu_unlock)[0] as EventRow;
    expect(rowsOf(log, KIND.api_return)[0]?.timeNs).toBeGreaterThan(unlock.timeNs);
  });
});

describe('a grace period from idle', () => {
  it('has its first pass at once if expedited, after one jiffy if normal (3.4)', () => {
    const firstPass = (api: SrcuApi) => passRows(run([updater({ start: TICK_1, api })]).log)[0]?.startNs;
    expect(firstPass('synchronize_srcu_expedited')).toBe(4 * MS);
    expect(firstPass('start_poll_synchronize_srcu')).toBe(3 * 4 * MS);
  });

  it('expedited too begins a jiffy later with a phase limit of 0: the funnel counts (2.1 step 6, 3.4)', () => {
    const params = { 'srcutree.srcu_max_nodelay_phase': 0 };
    const { log } = run([updater({ start: TICK_1 })], { params });
    expect(sleepsOf(log)).toEqual([1]);
    expect(passRows(log)[0]?.startNs).toBe(3 * 4 * MS);
  });
});
