/** The attach rule before 5da7cb193db3: a channel joins a batch that waits already, and is freed too early (kvfree K9b). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario } from './scenario.ts';

/** Objects of the second flood: they are queued after the grace period of the first has begun. */
export const LATE_OBJECTS = 1200;
const FIRST_OBJECTS = 600;

function config(variant: string): ConfigInput {
  const flood = { kind: 'kfree', cpu: 1, loops: 1, sizes: [64], nice: 0 } as const;
  return {
    kernel: variant === 'caught' ? 'v6.12' : 'v5.18',
    rules: { 'kvfree.attach': variant === 'mended' ? 'v6.3' : 'v5.18' },
    hz: 250,
    cpus: 4,
    // no preemption: the page cache is not filled before the first flood is over, so that it fills the head channel
    preempt: 'none',
    machine: { preset: 'typical' },
    actors: [
      { ...flood, allocs: FIRST_OBJECTS },
      { ...flood, allocs: LATE_OBJECTS, start: '34ms' },
      { kind: 'reader', cpu: 2, domain: 'rcu', start: '1ms', hold: '80ms', times: 1 },
    ],
  };
}

/** A use after free that nobody notices, and the check that does. */
export const oldAttachBug: Scenario = {
  id: 'old-attach-bug',
  title: 'Attached to a batch that waits already',
  variants: [
    { id: 'bug', title: 'the old rule: freed too early' },
    { id: 'mended', title: 'only to an empty batch', note: 'kvfree.attach = v6.3' },
    { id: 'caught', title: 'the old rule with the check of 6.5', note: 'kvfree.attach = v5.18' },
  ],
  defaultVariant: 'bug',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
