/** A kernel thread that keeps its CPU: what does not make it let go, and what does (tasks 4.2). */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** How long it spins, s. */
export const SPIN_S = 3;

const CPU = 2;

const ACTORS: Readonly<Record<string, readonly ActorInput[]>> = {
  idle: [],
  // cond_resched() after every ms, for ever
  'cond-resched': [{ kind: 'load', mode: 'kernel', cpu: CPU, spin: '1ms' }],
  naps: [{ kind: 'holdout', cpu: CPU, spin: '300ms', sleep: '1ms' }],
};
const SPINS: readonly ActorInput[] = [{ kind: 'holdout', cpu: CPU, spin: `${SPIN_S}s`, sleep: '60s' }];

function config(variant: string): ConfigInput {
  const isEndless = variant === 'cond-resched';
  return {
    kernel: variant === 'idle' ? 'v5.10' : 'v6.12',
    hz: 250,
    cpus: 4,
    preempt: variant === 'preempt-none' || isEndless ? 'none' : 'full',
    machine: { preset: 'typical' },
    params: variant === 'expedited' ? { 'rcupdate.rcu_expedited': 1 } : {},
    actors: [
      ...(ACTORS[variant] ?? SPINS),
      { kind: 'updater', cpu: 0, start: '10ms', api: 'synchronize_rcu_tasks', calls: 1, gap: 0 },
    ],
    ...(isEndless ? { stop: { afterNs: '3s', whenDone: true } } : {}),
  };
}

/** What a kernel thread that spins does to synchronize_rcu_tasks(). */
export const kernelSpinner: Scenario = {
  id: 'kernel-spinner',
  title: 'A kernel thread that spins',
  variants: [
    { id: 'spins', title: 'spins for 3 s' },
    { id: 'preempt-none', title: 'the same, preempt none' },
    { id: 'expedited', title: 'the same, rcu_expedited = 1' },
    {
      id: 'cond-resched',
      title: 'cond_resched() every ms, preempt none',
      note: 'The call never returns; the run ends after 3 s.',
    },
    { id: 'naps', title: 'sleeps 1 ms after every 300 ms' },
    { id: 'idle', title: 'nobody spins, 5.10' },
  ],
  defaultVariant: 'spins',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
