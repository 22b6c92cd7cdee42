import { memo } from 'react';
import type { LaneRow } from './laneLayout.ts';

export interface LaneLabelsProps {
  readonly rows: readonly LaneRow[];
  /** Lane that the keys for previous and next event work on. */
  readonly trackId: string | undefined;
  readonly onTrack: (laneId: string) => void;
  readonly onToggleGroup: (group: number) => void;
}

/** Lower lanes have no room for the second line; it is in the tooltip. */
const TWO_LINES_PX = 28;

/** So many characters of a leaf's name have room. */
const LEAF_NAME_LENGTH = 13;

/** "CPUs 2976–2991" without its first word: on large machines the numbers take the room. */
function shortened(name: string): string {
  return name.length > LEAF_NAME_LENGTH ? name.replace('CPUs ', '') : name;
}

/** Names at the left. A click makes a lane the one that `[` and `]` step on. */
export const LaneLabels = memo(function LaneLabels({
  rows,
  trackId,
  onTrack,
  onToggleGroup,
}: LaneLabelsProps) {
  return rows.map((row) => {
    const style = { top: row.topPx, height: row.heightPx };
    if (row.kind === 'group') {
      const { index, firstCpu, lastCpu, isOpen } = row.group;
      return (
        <button
          key={`group:${index}`}
          type="button"
          className="tl-group"
          style={style}
          tabIndex={-1}
          aria-expanded={isOpen}
          onClick={() => onToggleGroup(index)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> CPUs {firstCpu}–{lastCpu}
        </button>
      );
    }
    const { lane, leaf } = row;
    if (leaf !== undefined) {
      return (
        <button
          key={lane.id}
          type="button"
          className="tl-group"
          style={style}
          tabIndex={-1}
          aria-expanded={leaf.isOpen}
          title={lane.detail}
          onClick={() => onToggleGroup(leaf.index)}
        >
          <span aria-hidden="true">{leaf.isOpen ? '▾' : '▸'}</span> {shortened(lane.name)}
        </button>
      );
    }
    return (
      <button
        key={lane.id}
        type="button"
        className="tl-label"
        style={style}
        tabIndex={-1}
        aria-pressed={lane.id === trackId}
        title={lane.detail}
        onClick={() => onTrack(lane.id)}
      >
        <span className="tl-label-name">{lane.name}</span>
        {row.heightPx >= TWO_LINES_PX && <span className="tl-label-detail">{lane.detail}</span>}
      </button>
    );
  });
});
