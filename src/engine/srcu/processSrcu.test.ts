/** Passes, limits, sleeps and ends of grace periods: rules 2.4 to 2.6, 3.2, 3.4 to 3.6, 4.2, 4.3. */
import { describe, expect, it } from 'vitest';
import { KIND, TIMER_FN } from '../core/eventKinds.ts';
import { PASS_OUTCOME } from '../core/passCode.ts';
import type { EventRow } from '../core/rows.ts';
import type { ProfileId } from '../profiles/profiles.ts';
import { latenciesNs, type PassRow, passRows, rowsOf, sleepsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, reader, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
const FOR_EVER = 100_000 * MS;

type Parts = Omit<ConfigParts, 'actors'>;

/** One expedited call with a reader that stays, phi after tick 1. */
function stuck(
  parts: Parts,
  phi = 0,
  api: 'synchronize_srcu_expedited' | 'start_poll_synchronize_srcu' = 'synchronize_srcu_expedited',
) {
  const start = { ticks: 1, plus: phi };
  const actors = [reader({ cpu: 1, start, hold: FOR_EVER }), updater({ start, api })];
  const afterNs = Math.floor(60e9 / (parts.hz ?? 250));
  return runToEnd(simConfig({ ...parts, actors, stop: { afterNs } })).log;
}

function beforeFirstSleep(passes: readonly PassRow[]): number {
  const last = passes.findIndex(({ delay }) => delay > 0);
  return passes.slice(0, last + 1).reduce((sum, { count }) => sum + count, 0);
}

function params(phaseLimit: number, jiffyLimit: number, retryUs = 5): Record<string, number> {
  return {
    'srcutree.srcu_max_nodelay_phase': phaseLimit,
    'srcutree.srcu_max_nodelay': jiffyLimit,
    'srcutree.srcu_retry_check_delay': retryUs,
  };
}

const NONE = Number.MAX_SAFE_INTEGER;

describe('passes before the first sleep (4.3)', () => {
  it.each([
    [3, 250, 5, 2],
    [100, 250, 5, 51],
    [200, 250, 5, 101],
    [1000, 100, 5, 501],
    [400, 1000, 1, 201],
  ])('phase limit %i, HZ=%i, retry delay %i us: %i', (limit, hz, retryUs, passes) => {
    const log = stuck({ hz, params: params(limit, NONE, retryUs) });
    expect(beforeFirstSleep(passRows(log))).toBe(passes);
  });

  it.each([1, 2, 100])('per-jiffy limit M = %i: M + 1', (limit) => {
    expect(beforeFirstSleep(passRows(stuck({ params: params(NONE, limit) })))).toBe(limit + 1);
  });

  it('M = 0: the first pass of a fresh jiffy is not limited (2.4 step 3, 4.8)', () => {
    expect(beforeFirstSleep(passRows(stuck({ params: params(NONE, 0) })))).toBe(2);
  });

  it('a tick starts the count of the jiffy anew', () => {
    // 10 passes of 15 us end before the tick, the limit of 10 is met again after it
    const log = stuck({ params: params(NONE, 10) }, 4 * MS - 10 * 15_000 - 7000);
    expect(beforeFirstSleep(passRows(log))).toBe(10 + 11);
  });

  it('M is per grace period: the pass that ends the last one clears the count (2.4 step 3)', () => {
    const start = { ticks: 1, plus: 0 };
    // every call finds its reader in two passes; 30 of them fall into one jiffy
    const actors = [
      reader({ cpu: 1, start, hold: 35_000, idle: 65_000 }),
      updater({ start, calls: 30, gap: { list: [0, ...new Array(29).fill(100_000)] }, gapFrom: 'call' }),
    ];
    const { log } = runToEnd(simConfig({ params: params(NONE, 3), actors }));
    const again = passRows(log).filter(({ outcome }) => outcome === PASS_OUTCOME.again);
    expect(again.reduce((sum, { count }) => sum + count, 0)).toBe(60);
    expect(rowsOf(log, KIND.srcu_gp_end)).toHaveLength(30);
    expect(sleepsOf(log)).toEqual([]);
  });

  it('v5.18 never sleeps', () => {
    expect(sleepsOf(stuck({ kernel: 'v5.18' }))).toEqual([]);
  });
});

/** P1 = r + c = 10 us: so that neither ticks nor M matter, HZ is 24. */
function scan1Passes(kernel: ProfileId, phaseLimit: number): PassRow[] {
  const late = reader({ cpu: 1, start: 1000, incDelay: 100_000, hold: FOR_EVER });
  // the reader fetches index 0, the first grace period flips away from it, the second one must drain it first
  const calls = updater({ calls: 2, start: 1000, gap: { list: [0, 200_000] } });
  const parts = { kernel, hz: 24, params: params(phaseLimit, NONE), stop: { afterNs: 35 * MS } };
  const { log } = runToEnd(simConfig({ ...parts, actors: [late, calls] }));
  return passRows(log).filter(({ startNs }) => startNs > 150_000);
}

const SCAN1_LIMITS = [1, 2, 3, 4, 5, 100, 101, 400, 1000];

describe('SCAN1 blocked by a late incrementer (4.2, 5.4)', () => {
  it.each(SCAN1_LIMITS)('counts once per try: sleeps after pass ceil(L / 2), L = %i', (limit) => {
    expect(beforeFirstSleep(scan1Passes('v6.12', limit))).toBe(Math.ceil(limit / 2));
  });

  it.each(SCAN1_LIMITS)('counts per check: sleeps after pass floor((L - 1) / 3) + 1, L = %i', (limit) => {
    expect(beforeFirstSleep(scan1Passes('v5.19-640a', limit))).toBe(Math.floor((limit - 1) / 3) + 1);
  });

  it('has passes of r + c with two checks, and does not flip', () => {
    const passes = scan1Passes('v6.12', 100).filter(({ delay }) => delay === 0);
    expect(new Set(passes.map(({ lengthNs }) => lengthNs))).toEqual(new Set([10_000]));
    for (const { scanStart, scanEnd, checks, failedChecks } of passes) {
      expect([scanStart, scanEnd, checks, failedChecks]).toEqual([1, 1, 2, 2]);
    }
  });
});

describe('checks of a failing pass (3.2)', () => {
  const shapes = (log: Parameters<typeof passRows>[0]) =>
    passRows(log).map(({ scanStart, checks, failedChecks, lengthNs, delay }) => [
      ...[scanStart, checks, failedChecks, lengthNs, delay],
    ]);

  it('SCAN2: three without delay, two with', () => {
    const [first, second, third] = shapes(stuck({ params: params(3, NONE) }));
    // the first pass also has the check of SCAN1
    expect(first).toEqual([1, 4, 3, 15_000, 0]);
    expect(second).toEqual([2, 3, 3, 15_000, 1]);
    expect(third).toEqual([2, 2, 2, 10_000, 1]);
  });

  it('the last pass of an even L has two: its only answer was a delay (4.1)', () => {
    const passes = shapes(stuck({ params: params(4, NONE) }));
    expect(passes.slice(0, 3)).toEqual([
      [1, 4, 3, 15_000, 0],
      [2, 3, 3, 15_000, 0],
      [2, 2, 2, 10_000, 1],
    ]);
  });

  it.each([
    [2, 2],
    [1, 1],
  ])('SCAN1: two unless its own answer is a delay, L = %i: %i', (limit, checks) => {
    const [first] = scan1Passes('v6.12', limit);
    expect(first).toMatchObject({ scanStart: 1, scanEnd: 1, checks, failedChecks: checks, delay: 1 });
  });

  it('the second busy-wait of v5.19-fix4 is another one', () => {
    const given = { 'srcutree.srcu_max_nodelay_phase': 100, 'experiment.second_retry_delay': 400 };
    const passes = shapes(stuck({ kernel: 'v5.19-fix4', params: given }));
    expect(passes.slice(0, 2)).toEqual([
      [1, 4, 3, 5000 + 5000 + 400_000, 0],
      [2, 3, 3, 5000 + 5000 + 400_000, 0],
    ]);
  });

  it.each([
    [4999, 5000],
    [5000, 5000],
    [5001, 10_000],
    [10_000, 10_000],
    [10_001, 15_000],
    [15_000, 15_000],
    [15_001, 20_000],
  ])('come at c, c + r, c + 2 r: a reader that leaves at %i is gone at %i (4.1)', (hold, endNs) => {
    const start = { ticks: 1, plus: 0 };
    const actors = [reader({ cpu: 1, start, hold, idle: FOR_EVER }), updater({ start })];
    const end = rowsOf(runToEnd(simConfig({ actors })).log, KIND.srcu_gp_end)[0] as EventRow;
    expect(end.timeNs - 4 * MS).toBe(endNs);
  });
});

describe('sleeps of a reader that stays (3.4, 4.3, 4.2)', () => {
  const SLEEPS: readonly [string, ProfileId, Parts['params'], number, number[]][] = [
    ['640a, v1, v6.x from age 0 on: the age doubles', 'v6.12', params(3, NONE), 0, [1, 1, 3, 7, 10, 10]],
    ['640a the same', 'v5.19-640a', {}, 0, [1, 1, 3, 7, 10, 10]],
    ['decided in the second jiffy', 'v6.12', params(100, NONE), 4 * MS - 300_000, [1, 2, 5, 10, 10]],
    ['ended by the age rule', 'v6.12', params(NONE, NONE), 0, [1, 3, 7, 10, 10]],
    ['282d', 'v5.19-rc1', {}, 0, [1, 2, 5, 10, 10]],
  ];

  it.each(SLEEPS)('expedited, %s', (_, kernel, given, phi, expected) => {
    const sleeps = sleepsOf(stuck({ kernel, params: given ?? {} }, phi));
    expect(sleeps.slice(0, expected.length)).toEqual(expected);
  });

  it.each<[ProfileId, number[]]>([
    ['v5.18', [1, 1, 1, 1, 1, 1]],
    ['v5.19-rc1', [1, 3, 7, 10, 10]],
    ['v5.19-640a', [1, 2, 5, 10, 10]],
    ['v6.12', [1, 2, 5, 10, 10]],
  ])('normal, %s', (kernel, expected) => {
    const sleeps = sleepsOf(stuck({ kernel }, 0, 'start_poll_synchronize_srcu'));
    expect(sleeps.slice(0, expected.length)).toEqual(expected);
  });

  it('of k jiffies take k + 1 ticks from a pass that a tick began (3.6)', () => {
    const log = stuck({});
    const isProcess = ({ a }: EventRow) => a === TIMER_FN.delayed_work_timer_fn;
    const armed = rowsOf(log, KIND.timer_start).filter(isProcess);
    const fired = rowsOf(log, KIND.timer_expire_entry).filter(isProcess);
    expect(fired.length).toBeGreaterThan(4);
    const taken = fired.slice(1).map(({ timeNs }, i) => (timeNs - (fired[i] as EventRow).timeNs) / (4 * MS));
    expect(taken).toEqual(armed.slice(1, fired.length).map(({ b }) => b + 1));
  });
});

describe('an uncontended grace period (2.5)', () => {
  it.each<[ProfileId]>([['v5.18'], ['v5.19-rc1'], ['v5.19-640a'], ['v5.19-patch-v1'], ['v6.12']])(
    'is one pass: SCAN1, flip, SCAN2, end (%s)',
    (kernel) => {
      const { log } = runToEnd(simConfig({ kernel, actors: [updater({ start: MS, calls: 2, gap: MS })] }));
      const passes = passRows(log);
      expect(passes.map(({ count, checks, failedChecks }) => [count, checks, failedChecks])).toEqual([
        [1, 2, 0],
        [1, 2, 0],
      ]);
      expect(rowsOf(log, KIND.srcu_flip).map(({ a }) => a)).toEqual([1, 2]);
      // SCAN1 looks at the index that readers do not use, SCAN2 at the one they used before the flip
      expect(rowsOf(log, KIND.srcu_check).map(({ a, d }) => [a, d])).toEqual([
        [1, 1],
        [0, 2],
        [0, 1],
        [1, 2],
      ]);
    },
  );

  it('takes 2 c expedited, and at most 4 ticks normal (4.5, 4.6)', () => {
    const expedited = updater({ start: MS });
    expect(latenciesNs(runToEnd(simConfig({ actors: [expedited] })).log)).toEqual([10_000]);
    const normal = updater({ start: { ticks: 3, plus: 1 }, api: 'synchronize_srcu' });
    const config = simConfig({ actors: [normal], params: { 'srcutree.exp_holdoff': 0 } });
    expect(latenciesNs(runToEnd(config).log)).toEqual([4 * 4 * MS - 1 + 5000]);
  });
});

describe('queueing (2.4 step 4)', () => {
  it('of work that is queued already has no effect: a request between the end and the end of the pass', () => {
    // the pass goes on for 4 us after the end of its grace period, the next request comes at that end
    const machine = { passLoopNs: 9000 };
    const calls = { api: 'start_poll_synchronize_srcu', calls: 3, gapMode: 'spin' } as const;
    const { log } = runToEnd(simConfig({ machine, actors: [updater(calls)] }));
    const ends = rowsOf(log, KIND.srcu_gp_end).map(({ timeNs }) => timeNs);
    expect(rowsOf(log, KIND.srcu_gp_start).map(({ timeNs }) => timeNs)).toEqual([0, ...ends.slice(0, 2)]);
    expect(sleepsOf(log)).toEqual([1, 1, 1]);
    expect(rowsOf(log, KIND.timer_expire_entry)).toHaveLength(3);
  });
});

describe('the end of a grace period (2.6)', () => {
  it('starts the next one at once, in the same pass, also a normal one', () => {
    const { log } = runToEnd(
      simConfig({
        actors: [updater({ start: { ticks: 1, plus: 0 }, api: 'call_srcu', batch: 16 })],
      }),
    );
    // two grace periods, but 4 ticks, as both share one callback timer
    const ends = rowsOf(log, KIND.srcu_gp_end);
    const starts = rowsOf(log, KIND.srcu_gp_start);
    expect(ends.map(({ timeNs }) => timeNs)).toEqual([12 * MS + 5000, 12 * MS + 10_000]);
    expect(starts[1]?.timeNs).toBe(ends[0]?.timeNs);
    expect(passRows(log).map(({ outcome }) => outcome)).toEqual([PASS_OUTCOME.next, PASS_OUTCOME.idle]);
    expect(sleepsOf(log)).toEqual([1]);
    const isCallbackTimer = ({ a }: EventRow) => a === TIMER_FN.srcu_delay_timer;
    expect(rowsOf(log, KIND.timer_start).filter(isCallbackTimer)).toHaveLength(1);
    const invoked = rowsOf(log, KIND.srcu_cb_invoke);
    expect(invoked).toHaveLength(17);
    expect(new Set(invoked.map(({ timeNs }) => timeNs))).toEqual(new Set([20 * MS + 5000]));
  });

  /** cbdelay of a grace period that ended at once or in its third jiffy, expedited or normal. */
  const cbdelay = (
    kernel: ProfileId,
    api: 'synchronize_srcu_expedited' | 'synchronize_srcu',
    holdNs: number,
  ) => {
    const start = { ticks: 1, plus: 0 };
    const actors = [reader({ cpu: 1, start, hold: holdNs, idle: FOR_EVER }), updater({ start, api })];
    const config = simConfig({ kernel, actors, params: { 'srcutree.exp_holdoff': 0 } });
    return (rowsOf(runToEnd(config).log, KIND.srcu_gp_end)[0] as EventRow).b;
  };

  it.each<[ProfileId, number, number, number]>([
    ['v5.18', 0, 0, 1],
    ['v5.19-rc1', 0, 1, 1],
    ['v5.19-640a', 0, 1, 1],
    ['v5.19-fix4', 0, 0, 1],
    ['v5.19-patch-v1', 0, 0, 1],
    ['v6.12', 0, 0, 1],
  ])(
    '%s delays callbacks of an expedited one by %i, of a slow expedited one by %i, of a normal one by %i',
    (kernel, ...expected) => {
      expect([
        cbdelay(kernel, 'synchronize_srcu_expedited', 0),
        cbdelay(kernel, 'synchronize_srcu_expedited', 9 * MS),
        cbdelay(kernel, 'synchronize_srcu', 0),
      ]).toEqual(expected);
    },
  );

  it('282d squashes by an age of one jiffy, 640a does not', () => {
    const holdNs = 1000;
    const at = (kernel: ProfileId) => {
      const start = { ticks: 1, plus: 4 * MS - 5000 };
      const actors = [reader({ cpu: 1, start, hold: holdNs, idle: FOR_EVER }), updater({ start })];
      return (rowsOf(runToEnd(simConfig({ kernel, actors })).log, KIND.srcu_gp_end)[0] as EventRow).b;
    };
    // the first check is at the tick itself: the age is 1 there (3.7)
    expect([at('v5.19-rc1'), at('v5.19-640a')]).toEqual([1, 0]);
  });
});
