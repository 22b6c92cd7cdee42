import type { SimConfig } from '../engine/index.ts';
import { findScenario } from '../scenarios/registry.ts';
import type { CursorPlace } from '../state/viewStore.ts';
import { windowFor } from '../timeline/viewRequest.ts';
import type { EngineClient, RunReply } from '../worker/engineClient.ts';
import type { FirstView, RowsRequest } from '../worker/protocol.ts';
import { oncePerFrame } from './scheduler.ts';
import type { Stores } from './session.ts';

/**
 * A run under way is let finish for so long although a newer configuration waits: a drag then repaints at the pace of
 * the runs, and does not starve. Beyond, the newer one takes over at once.
 */
const PATIENCE_MS = 400;
/** About the width of the timeline, until it has been measured. */
const FIRST_WIDTH_PX = 1000;

/** Nobody has put the cursor anywhere yet. */
export function isUnplaced({ row, timeNs }: CursorPlace): boolean {
  return row < 0 && timeNs === 0;
}

/** Where a run that has no view yet is opened: where its scenario says. */
function firstView(config: SimConfig, widthPx: number): { view: FirstView; rows: RowsRequest } {
  const start = config.scenario === undefined ? undefined : findScenario(config.scenario)?.scenario.startView;
  if (start?.at === 'firstSleepingGracePeriod') {
    return { view: { fit: 'firstSleep', widthPx }, rows: { at: 'firstSleep' } };
  }
  const rows: RowsRequest = { at: { timeNs: 0 } };
  if (start === undefined || start.spanNs === 'all') return { view: { fit: 'run', widthPx }, rows };
  return { view: { t0Ns: 0, t1Ns: start.spanNs, widthPx }, rows };
}

/**
 * Runs whatever the choice comes to: a change starts a run in the next frame, the newest wins, one
 * run at a time. The last picture stays until the answer. `onRan` gets every answer that is still wanted; `isFirst`
 * says that it was opened where the scenario says. Returns what runs again without a change.
 */
export function runOnChange(
  stores: Stores,
  client: EngineClient,
  onRan: (ran: RunReply, isFirst: boolean) => void,
): () => void {
  const { setup, view, run, timelineData } = stores;
  let startedAtMs: number | undefined;
  let isStale = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const start = async () => {
    clearTimeout(timer);
    isStale = false;
    const startedMs = performance.now();
    startedAtMs = startedMs;
    const { config } = setup.getState();
    const { window: shown, cursor } = view.getState();
    const isFirst = shown === undefined;
    const { asked, widthPx: px = FIRST_WIDTH_PX } = timelineData.getState();
    const first = firstView(config, px);
    const place = isFirst
      ? { ...first, ...(isUnplaced(cursor) ? {} : { rows: { at: { timeNs: cursor.timeNs } } }) }
      : {
          view: asked ?? windowFor(shown, px),
          rows: { at: { timeNs: cursor.timeNs } },
        };
    run.started();
    try {
      const ran = await client.run({ config, ...place }, run.progressed);
      // Cancelled: the run that did it has taken over.
      if (ran === undefined || startedAtMs !== startedMs) return;
      startedAtMs = undefined;
      onRan(ran, isFirst);
    } catch (error) {
      if (startedAtMs !== startedMs) return;
      startedAtMs = undefined;
      run.failed(error instanceof Error ? error.message : String(error));
    }
    if (isStale) void start();
  };

  const ask = oncePerFrame(() => {
    if (startedAtMs === undefined) {
      void start();
      return;
    }
    isStale = true;
    clearTimeout(timer);
    const waitMs = startedAtMs + PATIENCE_MS - performance.now();
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
