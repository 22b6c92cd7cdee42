import { isSameValue } from '../state/isSameValue.ts';
import type { TimeWindow } from '../state/viewStore.ts';
import { withPartsOf } from '../state/withPartsOf.ts';
import { constrain, limitsOf, spanNs } from '../timeline/viewport.ts';
import { windowFor } from '../timeline/viewRequest.ts';
import type { RunReply } from '../worker/engineClient.ts';
import { bringIntoView } from './bringIntoView.ts';
import type { CursorDriver } from './cursorDriver.ts';
import { hiddenAtFirst } from './layout/hiddenAtFirst.ts';
import type { Questions } from './questions.ts';
import { scenarioText } from './scenarioText.ts';
import type { Stores } from './session.ts';
import type { TimelineActions } from './timelineActions.ts';
import { type Arrival, isUnplaced } from './workerBridge.ts';

/** What follows the end of a run in a window that was behind it, as a share of the window. */
const AIR_BEHIND_END = 0.1;

function askForWindow({ timelineData }: Stores, timeline: TimelineActions, window: TimeWindow): void {
  const { widthPx } = timelineData.getState();
  if (widthPx !== undefined) timeline.needView(windowFor(window, widthPx));
}

/** Puts window, cursor and selection where a new scenario's run was opened; what a link has set stays. */
function openView(stores: Stores, timeline: TimelineActions, ran: RunReply): void {
  const { view } = stores;
  const { summary, view: lanes, rows, explained } = ran;
  const { cursor, selection } = view.getState();
  const [first] = lanes;
  const window =
    first === undefined ? { fromNs: 0, toNs: summary.endNs } : { fromNs: first.t0Ns, toNs: first.t1Ns };
  view.setState({
    window,
    ...(isUnplaced(cursor) ? { cursor: rows.cursor } : {}),
    // There is always something to explain.
    ...(selection === undefined && explained !== undefined
      ? { selection: { of: explained.why.of, index: explained.why.index } }
      : {}),
  });
  askForWindow(stores, timeline, window);
}

/** A window that lies wholly behind the end of the run shows nothing: the end moves into it. */
function keepInRun(stores: Stores, timeline: TimelineActions, endNs: number): void {
  const { window: shown } = stores.view.getState();
  if (shown === undefined || shown.fromNs < endNs) return;
  const lengthNs = spanNs(shown);
  const toNs = endNs + lengthNs * AIR_BEHIND_END;
  const window = constrain({ fromNs: toNs - lengthNs, toNs }, limitsOf(endNs));
  stores.view.setState({ window });
  askForWindow(stores, timeline, window);
}

/**
 * What happens when a run has finished: stores are filled, the picture changes, the cursor stays where it was. All at
 * once, so that the page is drawn once; only what was selected while the run was under way is asked for afterwards.
 */
export function createArrival(
  stores: Stores,
  driver: CursorDriver,
  timeline: TimelineActions,
  questions: Questions,
) {
  const { view, run, config, panelData, timelineData, stories } = stores;
  return ({ ran, isFirst, ordered }: Arrival): void => {
    const before = run.getState().summary;
    const summary = { ...ran.summary, lanes: withPartsOf(before?.lanes, ran.summary.lanes) };
    const isChanged = Object.keys(config.getState().overrides).length > 0;
    const { selection, range } = view.getState();
    const isExplained = selection === ordered.selection && selection?.of !== 'row';
    const isSameRange = range === ordered.range;
    run.finished(summary);
    timelineData.setState({ lanes: ran.view, ...(isSameRange ? { rangeStats: ran.rangeStats } : {}) });
    panelData.setState({
      run: summary,
      scenario: withPartsOf(
        panelData.getState().scenario,
        scenarioText(summary, isChanged, stories.getState()),
      ),
      ...(isExplained ? { why: ran.explained?.why } : {}),
      ...(isSameRange ? { selection: ran.rangeStats } : {}),
    });
    if (isFirst) openView(stores, timeline, ran);
    else keepInRun(stores, timeline, summary.endNs);
    if (isExplained) timeline.frameGp(ran.explained?.gp);
    else {
      questions.why();
      timeline.frameSelection();
    }
    if (!isSameRange) questions.range();
    driver.take(ran.rows);
    if (isFirst) bringIntoView(stores, view.getState().cursor.timeNs);
    if (view.getState().playsOnArrival) view.setState({ isPlaying: true, playsOnArrival: false });
  };
}

/** Another scenario: the old run's view means nothing for it. Panels follow as long as nobody has chosen them. */
export function followScenario({ setup, view }: Stores): void {
  setup.subscribe(({ config: now }, { config: before }) => {
    if (now.scenario === before.scenario) return;
    view.forgetRun();
    const isAsItWas = isSameValue(
      view.getState().hiddenPanels,
      hiddenAtFirst(before.scenario ?? '', before.actors),
    );
    if (isAsItWas) view.setState({ hiddenPanels: hiddenAtFirst(now.scenario ?? '', now.actors) });
  });
}
