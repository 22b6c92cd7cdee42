/** Figures of the time range that was dragged out. */
import { gpFlavorName } from '../analysis/gpFlavors.ts';
import { GP_FLAVOR, type SelectedGps, type SelectionStats } from '../analysis/types.ts';
import { formatDuration, groupDigits } from './formatTime.ts';

type Figure = readonly [name: string, value: string];

/**
 * What is shown of `stats`: of each flavour the grace periods that ended inside, and what SRCU did inside, for whichever
 * grace period.
 */
export function rangeFigures(stats: SelectionStats): readonly Figure[] {
  const { gracePeriods, srcu } = stats;
  const isSrcu = ({ flavor }: SelectedGps) => flavor === GP_FLAVOR.srcu;
  return [
    ...(gracePeriods.length === 0 ? [['grace periods', 'none ended'] as const] : []),
    ...gracePeriods.filter(isSrcu).map(gpFigure),
    ...(srcu === undefined
      ? []
      : ([
          ['polls', groupDigits(srcu.polls)],
          ['polling', formatDuration(srcu.pollNs)],
          ['sleeps', groupDigits(srcu.sleeps)],
          ['asleep', formatDuration(srcu.sleptNs)],
          ['past the last reader', formatDuration(srcu.wastedNs)],
        ] as const)),
    ...gracePeriods.filter((gps) => !isSrcu(gps)).map(gpFigure),
    ['events', groupDigits(stats.rows)],
  ];
}

/** "RCU, normal": "12 GPs ended: p50 8 ms, p99 12 ms, max 12 ms, 14 scans in them". */
function gpFigure({ flavor, stats, scans }: SelectedGps): Figure {
  const { n, p50, p99, p100 } = stats;
  const lengths =
    n === 1
      ? [['', p50] as const]
      : ([
          ['p50 ', p50],
          ['p99 ', p99],
          ['max ', p100],
        ] as const);
  const parts = lengths.map(([name, ns]) => `${name}${formatDuration(ns)}`);
  const [gps, them] = n === 1 ? ['GP', 'it'] : ['GPs', 'them'];
  if (scans > 0) parts.push(`${groupDigits(scans)} ${scans === 1 ? 'scan' : 'scans'} in ${them}`);
  return [gpFlavorName(flavor), `${groupDigits(n)} ${gps} ended: ${parts.join(', ')}`];
}
