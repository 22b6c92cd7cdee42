/** A holdout that does not let go: what the kernel log says, and when (tasks 6, 9.4). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

interface Setting extends Variant {
  readonly kernel: string;
  readonly hz: number;
  readonly spin: string;
  readonly params?: Readonly<Record<string, number>>;
}

const SHORT = { kernel: 'v6.12', hz: 250, spin: '14s' } as const;
/** 1 s and 10 s at HZ=250. */
const SOON = { 'rcupdate.rcu_task_stall_info': 250, 'rcupdate.rcu_task_stall_timeout': 2500 };

const SETTINGS: readonly Setting[] = [
  { ...SHORT, id: 'soon', title: 'first line after 1 s, stall after 10 s', params: SOON },
  {
    ...SHORT,
    id: 'every-second',
    title: 'rcu_task_stall_info_mult = 1',
    params: { ...SOON, 'rcupdate.rcu_task_stall_info_mult': 1 },
  },
  {
    ...SHORT,
    id: 'before-5-18',
    title: '5.10: no lines before the stall',
    kernel: 'v5.10',
    params: { 'rcupdate.rcu_task_stall_timeout': 2500 },
  },
  { id: 'defaults', title: '6.17, HZ=1000, defaults: 410 s', kernel: 'v6.17', hz: 1000, spin: '410s' },
];

function config(variant: string): ConfigInput {
  const { kernel, hz, spin, params } = SETTINGS.find(({ id }) => id === variant) as Setting;
  return {
    kernel,
    hz,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: params ?? {},
    actors: [
      { kind: 'holdout', cpu: 2, spin, sleep: '600s' },
      { kind: 'updater', cpu: 0, start: '20ms', api: 'synchronize_rcu_tasks', calls: 1, gap: 0 },
    ],
  };
}

/** When RCU Tasks complains, and of whom. */
export const tasksStall: Scenario = {
  id: 'tasks-stall',
  title: 'RCU Tasks stalls',
  variants: SETTINGS.map(({ id, title }) => ({ id, title })),
  defaultVariant: 'soon',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
