/** Who keeps a grace period from ending: a running reader, a preempted one, readers without a pause (tree R2.12, R2.21). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const MS = 1_000_000;

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

function expectations(variant: string): Expectation[] {
  const ms = (latency: { readonly p0: number } | undefined) => (latency?.p0 ?? 0) / MS;
  if (variant === 'running-reader' || variant === 'preempted-reader') {
    return [
      {
        text: 'the call returns after the reader has left',
        holds: ({ virtualNs }) => virtualNs > 60 * MS,
      },
    ];
  }
  return [
    {
      text: 'nothing happens before jiffies_to_sched_qs, 100 ms at any HZ',
      holds: ({ latency }) => ms(latency?.synchronize_rcu) > 100 && ms(latency?.synchronize_rcu) < 130,
    },
  ];
}

/** Three ways to hold a grace period up. */
export const whoHoldsIt: Scenario = {
  id: 'who-holds-it',
  title: 'Who holds it?',
  shows: 'which CPU or task a grace period waits for, and what the kernel does about it',
  lookAt: [
    'A running reader keeps its CPU in the mask of its leaf: one red bit in the tree, and nobody can clear it from outside.',
    'A preempted reader gives its CPU back and is entered in blkd_tasks instead: the mask is empty, the leaf still is not quiet.',
    'Readers without a pause never let a tick see a quiescent state: from jiffies_to_sched_qs (100 ms) on the scan asks for a reschedule, and two ticks later it is over.',
  ],
  fitted: [],
  variants: [
    { id: 'running-reader', title: 'a reader of 55 ms' },
    { id: 'preempted-reader', title: 'the same, preempted' },
    { id: 'readers', title: 'three readers without a pause' },
    { id: 'readers-without-preemption', title: 'the same, preempt none' },
  ],
  defaultVariant: 'running-reader',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
