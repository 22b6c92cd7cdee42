import type { CursorPlace } from '../state/viewStore.ts';
import type { EngineClient } from '../worker/engineClient.ts';
import type { RowsReply } from '../worker/protocol.ts';
import { newestOnly } from './scheduler.ts';

/** New rows are fetched when the cursor is nearer to an end of the rows at hand than this share of them. */
const EDGE_SHARE = 0.2;

/** The rows around the cursor that the page holds. */
export interface RowSupply {
  readonly current: () => RowsReply | undefined;
  /** Rows that came with something else: a new run, a jump. */
  readonly take: (rows: RowsReply) => void;
  /** Asks for rows around a time; `onRows` is called when they are there. */
  readonly fetch: (timeNs: number) => void;
  /** The same, ahead of need: when the cursor comes near an end of the rows at hand. */
  readonly fetchAhead: (cursor: CursorPlace) => void;
}

/** `onRows` is also called when another question took the place of ours and it has to be asked again. */
export function createRowSupply(
  client: EngineClient,
  onRows: () => void,
  onFault: (message: string) => void,
): RowSupply {
  let rows: RowsReply | undefined;
  /** The rows for which others were asked ahead of need: once is enough. */
  let askedFrom: RowsReply | undefined;
  const takeAnswer = newestOnly<RowsReply | undefined>((reply) => {
    rows = reply ?? rows;
    onRows();
  }, onFault);
  const fetch = (timeNs: number) =>
    takeAnswer(client.ask<'rows'>({ type: 'rows', rows: { at: { timeNs } } }));
  return {
    current: () => rows,
    take: (reply) => {
      rows = reply;
    },
    fetch,
    fetchAhead: ({ row, timeNs }) => {
      if (rows === undefined || askedFrom === rows) return;
      const { first, length, total } = rows.window;
      const edge = length * EDGE_SHARE;
      const isNearStart = first > 0 && row - first < edge;
      const isNearEnd = first + length < total && first + length - row < edge;
      if (!isNearStart && !isNearEnd) return;
      askedFrom = rows;
      fetch(timeNs);
    },
  };
}
