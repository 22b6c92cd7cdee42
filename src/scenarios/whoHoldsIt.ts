/** Who keeps a grace period from ending: a running reader, a preempted one, readers without a pause (tree R2.12, R2.21). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

function actors(variant: string): NonNullable<ConfigInput['actors']> {
  const caller = {
    kind: 'updater' as const,
    cpu: 0,
    start: '21ms',
    api: 'synchronize_rcu' as const,
    calls: 1,
    gap: 0,
  };
  const reader = { kind: 'reader' as const, domain: 'rcu', cpu: 2, start: '5ms' };
  switch (variant) {
    case 'running-reader':
      return [{ ...reader, hold: '55ms', idle: 0, times: 1 }, caller];
    case 'preempted-reader':
      return [
        { ...reader, hold: '55ms', idle: 0, times: 1 },
        { kind: 'load', cpu: 2, mode: 'kernel', spin: '1ms', start: '6ms' },
        caller,
      ];
    default:
      return [{ ...reader, cpu: 1, count: 3, hold: { uniform: ['0ms', '3ms'] }, idle: 0 }, caller];
  }
}

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    preempt: variant === 'readers-without-preemption' ? 'none' : 'full',
    machine: { preset: 'virtual-1gips' },
    params: { 'rcutree.rcu_normal_wake_from_gp': 1 },
    actors: actors(variant),
  };
}

/** Three ways to hold a grace period up. */
export const whoHoldsIt: Scenario = {
  id: 'who-holds-it',
  title: 'Who holds it?',
  variants: [
    { id: 'running-reader', title: 'a reader of 55 ms' },
    { id: 'preempted-reader', title: 'the same, preempted' },
    { id: 'readers', title: 'three readers without a pause' },
    { id: 'readers-without-preemption', title: 'the same, preempt none' },
  ],
  defaultVariant: 'running-reader',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
