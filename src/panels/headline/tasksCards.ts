/** Headline figures of a run that waits for RCU Tasks. */
import { gpFlavorName } from '../../analysis/gpFlavors.ts';
import { GP_FLAVOR, type TasksHeadline } from '../../analysis/types.ts';
import { formatCount, formatDuration, formatFixed, type Quantity, splitDuration } from '../format.ts';
import type { RunFigures } from '../panelProps.ts';
import type { Card } from './model.ts';

const NO_FIGURE: Quantity = { value: '\u2013', unit: '' };

/** Mean hold-out phase; only classic RCU Tasks has one that is taken down. */
function holdoutCard({ tasks }: RunFigures, { flavor, n, scans }: TasksHeadline): Card {
  const phaseNs = tasks?.holdoutPhaseNs ?? Number.NaN;
  const hasPhase = flavor === GP_FLAVOR.tasks && !Number.isNaN(phaseNs);
  return {
    id: 'holdouts',
    label: 'Hold-out phase',
    figures: [hasPhase ? splitDuration(phaseNs) : NO_FIGURE],
    notes: [
      hasPhase ? 'mean: until a scan finds no holdout' : 'not one of classic RCU Tasks',
      `scans per grace period: ${formatFixed(scans / n, Number.isInteger(scans / n) ? 0 : 1)}`,
    ],
    tone: 'sleep',
  };
}

/** Beside latency and run time: the grace period of RCU Tasks, its hold-out phase, the grace periods of RCU inside it. */
export function tasksCards(run: RunFigures, figures: TasksHeadline): readonly Card[] {
  const { n, p50Ns, p99Ns, flavor } = figures;
  const inner = run.headline.rcu?.normal;
  return [
    {
      id: 'period',
      label: `${gpFlavorName(flavor)} GP p50`,
      figures: [splitDuration(p50Ns)],
      notes: [...(n > 1 ? [`p99 ${formatDuration(p99Ns)}`] : []), `n = ${formatCount(n)}`],
      tone: 'gp',
    },
    holdoutCard(run, figures),
    {
      id: 'inner',
      label: 'GP of RCU p50',
      figures: [splitDuration(inner === undefined || inner.n === 0 ? undefined : inner.p50Ns)],
      notes: [`${formatCount(inner?.n ?? 0)} ended, those inside RCU Tasks too`],
      tone: 'gp',
    },
  ];
}
