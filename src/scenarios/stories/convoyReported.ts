/** What was published of the runs of the scenario convoy (tree R4.7 rows 2 to 6). */
import { BATCH, CALLS, RATIOS } from '../convoyRuns.ts';
import { runTimeNs } from '../runTime.ts';
import type { ReportedFigure, ScenarioResult } from '../scenario.ts';

const MS = 1_000_000;

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
function shareOfCalls(result: ScenarioResult, k: number): number {
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
  const median = (result: ScenarioResult) => msOf(latency(result)?.p50);
  switch (variant) {
    case 'bridge':
      return bridgeFigures(
        37.25,
        63.651,
        'here at most the rest of a grace period and two more, 48 ms; nearly four need a lost tick or an older number in the way as well (R3.5), which this load does not bring about',
      );
    case 'bridge-wake':
      return bridgeFigures(22.48, 32.04);
    case 'bridge-early':
      return [
        ...bridgeFigures(15.765, 31.861),
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
          remark: `only the ratio of the two is claimed (R + 2 D against R + D): ${RATIOS.parallel.text}`,
          measure: median,
        },
      ]);
    case 'storm':
    case 'storm-wake': {
      const seconds = variant === 'storm' ? 323 : 240;
      return figures('linux-kernel mailing list, October 2023', [
        {
          what: `run time over the calls of a task (reported: ${seconds} s over 1,000)`,
          value: seconds,
          remark: `reported of 60,000 tasks, here there are 64: only the ratio of the two is claimed: ${RATIOS.storm.text}`,
          measure: (result) => msOf(runTimeNs(result)) / CALLS,
        },
      ]);
    }
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
