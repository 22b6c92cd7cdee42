import type { Blame } from '../analysis/blameTypes.ts';
import type { LaneView } from '../analysis/laneTypes.ts';
import { GP_FLAVOR } from '../analysis/types.ts';
import { selectionOfGp, selectionOfItem, selectionOfUnit } from '../timeline/overlayGeometry.ts';
import type { TimelineItem } from '../timeline/timelineItem.ts';
import type { RowPlace } from '../timeline/timelineProps.ts';
import type { Viewport } from '../timeline/viewport.ts';
import type { WindowRequest } from '../timeline/viewRequest.ts';
import type { EngineClient } from '../worker/engineClient.ts';
import type { GpRow, RowsReply } from '../worker/protocol.ts';
import { newestOnly } from './scheduler.ts';
import type { Stores } from './session.ts';

/** Shares of a window request that lie left and right of what is visible (timeline/viewRequest.ts): half each. */
const ASKED_PER_VISIBLE = 2;

/** What the timeline asks for. */
export interface TimelineActions {
  readonly setWindow: (window: Viewport) => void;
  readonly select: (item: TimelineItem | undefined) => void;
  readonly needView: (request: WindowRequest) => void;
  readonly needRows: (place: RowPlace) => void;
  /** Draws the frame around what the view has selected, from the run at hand. */
  readonly frameSelection: () => void;
  /** Draws the frame around a grace period; without one it stays where it is. */
  readonly frameGp: (gp: GpRow | undefined) => void;
  /** The same around the unit of kfree_rcu() that is explained. */
  readonly frameUnit: (why: Blame | undefined) => void;
}

export function createTimelineActions(
  { view, run, timelineData }: Stores,
  client: EngineClient,
): TimelineActions {
  const fail = (message: string) => run.notify({ source: 'run', tone: 'error', text: message, details: [] });
  const takeLanes = newestOnly<readonly LaneView[] | undefined>((lanes) => {
    if (lanes !== undefined) timelineData.setState({ lanes });
  }, fail);
  const takeRows = newestOnly<RowsReply | undefined>((reply) => {
    if (reply !== undefined) timelineData.setState({ rows: reply.window });
  }, fail);
  const takeBlame = newestOnly<Blame | undefined>((blame) => {
    if (blame !== undefined) view.setState({ selection: { of: blame.of, index: blame.index } });
  }, fail);
  const frameGp = (gp: GpRow | undefined) => {
    const { summary } = run.getState();
    if (gp === undefined || summary === undefined) return;
    const endNs = Number.isNaN(gp.endNs) ? summary.endNs : gp.endNs;
    const place = { row: gp.startRow, startNs: gp.startNs, endNs };
    timelineData.setState({
      selection: selectionOfGp(gp.domain, place, summary.lanes, gp.flavor === GP_FLAVOR.exp),
    });
  };
  const frameUnit = (why: Blame | undefined) => {
    const first = why?.segments[0];
    if (why === undefined || first === undefined) return;
    const place = { row: first.row, startNs: why.startNs, endNs: why.endNs };
    timelineData.setState({ selection: selectionOfUnit(first.cpu, place) });
  };
  const takeGp = newestOnly<readonly GpRow[] | undefined>((gps) => frameGp(gps?.[0]), fail);

  return {
    setWindow: (window) => view.setState({ window }),
    select: (item) => {
      const lanes = run.getState().summary?.lanes ?? [];
      timelineData.setState({ selection: item === undefined ? undefined : selectionOfItem(item, lanes) });
      if (item === undefined) view.setState({ selection: undefined });
      else if (item.gp === undefined) view.setState({ selection: { of: 'row', index: item.row } });
      else {
        takeBlame(client.ask<'why'>({ type: 'why', target: { of: 'gpNumber', ...item.gp } }));
      }
    },
    needView: (request) => {
      timelineData.setState({ asked: request, widthPx: Math.round(request.widthPx / ASKED_PER_VISIBLE) });
      takeLanes(client.ask<'view'>({ type: 'view', view: request }));
    },
    needRows: (at) => takeRows(client.ask<'rows'>({ type: 'rows', rows: { at } })),
    frameGp,
    frameUnit,
    frameSelection: () => {
      const { selection } = view.getState();
      if (selection === undefined) timelineData.setState({ selection: undefined });
      if (selection?.of !== 'gp') return;
      takeGp(client.ask<'gps'>({ type: 'gps', first: selection.index, count: 1 }));
    },
  };
}
