/** One reader, one synchronize_rcu(), four CPUs: what the page opens with (tree §2, §3, §4). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

function config(variant: string): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    // the shorter story: an idle CPU keeps its tick for one more period, and no timer is late by chance
    machine: { preset: 'typical', idleTick: 'retain-one', jiffyRace: 'none' },
    initial: { gpKthreadCpu: 1 },
    params: { 'rcutree.rcu_normal_wake_from_gp': variant === 'wake-from-gp' ? 1 : 0 },
    actors: [
      ...(variant === 'no-reader'
        ? []
        : [
            {
              kind: 'reader' as const,
              domain: 'rcu',
              cpu: 2,
              start: '5ms',
              hold: '14ms',
              idle: 0,
              times: 1,
            },
          ]),
      { kind: 'updater', cpu: 0, start: '6ms', api: 'synchronize_rcu', calls: 1, gap: 0 },
    ],
  };
}

/** The first thing that a visitor sees. */
export const firstGracePeriod: Scenario = {
  id: 'first-grace-period',
  title: 'A first grace period',
  variants: [
    { id: 'callback', title: 'woken by a callback' },
    { id: 'wake-from-gp', title: 'woken by the kthread', note: 'rcu_normal_wake_from_gp = 1' },
    { id: 'no-reader', title: 'without the reader' },
  ],
  defaultVariant: 'callback',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
