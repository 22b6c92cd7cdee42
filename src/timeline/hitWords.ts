/** What a tooltip says. */
import { SPAN_CLASS } from '../analysis/laneTypes.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { groupDigits } from './formatTime.ts';
import type { Hit } from './hitTest.ts';
import type { FindBurst } from './polls.ts';
import { spanStyle } from './spanStyles.ts';
import { describeItem } from './timelineItem.ts';
import { objectAt } from './unitObjects.ts';

/** At most so many classes of a dense lane are named. */
const MAX_SHARES = 4;

/** Lines of the tooltip for what is under the pointer at `timeNs`; none over an empty lane. The first is the heading. */
export function hitWords(hit: Hit, timeNs: number, info: RunInfo, findBurst: FindBurst): readonly string[] {
  if (hit.kind === 'empty') return [];
  if (hit.kind === 'dense') {
    const shares = hit.shares
      .slice(0, MAX_SHARES)
      .map(({ cls, share }) => `${percent(share)} ${spanStyle(cls).words}`);
    return [
      `${hit.lane.name}, ${groupDigits(hit.spanCount)} sections`,
      ...shares,
      'zoom in to tell them apart',
    ];
  }
  const lines = describeItem(hit.item, info);
  const { startNs, unit } = hit.item;
  if (unit !== undefined) {
    const objects = groupDigits(unit.objects);
    const number = groupDigits(objectAt({ startNs, ...unit }, timeNs));
    const isOver = timeNs > unit.lastNs;
    const here = isOver
      ? `all ${objects} objects have come`
      : `object ${number} of ${objects}, evenly spaced`;
    return [...lines, `here: ${here}`];
  }
  if (hit.item.shape !== 'span' || hit.item.cls !== SPAN_CLASS.poll) return lines;
  const burst = findBurst(hit.item.row);
  if (burst === undefined || !(burst.passNs > 0)) return lines;
  const pass = Math.min(burst.count - 1, Math.max(0, Math.floor((timeNs - burst.startNs) / burst.passNs)));
  const checks = burst.offsetsNs.length;
  return [
    ...lines,
    `here: pass ${groupDigits(pass + 1)} of ${groupDigits(burst.count)}, ${checks} ${checks === 1 ? 'check' : 'checks'} each`,
  ];
}

function percent(share: number): string {
  const value = share * 100;
  return `${value < 1 ? '<1' : Math.round(value)} %`;
}
