/** The runs of the scenario convoy: two states of looping callers (tree R4.5b), and published loads (R4.7 rows 2 to 6). */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { ReportedFigure, ScenarioResult } from './scenario.ts';

const MS = 1_000_000;
const WAKE = 'rcutree.rcu_normal_wake_from_gp';
/** Callbacks ahead of the caller, and what each takes with its function, ns. */
export const BATCH = { callbacks: 3612, callbackNs: 2020 } as const;

/** Two threads that call again as soon as they have returned. */
function twoCallers(hz: number, more: NonNullable<ConfigInput['initial']>): ConfigInput {
  return {
    kernel: 'v6.12',
    hz,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    initial: { gpKthreadCpu: 3, ...more },
    params: { [WAKE]: 1 },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        count: 2,
        start: { ticks: 6, plus: '33us' },
        stagger: '10us',
        api: 'synchronize_rcu',
        calls: 8,
        gap: 0,
      },
    ],
  };
}

/**
 * Row 2, "bridge test": one thread that works for 34 ms on average between two calls, on a machine of 64 CPUs of which
 * two are nearly always busy, and whose other users of RCU ask for one grace period after the other.
 */
function bridge(wakes: boolean, isEarly: boolean): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 64,
    rules: isEarly ? { 'tree.earlyReport': 'next' } : {},
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 40 },
    params: { [WAKE]: wakes ? 1 : 0 },
    stop: { afterNs: '2.5s' },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        start: '11ms',
        api: 'synchronize_rcu',
        calls: 1000,
        gap: { exp: '34ms' },
        gapMode: 'spin',
      },
      { kind: 'load', cpu: 16, count: 2, mode: 'kernel', spin: { exp: '1.3ms' }, idle: { exp: '500us' } },
      {
        kind: 'updater',
        cpu: 48,
        count: 4,
        start: '5ms',
        api: 'call_rcu',
        wait: 'none',
        calls: 1000,
        gap: { exp: '5ms' },
      },
    ],
  };
}

/** Rows 3 and 4: many callers at once on offloaded CPUs, `busy` of which have other work, too. */
function manyCallers(cpus: number, calls: number, gap: string, busy: number, wakes: boolean): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus,
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 1 },
    params: { [WAKE]: wakes ? 1 : 0, rcu_nocbs: `0-${cpus - 1}` },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        count: 64,
        start: '11ms',
        api: 'synchronize_rcu',
        calls,
        gap: { exp: gap },
      },
      { kind: 'load', cpu: 0, count: busy, mode: 'kernel', spin: '1ms' },
    ],
  };
}

/** Row 5: callbacks of one CPU, all queued at once, then one caller on it. */
function batchAhead(wakes: boolean): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'typical', rcuCbNs: BATCH.callbackNs, callRcuNs: 0 },
    initial: { gpKthreadCpu: 1 },
    // the bypass list would make two batches of them
    params: {
      [WAKE]: wakes ? 1 : 0,
      rcu_nocbs: '0-3',
      'rcutree.nocb_nobypass_lim_per_jiffy': 10_000,
    },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        start: '10ms',
        api: 'call_rcu',
        calls: 1,
        batch: BATCH.callbacks,
        wait: 'none',
      },
      { kind: 'updater', cpu: 0, start: '10ms', api: 'synchronize_rcu', calls: 1 },
    ],
  };
}

/** Row 6: 80 CPUs that are busy half of the time, callbacks on some of them, one caller. */
function kernelBuild(): ConfigInput {
  const callbacks: ActorInput = {
    kind: 'updater',
    cpu: 8,
    count: 8,
    start: '5ms',
    api: 'call_rcu',
    wait: 'none',
    calls: 120,
    gap: { exp: '10ms' },
  };
  return {
    kernel: 'v6.12',
    hz: 1000,
    cpus: 80,
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 5 },
    actors: [
      { kind: 'load', cpu: 0, count: 80, mode: 'user', spin: { exp: '3ms' }, idle: { exp: '3ms' } },
      callbacks,
      { kind: 'updater', cpu: 0, start: '20ms', api: 'synchronize_rcu', calls: 71, gap: { exp: '5ms' } },
    ],
  };
}

