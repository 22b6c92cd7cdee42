/** State that belongs to the timeline alone: which track the keys step on, what is unfolded, what is shown how. */
import { useCallback, useState } from 'react';

export interface TimelineState {
  /** Lane that `[` and `]` step on; undefined: that of the first one with events. */
  readonly trackId: string | undefined;
  /** All causes back to the first are drawn, not only the direct ones. */
  readonly isChain: boolean;
  readonly isTable: boolean;
  readonly openGroups: ReadonlySet<number>;
  /** What the screen reader is told next. */
  readonly announcement: string;
}

const INITIAL: TimelineState = {
  trackId: undefined,
  isChain: false,
  isTable: false,
  openGroups: new Set([0]),
  announcement: '',
};

export function useTimelineState() {
  const [state, setState] = useState(INITIAL);
  const change = useCallback(
    (part: Partial<TimelineState>) => setState((before) => ({ ...before, ...part })),
    [],
  );
  const setTrack = useCallback((trackId: string) => change({ trackId }), [change]);
  const toggleGroup = useCallback(
    (group: number) =>
      setState((before) => {
        const openGroups = new Set(before.openGroups);
        if (!openGroups.delete(group)) openGroups.add(group);
        return { ...before, openGroups };
      }),
    [],
  );
  return { state, change, setTrack, toggleGroup };
}
