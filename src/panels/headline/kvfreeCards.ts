/** Headline figures of a run that floods kfree_rcu(), as rcuscale takes them (kvfree K18 to K21). */
import type { KvfreeFigures } from '../../analysis/kvfreeFigures.ts';
import { formatCount, formatDuration, type Quantity, splitBytes, splitDuration } from '../format.ts';
import type { ScenarioText } from '../panelProps.ts';
import type { Card } from './model.ts';
import { reportedNotes } from './reported.ts';

/** What the kernel calls a megabyte. */
const KERNEL_MB = 2 ** 20;
const NO_FIGURE: Quantity = { value: '\u2013', unit: '' };

function floodCard(
  { floodNs, floods, queued, outOfMemory, debug }: KvfreeFigures,
  scenario: ScenarioText | undefined,
): Card {
  const hasEnded = !Number.isNaN(floodNs);
  return {
    id: 'flood',
    label: floods > 1 ? 'Time of all floods' : 'Time of the threads',
    figures: [splitDuration(floodNs)],
    notes: [
      hasEnded ? `${formatCount(queued)} objects` : 'they have not ended',
      ...(debug.leaked > 0 ? [`${formatCount(debug.leaked)} of them leaked`] : []),
      ...(outOfMemory > 0 ? [`memory ran out in ${formatCount(outOfMemory)} threads`] : []),
      ...reportedNotes(scenario, ['time of the threads']),
    ],
  };
}

function peakCard({ peakBytes }: KvfreeFigures): Card {
  return {
    id: 'peak',
    label: 'Peak memory',
    figures: [splitBytes(peakBytes)],
    notes: ['objects and pages of blocks'],
    tone: 'memory',
  };
}

function footprintCard(
  { footprintBytes, floods, outOfMemory }: KvfreeFigures,
  scenario: ScenarioText | undefined,
): Card {
  const isThere = !Number.isNaN(footprintBytes);
  const mb = formatCount(Math.floor(footprintBytes / KERNEL_MB));
  const reported = reportedNotes(scenario, ['memory footprint', 'memory footprint, here in flight']);
  const of = floods > 1 ? 'of the last flood, ' : '';
  const printed =
    outOfMemory > 0 ? 'rcuscale prints none: a thread got no memory' : `${of}as rcuscale prints it`;
  return {
    id: 'footprint',
    label: 'Footprint F',
    figures: [isThere ? { value: mb, unit: 'MB' } : NO_FIGURE],
    notes: reported.length > 0 ? reported : [isThere ? printed : 'no thread has ended'],
    tone: 'memory',
  };
}

/** Reported figures are by rcuscale's count, which has grace periods that only began or ended then, too (tree R1.6). */
function periodsCard(
  { gracePeriods, batches, floods, floodNs }: KvfreeFigures,
  scenario: ScenarioText | undefined,
): Card {
  const isOne = floods === 1;
  const counted = isOne ? batches : gracePeriods;
  return {
    id: 'batches',
    label: 'Grace periods',
    figures: [Number.isNaN(gracePeriods) ? NO_FIGURE : { value: formatCount(gracePeriods), unit: '' }],
    notes: [
      ...(isOne ? [`\u201cbatches\u201d: ${formatCount(batches)}`] : []),
      counted > 0 ? `one per ${formatDuration(floodNs / counted)}` : 'in the time of the threads',
      ...reportedNotes(scenario, ['time per grace period', 'grace periods ("batches")']),
    ],
    tone: 'gp',
  };
}

/** Beside the run time. */
export function kvfreeCards(
  figures: KvfreeFigures,
  scenario: ScenarioText | undefined,
  runTime: Card,
): readonly Card[] {
  return [
    floodCard(figures, scenario),
    runTime,
    peakCard(figures),
    footprintCard(figures, scenario),
    periodsCard(figures, scenario),
  ];
}
