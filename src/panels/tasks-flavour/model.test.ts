import { describe, expect, it } from 'vitest';
import { WAIT_APIS } from '../../analysis/waitFlavours.ts';
import { PROFILES } from '../../engine/profiles/profiles.ts';
import { simConfig } from '../../engine/reference/simConfig.testkit.ts';
import { callGroups, type FlavourSetting, flavourView } from './model.ts';

/** 6.12 with these parameters. */
const v612 = (params: FlavourSetting['params'] = {}): FlavourSetting => {
  return { kernel: 'v6.12', rules: {}, params };
};
/** What the view says on a kernel. */
const viewOn = (kernel: FlavourSetting['kernel'], api: string, rules: FlavourSetting['rules'] = {}) =>
  flavourView(api, { kernel, rules, params: {} }, []);

describe('which flavour am I waiting for', () => {
  it('has every call once, under the mechanism that serves it', () => {
    const groups = callGroups();
    expect(groups.flatMap(({ options }) => options.map(({ id }) => id)).sort()).toEqual(
      [...WAIT_APIS].sort(),
    );
    const tasks = groups.find(({ title }) => title === 'RCU Tasks');
    expect(tasks?.options.map(({ id }) => id)).toContain('synchronize_rcu_tasks');
  });

  it('rcu_expedited never helps RCU Tasks, call_rcu() or percpu_ref', () => {
    for (const api of ['synchronize_rcu_tasks', 'call_rcu_tasks_trace', 'call_rcu', 'percpu_ref_kill']) {
      const view = flavourView(api, v612({ 'rcupdate.rcu_expedited': 1 }), []);
      expect(view?.expedited).toMatch(/^rcupdate\.rcu_expedited=1 does not help/);
      const isInner = api.includes('tasks');
      expect(view?.untouched.includes('rcupdate.rcu_expedited')).toBe(!isInner);
      expect(view?.innerOnly.includes('rcupdate.rcu_expedited')).toBe(isInner);
      expect(view?.touchedBy).not.toContain('rcupdate.rcu_expedited');
      expect(view?.here).toContain(isInner ? 'inside is expedited' : 'this one is as it was');
    }
    const tree = flavourView('synchronize_rcu', v612({ 'rcupdate.rcu_expedited': 1 }), []);
    expect([tree?.expedited, tree?.here]).toEqual([
      'rcupdate.rcu_expedited=1 makes it an expedited grace period.',
      'In this run it is expedited, whatever its name.',
    ]);
    expect(tree?.untouched).not.toContain('rcupdate.rcu_expedited');
  });

  it('keeps the names of functions, and says what is expedited here', () => {
    expect(viewOn('v6.12', 'percpu_ref_kill')?.note).toMatch(/^call_rcu_hurry\(\)/);
    const expedited = { 'rcupdate.rcu_expedited': 1 };
    expect(flavourView('synchronize_rcu_tasks', v612(expedited), [])?.here).toBe(
      'In this run the synchronize_rcu() inside is expedited.',
    );
    expect(viewOn('v6.12', 'kvfree_rcu_barrier')?.touchedBy).toContain('rcutree.jiffies_till_first_fqs');
  });

  it('tells what touches a call, what touches only the grace periods inside, and what does not', () => {
    for (const api of WAIT_APIS) {
      const view = viewOn('v6.12', api);
      const lists = [...(view?.touchedBy ?? []), ...(view?.innerOnly ?? []), ...(view?.untouched ?? [])];
      expect({ api, twice: lists.length - new Set(lists).size }).toEqual({ api, twice: 0 });
    }
    expect(viewOn('v6.12', 'call_rcu_tasks')).toMatchObject({
      mechanism: 'RCU Tasks',
      touchedBy: ['rcupdate.rcu_tasks_lazy_ms', 'rcupdate.rcu_task_lazy_lim'],
    });
    expect(viewOn('v6.12', 'synchronize_rcu_tasks')?.innerOnly).toContain('rcutree.jiffies_till_first_fqs');
    expect(viewOn('v6.12', 'no_such_call')).toBeUndefined();
  });

  it('lists the parameters of the SRCU domain inside classic RCU Tasks, where there is one', () => {
    const srcu = (view: ReturnType<typeof viewOn>, list: 'touchedBy' | 'innerOnly' | 'untouched') =>
      view?.[list].filter((name) => name.startsWith('srcutree.'));
    for (const api of ['synchronize_rcu_tasks', 'call_rcu_tasks', 'rcu_barrier_tasks']) {
      const old = viewOn('v6.6', api);
      expect(srcu(old, 'innerOnly')).toContain('srcutree.srcu_max_nodelay_phase');
      expect(srcu(old, 'untouched')).toEqual([]);
      expect(srcu(viewOn('v6.12', api), 'innerOnly')).toEqual([]);
      expect(srcu(viewOn('v6.12', api), 'untouched')).toContain('srcutree.srcu_max_nodelay_phase');
      expect(srcu(viewOn('v6.12', api, { 'tasks.exit': 'v6.1' }), 'innerOnly')).toHaveLength(4);
    }
    expect(srcu(viewOn('v6.6', 'synchronize_rcu_tasks_trace'), 'innerOnly')).toEqual([]);
  });

  it('says which parameters this kernel does not have, and lists no other that it lacks', () => {
    const lazy = ['rcupdate.rcu_tasks_trace_lazy_ms', 'rcupdate.rcu_task_lazy_lim'];
    const old = viewOn('v5.10', 'call_rcu_tasks_trace');
    expect(old?.touchedBy).toEqual(['rcupdate.rcu_task_ipi_delay']);
    expect(old?.absent).toEqual([...lazy, 'rcutree.rcu_normal_wake_from_gp']);
    expect(old?.note).toBe('Readers are sleepable BPF programs and uprobes.');
    const now = viewOn('v6.12', 'call_rcu_tasks_trace');
    expect(now?.touchedBy).toEqual([...lazy, 'rcupdate.rcu_task_ipi_delay']);
    expect(now?.absent).toEqual([]);
    expect(now?.note).toMatch(/uprobes\. Lazy by default: .* 256 ms\.$/);
    const lazyBefore = viewOn('v5.10', 'call_rcu_tasks_trace', { 'tasks.lazy': 'v6.6' });
    expect(lazyBefore?.touchedBy).toEqual(now?.touchedBy);
    for (const { id } of PROFILES) {
      for (const api of WAIT_APIS) {
        const view = viewOn(id, api);
        const shown = [...(view?.touchedBy ?? []), ...(view?.innerOnly ?? []), ...(view?.untouched ?? [])];
        expect(shown.filter((name) => !(name in simConfig({ kernel: id, actors: [] }).params))).toEqual([]);
      }
    }
  });
});
