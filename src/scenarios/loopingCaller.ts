/** One thread that calls synchronize_rcu() in a loop on an idle machine of 32 CPUs, as posted in January 2026 (tree R4.7). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** Calls in all. */
export const CALLS = 20;

const GP_KTHREAD_CPU = 1;

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 1000,
    cpus: 32,
    rules: variant === 'early-report' ? { 'tree.earlyReport': 'next' } : {},
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: GP_KTHREAD_CPU },
    actors: [
      {
        kind: 'updater',
        cpu: variant === 'kthread-cpu' ? GP_KTHREAD_CPU : 4,
        start: '5.3ms',
        api: 'synchronize_rcu',
        calls: CALLS,
        gap: 0,
      },
    ],
  };
}

/** Why an idle machine needs two scans, and what an early report of the kthread's own CPU saves. */
export const loopingCaller: Scenario = {
  id: 'looping-caller',
  title: 'A looping caller on 32 idle CPUs',
  variants: [
    { id: 'posted', title: 'as it is' },
    { id: 'early-report', title: 'early report of the kthread’s CPU', note: 'tree.earlyReport = next' },
    { id: 'kthread-cpu', title: 'caller on the CPU of the kthread' },
  ],
  defaultVariant: 'posted',
  startView: { at: 'begin', spanNs: 24_000_000 },
  config,
};
