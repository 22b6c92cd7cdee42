import { cursorAt } from '../analysis/cursor.ts';
import { coversTime, rowOf } from '../analysis/rowWindow.ts';
import type { stateAt as workOut } from '../analysis/stateAt.ts';
import type { RowWindow } from '../analysis/types.ts';
import type { CursorPlace } from '../state/viewStore.ts';
import type { EngineClient } from '../worker/engineClient.ts';
import type { RowsReply } from '../worker/protocol.ts';
import { createNavigation, type Navigation } from './navigation.ts';
import { createRowSupply } from './rowSupply.ts';
import { oncePerFrame } from './scheduler.ts';
import type { Stores } from './session.ts';

export interface CursorDriver {
  readonly navigate: Navigation;
  /** Rows of a new run: the cursor stays where it is in time, as far as the run goes. */
  readonly take: (rows: RowsReply) => void;
}

/** Whether a place, row included, is one of this log: its row is the last or an equal one up to its time. */
function isPlaceOf(window: RowWindow, { row, timeNs }: CursorPlace): boolean {
  const here = rowOf(window, row);
  const next = rowOf(window, row + 1);
  return here !== undefined && here.timeNs <= timeNs && (next === undefined || timeNs <= next.timeNs);
}

/**
 * Moves the cursor, and works out the state at it once per frame, from the rows at hand; fetches others when it
 * leaves them. Until they come the last picture stays.
 */
export function createCursorDriver(stores: Stores, client: EngineClient): CursorDriver {
  const { view, run, panelData } = stores;
  let isStepped = false;
  /** Comes while the first run is simulated: it is much code, and nothing is shown of it before. */
  let stateAt: typeof workOut | undefined;
  const fail = (message: string) => run.notify({ source: 'run', tone: 'error', text: message, details: [] });

  /** Where the cursor was put by time alone, or in another log, its row follows from the time. */
  const settle = () => {
    const rows = supply.current();
    const { cursor } = view.getState();
    if (rows === undefined || !coversTime(rows.window, cursor.timeNs)) return;
    const isBeforeFirst = cursor.row < 0 && cursor.timeNs === 0;
    if (!isBeforeFirst && !isPlaceOf(rows.window, cursor)) view.seek(cursorAt(rows.window, cursor.timeNs));
  };
  const draw = oncePerFrame(() => {
    const rows = supply.current();
    const info = run.getState().summary?.info;
    const { cursor, domain } = view.getState();
    if (rows === undefined || info === undefined || stateAt === undefined) return;
    if (!coversTime(rows.window, cursor.timeNs)) {
      supply.fetch(cursor.timeNs);
      return;
    }
    panelData.setState({
      cursor,
      rows: rows.window,
      state: stateAt(rows.window, rows.checkpoint, cursor, info),
      domain: domain ?? info.tracks.find(({ kind }) => kind === 'srcu')?.id ?? -1,
      isStepped,
    });
    supply.fetchAhead(cursor);
  });
  const supply = createRowSupply(
    client,
    () => {
      settle();
      draw();
    },
    fail,
  );
  import('../analysis/stateAt.ts').then(
    (module) => {
      ({ stateAt } = module);
      draw();
    },
    (error: unknown) => fail(`the state at the cursor cannot be worked out: ${String(error)}`),
  );
  view.subscribe((state, before) => {
    if (state.cursor !== before.cursor || state.domain !== before.domain) draw();
  });
  return {
    take: (reply) => {
      supply.take(reply);
      isStepped = false;
      const { cursor } = view.getState();
      const endNs = run.getState().summary?.endNs ?? 0;
      if (cursor.timeNs > endNs) view.seek({ timeNs: endNs, row: -1 });
      settle();
      draw.now();
    },
    navigate: createNavigation(stores, client, supply, (isStep) => {
      isStepped = isStep;
    }),
  };
}
