/**
 * Apps started on a phone: 6.1 with the sr_normal list of 6.10, rcu_normal_wake_from_gp off (A) and on (B). The list's
 * histograms beside those of two hypotheses of what the phone did, H1 and H2 (tree 4.3, R4.8, R4.9).
 */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Expectation, ReportedFigure, Scenario, ScenarioResult, Variant } from './scenario.ts';

/** Calls per bucket of the list: [2^22, 2^23), [2^23, 2^24), [2^24, 2^25) ns; none below, none above. */
const COUNTS: Readonly<Record<string, readonly number[]>> = {
  a: [861, 3111, 13_901],
  b: [1136, 6320, 10_484],
};
const FIRST_BUCKET = 22;
const BUCKETS = ['4.19 to 8.39 ms', '8.39 to 16.78 ms', '16.78 to 33.55 ms'];
const SOURCE = 'linux-kernel mailing list: Android 6.1.43, 8 CPUs, rcu_nocbs=0-7';

const VARIANTS: readonly Variant[] = [
  { id: 'h1-a', title: 'H1, woken by a callback (A)' },
  { id: 'h1-b', title: 'H1, woken by the kthread (B)' },
  { id: 'h2-a', title: 'H2, woken by a callback (A)' },
  { id: 'h2-b', title: 'H2, woken by the kthread (B)' },
];

/** Where calls of 33.55 ms and more come from, by variant. */
const LONG_CALLS: Readonly<Record<string, string>> = {
  'h1-a':
    'missed: most of them wait for a callback that gets its number late, so for the rest of one grace period and two more',
  'h1-b':
    'a handful of calls: made just after the start of a grace period of 16 to 20 ms, with another of that length behind it',
  'h2-a':
    'missed: nearly all have their number in time; nearly the whole of one grace period and the next, mostly 16 to 20 ms each, and the batch of callbacks add up to it',
  'h2-b':
    'missed: nearly the whole of one grace period and the next, mostly 16 to 20 ms each, add up to it; there is no callback to wait for',
};

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

/** Percent of the calls in bucket `k` ([2^k, 2^(k+1)) ns). */
function shareOf({ latency }: ScenarioResult, k: number): number {
  const calls = latency?.synchronize_rcu;
  return calls === undefined ? Number.NaN : (100 * (calls.log2Ns[k] ?? 0)) / calls.n;
}

/** Percent of the calls beyond the last bucket of the list. */
function shareAbove(result: ScenarioResult): number {
  const last = FIRST_BUCKET + BUCKETS.length;
  return [0, 1, 2, 3].reduce((sum, more) => sum + shareOf(result, last + more), 0);
}

/** The list's percentages of a column. */
function reportedShares(variant: string): number[] {
  const counts = COUNTS[variant.slice(-1)] as readonly number[];
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (100 * count) / all);
}

function reported(variant: string): ReportedFigure[] {
  const counts = COUNTS[variant.slice(-1)] as readonly number[];
  const common = { unit: '%', source: SOURCE };
  return [
    ...reportedShares(variant).map((share, i) => ({
      ...common,
      what: `calls of ${BUCKETS[i]}`,
      value: Math.round(10 * share) / 10,
      fitted: true,
      remark: `reported as ${counts[i]} calls`,
      measure: (result: ScenarioResult) => shareOf(result, FIRST_BUCKET + i),
    })),
    {
      ...common,
      what: 'calls of 33.55 ms and more',
      value: 0,
      fitted: false,
      remark: LONG_CALLS[variant] as string,
      measure: shareAbove,
    },
  ];
}

function expectations(variant: string): Expectation[] {
  return [
    ...reportedShares(variant).map((share, i) => ({
      text: `${BUCKETS[i]}: within 10 points of ${share.toFixed(1)} %`,
      holds: (result: ScenarioResult) => Math.abs(shareOf(result, FIRST_BUCKET + i) - share) <= 10,
    })),
    { text: 'at most 8 % of 33.55 ms and more', holds: (result) => shareAbove(result) <= 8 },
  ];
}

/** Why app launches got faster when the kthread woke callers itself. */
export const androidLaunch: Scenario = {
  id: 'android-launch',
  title: 'App launches on a phone',
  shows: 'why synchronize_rcu() got shorter when the kthread woke its callers, by two hypotheses',
  lookAt: [
    'H1: calls come at random among other callbacks. Follow a call of A that takes 24 ms and more: its callback is queued while others of its CPU are pending, so nobody wakes rcuog; it gets its number when the grace period ends that these wait for, and by then the next one has started without it. In B a caller asks for its grace period itself.',
    'H2: few threads, bursts of calls, no other callbacks. Numbers come in time, and the difference between A and B is what a batch of callbacks takes, 1 to 4 ms.',
    'Compare the buckets: values of 8, 16 and 32 ms lie just below the edges 8.39, 16.78 and 33.55 ms, so half a millisecond more moves a call up by one. Both hypotheses give the shape; only traces of such a phone could tell which is right.',
  ],
  fitted: [
    'The six shares of the list (three buckets, A and B) chose all of this, by random search: one set for each hypothesis, the same for A and B. H1: eight CPUs busy for 6.4 ms and idle for 0.58 ms, 65 calls and 94 other callbacks a second, 1.2 ms for a callback with its function (what rcuop and its CPU take), ticks that spread over 20 us. H2: busy for 1.1 ms and idle for 1.6 ms, three threads whose bursts pause for 19 to 109 ms, a callback of 1 to 4 ms. So the mechanisms can give these histograms; that they did is not shown.',
    'Missed: the list has no call of 33.55 ms or more. Both hypotheses have some in A (7 % each); in B H2 has 3 %, H1 hardly any (0.2 %). The share and the reason stand with the figures. HZ=250 is assumed, the phone is 6.1.43 with the sr_normal list put in (tree.srNormal of v6.12).',
    'Not explained: with rcu_expedited=1 alone apps started 6 to 7 % faster while these histograms did not change; that cannot come from rcu_normal_wake_from_gp.',
  ],
  variants: VARIANTS,
  defaultVariant: 'h1-a',
  startView: { at: 'begin', spanNs: 100_000_000 },
  config,
  reported,
  expectations,
};
