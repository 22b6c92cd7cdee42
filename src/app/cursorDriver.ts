import { cursorAt, stepCursor } from '../analysis/cursor.ts';
import { coversTime, rowOf } from '../analysis/rowWindow.ts';
import { stateAt } from '../analysis/stateAt.ts';
import type { Cursor, RowWindow } from '../analysis/types.ts';
import type { RunInfo } from '../engine/index.ts';
import type { CursorPlace } from '../state/viewStore.ts';
import type { EngineClient } from '../worker/engineClient.ts';
import type { RowsReply, Step } from '../worker/protocol.ts';
import type { Navigation } from './navigation.ts';
import { newestOnly, oncePerFrame } from './scheduler.ts';
import type { Stores } from './session.ts';

/** New rows are fetched when the cursor is nearer to an end of the rows at hand than this share of them. */
const EDGE_SHARE = 0.2;
/** From so many pixels between two polls on the timeline draws them singly. */
const SINGLE_POLLS_FROM_PX = 3;

export interface CursorDriver {
  readonly navigate: Navigation;
  /** Rows of a new run: the cursor stays where it is in time, as far as the run goes. */
  readonly take: (rows: RowsReply) => void;
}

/**
 * Moves the cursor, and works out the state at it once per frame, from the rows at hand; fetches others when it
 * leaves them. Until they come the last picture stays.
 */
