/** Why a grace period scans twice: a reader that counts itself late (spec srcu 5.4). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** The api that is called. */
export const SERIES = 'synchronize_srcu_expedited';

/** The reader fetches its index at 4 ms, before the first call, and holds for 2 ms from when it has counted. */
function config(variant: string): ConfigInput {
  const incDelay = variant === 'late' ? '1ms' : 0;
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 2,
    machine: { preset: 'plain' },
    actors: [
      { kind: 'reader', cpu: 1, start: { ticks: 1 }, hold: '2ms', idle: '10s', incDelay },
      {
        kind: 'updater',
        cpu: 0,
        start: { ticks: 1 },
        api: SERIES,
        calls: 2,
        gap: { list: ['100us', '1.5ms'] },
      },
    ],
  };
}

/** A late incrementer between two grace periods. */
export const twoScans: Scenario = {
  id: 'two-scans',
  title: 'Why two scans',
  variants: [
    { id: 'late', title: 'counts itself 1 ms after the fetch' },
    { id: 'on-time', title: 'counts itself at once' },
  ],
  defaultVariant: 'late',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
