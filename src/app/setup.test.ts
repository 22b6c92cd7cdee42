import { describe, expect, it } from 'vitest';
import { scenarioSource } from '../scenarios/registry.ts';
import { configValueAt, effectiveValue, setUp } from './setup.ts';

const row200 = { scenario: 'boot-storm:row-200', overrides: {} };
const phase = 'srcutree.srcu_max_nodelay_phase';

describe('setUp', () => {
  it('works out what a change comes to, beside the scenario as it was', () => {
    const first = setUp(row200, scenarioSource, undefined);
    const setup = setUp({ ...row200, overrides: { params: { [phase]: 300 } } }, scenarioSource, first);
    expect(configValueAt(setup.config, ['params', phase])).toBe(300);
    expect(configValueAt(setup.base, ['params', phase])).toBe(200);
    expect(setup.problems).toEqual([]);
  });

  it('keeps the last valid configuration and says why the new one is none', () => {
    const first = setUp(row200, scenarioSource, undefined);
    const setup = setUp({ ...row200, overrides: { hz: 5 } }, scenarioSource, first);
    expect(setup.config).toBe(first.config);
    expect(setup.problems.map(({ path }) => path)).toEqual(['hz']);
  });

  it('a drag of nr_cpus below the lists of a scenario runs, and says what was cut', () => {
    const phone = { scenario: 'android-launch', overrides: {} };
    const first = setUp(phone, scenarioSource, undefined);
    const setup = setUp({ ...phone, overrides: { cpus: 4 } }, scenarioSource, first);
    expect(setup).toMatchObject({ config: { cpus: 4, params: { rcu_nocbs: '0-3' } }, problems: [] });
    expect(setup.notices.map(({ path }) => path)).toEqual(['params.rcu_nocbs', 'cpus']);
    expect(setUp(phone, scenarioSource, setup)).toMatchObject({ config: first.config, notices: [] });
  });

  it('what has not changed is the same object', () => {
    const first = setUp(row200, scenarioSource, undefined);
    const setup = setUp({ ...row200, overrides: { params: { [phase]: 300 } } }, scenarioSource, first);
    expect(setup.config.actors).toBe(first.config.actors);
    expect(setup.config.params).not.toBe(first.config.params);
    expect(setUp(row200, scenarioSource, first).config).toBe(first.config);
  });

  it('the base follows the scenario', () => {
    const first = setUp(row200, scenarioSource, undefined);
    const other = setUp({ scenario: 'boot-storm:row-1000', overrides: {} }, scenarioSource, first);
    expect(configValueAt(other.base, ['params', phase])).toBe(1000);
  });
});

describe('effectiveValue', () => {
  it('is the kernel default where the scenario is silent', () => {
    expect(effectiveValue(row200, ['params', 'srcutree.exp_holdoff'], scenarioSource)).toBe(25_000);
    expect(effectiveValue(row200, ['hz'], scenarioSource)).toBe(250);
  });

  it('is nothing for choices that cannot be run', () => {
    expect(effectiveValue({ ...row200, overrides: { cpus: 0 } }, ['hz'], scenarioSource)).toBeUndefined();
  });
});
