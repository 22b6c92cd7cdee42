/** srcu_get_delay(), rules 3.1 and 3.5, and srcu_gp_start(), rule 2.3, on a domain made by hand. */
import { describe, expect, it } from 'vitest';
import { KIND } from '../core/eventKinds.ts';
import { Sim } from '../core/sim.ts';
import { type ProfileId, resolveRules } from '../profiles/profiles.ts';
import { simConfig } from '../reference/simConfig.testkit.ts';
import { srcuConstants } from './constants.ts';
import { ageLimitNs, getDelay, gpStart } from './delay.ts';
import { Domain, STATE } from './domain.ts';

const T = 4_000_000;
const START_JIFFY = 7;

interface Given {
  readonly state?: number;
  readonly expedited: boolean;
  /** A, in jiffies. */
  readonly age?: number;
  /** srcu_n_exp_nodelay. */
  readonly n?: number;
}

/** A domain of this kernel, HZ 250, jiffies 1000 at t = 0. */
function domainOf(kernel: ProfileId, { state = STATE.scan2, expedited, n = 0 }: Given): Domain {
  const config = simConfig({ kernel, startJiffies: 1000, actors: [] });
  const rules = resolveRules(kernel, {});
  const domain = new Domain(new Sim(config, rules), 0, srcuConstants(config, rules));
  domain.gpSeq = 40 + state;
  domain.needed = 48;
  domain.neededExp = expedited ? 48 : 40;
  domain.gpStartJiffy = 1000 + START_JIFFY;
  domain.n = n;
  return domain;
}

/** The answer and n after it, in the middle of a jiffy. */
function answer(kernel: ProfileId, given: Given): [delay: number, n: number] {
  const domain = domainOf(kernel, given);
  const delay = getDelay(domain, domain.sim.ticks.jiffiesAt((START_JIFFY + (given.age ?? 0)) * T + 1234));
  return [delay, domain.n];
}

const V1_AND_LATER: ProfileId[] = ['v5.19-patch-v1', 'v5.19', 'v6.1', 'v6.6', 'v6.12'];

describe('srcu_get_delay() (3.1)', () => {
  it('v5.18: 0 if expedited, else 1, at any age and without counting', () => {
    for (const state of [STATE.idle, STATE.scan1, STATE.scan2]) {
      for (const age of [0, 1, 2, 50]) {
        expect(answer('v5.18', { state, age, expedited: true, n: 9 })).toEqual([0, 9]);
        expect(answer('v5.18', { state, age, expedited: false, n: 9 })).toEqual([1, 9]);
      }
    }
  });

  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [9, 9],
    [10, 10],
    [11, 10],
    [1000, 10],
  ])('282d, expedited: age %i gives %i (and counts at 0)', (age, delay) => {
    expect(answer('v5.19-rc1', { age, expedited: true })).toEqual([delay, age === 0 ? 1 : 0]);
  });

  it.each([
    [0, 1],
    [1, 2],
    [8, 9],
    [9, 10],
    [10, 10],
  ])('282d, normal: age %i gives %i', (age, delay) => {
    expect(answer('v5.19-rc1', { age, expedited: false })).toEqual([delay, 0]);
  });

  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 2],
    [10, 9],
    [11, 10],
    [12, 10],
    [1000, 10],
  ])('640a and later, expedited: age %i gives %i (and counts at 0)', (age, delay) => {
    for (const kernel of ['v5.19-640a', 'v5.19-fix4', ...V1_AND_LATER] as const) {
      expect(answer(kernel, { age, expedited: true })).toEqual([delay, age < 2 ? 1 : 0]);
    }
  });

  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 3],
    [9, 9],
    [10, 10],
    [11, 10],
  ])('640a and later, normal: age %i gives %i', (age, delay) => {
    for (const kernel of ['v5.19-640a', 'v5.19-fix4', ...V1_AND_LATER] as const) {
      expect(answer(kernel, { age, expedited: false })).toEqual([delay, 0]);
    }
  });

  it.each<[ProfileId, number]>([
    ['v5.19-rc1', 1],
    ['v5.19-640a', 3],
    ['v5.19-fix4', 3],
    ['v5.19-patch-v1', 1000],
    ['v6.12', 1000],
  ])('%s: beyond the phase limit %i a zero becomes 1', (kernel, limit) => {
    for (const state of [STATE.scan1, STATE.scan2]) {
      expect(answer(kernel, { state, expedited: true, n: limit - 1 })).toEqual([0, limit]);
      expect(answer(kernel, { state, expedited: true, n: limit })).toEqual([1, limit + 1]);
    }
    expect(answer(kernel, { expedited: true, age: 20, n: limit })).toEqual([10, limit]);
  });

  it('has no age and, but for 282d, no count while idle', () => {
    for (const kernel of ['v5.19-640a', ...V1_AND_LATER] as const) {
      expect(answer(kernel, { state: STATE.idle, expedited: true, age: 50, n: 5 })).toEqual([0, 5]);
      expect(answer(kernel, { state: STATE.idle, expedited: false, age: 50, n: 5 })).toEqual([1, 5]);
    }
    expect(answer('v5.19-rc1', { state: STATE.idle, expedited: true, age: 50, n: 0 })).toEqual([0, 1]);
    expect(answer('v5.19-rc1', { state: STATE.idle, expedited: true, age: 50, n: 1 })).toEqual([1, 2]);
  });

  it('takes the age from the ticks: a time on a tick is after it (3.7)', () => {
    const domain = domainOf('v6.12', { expedited: true });
    expect(getDelay(domain, domain.sim.ticks.jiffiesAt((START_JIFFY + 2) * T - 1))).toBe(0);
    expect(getDelay(domain, domain.sim.ticks.jiffiesAt((START_JIFFY + 2) * T))).toBe(1);
  });
});

describe('ageLimitNs', () => {
  it.each<[ProfileId, number]>([
    ['v5.18', Number.POSITIVE_INFINITY],
    ['v5.19-rc1', (START_JIFFY + 1) * T],
    ['v5.19-640a', (START_JIFFY + 2) * T],
    ['v6.12', (START_JIFFY + 2) * T],
  ])('%s: the first instant at which an expedited grace period may not go on polling', (kernel, expected) => {
    const domain = domainOf(kernel, { expedited: true });
    expect(ageLimitNs(domain)).toBe(expected);
    if (expected === Number.POSITIVE_INFINITY) return;
    expect(getDelay(domain, domain.sim.ticks.jiffiesAt(expected - 1))).toBe(0);
    expect(getDelay(domain, domain.sim.ticks.jiffiesAt(expected))).toBeGreaterThan(0);
  });
});

describe('srcu_gp_start() (2.3)', () => {
  it('stamps jiffies, clears n and moves to SCAN1', () => {
    const domain = domainOf('v6.12', { state: STATE.idle, expedited: true, n: 77 });
    domain.sim.nowNs = 9 * T + 5;
    gpStart(domain);
    expect([domain.gpSeq, domain.state, domain.n, domain.gpStartJiffy]).toEqual([41, STATE.scan1, 0, 1009]);
    expect(domain.sim.log.row(0)).toMatchObject({
      kind: KIND.srcu_gp_start,
      timeNs: 9 * T + 5,
      a: 41,
      b: 1009,
      c: 1,
      d: 11,
    });
  });

  it('needs somebody who asked for it', () => {
    const domain = domainOf('v6.12', { state: STATE.idle, expedited: false });
    domain.needed = 40;
    expect(() => gpStart(domain)).toThrow('no grace period is needed');
  });
});
