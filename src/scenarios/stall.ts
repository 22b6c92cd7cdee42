/** A grace period that does not end: the stall warning (tree R2.28). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const S = 1_000_000_000;
const TIMEOUT_S = 3;
const HOLD_S = 8;

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: { 'rcupdate.rcu_cpu_stall_timeout': TIMEOUT_S },
    actors: [
      { kind: 'reader', domain: 'rcu', cpu: 2, start: '5ms', hold: `${HOLD_S}s`, idle: 0, times: 1 },
      // the CPU of the reader is wanted by somebody else, too: the reader loses it inside its section
      ...(variant === 'preempted-reader'
        ? [{ kind: 'load' as const, cpu: 2, mode: 'kernel' as const, spin: '1ms', start: '6ms' }]
        : []),
      { kind: 'updater', cpu: 0, start: '20ms', api: 'synchronize_rcu', calls: 1, gap: 0 },
    ],
    ...(variant === 'preempted-reader' ? { preempt: 'full' as const } : {}),
  };
}

function expectations(): Expectation[] {
  return [
    {
      text: 'the call waits for the reader however long that takes',
      holds: ({ latency }) => (latency?.synchronize_rcu?.p0 ?? 0) > (HOLD_S - 1) * S,
    },
    { text: 'one grace period', holds: ({ gracePeriods }) => gracePeriods?.rcu?.n === 1 },
  ];
}

/** What "rcu: INFO: rcu_preempt self-detected stall" stands for. */
export const stall: Scenario = {
  id: 'stall',
  title: 'A stall warning',
  shows:
    'who is named when a grace period is older than rcu_cpu_stall_timeout, and when the next warning comes',
  lookAt: [
    'After 3 s the CPU that still owes its bit warns of itself (self-detected); if none of those ticks, another CPU warns 2 jiffies later.',
    'A reader that was preempted inside its section holds no CPU: only its leaf of the tree still names it (gp_tasks).',
    'The next warning comes after 3 timeouts and 3 jiffies: 2 253 jiffies here.',
  ],
  fitted: [],
  variants: [
    { id: 'running-reader', title: 'the reader keeps its CPU' },
    { id: 'preempted-reader', title: 'the reader is preempted' },
  ],
  defaultVariant: 'running-reader',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
