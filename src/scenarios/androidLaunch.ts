/**
 * Apps started on a phone: 6.1 with the sr_normal list of 6.10, rcu_normal_wake_from_gp off (A) and on (B). The list's
 * histograms beside those of two hypotheses of what the phone did, H1 and H2 (tree 4.3, R4.8, R4.9).
 */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

const VARIANTS: readonly Variant[] = [
  { id: 'h1-a', title: 'H1, woken by a callback (A)' },
  { id: 'h1-b', title: 'H1, woken by the kthread (B)' },
  { id: 'h2-a', title: 'H2, woken by a callback (A)' },
  { id: 'h2-b', title: 'H2, woken by the kthread (B)' },
];

/** H1: calls come at random, whatever became of earlier ones; other callbacks, too; CPUs are busy most of the time. */
const H1: readonly ActorInput[] = [
  { kind: 'load', cpu: 0, count: 8, mode: 'user', spin: { exp: '6.4ms' }, idle: { exp: '580us' } },
  {
    kind: 'updater',
    cpu: 0,
    count: 4,
    start: '10ms',
    api: 'call_rcu',
    wait: 'none',
    calls: 1_000_000,
    gap: { exp: '42.5ms' },
    gapFrom: 'call',
  },
  {
    kind: 'updater',
    cpu: 0,
    count: 8,
    start: '10ms',
    api: 'synchronize_rcu',
    calls: 1_000_000,
    gap: { exp: '124ms' },
    gapFrom: 'call',
  },
];

/** H2: three threads with bursts of calls, 9 of 14 at once after the one before; no other callbacks. */
const H2: readonly ActorInput[] = [
  { kind: 'load', cpu: 0, count: 8, mode: 'user', spin: { exp: '1.1ms' }, idle: { exp: '1.6ms' } },
  {
    kind: 'updater',
    cpu: 0,
    count: 3,
    start: '10ms',
    stagger: '7ms',
    api: 'synchronize_rcu',
    calls: 1_000_000,
    gap: {
      list: [
        '64ms',
        ...['20us', '20us', '38ms', '20us', '109ms', '20us', '20us', '19ms', '20us', '20us', '20us'],
        '90ms',
        '20us',
      ],
    },
  },
];

/** What a callback takes, and when busy CPUs arrive in their tick: see `fitted`. */
const MACHINE = {
  h1: { preset: 'typical', rcuCbNs: '1.2ms', tickJitterNs: '20us' },
  h2: { preset: 'typical', rcuCbNs: ['1ms', '4ms'] },
} as const;

function config(variant: string): ConfigInput {
  const isH1 = variant.startsWith('h1');
  return {
    kernel: 'v6.1',
    rules: { 'tree.srNormal': 'v6.12' },
    hz: 250,
    cpus: 8,
    machine: isH1 ? MACHINE.h1 : MACHINE.h2,
    params: { rcu_nocbs: '0-7', 'rcutree.rcu_normal_wake_from_gp': variant.endsWith('b') ? 1 : 0 },
    actors: isH1 ? H1 : H2,
    stop: { afterNs: '30s' },
  };
}

/** Why app launches got faster when the kthread woke callers itself. */
export const androidLaunch: Scenario = {
  id: 'android-launch',
  title: 'App launches on a phone',
  variants: VARIANTS,
  defaultVariant: 'h1-a',
  startView: { at: 'begin', spanNs: 100_000_000 },
  config,
};
