/** Expedited calls without a pause against readers without a pause. */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario, ScenarioResult, Variant } from './scenario.ts';

const SERIES = 'synchronize_srcu_expedited';
const CALLS = 40;

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

function expectations(variant: string): Expectation[] {
  const calls = {
    text: 'every call returns',
    holds: ({ latency }: ScenarioResult) => latency?.[SERIES]?.n === CALLS,
  };
  if (variant === 'v5.18') {
    return [
      calls,
      { text: '5.18 never sleeps in an expedited grace period', holds: ({ srcu }) => srcu?.sleeps === 0 },
    ];
  }
  if (variant === 'v6.12') return [calls];
  return [calls, { text: 'some grace periods sleep', holds: ({ srcu }) => (srcu?.sleeps ?? 0) > 0 }];
}

/** Three readers that never pause, one updater that never pauses. */
export const backToBack: Scenario = {
  id: 'back-to-back',
  title: 'Back to back',
  shows: 'expedited grace periods one after the other while three readers hold sections of up to 6 ms',
  lookAt: [
    'Every grace period waits for the longest of the sections that were open at its flip; the histogram shows that distribution, cut into ticks where the worker sleeps.',
    'Lower srcu_max_nodelay_phase and see the first peak give way to one at two ticks; the figure "CPU burnt polling" shows what the low latency costs.',
  ],
  fitted: [],
  variants: VARIANTS,
  defaultVariant: 'v6.12',
  startView: { at: 'begin', spanNs: 24_000_000 },
  config,
  reported: () => [],
  expectations,
};
