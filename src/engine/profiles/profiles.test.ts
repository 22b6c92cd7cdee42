/** The profile table: docs/model/srcu.md §6. */
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_PROFILE,
  findProfile,
  PROFILES,
  type ProfileId,
  RULE_IDS,
  RULE_VALUES,
  type RuleId,
  resolveRules,
} from './profiles.ts';

/** Columns of the table of §6 and the profiles that they stand for. */
const COLUMNS: readonly (readonly ProfileId[])[] = [
  [
    ...(['v4.17', 'v4.19', 'v5.4', 'v5.6', 'v5.7', 'v5.10', 'v5.18'] as const),
    ...(['tasks-2018-05-20', 'kfree-bulk-2019-12-31'] as const),
  ],
  ['v5.19-rc1'],
  ['v5.19-640a'],
  ['v5.19-fix4'],
  ['v5.19-patch-v1'],
  ['v5.19', 'v6.1', 'v6.3', 'kvfree-polled-2022-11-02'],
  ['v6.6'],
  ['v6.10'],
  ['v6.12', 'v6.17'],
];

const same = <T>(value: T, count: number): T[] => new Array<T>(count).fill(value);
/** Rows of the table, in these columns. */
const ROWS: Readonly<Record<RuleId, readonly string[]>> = {
  'srcu.delay': ['exp-only', 'age-1', ...same('age-2', 7)],
  'srcu.tryCheck': [...same('per-check', 4), ...same('once', 5)],
  'srcu.cbdelay': ['get-delay', 'squashed', 'squashed', ...same('by-exp', 6)],
  'srcu.phaseLimit': ['none', '1', '3', '3', ...same('by-hz', 5)],
  'srcu.jiffyLimit': ['none', ...same('100', 4), ...same('max-100-phase', 4)],
  'srcu.callbackCpu': ['caller', ...same('size-state', 8)],
  sched: [...same('cfs', 6), 'eevdf-nodelay', 'eevdf-nodelay', 'eevdf'],
  'timer.migration': [...same('none', 7), 'hier', 'hier'],
};

describe('profiles', () => {
  it.each(RULE_IDS)('have the values of the table: %s', (rule) => {
    const values = COLUMNS.map((ids) => [...new Set(ids.map((id) => resolveRules(id, {})[rule]))]);
    expect(values).toEqual(ROWS[rule].map((value) => [value]));
  });

  it('are those of the contract, each in one column', () => {
    expect(COLUMNS.flat().sort()).toEqual(PROFILES.map(({ id }) => id).sort());
    expect(PROFILES).toHaveLength(21);
    expect(findProfile(DEFAULT_PROFILE)?.id).toBe('v6.12');
    expect(findProfile('v6.0')).toBeUndefined();
  });

  it('that stand in for another have its rules', () => {
    const standIns = PROFILES.filter(({ runsAs }) => runsAs !== undefined);
    expect(standIns.length).toBeGreaterThan(5);
    for (const { id, runsAs } of standIns)
      expect(resolveRules(id, {})).toEqual(resolveRules(runsAs as ProfileId, {}));
  });

  it('use every value of every rule', () => {
    for (const rule of RULE_IDS) {
      const used = new Set<string>(PROFILES.map(({ rules }) => rules[rule]));
      expect(used).toEqual(new Set(RULE_VALUES[rule]));
    }
  });
});

describe('single rules from elsewhere', () => {
  it('take the value of the profile they name and leave the others', () => {
    const rules = resolveRules('v6.12', { 'srcu.delay': 'v5.18', 'srcu.tryCheck': 'v5.19-rc1' });
    expect(rules).toEqual({
      ...resolveRules('v6.12', {}),
      'srcu.delay': 'exp-only',
      'srcu.tryCheck': 'per-check',
    });
  });

  it('may be words of scheduler and timer migration, and of no other rule', () => {
    expect(resolveRules('v6.12', { sched: 'cfs', 'timer.migration': 'none' })).toMatchObject({
      sched: 'cfs',
      'timer.migration': 'none',
    });
    expect(() => resolveRules('v6.12', { 'srcu.delay': 'age-1' })).toThrow('rule srcu.delay: age-1');
    expect(() => resolveRules('v6.12', { sched: 'hier' })).toThrow('rule sched: hier');
  });

  it('need a kernel that there is', () => {
    expect(() => resolveRules('v6.0' as ProfileId, {})).toThrow('v6.0');
  });
});
