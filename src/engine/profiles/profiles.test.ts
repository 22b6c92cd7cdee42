/** The profile tables: docs/model/srcu.md §6, tree.md §8. */
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

/** Columns of the two tables and the profiles that they stand for. */
const COLUMNS: readonly (readonly ProfileId[])[] = [
  [
    ...(['v4.17', 'v4.19', 'v5.4', 'v5.6', 'v5.7', 'v5.10'] as const),
    ...(['tasks-2018-05-20', 'kfree-bulk-2019-12-31'] as const),
  ],
  ['v5.18'],
  ['v5.19-rc1'],
  ['v5.19-640a'],
  ['v5.19-fix4'],
  ['v5.19-patch-v1'],
  ['v5.19'],
  ['v6.1', 'kvfree-polled-2022-11-02'],
  ['v6.3'],
  ['v6.6'],
  ['v6.10'],
  ['v6.12'],
  ['v6.17'],
];

const same = <T>(value: T, count: number): T[] => new Array<T>(count).fill(value);
/** One value up to the column of `since`, another from there on. */
function split(before: string, since: ProfileId, after: string): string[] {
  const at = COLUMNS.findIndex((ids) => ids.includes(since));
  return [...same(before, at), ...same(after, COLUMNS.length - at)];
}
/** Rows of the tables, in these columns. */
const ROWS: Readonly<Record<RuleId, readonly string[]>> = {
  'srcu.delay': ['exp-only', 'exp-only', 'age-1', ...same('age-2', 10)],
  'srcu.tryCheck': split('per-check', 'v5.19-patch-v1', 'once'),
  'srcu.cbdelay': ['get-delay', 'get-delay', 'squashed', 'squashed', ...same('by-exp', 9)],
  'srcu.phaseLimit': ['none', 'none', '1', '3', '3', ...same('by-hz', 8)],
  'srcu.jiffyLimit': ['none', 'none', ...same('100', 4), ...same('max-100-phase', 7)],
  'srcu.callbackCpu': split('caller', 'v5.19-rc1', 'size-state'),
  'tree.polled': ['get-cond', ...same('gp-seq', 6), ...same('gp-seq-polled', 6)],
  'tree.oneCpu': split('no-gp', 'v6.1', 'gp'),
  'tree.lazy': split('none', 'v6.3', 'lazy'),
  'tree.expWorkers': split('workqueue', 'v6.10', 'kthreads'),
  'tree.srNormal': split('callback', 'v6.10', 'list'),
  'tree.srDummies': split('kworker', 'v6.12', 'kthread'),
  'tree.srOrder': split('after-start', 'v6.12', 'before-start'),
  'tree.wakeDefault': split('off', 'v6.17', 'by-cpus'),
  'tree.earlyReport': same('tick', 13),
  'tree.batchLimit': split('total', 'v6.12', 'ready'),
  'tree.watchEvent': split('rcu_dyntick', 'v6.12', 'rcu_watching'),
  sched: [...same('cfs', 9), 'eevdf-nodelay', 'eevdf-nodelay', 'eevdf', 'eevdf'],
  'timer.migration': split('none', 'v6.10', 'hier'),
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
      // "next" is in no release yet
      const released = RULE_VALUES[rule].filter((value) => value !== 'next');
      expect(used).toEqual(new Set(released));
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

  it('may be words of scheduler and timer migration, and one that no release has', () => {
    expect(resolveRules('v6.12', { sched: 'cfs', 'timer.migration': 'none' })).toMatchObject({
      sched: 'cfs',
      'timer.migration': 'none',
    });
    expect(() => resolveRules('v6.12', { 'srcu.delay': 'age-1' })).toThrow('rule srcu.delay: age-1');
    expect(() => resolveRules('v6.12', { sched: 'hier' })).toThrow('rule sched: hier');
    expect(resolveRules('v6.12', { 'tree.earlyReport': 'next' })['tree.earlyReport']).toBe('next');
    expect(() => resolveRules('v6.12', { 'tree.earlyReport': 'tick' })).toThrow('tree.earlyReport: tick');
  });

  it('need a kernel that there is', () => {
    expect(() => resolveRules('v6.0' as ProfileId, {})).toThrow('v6.0');
  });
});
