/** call_rcu_tasks() and rcu_barrier_tasks(), again and again: callbacks that nobody waits for may be late (tasks 3.1). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** Batches of callbacks. */
const CALLS = 8;
/** Enough for the 33rd to be urgent (rcu_task_lazy_lim). */
const MANY = 40;

function config(variant: string): ConfigInput {
  return {
    kernel: variant === 'before' ? 'v6.3' : 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: variant === 'off' ? { 'rcupdate.rcu_tasks_lazy_ms': 0 } : {},
    initial: variant === 'left-over' ? { tasksUrgent: 2 } : {},
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        start: '10ms',
        api: variant === 'synchronous' ? 'synchronize_rcu_tasks' : 'call_rcu_tasks',
        calls: CALLS,
        gap: 0,
        ...(variant === 'many' ? { batch: MANY } : {}),
      },
    ],
  };
}

/** What laziness costs a caller who waits for a callback. */
export const lazyTasks: Scenario = {
  id: 'lazy-tasks',
  title: 'Lazy callbacks of RCU Tasks',
  variants: [
    { id: 'lazy', title: 'one callback at a time, 6.12' },
    { id: 'synchronous', title: 'synchronize_rcu_tasks(), 6.12' },
    { id: 'many', title: `${MANY} callbacks at a time, 6.12` },
    {
      id: 'left-over',
      title: 'two urgent looks left over',
      note: 'initial.tasksUrgent = 2: somebody used synchronize_rcu_tasks() before.',
    },
    { id: 'off', title: 'rcu_tasks_lazy_ms = 0' },
    { id: 'before', title: '6.3, before laziness' },
  ],
  defaultVariant: 'lazy',
  startView: { at: 'begin', spanNs: 900_000_000 },
  config,
};
