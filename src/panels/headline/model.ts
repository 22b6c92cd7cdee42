/** The five headline figures of a run. */
import {
  formatCount,
  formatDistance,
  formatDuration,
  formatShare,
  type Quantity,
  splitDuration,
  splitDurations,
} from '../format.ts';
import type { ModelNote } from '../modelNote.ts';
import type { ReportedFigure, RunFigures, ScenarioText } from '../panelProps.ts';

export interface Card {
  readonly id: 'latency' | 'runTime' | 'waste' | 'polling' | 'rate';
  readonly label: string;
  /** One figure, or two that are told apart by a slash. */
  readonly figures: readonly Quantity[];
  readonly notes: readonly string[];
  /** The colour that the timeline gives to this time. */
  readonly tone?: 'sleep' | 'poll';
}

export const HEADLINE_NOTES: readonly ModelNote[] = [
  { what: 'Latency and grace periods', fidelity: 'exact', kernel: '__synchronize_srcu()', rule: 'srcu 13' },
  { what: 'Time slept past the last reader', fidelity: 'exact', kernel: 'srcu_get_delay()', rule: 'srcu 3' },
  { what: 'CPU time of polling', fidelity: 'simplified', kernel: 'try_check_zero()', rule: 'srcu 11.1' },
];

/** How a scenario's file calls the figure that belongs to the run-time card. */
const RUN_TIME = 'run time';

function runTimeNotes(scenario: ScenarioText | undefined): readonly string[] {
  const figure = scenario?.reported.find(({ what }) => what === RUN_TIME);
  if (scenario === undefined || figure === undefined) return ['virtual time'];
  const reported = `reported ${figure.reported.toFixed(3)} ${figure.unit}`;
  if (scenario.isChanged) return [`${reported} before your changes`];
  return [reported, distanceText(figure)];
}

/** "−14.5 %, predicted". */
function distanceText(figure: ReportedFigure): string {
  const word = figure.fitted ? 'fitted' : 'predicted';
  const distance = formatDistance(figure.simulated, figure.reported);
  return distance === undefined ? word : `${distance}, ${word}`;
}

function latencyCard({ headline }: RunFigures): Card {
  const label = 'Latency p50 / p99';
  if (headline.latencyOf === undefined) {
    return { id: 'latency', label, figures: [splitDuration(undefined)], notes: ['no call has returned'] };
  }
  return {
    id: 'latency',
    label,
    figures: splitDurations([headline.p50Ns, headline.p99Ns]),
    notes: [headline.latencyOf, `n = ${formatCount(headline.n)}`],
  };
}

/** The cards of `run`, in their order. */
export function headlineCards(run: RunFigures, scenario: ScenarioText | undefined): readonly Card[] {
  const { headline } = run;
  const waste = formatShare(headline.overshootShare);
  return [
    latencyCard(run),
    {
      id: 'runTime',
      label: 'Run time',
      figures: [splitDuration(headline.runNs)],
      notes: runTimeNotes(scenario),
    },
    {
      id: 'waste',
      label: 'Slept past the last reader',
      figures: [splitDuration(headline.overshootNs)],
      notes: [headline.overshootNs === 0 ? 'nothing wasted' : `${waste} of the run: pure waste`],
      tone: 'sleep',
    },
    {
      id: 'polling',
      label: 'CPU burnt polling',
      figures: [splitDuration(headline.pollNs)],
      notes: [`${formatShare(headline.pollShare)} of one CPU`],
      tone: 'poll',
    },
    {
      id: 'rate',
      label: 'Grace periods per second',
      figures: [{ value: formatCount(headline.gracePeriodsPerSec), unit: '/s' }],
      notes: [`${formatCount(headline.gracePeriods)} in ${formatDuration(headline.runNs)}`],
    },
  ];
}
