/** Expedited calls without a pause against readers without a pause. */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

/** The api that is called. */
export const SERIES = 'synchronize_srcu_expedited';

/** Calls in all. */
export const CALLS = 40;

const VARIANTS: readonly Variant[] = [
  { id: 'v5.18', title: '5.18: no limit' },
  { id: 'v5.19-rc1', title: '5.19-rc1: one pass, callbacks a tick late' },
  { id: 'v5.19-640a', title: '640a: phase limit 3' },
  { id: 'v5.19-patch-v1', title: 'patch v1: per-jiffy limit 100' },
  { id: 'v6.12', title: '6.12' },
];

function config(variant: string): ConfigInput {
  return {
    kernel: variant,
    hz: 250,
    cpus: 4,
    machine: { preset: 'typical' },
    actors: [
      { kind: 'reader', cpu: 1, count: 3, stagger: '28us', hold: { uniform: [0, '6ms'] } },
      { kind: 'updater', cpu: 0, start: { ticks: 3, plus: '31us' }, api: SERIES, calls: CALLS },
    ],
  };
}

/** Three readers that never pause, one updater that never pauses. */
export const backToBack: Scenario = {
  id: 'back-to-back',
  title: 'Back to back',
  variants: VARIANTS,
  defaultVariant: 'v6.12',
  startView: { at: 'begin', spanNs: 24_000_000 },
  config,
};
