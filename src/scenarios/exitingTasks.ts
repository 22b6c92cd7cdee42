/** A task that exits slowly while synchronize_rcu_tasks() scans: exit SRCU and exit lists (tasks 3 step 4). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** When the exit begins, how long it takes, and its last stretch without preemption, ms. */
export const EXIT = { beginMs: 5, ms: 300, tailMs: 50 } as const;

function config(variant: string): ConfigInput {
  const { beginMs, ms, tailMs } = EXIT;
  return {
    kernel: variant.startsWith('srcu') ? 'v6.6' : 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    actors: [
      {
        kind: 'exiter',
        cpu: 1,
        gap: { list: [`${beginMs}ms`, '60s'] },
        exit: variant.endsWith('short') ? '50us' : `${ms}ms`,
        ...(variant.endsWith('tail') ? { tail: `${tailMs}ms` } : {}),
      },
      { kind: 'updater', cpu: 0, start: '8ms', api: 'synchronize_rcu_tasks', calls: 1, gap: 0 },
    ],
  };
}

/** What a task on its way out of the task list does to RCU Tasks, before and after 6.9. */
export const exitingTasks: Scenario = {
  id: 'exiting-tasks',
  title: 'A task that exits slowly',
  variants: [
    { id: 'lists', title: 'lists of exiting tasks, 6.12' },
    { id: 'srcu', title: 'SRCU for exiting tasks, 6.6' },
    { id: 'lists-tail', title: '6.12, and 50 ms not preemptible at the end' },
    { id: 'srcu-tail', title: '6.6, and 50 ms not preemptible at the end' },
    { id: 'lists-short', title: '6.12, an exit of 50 us' },
    { id: 'srcu-short', title: '6.6, an exit of 50 us' },
  ],
  defaultVariant: 'lists',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
