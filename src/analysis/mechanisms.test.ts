import { expect, it } from 'vitest';
import { reader, simConfig, updater } from '../engine/reference/simConfig.testkit.ts';
import { areOfSrcu, mechanismsOf } from './mechanisms.ts';

const tasks = updater({ api: 'synchronize_rcu_tasks', domain: 'tasks' });
const trace = updater({ api: 'synchronize_rcu_tasks_trace', domain: 'tasks-trace' });
const of = (parts: Parameters<typeof simConfig>[0]) => mechanismsOf(simConfig(parts));

it('SRCU stands inside classic RCU Tasks up to 6.8, and in no other flavour', () => {
  expect(of({ kernel: 'v6.6', actors: [tasks] })).toEqual({
    srcu: true,
    rcu: true,
    kvfree: false,
    tasks: true,
  });
  expect(of({ kernel: 'v6.12', actors: [tasks] })).toMatchObject({ srcu: false });
  expect(of({ kernel: 'v6.12', rules: { 'tasks.exit': 'v6.1' }, actors: [tasks] })).toMatchObject({
    srcu: true,
  });
  expect(of({ kernel: 'v6.6', actors: [trace] })).toMatchObject({ srcu: false, tasks: true });
  expect(of({ kernel: 'v6.6', actors: [trace, reader()] })).toMatchObject({ srcu: true });
});

it('its actors are then not those of SRCU', () => {
  expect([[tasks], [tasks, reader()], [reader()], []].map((actors) => areOfSrcu(actors))).toEqual([
    ...[false, true],
    ...[true, true],
  ]);
});
