import { describe, expect, it } from 'vitest';
import { WAIT_APIS } from '../../analysis/waitFlavours.ts';
import { callGroups, flavourView } from './model.ts';

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
      const view = flavourView(api, { 'rcupdate.rcu_expedited': 1 }, []);
      expect(view?.expedited).toMatch(/^rcupdate\.rcu_expedited=1 does not help/);
      const isInner = api.includes('tasks');
      expect(view?.untouched.includes('rcupdate.rcu_expedited')).toBe(!isInner);
      expect(view?.innerOnly.includes('rcupdate.rcu_expedited')).toBe(isInner);
      expect(view?.touchedBy).not.toContain('rcupdate.rcu_expedited');
      expect(view?.here).toContain(isInner ? 'inside is expedited' : 'this one is as it was');
    }
    const tree = flavourView('synchronize_rcu', { 'rcupdate.rcu_expedited': 1 }, []);
    expect([tree?.expedited, tree?.here]).toEqual([
      'rcupdate.rcu_expedited=1 makes it an expedited grace period.',
      'In this run it is expedited, whatever its name.',
    ]);
    expect(tree?.untouched).not.toContain('rcupdate.rcu_expedited');
  });

  it('keeps the names of functions, and says what is expedited here', () => {
    expect(flavourView('percpu_ref_kill', {}, [])?.note).toMatch(/^call_rcu_hurry\(\)/);
    const expedited = { 'rcupdate.rcu_expedited': 1 };
    expect(flavourView('synchronize_rcu_tasks', expedited, [])?.here).toBe(
      'In this run the synchronize_rcu() inside is expedited.',
    );
    expect(flavourView('kvfree_rcu_barrier', {}, [])?.touchedBy).toContain('rcutree.jiffies_till_first_fqs');
  });

  it('tells what touches a call, what touches only the grace periods inside, and what does not', () => {
    for (const api of WAIT_APIS) {
      const view = flavourView(api, {}, []);
      const lists = [...(view?.touchedBy ?? []), ...(view?.innerOnly ?? []), ...(view?.untouched ?? [])];
      expect({ api, twice: lists.length - new Set(lists).size }).toEqual({ api, twice: 0 });
    }
    expect(flavourView('call_rcu_tasks', {}, [])).toMatchObject({
      mechanism: 'RCU Tasks',
      touchedBy: ['rcupdate.rcu_tasks_lazy_ms', 'rcupdate.rcu_task_lazy_lim'],
    });
    expect(flavourView('synchronize_rcu_tasks', {}, [])?.innerOnly).toContain(
      'rcutree.jiffies_till_first_fqs',
    );
    expect(flavourView('no_such_call', {}, [])).toBeUndefined();
  });
});
