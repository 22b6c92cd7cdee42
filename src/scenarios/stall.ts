/** A grace period that does not end: the stall warning (tree R2.28). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

const TIMEOUT_S = 3;

/** How long the reader stays in its section, s. */
export const HOLD_S = 13;

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    // a scan every 100 ms instead of every 8: the same warnings in a tenth of the rows
    params: { 'rcupdate.rcu_cpu_stall_timeout': TIMEOUT_S, 'rcutree.jiffies_till_next_fqs': 24 },
    actors: [
      { kind: 'reader', domain: 'rcu', cpu: 2, start: '5ms', hold: `${HOLD_S}s`, idle: 0, times: 1 },
      { kind: 'updater', cpu: 0, start: '20ms', api: 'synchronize_rcu', calls: 1, gap: 0 },
    ],
    preempt: variant === 'preempted-reader' ? 'full' : 'none',
  };
}

/** What "rcu: INFO: rcu_preempt self-detected stall" stands for. */
export const stall: Scenario = {
  id: 'stall',
  title: 'A stall warning',
  variants: [
    { id: 'running-reader', title: 'preempt none: the CPU is named' },
    { id: 'preempted-reader', title: 'preempt full: the task is named' },
  ],
  defaultVariant: 'running-reader',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
