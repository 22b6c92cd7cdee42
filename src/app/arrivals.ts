import { isSameValue } from '../state/isSameValue.ts';
import { windowFor } from '../timeline/viewRequest.ts';
import type { RunReply } from '../worker/engineClient.ts';
import { bringIntoView } from './bringIntoView.ts';
import type { CursorDriver } from './cursorDriver.ts';
import { hiddenAtFirst } from './layout/hiddenAtFirst.ts';
import { scenarioText } from './scenarioText.ts';
import type { Stores } from './session.ts';
import type { TimelineActions } from './timelineActions.ts';
import { isUnplaced } from './workerBridge.ts';

/** Puts window, cursor and selection where a new scenario's run was opened; what a link has set stays. */
function openView({ view, timelineData }: Stores, timeline: TimelineActions, ran: RunReply): void {
  const { summary, view: lanes, rows } = ran;
  const { cursor, selection } = view.getState();
  const [first] = lanes;
  const window =
    first === undefined ? { fromNs: 0, toNs: summary.endNs } : { fromNs: first.t0Ns, toNs: first.t1Ns };
  // There is always something to explain: the first grace period that sleeps, or the first one.
  const index = Math.max(0, summary.headline.firstSleepingGp);
  view.setState({
    window,
    ...(isUnplaced(cursor) ? { cursor: rows.cursor } : {}),
    ...(selection === undefined && summary.gps > 0 ? { selection: { of: 'gp' as const, index } } : {}),
  });
  const { widthPx } = timelineData.getState();
  if (widthPx !== undefined) timeline.needView(windowFor(window, widthPx));
}

/** What happens when a run has finished: stores are filled, the picture changes, the cursor stays where it was. */
export function createArrival(stores: Stores, driver: CursorDriver, timeline: TimelineActions) {
  const { view, run, config, panelData, timelineData } = stores;
  return (ran: RunReply, isFirst: boolean): void => {
    const { summary } = ran;
    run.finished(summary);
    timelineData.setState({ lanes: ran.view });
    panelData.setState({
      run: summary,
      scenario: scenarioText(summary, Object.keys(config.getState().overrides).length > 0),
    });
    if (isFirst) openView(stores, timeline, ran);
    driver.take(ran.rows);
    if (isFirst) bringIntoView(stores, view.getState().cursor.timeNs);
    if (view.getState().playsOnArrival) view.setState({ isPlaying: true, playsOnArrival: false });
    timeline.frameSelection();
  };
}

/** Another scenario: the old run's view means nothing for it. Panels follow as long as nobody has chosen them. */
export function followScenario({ setup, view }: Stores): void {
  setup.subscribe(({ config: now }, { config: before }) => {
    if (now.scenario === before.scenario) return;
    view.forgetRun();
    const isAsItWas = isSameValue(view.getState().hiddenPanels, hiddenAtFirst(before.scenario ?? ''));
    if (isAsItWas) view.setState({ hiddenPanels: hiddenAtFirst(now.scenario ?? '') });
  });
}
