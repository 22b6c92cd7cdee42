/** Figures of the time range that was dragged out. */
import { gpFlavorName } from '../analysis/gpFlavors.ts';
import { GP_FLAVOR, type SelectedGps, type SelectionStats } from '../analysis/types.ts';
import { formatDuration, groupDigits } from './formatTime.ts';

type Figure = readonly [name: string, value: string];

/** What is shown of `stats`: a line per flavour, and what SRCU did where it is there. */
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
          ['past the last reader', formatDuration(srcu.overshootNs)],
        ] as const)),
    ...gracePeriods.filter((gps) => !isSrcu(gps)).map(gpFigure),
    ['events', groupDigits(stats.rows)],
  ];
}

/** "RCU, normal": "12 GPs, p50 8 ms, p99 12 ms, max 12 ms, 14 scans". */
function gpFigure({ flavor, stats, scans }: SelectedGps): Figure {
  const { n, p50, p99, p100 } = stats;
  const parts =
    n === 1
      ? ['1 GP', formatDuration(p50)]
      : [
          `${groupDigits(n)} GPs`,
          ...(
            [
              ['p50', p50],
              ['p99', p99],
              ['max', p100],
            ] as const
          ).map(([name, ns]) => `${name} ${formatDuration(ns)}`),
        ];
  if (scans > 0) parts.push(`${groupDigits(scans)} ${scans === 1 ? 'scan' : 'scans'}`);
  return [gpFlavorName(flavor), parts.join(', ')];
}
