/** The actions of the timeline: what each does, and when it can be done. */
import type { LaneInfo, LaneView } from '../analysis/laneTypes.ts';
import type { TimelineAction } from './actions.ts';
import { describeItem, isLossy, laneWords, neighbour, type TimelineItem } from './timelineItem.ts';
import type { TimelineProps } from './timelineProps.ts';
import type { TimelineState } from './useTimelineState.ts';
import { fitAll, fitRange, panBy, reveal, spanNs, type ViewportLimits, zoomAbout } from './viewport.ts';

/** One key press: so much of the window to the side, or so much longer. */
const PAN_SHARE = 0.15;
const ZOOM_FACTOR = 1.35;

export interface CommandContext {
  readonly props: TimelineProps;
  readonly limits: ViewportLimits;
  readonly state: TimelineState;
  readonly change: (part: Partial<TimelineState>) => void;
  readonly views: ReadonlyMap<string, LaneView>;
  /** Lanes that are not in a closed group. */
  readonly shownLanes: readonly LaneInfo[];
}

export interface Commands {
  readonly perform: (action: TimelineAction) => void;
  readonly isEnabled: (action: TimelineAction) => boolean;
  readonly isOn: (action: TimelineAction) => boolean | undefined;
  readonly select: (item: TimelineItem | undefined) => void;
}

/** The commands for the present props and state. Cheap: made anew with every render. */
export function timelineCommands(context: CommandContext): Commands {
  const { props, state, change } = context;
  const { selection, range } = props;
  const select = (item: TimelineItem | undefined) => {
    props.onSelect(item);
    if (item === undefined) return;
    change({ trackId: item.laneId, announcement: describeItem(item, props.info).join(', ') });
  };
  return {
    select,
    perform: (action) => performers(context, select)[action](),
    isEnabled: (action) => {
      if (action === 'fitSelection' || action === 'clear')
        return selection !== undefined || range !== undefined;
      if (action === 'toggleChain') return selection !== undefined && selection.row >= 0;
      return true;
    },
    isOn: (action) => {
      if (action === 'toggleChain') return state.isChain;
      if (action === 'toggleTable') return state.isTable;
      return undefined;
    },
  };
}

/** What each action does. */
function performers(
  context: CommandContext,
  select: (item: TimelineItem | undefined) => void,
): Readonly<Record<TimelineAction, () => void>> {
  const { props, limits, state, change } = context;
  const { viewport, selection, range, onViewport, onRange } = props;
  const zoom = (factor: number) => onViewport(zoomAbout(viewport, zoomCentreNs(props), factor, limits));
  const pan = (share: number) => onViewport(panBy(viewport, share * spanNs(viewport), limits));
  const stretch =
    selection && selection.endNs > selection.startNs
      ? // With the instant at which it ends, so that its end counts.
        { fromNs: selection.startNs, toNs: Math.min(props.endNs, selection.endNs + 1) }
      : undefined;
  return {
    zoomIn: () => zoom(1 / ZOOM_FACTOR),
    zoomOut: () => zoom(ZOOM_FACTOR),
    panLeft: () => pan(-PAN_SHARE),
    panRight: () => pan(PAN_SHARE),
    fitAll: () => onViewport(fitAll(limits)),
    fitSelection: () => {
      const target = selection ? { fromNs: selection.startNs, toNs: selection.endNs } : range;
      if (target) onViewport(fitRange(target.fromNs, target.toNs, limits));
    },
    previousOnTrack: () => step(context, -1, select),
    nextOnTrack: () => step(context, 1, select),
    trackUp: () => changeTrack(context, -1),
    trackDown: () => changeTrack(context, 1),
    markRange: () =>
      onRange(
        stretch ?? {
          fromNs: Math.max(0, Math.floor(viewport.fromNs)),
          toNs: Math.min(props.endNs, Math.ceil(viewport.toNs)),
        },
      ),
    toggleChain: () => change({ isChain: !state.isChain }),
    toggleTable: () => change({ isTable: !state.isTable }),
    clear: () => {
      select(undefined);
      onRange(undefined);
      change({ isChain: false });
    },
  };
}

/** Keys zoom about the cursor where it is visible, else about the middle. */
function zoomCentreNs({ viewport, cursorNs }: TimelineProps): number {
  const isSeen = cursorNs >= viewport.fromNs && cursorNs <= viewport.toNs;
  return isSeen ? cursorNs : (viewport.fromNs + viewport.toNs) / 2;
}

/** The lane that the keys step on: the chosen one, or the first grace-period lane. */
export function trackOf(context: Pick<CommandContext, 'shownLanes' | 'state'>): LaneInfo | undefined {
  const { shownLanes, state } = context;
  return (
    shownLanes.find((lane) => lane.id === state.trackId) ??
    shownLanes.find((lane) => lane.kind === 'gp') ??
    shownLanes[0]
  );
}

function changeTrack(context: CommandContext, direction: 1 | -1): void {
  const { shownLanes, change } = context;
  const track = trackOf(context);
  const at = shownLanes.findIndex((lane) => lane.id === track?.id);
  const next = shownLanes[Math.min(Math.max(at + direction, 0), shownLanes.length - 1)];
  if (next) change({ trackId: next.id, announcement: laneWords(next) });
}

/** Steps from the selection, if it is on the track, else from the cursor. */
function step(
  context: CommandContext,
  direction: 1 | -1,
  select: (item: TimelineItem | undefined) => void,
): void {
  const { props, limits, views } = context;
  const lane = trackOf(context);
  if (lane === undefined) return;
  const { selection } = props;
  const isOnTrack = selection?.laneIds.includes(lane.id) === true;
  const fromNs = isOnTrack ? selection.startNs : props.cursorNs;
  // From the cursor, events at its own instant count as passed in either direction.
  const fromRow = isOnTrack ? selection.row : direction * Number.MAX_SAFE_INTEGER;
  const view = views.get(lane.id);
  const knows = view !== undefined && !isLossy(view) && fromNs >= view.t0Ns && fromNs <= view.t1Ns;
  const next = knows ? neighbour(view, fromNs, fromRow, direction) : undefined;
  if (next === undefined) {
    props.onStepBeyond(direction, lane.track, fromNs);
    return;
  }
  select(next);
  props.onViewport(reveal(props.viewport, next.startNs, limits));
}
