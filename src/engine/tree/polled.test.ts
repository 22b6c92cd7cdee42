import { describe, expect, it } from 'vitest';
import type { Actor } from '../config.ts';
import { APIS } from '../config.ts';
import { KIND, RCU_EXP, RCU_GP } from '../core/eventKinds.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import {
  type ConfigParts,
  load,
  reader,
  runToEnd,
  simConfig,
  updater,
} from '../reference/simConfig.testkit.ts';
import type { Run } from '../run.ts';

const MS = 1_000_000;

type Part = Parameters<typeof updater>[0];
/** One call of a function of Tree RCU. */
function call(api: (typeof APIS)[number], part: Part = {}): Actor {
  return updater({ domain: 'rcu', api, ...part });
}

/** V13 by hand: cookies that became true without a whole grace period, of either kind, since they were taken. */
function earlyCookies(run: Run): string[] {
  const faults: string[] = [];
  const taken = new Map<string, number>();
  const normal: { startNs: number; endNs: number }[] = [];
  const exp: { startNs: number; endNs: number }[] = [];
  for (let i = 0; i < run.log.length; i++) {
    const { kind, a, b, c, d, timeNs } = run.log.row(i);
    if (kind === KIND.rcu_grace_period && a === RCU_GP.start) normal.push({ startNs: timeNs, endNs: -1 });
    if (kind === KIND.rcu_grace_period && a === RCU_GP.end)
      Object.assign(normal.at(-1) ?? {}, { endNs: timeNs });
    if (kind === KIND.rcu_exp_grace_period && a === RCU_EXP.start) exp.push({ startNs: timeNs, endNs: -1 });
    if (kind === KIND.rcu_exp_grace_period && a === RCU_EXP.end)
      Object.assign(exp.at(-1) ?? {}, { endNs: timeNs });
    if (kind !== KIND.rcu_poll) continue;
    const key = `${d} ${a & 4 ? `${b},${c}` : b}`;
    if ((a & 3) !== 3) taken.set(key, timeNs);
    else {
      const since = taken.get(key) ?? Number.POSITIVE_INFINITY;
      const isProven = [...normal, ...exp].some(({ startNs, endNs }) => startNs >= since && endNs >= startNs);
      if (!isProven) faults.push(`row ${i}: ${key}, taken at ${since}`);
    }
  }
  return faults;
}

function run(parts: ConfigParts): Run {
  const result = runToEnd(simConfig({ kernel: 'v6.12', ...parts }));
  expect(earlyCookies(result)).toEqual([]);
  return result;
}

/** Latencies of the calls of one function that returned, ns. */
function latenciesOf(result: Run, api: (typeof APIS)[number]): number[] {
  return rowsOf(result.log, KIND.api_return)
    .filter(({ a }) => APIS[a] === api)
    .map(({ c }) => c);
}

describe('polled calls in preset plain', () => {
  const tick3 = { ticks: 3, plus: 1 * MS } as const;

  it('start_poll asks for a grace period at once: U + j ticks (4.2 a)', () => {
    for (const cookie of ['compressed', 'full'] as const) {
      const api = 'start_poll_synchronize_rcu';
      expect(latenciesOf(run({ actors: [call(api, { start: tick3, cookie })] }), api)).toEqual([7 * MS]);
    }
  });

  it('get_state asks for none: it is true when somebody else has had one', () => {
    const api = 'get_state_synchronize_rcu';
    const alone = run({ actors: [call(api)], stop: { afterNs: 100 * MS } });
    expect(latenciesOf(alone, api)).toEqual([]);
    const other = call('start_poll_synchronize_rcu', { cpu: 1, start: 41 * MS });
    expect(latenciesOf(run({ actors: [call(api, { start: 20 * MS }), other] }), api)).toEqual([28 * MS]);
  });

  it('start_poll_expedited is true at once where nobody is waited for, and later where somebody is', () => {
    const api = 'start_poll_synchronize_rcu_expedited';
    expect(latenciesOf(run({ actors: [call(api, { calls: 3, gap: 5 * MS })] }), api)).toEqual([0, 0, 0]);
    const held = reader({ domain: 'rcu', cpu: 1, start: 3 * MS, hold: 9 * MS, times: 1 });
    const actors = [held, call(api, { start: 5 * MS, cookie: 'full' as const })];
    expect(latenciesOf(run({ actors }), api)).toEqual([7 * MS]);
  });

  it('with rcu_normal it waits for a normal one', () => {
    const api = 'start_poll_synchronize_rcu_expedited';
    const params = { 'rcupdate.rcu_normal': 1 };
    const result = run({ params, actors: [call(api, { start: tick3 })] });
    expect(rowsOf(result.log, KIND.rcu_exp_grace_period)).toEqual([]);
    // number at the next tick, then j + 1 ticks
    expect(latenciesOf(result, api)).toEqual([11 * MS]);
  });

  it('cond_synchronize_rcu returns at once if one has passed in the gap, else it waits (R6.6)', () => {
    const api = 'cond_synchronize_rcu';
    const others = call('synchronize_rcu_expedited', { cpu: 1, start: 15 * MS });
    const later = call(api, { gap: 20 * MS });
    const sooner = call(api, { gap: 10 * MS });
    expect(latenciesOf(run({ actors: [others, later] }), api)).toEqual([0]);
    const waited = latenciesOf(run({ actors: [sooner] }), api);
    const alone = latenciesOf(
      run({ actors: [call('synchronize_rcu', { gap: 10 * MS })] }),
      'synchronize_rcu',
    );
    expect(waited).toEqual(alone);
    expect(waited[0]).toBeGreaterThan(0);
  });

  it('takes the cookie before the gap in an open loop, too', () => {
    const api = 'cond_synchronize_rcu';
    const others = call('synchronize_rcu_expedited', { cpu: 1, start: 25 * MS });
    const open = call(api, { calls: 2, gap: 20 * MS, gapFrom: 'call' });
    expect(latenciesOf(run({ actors: [others, open] }), api)[0]).toBeGreaterThan(0);
    expect(latenciesOf(run({ actors: [others, open] }), api)).toHaveLength(2);
    const second = latenciesOf(run({ actors: [others, open] }), api);
    expect(second.toSorted((x, y) => x - y)[0]).toBe(0);
  });
});

