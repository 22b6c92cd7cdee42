/** The five headline figures of a run. */

import type { RcuHeadline } from '../../analysis/types.ts';
import {
  formatCount,
  formatDuration,
  formatFixed,
  formatShare,
  type Quantity,
  splitDuration,
  splitDurations,
} from '../format.ts';
import type { RunFigures, ScenarioText } from '../panelProps.ts';
import { kvfreeCards } from './kvfreeCards.ts';
import { distanceText } from './reported.ts';
import { tasksCards } from './tasksCards.ts';

export interface Card {
  readonly id:
    | 'latency'
    | 'runTime'
    | 'waste'
    | 'polling'
    | 'rate'
    | 'period'
    | 'outside'
    | 'scans'
    | 'flood'
    | 'peak'
    | 'footprint'
    | 'batches'
    | 'holdouts'
    | 'inner';
  readonly label: string;
  /** One figure, or two that are told apart by a slash. */
  readonly figures: readonly Quantity[];
  readonly notes: readonly string[];
  /** The colour that the timeline gives to this time. */
  readonly tone?: 'sleep' | 'poll' | 'gp' | 'callback' | 'memory';
}

/** How a scenario's file calls the figure that belongs to the run-time card. */
const RUN_TIME = 'run time';

function runTimeNotes(scenario: ScenarioText | undefined): readonly string[] {
  const figure = scenario?.reported.find(({ what }) => what === RUN_TIME);
  if (scenario === undefined || figure === undefined) return ['virtual time'];
  const reported = `reported ${figure.reported.toFixed(3)} ${figure.unit}`;
  if (scenario.isChanged) return [`${reported} before your changes`];
  return [reported, distanceText(figure)];
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

function runTimeCard({ headline }: RunFigures, scenario: ScenarioText | undefined): Card {
  return {
    id: 'runTime',
    label: 'Run time',
    figures: [splitDuration(headline.runNs)],
    notes: runTimeNotes(scenario),
  };
}

const NO_FIGURE: Quantity = { value: '\u2013', unit: '' };

/** "34" and its sign; a dash where there is no call to take a share of. */
function percentOf(share: number): Quantity {
  return Number.isNaN(share) ? NO_FIGURE : { value: formatShare(share).replace(/[^\d.<>]/g, ''), unit: '%' };
}

function rateCard({ headline }: RunFigures): Card {
  return {
    id: 'rate',
    label: 'Grace periods per second',
    figures: [{ value: formatCount(headline.gracePeriodsPerSec), unit: '/s' }],
    notes: [`${formatCount(headline.gracePeriods)} in ${formatDuration(headline.runNs)}`],
  };
}

function periodCard(label: string, { normal, expedited }: RcuHeadline, shown: RcuHeadline['normal']): Card {
  return {
    id: 'period',
    label,
    figures: [splitDuration(shown.n === 0 ? undefined : shown.p50Ns)],
    notes: [
      ...(shown.n > 1 ? [`p99 ${formatDuration(shown.p99Ns)}`] : []),
      normal.n > 0 && expedited.n > 0
        ? `${formatCount(normal.n)} normal, ${formatCount(expedited.n)} expedited`
        : `n = ${formatCount(shown.n)}`,
    ],
    tone: 'gp',
  };
}

/** Cards of Tree RCU: the grace period, what calls take beside it, how often the kthread had to look. */
function rcuCards(run: RunFigures, rcu: RcuHeadline): readonly Card[] {
  const { normal, expedited } = rcu;
  if (normal.n === 0 && expedited.n > 0) return expeditedCards(run, rcu);
  const { scansPerGp, manyScans } = rcu;
  return [
    periodCard('Grace period p50', rcu, normal),
    {
      id: 'outside',
      label: 'Outside the GP',
      figures: [percentOf(rcu.outsideShare)],
      notes: [
        Number.isNaN(rcu.outsideShare)
          ? 'no synchronize_rcu() has returned'
          : 'of a call: numbering, callback, wake-up',
      ],
      tone: 'callback',
    },
    {
      id: 'scans',
      label: 'Scans per GP',
      figures: [
        Number.isNaN(scansPerGp)
          ? NO_FIGURE
          : { value: formatFixed(scansPerGp, Number.isInteger(scansPerGp) ? 0 : 2), unit: '' },
      ],
      notes: [`${formatCount(manyScans)} of ${formatCount(normal.n)} needed more than one`],
    },
  ];
}

/** Cards of a run whose grace periods were all expedited: nobody scans, nothing is numbered. */
function expeditedCards(run: RunFigures, rcu: RcuHeadline): readonly Card[] {
  const { headline } = run;
  const isOfThem = headline.latencyOf?.includes('expedited') === true;
  return [
    periodCard('Expedited GP p50', rcu, rcu.expedited),
    {
      id: 'outside',
      label: 'Outside the GP',
      figures: [isOfThem ? splitDuration(headline.p50Ns - rcu.expedited.p50Ns) : NO_FIGURE],
      notes: ['median call less median grace period'],
      tone: 'callback',
    },
    rateCard(run),
  ];
}

/** The cards of `run`, in their order. */
export function headlineCards(run: RunFigures, scenario: ScenarioText | undefined): readonly Card[] {
  const { headline, kvfree } = run;
  // one that only waits for kfree_rcu() has its calls to show
  if (kvfree !== undefined && kvfree.queued > 0)
    return kvfreeCards(kvfree, scenario, runTimeCard(run, scenario));
  if (headline.tasks !== undefined && (headline.latencyOf?.includes('tasks') ?? false))
    return [latencyCard(run), runTimeCard(run, scenario), ...tasksCards(run, headline.tasks)];
  if (headline.rcu !== undefined)
    return [latencyCard(run), runTimeCard(run, scenario), ...rcuCards(run, headline.rcu)];
  const waste = formatShare(headline.overshootShare);
  return [
    latencyCard(run),
    runTimeCard(run, scenario),
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
    rateCard(run),
  ];
}