/** The configuration of a variant. */
export function convoyConfig(variant: string): ConfigInput {
  switch (variant) {
    case 'together':
      return twoCallers(250, { rcuGp: { startedTicksAgo: 1 } });
    case 'split':
      return twoCallers(1000, { rcuGp: 'idle' });
    case 'kthread-cpu':
      return twoCallers(250, { rcuGp: { startedTicksAgo: 1 }, gpKthreadCpu: 0 });
    case 'bridge':
    case 'bridge-wake':
    case 'bridge-early':
      return bridge(variant !== 'bridge', variant === 'bridge-early');
    case 'parallel':
    case 'parallel-wake':
      return manyCallers(16, 20, '4ms', 16, variant === 'parallel-wake');
    case 'storm':
    case 'storm-wake':
      return manyCallers(64, 100, '1ms', 48, variant === 'storm-wake');
    case 'batch-ahead':
    case 'batch-ahead-wake':
      return batchAhead(variant === 'batch-ahead-wake');
    default:
      return kernelBuild();
  }
}

const latency = (result: ScenarioResult) => result.latency?.synchronize_rcu;
const msOf = (ns: number | undefined) => (ns ?? Number.NaN) / MS;

type Figure = Pick<ReportedFigure, 'what' | 'value' | 'measure'> &
  Partial<Pick<ReportedFigure, 'unit' | 'remark' | 'fitted'>>;

/** Figures of one source, in ms unless they say otherwise, predicted unless they say otherwise. */
function figures(source: string, list: readonly Figure[]): ReportedFigure[] {
  return list.map((figure) => ({ unit: 'ms', fitted: false, source, ...figure }));
}

function bridgeFigures(median: number, max: number, remark?: string): ReportedFigure[] {
  return figures('linux-kernel mailing list, January 2026', [
    {
      what: 'median',
      value: median,
      fitted: true,
      measure: (result) => msOf(latency(result)?.p50),
    },
    {
      what: 'longest call',
      value: max,
      measure: (result) => msOf(latency(result)?.p100),
      ...(remark === undefined ? {} : { remark }),
    },
  ]);
}

/** Share of calls in [2^k, 2^(k+1)) ns, percent. */
export function shareOfCalls(result: ScenarioResult, k: number): number {
  const figuresOf = latency(result);
  return figuresOf === undefined ? Number.NaN : (100 * (figuresOf.log2Ns[k] ?? 0)) / figuresOf.n;
}

function buildFigures(): ReportedFigure[] {
  const remark = 'shown beside an assumed load; its HZ, kernel and workload are not known';
  const shares: readonly [string, number, number][] = [
    ['4 to 8 ms', 22, 13],
    ['8 to 16 ms', 23, 44],
    ['16 to 32 ms', 24, 44],
  ];
  return figures(
    'P. McKenney’s journal: 80 threads, kernel build, 71 calls',
    shares.map(([range, k, value]) => ({
      what: `calls of ${range}`,
      unit: '%',
      value,
      remark,
      measure: (result: ScenarioResult) => shareOfCalls(result, k),
    })),
  );
}

/** What was published of a variant. */
export function convoyReported(variant: string): ReportedFigure[] {
  const parallel = 'only the ratio of the two is claimed, 5/3 (R + 2 D against R + D)';
  const median = (result: ScenarioResult) => msOf(latency(result)?.p50);
  switch (variant) {
    case 'bridge':
      return bridgeFigures(
        37.25,
        63.651,
        'here the rest of a grace period, two more and a tick; nearly four need a lost tick or an older number in the way as well (R3.5), which this load does not bring about',
      );
    case 'bridge-wake':
      return bridgeFigures(22.48, 32.04);
    case 'bridge-early':
      return [
        ...bridgeFigures(
          15.765,
          31.861,
          'two grace periods of 16 ms in a row would give it; with the early report most of them end at the first scan, here too',
        ),
        ...figures('linux-kernel mailing list, January 2026', [
          { what: 'shortest call', value: 7.9, measure: (result) => msOf(latency(result)?.p0) },
        ]),
      ];
    case 'parallel':
    case 'parallel-wake':
      return figures('linux-kernel mailing list, June 2025', [
        {
          what: 'most calls (reported as a range of 10 ms; its middle)',
          value: variant === 'parallel' ? 55 : 35,
          remark: parallel,
          measure: median,
        },
      ]);
    case 'batch-ahead':
      return figures('linux-kernel mailing list, October 2023: trace of an rcuop batch', [
        {
          what: `from the first of ${BATCH.callbacks} callbacks to the last`,
          value: 7.312,
          fitted: true,
          measure: (result) => {
            const callback = result.latency?.['call_rcu.callback'];
            return callback === undefined ? Number.NaN : (callback.p100 - callback.p0) / MS;
          },
        },
      ]);
    case 'kernel-build':
      return buildFigures();
    default:
      return [];
  }
}
