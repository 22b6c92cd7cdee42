/** The same wait, normal and expedited (tree §4, §5). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** The apis that are called. */
export const API = { normal: 'synchronize_rcu', expedited: 'synchronize_rcu_expedited' } as const;

/** Variants in which the worker of expedited grace periods has to share its CPU. */
export const RUN_QUEUE = ['worker-waits', 'worker-kthread'];

/** Five threads to a CPU, 5.10: the worker is a work item on the caller's CPU, or a real-time kthread (R5.2). */
function runQueue(isKthread: boolean): ConfigInput {
  return {
    kernel: 'v5.10',
    hz: 250,
    cpus: 8,
    kconfig: { RCU_EXP_KTHREAD: isKthread },
    machine: { preset: 'typical' },
    actors: [
      { kind: 'load', cpu: 0, count: 40, mode: 'user', spin: { exp: '8ms' }, idle: { exp: '40ms' } },
      { kind: 'updater', cpu: 0, start: '100ms', api: API.expedited, calls: 300, gap: { exp: '5ms' } },
    ],
  };
}

function config(variant: string): ConfigInput {
  if (RUN_QUEUE.includes(variant)) return runQueue(variant === 'worker-kthread');
  const isExpedited = variant === 'expedited' || variant === 'rcu-normal';
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: {
      'rcutree.rcu_normal_wake_from_gp': 1,
      'rcupdate.rcu_expedited': variant === 'rcu-expedited' ? 1 : 0,
      'rcupdate.rcu_normal': variant === 'rcu-normal' ? 1 : 0,
    },
    actors: [
      { kind: 'load', cpu: 1, count: 2, mode: 'kernel', spin: '1ms' },
      {
        kind: 'updater',
        cpu: 0,
        start: { ticks: 6, plus: '33us' },
        api: isExpedited ? API.expedited : API.normal,
        calls: 12,
        gap: { lcg: { seed: 1, stream: 1000, lo: 0, hi: '8ms' } },
      },
    ],
  };
}

/** What an IPI saves, and what it costs others. */
export const normalVsExpedited: Scenario = {
  id: 'normal-vs-expedited',
  title: 'Normal against expedited',
  variants: [
    { id: 'normal', title: 'synchronize_rcu()' },
    { id: 'expedited', title: 'synchronize_rcu_expedited()' },
    { id: 'rcu-expedited', title: 'synchronize_rcu() with rcu_expedited = 1' },
    { id: 'rcu-normal', title: 'synchronize_rcu_expedited() with rcu_normal = 1' },
    { id: 'worker-waits', title: 'the worker waits for its CPU, 5.10' },
    { id: 'worker-kthread', title: 'the same with CONFIG_RCU_EXP_KTHREAD' },
  ],
  defaultVariant: 'normal',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
