/** A grace period that does not end: the stall warning (tree R2.28). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const S = 1_000_000_000;
const TIMEOUT_S = 3;
const HOLD_S = 13;

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
    'After 3 s (750 jiffies) the first tick that looks finds the grace period too old. Without preemption that is CPU 2, which still owes its bit, and it warns of itself (SelfDetected).',
    'In a preemptible kernel the scan has made CPU 2 reschedule long before: its reader is entered in blkd_tasks, though nobody else wants the CPU, and the CPU has reported. Nobody owes a bit; another CPU warns two jiffies later (752, StallDetected), and only the leaf still names the task.',
    'The next warning comes 3 timeouts and 3 jiffies after the last: at 3,003 and 3,007 jiffies here.',
  ],
  fitted: [],
  variants: [
    { id: 'running-reader', title: 'preempt none: the CPU is named' },
    { id: 'preempted-reader', title: 'preempt full: the task is named' },
  ],
  defaultVariant: 'running-reader',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