export function createCursorDriver(stores: Stores, client: EngineClient): CursorDriver {
  const { view, run, panelData, timelineData } = stores;
  let rows: RowsReply | undefined;
  let isStepped = false;

  const fail = (message: string) => run.notify({ source: 'run', tone: 'error', text: message, details: [] });

  const draw = oncePerFrame(() => {
    const info = run.getState().summary?.info;
    const { cursor, domain } = view.getState();
    if (rows === undefined || info === undefined) return;
    if (!coversTime(rows.window, cursor.timeNs)) {
      fetchRows({ timeNs: cursor.timeNs });
      return;
    }
    panelData.setState({
      cursor,
      rows: rows.window,
      state: stateAt(rows.window, rows.checkpoint, cursor, info),
      domain: domain ?? info.tracks.find(({ kind }) => kind === 'srcu')?.id ?? -1,
      isStepped,
    });
    fetchAhead(cursor);
  });

  const takeRows = newestOnly<RowsReply | undefined>((reply) => {
    if (reply === undefined) {
      // Another question for rows took its place: ask again.
      draw();
      return;
    }
    rows = reply;
    settle();
    draw();
  }, fail);
  /** Where the cursor was put by time alone, or in another log, its row follows from the time. */
  const settle = () => {
    const { cursor } = view.getState();
    if (rows === undefined || !coversTime(rows.window, cursor.timeNs)) return;
    if (!isPlaceOf(rows.window, cursor) && (cursor.timeNs > 0 || cursor.row >= 0)) {
      view.seek(cursorAt(rows.window, cursor.timeNs));
    }
  };
  const fetchRows = (at: { timeNs: number } | { row: number }) =>
    takeRows(client.ask<'rows'>({ type: 'rows', rows: { at } }));

  let aheadOf: RowsReply | undefined;
  const fetchAhead = ({ row, timeNs }: CursorPlace) => {
    if (rows === undefined || aheadOf === rows) return;
    const { first, length, total } = rows.window;
    const edge = length * EDGE_SHARE;
    const isNearStart = first > 0 && row - first < edge;
    const isNearEnd = first + length < total && first + length - row < edge;
    if (!isNearStart && !isNearEnd) return;
    aheadOf = rows;
    fetchRows({ timeNs });
  };

  /** Single polls are drawn at this zoom. */
  const arePollsSingle = ({ srcu }: RunInfo) => {
    const { window } = view.getState();
    const { widthPx } = timelineData.getState();
    if (window === undefined || widthPx === undefined) return false;
    return (srcu.retryNs * widthPx) / (window.toNs - window.fromNs) >= SINGLE_POLLS_FROM_PX;
  };

  /** The cursor at a time; where its row is not at hand, -1 until it is. */
  const placeAt = (timeNs: number): CursorPlace =>
    rows !== undefined && coversTime(rows.window, timeNs)
      ? cursorAt(rows.window, timeNs)
      : { timeNs, row: -1 };

  const goTo = (cursor: CursorPlace, step: boolean) => {
    isStepped = step;
    view.stopAt(cursor);
    bringIntoView(stores, cursor.timeNs);
  };
  const takeStep = newestOnly<Cursor | undefined>((cursor) => {
    if (cursor !== undefined) goTo(cursor, true);
  }, fail);
  const askStep = (step: Step) => {
    const { timeNs, row } = view.getState().cursor;
    takeStep(client.ask<'step'>({ type: 'step', from: { timeNs, row }, step }));
  };

  view.subscribe((state, before) => {
    if (state.cursor !== before.cursor || state.domain !== before.domain) draw();
  });

  return {
    take: (reply) => {
      rows = reply;
      isStepped = false;
      const { cursor } = view.getState();
      const endNs = run.getState().summary?.endNs ?? 0;
      if (cursor.timeNs > endNs) view.seek({ timeNs: endNs, row: -1 });
      settle();
      draw();
    },
    navigate: {
      step: (direction) => {
        const info = run.getState().summary?.info;
        const { cursor } = view.getState();
        const next =
          rows === undefined || info === undefined
            ? undefined
            : stepCursor(rows.window, cursor, direction, info.srcu, arePollsSingle(info));
        if (next === undefined) askStep({ to: 'row', direction });
        else goTo(next, true);
      },
      stepOnTrack: (direction, track) => askStep({ to: 'row', direction, track }),
      stepGp: (direction) => askStep({ to: 'gp', direction }),
      toStart: () => {
        isStepped = false;
        view.reset();
        bringIntoView(stores, 0);
      },
      toEnd: () => goTo(placeAt(run.getState().summary?.endNs ?? 0), false),
      seekTime: (timeNs) => goTo(placeAt(timeNs), false),
      seekRow: (row) => {
        view.setState({ isPlaying: false });
        takeStep(
          client.ask<'rows'>({ type: 'rows', rows: { at: { row } } }).then((reply) => {
            rows = reply ?? rows;
            return reply?.cursor;
          }),
        );
      },
      playTo: (timeNs) => {
        isStepped = false;
        view.seek(placeAt(timeNs));
        bringIntoView(stores, timeNs);
      },
    },
  };
}

/** Where the cursor stands in the window after it had left it, as a share from the left. */
const LANDING_SHARE = 0.1;

/** Whether a place, row included, is one of this log: its row is the last or an equal one up to its time. */
function isPlaceOf(window: RowWindow, { row, timeNs }: CursorPlace): boolean {
  const here = rowOf(window, row);
  const next = rowOf(window, row + 1);
  return here !== undefined && here.timeNs <= timeNs && (next === undefined || timeNs <= next.timeNs);
}

/** Turns the page when the cursor is outside the window: keeps the zoom, puts the cursor near the left edge. */
export function bringIntoView({ view, run }: Stores, timeNs: number): void {
  const { window } = view.getState();
  const endNs = run.getState().summary?.endNs;
  if (window === undefined || endNs === undefined) return;
  if (timeNs >= window.fromNs && timeNs <= window.toNs) return;
  const spanNs = window.toNs - window.fromNs;
  const isBack = timeNs < window.fromNs;
  const fromNs = timeNs - spanNs * (isBack ? 1 - LANDING_SHARE : LANDING_SHARE);
  const firstNs = Math.max(Math.min(fromNs, endNs * 1.01 - spanNs), Math.min(0, -endNs * 0.01));
  view.setState({ window: { fromNs: firstNs, toNs: firstNs + spanNs } });
}
