/** Why a grace period scans twice: a reader that counts itself late (spec srcu 5.4). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Expectation, Scenario } from './scenario.ts';

const SERIES = 'synchronize_srcu_expedited';
const MS = 1_000_000;

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

function expectations(variant: string): Expectation[] {
  if (variant === 'late') {
    return [
      {
        text: 'the first grace period owes the late reader nothing, the second waits for it',
        holds: ({ latency }) =>
          (latency?.[SERIES]?.p0 ?? MS) < 0.1 * MS && (latency?.[SERIES]?.p100 ?? 0) > MS,
      },
    ];
  }
  return [
    {
      text: 'the first grace period waits for the reader, the second finds nobody',
      holds: ({ latency }) =>
        (latency?.[SERIES]?.p0 ?? MS) < 0.1 * MS && (latency?.[SERIES]?.p100 ?? 0) > 1.8 * MS,
    },
  ];
}

/** A late incrementer between two grace periods. */
export const twoScans: Scenario = {
  id: 'two-scans',
  title: 'Why two scans',
  shows:
    'a reader that fetched its index before a flip and counts itself after it: only the first scan can see it',
  lookAt: [
    'The reader fetches index 0, then the first grace period flips and ends; only then does the reader count itself, on what is now the old index.',
    'The second grace period stays in SCAN1 until that reader has left, although it has not flipped yet: without the first scan it would end too early.',
    'In the variant on-time the same reader counts at once and holds up SCAN2 of the first grace period instead.',
  ],
  fitted: [],
  variants: [
    { id: 'late', title: 'counts itself 1 ms after the fetch' },
    { id: 'on-time', title: 'counts itself at once' },
  ],
  defaultVariant: 'late',
  startView: { at: 'begin', spanNs: 'all' },
  config,
  reported: () => [],
  expectations,
};
