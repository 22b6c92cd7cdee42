/** Configurations of kfree_rcu() for the tests of the analysis. */
import type { KfreeActor, SimConfig } from '../engine/config.ts';
import { presetMachine } from '../engine/machine/presets.ts';
import { config, MS, reader, updater } from './runs.testkit.ts';

/** A flood: two threads, 4 x 3000 objects of 256 bytes each. */
export function kfree(keys: Partial<KfreeActor> = {}): KfreeActor {
  const place = { cpu: 0, count: 2, start: 0, stagger: 0 };
  const flood = { loops: 4, allocs: 3000, sizes: [256], form: 'double', resched: true, nice: 19 } as const;
  return { kind: 'kfree', ...place, ...flood, sampleNs: 0, ...keys };
}

/** The machine on which the measurements were made. */
const SLOW = { machine: presetMachine('virtual-1gips') } as const;

/** Runs that between them have every part of kvfree_rcu() that the analysis shows. */
export const KVFREE_SAMPLES: Readonly<Record<string, () => SimConfig>> = {
  plain: () => config([kfree()]),
  flood: () => config([kfree({ count: 4, loops: 20, allocs: 4000, sampleNs: MS })], { cpus: 4, ...SLOW }),
  'list of v5.6': () => config([kfree({ allocs: 500 })], { kernel: 'v5.6', ...SLOW }),
  'callbacks of v5.4': () => config([kfree({ allocs: 20 })], { kernel: 'v5.4', ...SLOW }),
  'v5.10': () => config([kfree({ loops: 40 })], { kernel: 'v5.10', ...SLOW }),
  'per block': () =>
    config([kfree({ loops: 40 })], { kernel: 'v6.3', rules: { 'kvfree.wait': 'per-block' }, ...SLOW }),
  polled: () => config([kfree({ loops: 40 })], { kernel: 'kvfree-polled-2022-11-02', ...SLOW }),
  'old attach': () => config([kfree({ loops: 40 })], { rules: { 'kvfree.attach': 'v5.18' }, ...SLOW }),
  'freed while queued': () =>
    config([kfree({ loops: 40 })], {
      kernel: 'kfree-bulk-2019-12-31',
      kconfig: { DEBUG_OBJECTS_RCU_HEAD: true },
      ...SLOW,
    }),
  'leaked by the check': () =>
    config(
      [
        kfree({ cpu: 1, count: 1, loops: 1, allocs: 600, sizes: [64], nice: 0 }),
        kfree({ cpu: 1, count: 1, loops: 1, allocs: 1200, sizes: [64], nice: 0, start: 34 * MS }),
        reader({ domain: 'rcu', cpu: 2, start: MS, hold: 80 * MS, times: 1 }),
      ],
      {
        ...{ cpus: 4, preempt: 'none', rules: { 'kvfree.attach': 'v5.18' } },
        machine: presetMachine('typical'),
      },
    ),
  'expedited beside it': () =>
    config(
      [
        kfree({ loops: 40 }),
        updater({ domain: 'rcu', api: 'synchronize_rcu_expedited', calls: 60, gap: MS / 2 }),
      ],
      SLOW,
    ),
  offloaded: () =>
    config([kfree({ count: 4, loops: 30 })], { cpus: 4, params: { rcu_nocbs: '0-3' }, ...SLOW }),
  quiet: () =>
    config([kfree({ count: 1, loops: 1, allocs: 100 }), kfree({ count: 1, start: 8000 * MS, allocs: 100 })], {
      kernel: 'v6.6',
      stop: { afterNs: 20_000 * MS },
      ...SLOW,
    }),
  'short of memory': () =>
    config([kfree({ loops: 40, form: 'single' })], {
      ...SLOW,
      machineKeys: { memoryBytes: 8 * 2 ** 20 },
    }),
};

/** One of them. Throws for a name that is none. */
export function kvfreeSample(name: string): SimConfig {
  const sample = KVFREE_SAMPLES[name];
  if (sample === undefined) throw new Error(`no sample ${name}`);
  return sample();
}
