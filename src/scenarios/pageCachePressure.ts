/** The page cache of kfree_rcu() when memory is short: shrinker and back-off (kvfree K14, K15). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

const MIB = 2 ** 20;
const TIGHT_MIB = 16;
const ROOMY_MIB = 1024;

function config(variant: string): ConfigInput {
  const isRoomy = variant === 'roomy';
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    params: variant === 'no-delay' ? { 'rcutree.rcu_delay_page_cache_fill_msec': 0 } : {},
    machine: { preset: 'virtual-1gips', memoryBytes: (isRoomy ? ROOMY_MIB : TIGHT_MIB) * MIB },
    actors: [
      {
        kind: 'kfree',
        cpu: 1,
        loops: 150,
        allocs: 1000,
        sizes: [256],
        nice: 0,
        form: 'mixed',
        sampleNs: '1ms',
      },
    ],
  };
}

/** What falls to the head channel, and for how long. */
export const pageCachePressure: Scenario = {
  id: 'page-cache-pressure',
  title: 'The page cache under pressure',
  variants: [
    { id: 'tight', title: '16 MiB of memory' },
    {
      id: 'no-delay',
      title: '16 MiB, no back-off',
      note: 'rcutree.rcu_delay_page_cache_fill_msec = 0',
    },
    { id: 'roomy', title: '1 GiB of memory' },
  ],
  defaultVariant: 'tight',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
