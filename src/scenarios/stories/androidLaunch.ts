/** What the scenario "App launches on a phone" tells. */
import type { Expectation, ReportedFigure, ScenarioResult, Story } from '../scenario.ts';

/** Calls per bucket of the list: [2^22, 2^23), [2^23, 2^24), [2^24, 2^25) ns; none below, none above. */
const COUNTS: Readonly<Record<string, readonly number[]>> = {
  a: [861, 3111, 13_901],
  b: [1136, 6320, 10_484],
};

const FIRST_BUCKET = 22;

const BUCKETS = ['4.19 to 8.39 ms', '8.39 to 16.78 ms', '16.78 to 33.55 ms'];

const SOURCE = 'linux-kernel mailing list: Android 6.1.43, 8 CPUs, rcu_nocbs=0-7';

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
export const androidLaunchStory: Story = {
  shows: 'why synchronize_rcu() got shorter when the kthread woke its callers, by two hypotheses',
  lookAt: [
    'H1: calls come at random among other callbacks. Follow a call of A that takes 24 ms and more: its callback is queued while others of its CPU are pending, so nobody wakes rcuog; it gets its number when the grace period ends that these wait for, and by then the next one has started without it. In B a caller asks for its grace period itself.',
    'H2: few threads, bursts of calls, no other callbacks. Numbers come in time, and the difference between A and B is what a batch of callbacks takes, 1 to 4 ms.',
    'Compare the buckets: values of 8, 16 and 32 ms lie just below the edges 8.39, 16.78 and 33.55 ms, so half a millisecond more moves a call up by one. Both hypotheses give the shape; only traces of such a phone could tell which is right.',
  ],
  fitted: [
    'The six shares of the list (three buckets, A and B) chose all of this, by random search: one set for each hypothesis, the same for A and B. H1: eight CPUs busy for 6.4 ms and idle for 0.58 ms, 65 calls and 94 other callbacks a second, 1.2 ms for a callback with its function (what rcuop and its CPU take), ticks that spread over 20 us. H2: busy for 1.1 ms and idle for 1.6 ms, three threads whose bursts pause for 19 to 109 ms, a callback of 1 to 4 ms. So the mechanisms can give these histograms; that they did is not shown.',
    'Missed: the list has no call of 33.55 ms or more. Both hypotheses have some in A (7 % each); in B H2 has 3 %, H1 hardly any (0.2 %). The share and the reason stand with the figures. HZ=250 is assumed, the phone is 6.1.43 with the sr_normal list put in (tree.srNormal of v6.12).',
    'Not simulated: launches themselves. Reported was that B took 6.65 % less than A (11.4 s of 171.4 s in all, which is 11.4 ms of a launch if it was 10 apps, 100 times each, with about 19 calls a launch). What an app does between its calls, and which calls it waits for, is not known. What is simulated are the calls: their mean falls from A to B by 22 % in H1 (22.2 to 17.3 ms) and by 7 % in H2 (24.0 to 22.3 ms). 19 of them one after the other would save 94 and 32 ms a launch, more than was reported: so an app cannot have waited for all of them in turn.',
    'Not explained: with rcu_expedited=1 alone apps started 6 to 7 % faster while these histograms did not change; that cannot come from rcu_normal_wake_from_gp.',
  ],
  reported,
  expectations,
};
