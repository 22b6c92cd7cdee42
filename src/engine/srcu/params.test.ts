/** Kernel parameters and their traps: rules 3.3 and 1.5 a, udelay() of 11.1. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { presetMachine } from '../machine/presets.ts';
import { kernelHasParam } from '../profiles/kernelParams.ts';
import { PROFILES, type ProfileId, resolveRules } from '../profiles/profiles.ts';
import { simConfig } from '../reference/simConfig.testkit.ts';
import { srcuConstants, udelayNs } from './constants.ts';
import {
  defaultPhaseLimit,
  defaultSrcuParam,
  effectiveConvertToBig,
  jiffyLimitOf,
  phaseLimitOf,
  SRCU_PARAMS,
} from './params.ts';

const defaults = JSON.parse(readFileSync('test-data/srcu-tunable-defaults.json', 'utf8')) as Record<
  string,
  Record<string, number>
>;

const BEFORE_282D: ProfileId[] = [
  ...(['v4.17', 'v4.19', 'v5.4', 'v5.6', 'v5.7', 'v5.10', 'v5.18'] as const),
  ...(['tasks-2018-05-20', 'kfree-bulk-2019-12-31'] as const),
];
const BEFORE_V1: ProfileId[] = ['v5.19-rc1', 'v5.19-640a'];
const FROM_V1: ProfileId[] = [
  ...(['v5.19-patch-v1', 'v5.19', 'v6.1', 'v6.3', 'v6.6', 'v6.10', 'v6.12', 'v6.17'] as const),
  'kvfree-polled-2022-11-02',
];

function paramsOf(kernel: ProfileId): string[] {
  return SRCU_PARAMS.filter((param) => kernelHasParam(kernel, param)).map(
    ({ name }) => name.split('.')[1] as string,
  );
}

function constantsOf(kernel: ProfileId, hz: number, params: Record<string, number> = {}) {
  const config = simConfig({ kernel, hz, params, actors: [] });
  return srcuConstants(config, resolveRules(kernel, {}));
}

describe('default limits by HZ', () => {
  it.each(Object.keys(defaults).map(Number))('HZ=%i: the column of a compile-time delay of 5 us', (hz) => {
    expect(defaultPhaseLimit(hz)).toBe(defaults[hz]?.['5']);
  });

  it('are clamped to 3 ... 1000', () => {
    expect([24, 400, 401, 1200].map(defaultPhaseLimit)).toEqual([1000, 1000, 997, 333]);
    expect(defaultPhaseLimit(200_000)).toBe(3);
  });

  it.each<[ProfileId, number, number, number]>([
    ['v5.18', 250, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ['v5.19-rc1', 250, 1, 100],
    ['v5.19-640a', 250, 3, 100],
    ['v5.19-fix4', 1000, 3, 100],
    ['v5.19-patch-v1', 250, 1000, 100],
    ['v5.19-patch-v1', 1000, 400, 100],
    ['v5.19', 250, 1000, 1000],
    ['v6.1', 1000, 400, 400],
    ['v6.12', 300, 1000, 1000],
  ])('%s at HZ=%i: phase %d, per jiffy %d', (kernel, hz, phase, jiffy) => {
    const rules = resolveRules(kernel, {});
    expect([phaseLimitOf(rules, hz), jiffyLimitOf(rules, hz)]).toEqual([phase, jiffy]);
    const { phaseLimit, jiffyLimit } = constantsOf(kernel, hz);
    expect([phaseLimit, jiffyLimit]).toEqual([phase, jiffy]);
  });
});

describe('the traps of 3.3', () => {
  it('a retry delay given at boot leaves the phase limit at its default', () => {
    const { phaseLimit, jiffyLimit, retryNs } = constantsOf('v6.12', 250, {
      'srcutree.srcu_retry_check_delay': 100,
    });
    expect([phaseLimit, jiffyLimit, retryNs]).toEqual([1000, 1000, 100_000]);
  });

  it('a phase limit given at boot leaves the per-jiffy limit at its default', () => {
    const { phaseLimit, jiffyLimit } = constantsOf('v6.12', 250, { 'srcutree.srcu_max_nodelay_phase': 7 });
    expect([phaseLimit, jiffyLimit]).toEqual([7, 1000]);
  });

  it.each([0, 1_000_000, Number.MAX_SAFE_INTEGER])('a given limit of %d is taken as it is', (given) => {
    const params = { 'srcutree.srcu_max_nodelay_phase': given, 'srcutree.srcu_max_nodelay': given };
    expect(constantsOf('v6.12', 1000, params)).toMatchObject({ phaseLimit: given, jiffyLimit: given });
  });
});

describe('which kernel has which parameter (3.3)', () => {
  const ALWAYS = ['exp_holdoff', 'counter_wrap_check'];
  const SIZES = ['convert_to_big', 'big_cpu_lim', 'small_contention_lim'];
  const LIMITS = ['srcu_retry_check_delay', 'srcu_max_nodelay', 'srcu_max_nodelay_phase'];

  it('names every profile once', () => {
    const named = [...BEFORE_282D, ...BEFORE_V1, 'v5.19-fix4', ...FROM_V1];
    expect([...named].sort()).toEqual(PROFILES.map(({ id }) => id as string).sort());
  });

  it.each(BEFORE_282D)('%s: exp_holdoff and counter_wrap_check', (kernel) => {
    expect(paramsOf(kernel).sort()).toEqual([...ALWAYS].sort());
  });

  it.each(BEFORE_V1)('%s: those of the size states too', (kernel) => {
    expect(paramsOf(kernel).sort()).toEqual([...ALWAYS, ...SIZES].sort());
  });

  it('v5.19-fix4: the phase limit and its experiment', () => {
    const own = ['srcu_max_nodelay_phase', 'second_retry_delay'];
    expect(paramsOf('v5.19-fix4').sort()).toEqual([...ALWAYS, ...SIZES, ...own].sort());
  });

  it.each(FROM_V1)('%s: all of srcutree', (kernel) => {
    expect(paramsOf(kernel).sort()).toEqual([...ALWAYS, ...SIZES, ...LIMITS].sort());
  });

  it('gives each a default', () => {
    const rules = resolveRules('v6.12', {});
    const values = SRCU_PARAMS.map(({ name }) => [name.split('.')[1], defaultSrcuParam(name, rules, 1000)]);
    expect(Object.fromEntries(values)).toEqual({
      srcu_max_nodelay_phase: 400,
      srcu_max_nodelay: 400,
      srcu_retry_check_delay: 5,
      second_retry_delay: 5,
      exp_holdoff: 25_000,
      convert_to_big: 3,
      big_cpu_lim: 128,
      small_contention_lim: 100,
      counter_wrap_check: String(2n ** 62n - 1n),
    });
    expect(defaultSrcuParam('srcutree.unknown', rules, 250)).toBeUndefined();
  });
});

describe('convert_to_big after boot (1.5 a)', () => {
  it.each([
    [3, 128, 127, 16],
    [3, 128, 128, 1],
    [3, 128, 4096, 1],
    [3, 4, 4, 1],
    [3, 5, 4, 16],
    [0, 128, 4096, 0],
    [1, 128, 1, 1],
    [2, 128, 4096, 2],
    [16, 4, 8, 16],
  ])('%i with big_cpu_lim %i on %i CPUs reads %i', (given, limit, cpus, effective) => {
    expect(effectiveConvertToBig(given, limit, cpus)).toBe(effective);
  });
});

describe('udelay() (11.1, 4)', () => {
  it('takes base + perUs r, rounded once', () => {
    const machine = presetMachine('virtual-1gips');
    expect([5, 1, 100].map((us) => udelayNs(machine, us))).toEqual([5068, 1101, 99_289]);
    expect(udelayNs(presetMachine('plain'), 5)).toBe(5000);
  });

  it('takes nothing for 0', () => {
    expect(udelayNs(presetMachine('virtual-1gips'), 0)).toBe(0);
  });

  it('makes the P of virtual-1gips with its checks', () => {
    const config = simConfig({ preset: 'virtual-1gips', actors: [] });
    const { retryNs, secondRetryNs, passLoopNs } = srcuConstants(config, resolveRules('v6.12', {}));
    expect([retryNs, retryNs + secondRetryNs + passLoopNs]).toEqual([5220, 11_445]);
  });

  it('is another one after the second failed check with experiment.second_retry_delay (3.2)', () => {
    const { retryNs, secondRetryNs } = constantsOf('v5.19-fix4', 250, {
      'experiment.second_retry_delay': 400,
    });
    expect([retryNs, secondRetryNs]).toEqual([5000, 400_000]);
  });
});
