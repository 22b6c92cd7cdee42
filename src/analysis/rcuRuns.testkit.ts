/** Configurations of Tree RCU for the tests of the analysis. */
import type { SimConfig } from '../engine/config.ts';
import { presetMachine } from '../engine/machine/presets.ts';
import { config, MS, reader, updater } from './runs.testkit.ts';

const READER = { domain: 'rcu', hold: { uniform: [0, 3 * MS] }, idle: 100_000, idleMode: 'spin' } as const;
const SYNC = { api: 'synchronize_rcu', start: MS } as const;

/** Runs that between them have every part of Tree RCU that the analysis shows. */
export const RCU_SAMPLES: Readonly<Record<string, () => SimConfig>> = {
  'plain, idle': () => config([updater({ ...SYNC, calls: 3 })], { cpus: 4 }),
  'plain, user load': () =>
    config(
      [
        updater({ ...SYNC, calls: 3 }),
        { kind: 'load', mode: 'user', idle: 0, cpu: 1, count: 3, start: 0, stagger: 0 },
      ],
      { cpus: 4 },
    ),
  readers: () =>
    config(
      [updater({ ...SYNC, calls: 20 }), reader({ ...READER, count: 2 }), reader({ ...READER, cpu: 1 })],
      {
        cpus: 4,
        machine: presetMachine('virtual-1gips'),
      },
    ),
  'several callers': () =>
    config(
      [updater({ ...SYNC, calls: 10, count: 8, gap: { uniform: [0, 5 * MS] } }), reader({ ...READER })],
      {
        cpus: 4,
        machine: presetMachine('typical'),
      },
    ),
  'two levels': () =>
    config([updater({ ...SYNC, calls: 5 }), reader({ ...READER, count: 20 })], {
      cpus: 40,
      machine: presetMachine('typical'),
    }),
  'wake from gp': () =>
    config(
      [updater({ ...SYNC, calls: 10, count: 8, gap: { uniform: [0, 5 * MS] } }), reader({ ...READER })],
      {
        cpus: 4,
        machine: presetMachine('typical'),
        params: { 'rcutree.rcu_normal_wake_from_gp': 1 },
      },
    ),
  'callbacks and barrier': () =>
    config(
      [updater({ ...SYNC, api: 'call_rcu', batch: 30, calls: 5 }), updater({ ...SYNC, cpu: 1, calls: 5 })],
      {
        cpus: 4,
        machine: presetMachine('typical'),
      },
    ),
  offloaded: () =>
    config(
      [
        updater({ ...SYNC, api: 'call_rcu', batch: 30, calls: 5 }),
        updater({ ...SYNC, cpu: 1, count: 3, calls: 5, gap: MS }),
        reader({ ...READER, cpu: 2 }),
      ],
      { cpus: 4, machine: presetMachine('typical'), params: { rcu_nocbs: '0-3' } },
    ),
  expedited: () =>
    config(
      [
        updater({ ...SYNC, api: 'synchronize_rcu_expedited', count: 3, calls: 10, gap: 100_000 }),
        reader({ ...READER, cpu: 2, count: 3 }),
      ],
      { cpus: 6, machine: presetMachine('typical') },
    ),
  stall: () =>
    config([updater({ ...SYNC }), reader({ ...READER, hold: 3500 * MS, start: 1, times: 1 })], {
      hz: 100,
      params: { 'rcupdate.rcu_cpu_stall_timeout': 3 },
    }),
  polled: () =>
    config(
      [
        updater({ ...SYNC, api: 'start_poll_synchronize_rcu', calls: 5, gap: MS }),
        updater({ ...SYNC, api: 'get_state_synchronize_rcu', cpu: 1, calls: 5, gap: MS }),
      ],
      { cpus: 4, machine: presetMachine('typical') },
    ),
};

/** One of them. Throws for a name that is none. */
export function sampleOf(name: string): SimConfig {
  const sample = RCU_SAMPLES[name];
  if (sample === undefined) throw new Error(`no sample ${name}`);
  return sample();
}
