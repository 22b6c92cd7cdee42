import { cursorAt, stepCursor } from '../analysis/cursor.ts';
import { coversTime } from '../analysis/rowWindow.ts';
import type { Cursor } from '../analysis/types.ts';
import type { RunInfo } from '../engine/index.ts';
import type { CursorPlace } from '../state/viewStore.ts';
import type { EngineClient } from '../worker/engineClient.ts';
import type { Step } from '../worker/protocol.ts';
import { bringIntoView } from './bringIntoView.ts';
import type { RowSupply } from './rowSupply.ts';
import { newestOnly } from './scheduler.ts';
import type { Stores } from './session.ts';

/** From so many pixels between two polls on the timeline draws them singly. */
const SINGLE_POLLS_FROM_PX = 3;

/** Moves of the cursor. All of them but `playTo` stop playing. */
export interface Navigation {
  /** By one event, or inside a burst that is drawn poll by poll, by one poll. */
  readonly step: (direction: 1 | -1) => void;
  /** To the next or previous row of one track. */
  readonly stepOnTrack: (direction: 1 | -1, track: number) => void;
  /** To the start of the next grace period, or of the previous one. */
  readonly stepGp: (direction: 1 | -1) => void;
  readonly toStart: () => void;
  readonly toEnd: () => void;
  readonly seekTime: (timeNs: number) => void;
  readonly seekRow: (row: number) => void;
  /** What playing does: to a time, going on. */
  readonly playTo: (timeNs: number) => void;
}

/** Single polls are drawn at this zoom. */
function arePollsSingle({ view, timelineData }: Stores, { srcu }: RunInfo): boolean {
  const { window } = view.getState();
  const { widthPx } = timelineData.getState();
  if (window === undefined || widthPx === undefined) return false;
  return (srcu.retryNs * widthPx) / (window.toNs - window.fromNs) >= SINGLE_POLLS_FROM_PX;
}

/** Moves that use the rows at hand, and ask the worker beyond them. `onMove` hears whether a move is a single step. */
export function createNavigation(
  stores: Stores,
  client: EngineClient,
  supply: RowSupply,
  onMove: (isStep: boolean) => void,
): Navigation {
  const { view, run } = stores;
  const fail = (message: string) => run.notify({ source: 'run', tone: 'error', text: message, details: [] });
  const goTo = (cursor: CursorPlace, isStep: boolean) => {
    onMove(isStep);
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
  /** The cursor at a time; where its row is not at hand, -1 until it is. */
  const placeAt = (timeNs: number): CursorPlace => {
    const rows = supply.current();
    return rows !== undefined && coversTime(rows.window, timeNs)
      ? cursorAt(rows.window, timeNs)
      : { timeNs, row: -1 };
  };
  const step = (direction: 1 | -1) => {
    const info = run.getState().summary?.info;
    const rows = supply.current();
    const next =
      rows && info
        ? stepCursor(rows.window, view.getState().cursor, direction, info.srcu, arePollsSingle(stores, info))
        : undefined;
    if (next === undefined) askStep({ to: 'row', direction });
    else goTo(next, true);
  };
  const seekRow = async (row: number): Promise<Cursor | undefined> => {
    const reply = await client.ask<'rows'>({ type: 'rows', rows: { at: { row } } });
    if (reply !== undefined) supply.take(reply);
    return reply?.cursor;
  };
  return {
    step,
    stepOnTrack: (direction, track) => askStep({ to: 'row', direction, track }),
    stepGp: (direction) => askStep({ to: 'gp', direction }),
    toStart: () => {
      onMove(false);
      view.reset();
      bringIntoView(stores, 0);
    },
    toEnd: () => goTo(placeAt(run.getState().summary?.endNs ?? 0), false),
    seekTime: (timeNs) => goTo(placeAt(timeNs), false),
    seekRow: (row) => {
      view.setState({ isPlaying: false });
      takeStep(seekRow(row));
    },
    playTo: (timeNs) => {
      onMove(false);
      view.seek(placeAt(timeNs));
      bringIntoView(stores, timeNs);
    },
  };
}
