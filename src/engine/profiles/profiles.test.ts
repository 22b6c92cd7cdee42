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
  ruleWords,
} from './profiles.ts';

/** Columns of the two tables and the profiles that they stand for. */
const COLUMNS: readonly (readonly ProfileId[])[] = [
  ['tasks-2018-05-20'],
  ['v4.17'],
  ['v4.19'],
  ['v5.4'],
  ['v5.6'],
  ['kfree-bulk-2019-12-31'],
  ['v5.7'],
  ['v5.10'],
  ['v5.18'],
  ['v5.19-rc1'],
  ['v5.19-640a'],
  ['v5.19-fix4'],
  ['v5.19-patch-v1'],
  ['v5.19'],
  ['v6.1'],
  ['kvfree-polled-2022-11-02'],
  ['v6.3'],
  ['v6.6'],
  ['v6.10'],
  ['v6.12'],
  ['v6.17'],
];

/** One value in the first column, and others from the column of a profile on. */
function row(first: string, ...changes: readonly (readonly [since: ProfileId, value: string])[]): string[] {
  let value = first;
  return COLUMNS.map((ids) => {
    value = changes.find(([since]) => ids.includes(since))?.[1] ?? value;
    return value;
  });
}
/** Rows of the tables, in these columns. */
const ROWS: Readonly<Record<RuleId, readonly string[]>> = {
  'srcu.delay': row('exp-only', ['v5.19-rc1', 'age-1'], ['v5.19-640a', 'age-2']),
  'srcu.tryCheck': row('per-check', ['v5.19-patch-v1', 'once']),
  'srcu.cbdelay': row('get-delay', ['v5.19-rc1', 'squashed'], ['v5.19-fix4', 'by-exp']),
  'srcu.phaseLimit': row('none', ['v5.19-rc1', '1'], ['v5.19-640a', '3'], ['v5.19-patch-v1', 'by-hz']),
  'srcu.jiffyLimit': row('none', ['v5.19-rc1', '100'], ['v5.19', 'max-100-phase']),
  'srcu.callbackCpu': row('caller', ['v5.19-rc1', 'size-state']),
  'tree.polled': row('get-cond', ['v5.18', 'gp-seq'], ['v6.1', 'gp-seq-polled']),
  'tree.oneCpu': row('no-gp', ['v6.1', 'gp']),
  'tree.lazy': row('none', ['v6.3', 'lazy']),
  'tree.expWorkers': row('workqueue', ['v6.10', 'kthreads']),
  'tree.srNormal': row('callback', ['v6.10', 'list']),
  'tree.srDummies': row('kworker', ['v6.12', 'kthread']),
  'tree.srOrder': row('after-start', ['v6.12', 'before-start']),
  'tree.wakeDefault': row('off', ['v6.17', 'by-cpus']),
  'tree.earlyReport': row('tick'),
  'tree.batchLimit': row('total', ['v6.12', 'ready']),
  'tree.watchEvent': row('rcu_dyntick', ['v6.12', 'rcu_watching']),
  'kvfree.batching': row('none', ['v5.6', 'list']),
  'kvfree.block': row(
    'none',
    ['kfree-bulk-2019-12-31', '509'],
    ['v5.10', '510'],
    ['v6.3', '508'],
    ['v6.6', '507'],
  ),
  'kvfree.cache': row(
    'none',
    ['kfree-bulk-2019-12-31', 'caller-1'],
    ['v5.10', 'caller'],
    ['v5.18', 'worker'],
    ['v6.1', 'worker-backoff'],
  ),
  'kvfree.oneArg': row('no', ['v5.10', 'yes']),
  'kvfree.rearm': row('if-none-attached', ['v5.10', 'if-any-left']),
  'kvfree.monitor': row('hz-50', ['v6.1', '5hz-or-1']),
  'kvfree.wait': row('rcu-work', ['kvfree-polled-2022-11-02', 'polled-2022'], ['v6.3', 'ready-by-monitor']),
  'kvfree.attach': row(
    'per-channel',
    ['v6.1', 'empty-batch'],
    ['kvfree-polled-2022-11-02', 'per-channel'],
    ['v6.3', 'empty-batch'],
  ),
  'kvfree.gpCheck': row('no', ['v6.6', 'yes']),
  'kvfree.barrier': row('no', ['v6.12', 'yes']),
  'kvfree.wq': row('system', ['v6.12', 'unbound']),
  'kvfree.debugBulk': row('unqueue', ['kfree-bulk-2019-12-31', 'none'], ['v5.7', 'unqueue']),
  'tasks.backoff': row('seed-v2', ['v4.17', 'hz'], ['v4.19', 'fract'], ['v5.18', 'jiffies']),
  'tasks.lazy': row('no', ['v6.6', 'lazy']),
  'tasks.exit': row('srcu', ['v6.10', 'lists']),
  'tasks.info': row('no', ['v5.18', 'yes']),
  'tasks.innerGp': row('sched', ['v5.4', 'rcu']),
  sched: row('cfs', ['v6.6', 'eevdf-nodelay'], ['v6.12', 'eevdf']),
  'timer.migration': row('none', ['v6.10', 'hier']),
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

  it('have all rules of the row that stands in for them but those of mechanisms that are known better', () => {
    const standIns = PROFILES.filter(({ runsAs }) => runsAs !== undefined);
    expect(standIns.length).toBeGreaterThan(5);
    for (const { id, runsAs } of standIns) {
      const other = resolveRules(runsAs as ProfileId, {});
      for (const rule of RULE_IDS.filter((name) => !/^(kvfree|tasks)\./.test(name)))
        expect([id, rule, resolveRules(id, {})[rule]]).toEqual([id, rule, other[rule]]);
    }
  });

  it('use every value of every rule that is no word of its own', () => {
    for (const rule of RULE_IDS) {
      const used = new Set<string>(PROFILES.map(({ rules }) => rules[rule]));
      const words = rule === 'sched' || rule === 'timer.migration' ? [] : ruleWords(rule);
      expect(used).toEqual(new Set(RULE_VALUES[rule].filter((value) => !words.includes(value))));
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
