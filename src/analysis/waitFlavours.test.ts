import { expect, test } from 'vitest';
import { APIS } from '../engine/config.ts';
import { KVFREE_PARAMS } from '../engine/profiles/kvfreeParams.ts';
import { TASKS_PARAMS } from '../engine/profiles/tasksParams.ts';
import { SRCU_PARAMS } from '../engine/srcu/params.ts';
import { RCU_PARAMS } from '../engine/tree/params.ts';
import { expediteMode, WAIT_APIS, waitFlavour } from './waitFlavours.ts';

test('every call of an updater is there, and every parameter named is one', () => {
  for (const api of APIS) expect(waitFlavour(api), api).toBeDefined();
  const names = new Set(
    [...SRCU_PARAMS, ...RCU_PARAMS, ...KVFREE_PARAMS, ...TASKS_PARAMS].map(({ name }) => name),
  );
  for (const api of WAIT_APIS) {
    for (const name of waitFlavour(api)?.touchedBy ?? []) expect(names, `${api}: ${name}`).toContain(name);
  }
  expect(waitFlavour('toString')).toBeUndefined();
});

test('detached probes (t09): rcu_expedited reaches RCU and SRCU, what is left are the Tasks flavours', () => {
  for (const api of ['synchronize_rcu', 'synchronize_net', 'synchronize_srcu'])
    expect(waitFlavour(api)?.ifExpedited).toBe('expedited');
  const tasks = WAIT_APIS.filter((api) => /tasks/.test(api));
  expect(tasks).toHaveLength(6);
  for (const api of tasks) expect(waitFlavour(api)?.ifExpedited).toMatch(/^(inner only|unchanged)$/);
  for (const api of ['call_rcu', 'percpu_ref_kill', 'rcu_barrier', 'call_srcu'])
    expect(waitFlavour(api)?.ifExpedited).toBe('unchanged');
});

test('rcu_normal wins over rcu_expedited (t09)', () => {
  const [normal, expedited] = ['rcupdate.rcu_normal', 'rcupdate.rcu_expedited'] as const;
  expect(expediteMode({ [normal]: 1, [expedited]: 1 })).toBe('normal');
  expect(expediteMode({ [normal]: 0, [expedited]: 1 })).toBe('expedited');
  expect(expediteMode({ [normal]: 0, [expedited]: 0 })).toBe('as called');
});

test('one CPU online (t11): synchronize_sched() returns at once', () => {
  expect(waitFlavour('synchronize_sched')).toMatchObject({
    mechanism: 'Tree RCU',
    note: expect.stringMatching(/one CPU online/),
  });
});

test('uprobes (t12): a lazy callback of Tasks Trace, which its own parameter touches and a synchronous call not', () => {
  const lazy = 'rcupdate.rcu_tasks_trace_lazy_ms';
  expect(waitFlavour('call_rcu_tasks_trace')).toMatchObject({
    mechanism: 'RCU Tasks Trace',
    lazyNote: expect.stringMatching(/256 ms/),
  });
  expect(waitFlavour('call_rcu_tasks_trace')?.touchedBy).toContain(lazy);
  expect(waitFlavour('synchronize_rcu_tasks_trace')?.touchedBy).not.toContain(lazy);
});

test('a busy ksoftirqd (t13): preemption is no quiescent state of RCU Tasks', () => {
  expect(waitFlavour('synchronize_rcu_tasks')?.note).toMatch(/preemption does not count.*CONFIG_PREEMPT too/);
});

test('laziness touches callbacks and the barrier behind them, not calls that are never lazy', () => {
  const touch = (name: string) => WAIT_APIS.filter((api) => waitFlavour(api)?.touchedBy.includes(name));
  expect(touch('rcutree.enable_rcu_lazy')).toEqual(['call_rcu']);
  expect(waitFlavour('percpu_ref_kill')?.note).toMatch(/never lazy/);
  expect(touch('rcupdate.rcu_tasks_lazy_ms')).toEqual(['call_rcu_tasks', 'rcu_barrier_tasks']);
  expect(touch('rcupdate.rcu_task_lazy_lim')).toEqual([
    ...['call_rcu_tasks', 'rcu_barrier_tasks'],
    'call_rcu_tasks_trace',
  ]);
});
