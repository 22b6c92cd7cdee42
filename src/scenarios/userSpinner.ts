/** Busy loops in user mode: holdouts until their next tick (tasks 4.2). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** CPUs of the machine. */
const CPUS = 4;

function config(variant: string): ConfigInput {
  const isEvery = variant === 'every-cpu';
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: CPUS,
    machine: { preset: 'typical' },
    params: variant === 'nohz-full' ? { nohz_full: '2' } : {},
    actors: [
      { kind: 'load', mode: 'user', cpu: isEvery ? 0 : 2, count: isEvery ? CPUS : 1 },
      { kind: 'updater', cpu: 0, start: '10ms', api: 'synchronize_rcu_tasks', calls: 1, gap: 0 },
    ],
  };
}

/** What a user task that never sleeps does to synchronize_rcu_tasks(). */
export const userSpinner: Scenario = {
  id: 'user-spinner',
  title: 'A user task that spins',
  variants: [
    { id: 'one', title: 'on one CPU' },
    { id: 'every-cpu', title: 'on every CPU' },
    { id: 'nohz-full', title: 'on a nohz_full CPU' },
  ],
  defaultVariant: 'one',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
