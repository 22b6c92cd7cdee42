import type { SimConfig } from '../engine/index.ts';
import { findScenario } from '../scenarios/registry.ts';
import type { StartView } from '../scenarios/scenario.ts';
import type { CursorPlace, Selection, ViewState } from '../state/viewStore.ts';
import { windowFor } from '../timeline/viewRequest.ts';
import type { EngineClient, RunReply } from '../worker/engineClient.ts';
import type { ExplainRequest, RunOrder } from '../worker/protocol.ts';
import { oncePerFrame, oncePerTask } from './scheduler.ts';
import type { Stores } from './session.ts';

/**
 * During a drag a run under way is let finish for so long although a newer configuration waits: the picture follows at
 * the pace of the runs, and does not starve. Beyond, and where nothing is dragged, the newer one takes over at once.
 */
const PATIENCE_MS = 1500;
/** About the width of the timeline, until it has been measured. */
const FIRST_WIDTH_PX = 1000;

/** Nobody has put the cursor anywhere yet. */
export function isUnplaced({ row, timeNs }: CursorPlace): boolean {
  return row < 0 && timeNs === 0;
}

function startViewOf({ scenario }: SimConfig): StartView | undefined {
  return scenario === undefined ? undefined : findScenario(scenario)?.scenario.startView;
}

/** Where a run that has no view yet is opened: where its scenario says. */
function firstView(config: SimConfig, widthPx: number): Pick<RunOrder, 'view' | 'rows'> {
  const start = startViewOf(config);
  if (start?.at === 'firstSleepingGracePeriod') {
    const span = typeof start.spanNs === 'number' ? { spanNs: start.spanNs } : {};
    return { view: { fit: 'firstSleep', widthPx, ...span }, rows: { at: 'firstSleep' } };
  }
  // Panels have something to show from the first grace period on.
  const rows = { at: start === undefined ? { timeNs: 0 } : ('firstGp' as const) };
  if (typeof start?.spanNs !== 'number') return { view: { fit: 'run', widthPx }, rows };
  return { view: { t0Ns: 0, t1Ns: start.spanNs, widthPx }, rows };
}

/** A row is explained on request only: after a change it is another one. */
function explainOf(
  selection: Selection | undefined,
  isFirst: boolean,
  config: SimConfig,
): ExplainRequest | undefined {
  if (selection === undefined) return isFirst ? (startViewOf(config)?.explains ?? 'firstSleep') : undefined;
  const { of, index } = selection;
  return of === 'row' ? undefined : { of, index };
}

/** What to run and what to show of it: the configuration, and what is looked at. */
function orderOf({ setup, view, timelineData }: Stores): RunOrder {
  const { config } = setup.getState();
  const { window: shown, cursor, selection, range } = view.getState();
  const { asked, widthPx = FIRST_WIDTH_PX } = timelineData.getState();
  const isFirst = shown === undefined;
  const atCursor = { at: { timeNs: cursor.timeNs } };
  const first = firstView(config, widthPx);
  const place = isFirst
    ? { ...first, ...(isUnplaced(cursor) ? {} : { rows: atCursor }) }
    : { view: asked ?? windowFor(shown, widthPx), rows: atCursor };
  return {
    config,
    ...place,
    explain: explainOf(selection, isFirst, config),
    range: range && { t0Ns: Math.round(range.fromNs), t1Ns: Math.round(range.toNs) },
  };
}

/** A run that has finished, with what was looked at when it was ordered. */
export interface Arrival {
  readonly ran: RunReply;
  /** It was opened where the scenario says. */
  readonly isFirst: boolean;
  readonly ordered: Pick<ViewState, 'selection' | 'range'>;
}

/**
 * Runs whatever the choice comes to: a change starts a run, the newest wins, one run at a time and at most one per
 * frame. The last picture stays until the answer. `onRan` gets every answer that is still wanted. Returns what runs again without
 * a change.
 */
export function runOnChange(
  stores: Stores,
  client: EngineClient,
  onRan: (arrival: Arrival) => void,
): () => void {
  const { config, setup, view, run } = stores;
  let startedAtMs: number | undefined;
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const start = async () => {
    clearTimeout(timer);
    isStale = false;
    const startedMs = performance.now();
    startedAtMs = startedMs;
    const ordered = view.getState();
    run.started();
    try {
      const ran = await client.run(orderOf(stores), run.progressed);
      // Cancelled: the run that did it has taken over, or somebody asked for it.
      if (startedAtMs !== startedMs) return;
      startedAtMs = undefined;
      if (ran === undefined) run.cancelled();
      else onRan({ ran, isFirst: ordered.window === undefined, ordered });
    } catch (error) {
      if (startedAtMs !== startedMs) return;
      startedAtMs = undefined;
      run.failed(error instanceof Error ? error.message : String(error));
    }
    if (isStale) nextFrame();
  };
  const nextFrame = oncePerFrame(() => {
    if (isStale) void start();
  });

  const ask = oncePerTask(() => {
    if (startedAtMs === undefined) {
      void start();
      return;
    }
    isStale = true;
    clearTimeout(timer);
    const isDragged = config.getState().beforeDrag !== undefined;
    const waitMs = isDragged ? startedAtMs + PATIENCE_MS - performance.now() : 0;
    timer = setTimeout(
      () => {
        if (isStale) void start();
      },
      Math.max(0, waitMs),
    );
  });

  setup.subscribe((state, before) => {
    if (state.config === before.config) return;
    run.outdated();
    ask();
  });
  ask();
  return ask;
}