describe('tree.polled', () => {
  const expedited = call('synchronize_rcu_expedited', { cpu: 1, start: 10 * MS });
  const normal = call('start_poll_synchronize_rcu', { cpu: 2, start: 20 * MS });
  const api = 'get_state_synchronize_rcu';

  it.each([
    ['v5.18', 'gp-seq', 23 * MS],
    ['v6.12', 'gp-seq-polled', 5 * MS],
  ] as const)('%s: cookies are compared with %s', (kernel, _, latencyNs) => {
    const result = run({ kernel, actors: [expedited, normal, call(api, { start: 5 * MS })] });
    expect(latenciesOf(result, api)).toEqual([latencyNs]);
    const words = rowsOf(result.log, KIND.rcu_poll_gp_seq).map(({ a }) => a);
    expect(words).toEqual(kernel === 'v5.18' ? [] : [1, 4, 5, 8]);
  });
});

describe('the missed grace period (R6.5) in a run', () => {
  const api = 'get_state_synchronize_rcu';
  // a normal grace period from 12 to 20 ms; a cookie at 13 ms; an expedited one at 14 ms; another normal one at 40 ms
  const actors = (cookie: 'compressed' | 'full'): Actor[] => [
    call('start_poll_synchronize_rcu', { cpu: 1, start: 12 * MS }),
    call('synchronize_rcu_expedited', { cpu: 2, start: 14 * MS }),
    call('start_poll_synchronize_rcu', { cpu: 3, start: 40 * MS }),
    call(api, { start: 13 * MS, cookie }),
  ];

  it('the full cookie is true at the expedited end', () => {
    expect(latenciesOf(run({ actors: actors('full') }), api)).toEqual([MS]);
  });

  it('the one-word cookie misses it, and the end of the normal one', () => {
    const result = run({ actors: actors('compressed') });
    expect(latenciesOf(result, api)).toEqual([35 * MS]);
    expect(rowsOf(result.log, KIND.rcu_poll_gp_seq).map(({ a, timeNs }) => [a, timeNs / MS])).toEqual([
      [1, 12],
      [4, 14],
      [5, 40],
      [8, 48],
    ]);
  });
});

describe('a cookie that is true', () => {
  it('had a whole grace period since it was taken (V13)', () => {
    const mixed = (['compressed', 'full'] as const).flatMap((cookie, i) =>
      (
        [
          'get_state_synchronize_rcu',
          'start_poll_synchronize_rcu',
          'start_poll_synchronize_rcu_expedited',
          'cond_synchronize_rcu',
        ] as const
      ).map((api, k) => call(api, { cpu: i + k, cookie, calls: 20, gap: { exp: 4 * MS } })),
    );
    const readers = reader({ domain: 'rcu', count: 4, hold: { exp: MS }, idle: { exp: MS } });
    const others = [
      call('synchronize_rcu', { cpu: 1, calls: 60, gap: { exp: 5 * MS } }),
      call('synchronize_rcu_expedited', { cpu: 2, calls: 60, gap: { exp: 5 * MS } }),
      load({ cpu: 3, spin: MS }),
    ];
    for (const preset of ['plain', 'virtual-1gips', 'typical'] as const)
      for (const seed of [1, 2]) {
        const result = run({ preset, seed, actors: [readers, ...mixed, ...others] });
        expect(rowsOf(result.log, KIND.rcu_poll).filter(({ a }) => (a & 3) === 3).length).toBeGreaterThan(
          100,
        );
      }
  });
});
