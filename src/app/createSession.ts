import { scenarioSource } from '../scenarios/registry.ts';
import { isSameValue } from '../state/isSameValue.ts';
import { createEngineClient, type RunReply, type WorkerLike } from '../worker/engineClient.ts';
import { bringIntoView, createCursorDriver } from './cursorDriver.ts';
import { hiddenAtFirst } from './layout/hiddenAtFirst.ts';
import type { OpenedLink } from './link.ts';
import { followPlaying } from './player.ts';
import { askAboutRun, scenarioText } from './questions.ts';
import { createStores, type Session } from './session.ts';
import { createTimelineActions } from './timelineActions.ts';
import { isUnplaced, runOnChange } from './workerBridge.ts';

/** A session that opens `link` and simulates in `worker`. */
export function createSession(link: OpenedLink, worker: WorkerLike): Session {
  const client = createEngineClient(worker);
  const stores = createStores(scenarioSource, link.choice, {
    hiddenPanels: hiddenAtFirst(link.choice.scenario),
    ...link.view,
    playsOnArrival: link.isPlaying,
  });
  const { view, run, config, panelData, timelineData } = stores;
  const driver = createCursorDriver(stores, client);
  const timelineActions = createTimelineActions(stores, client);
  const session: Session = {
    ...stores,
    navigate: driver.navigate,
    timelineActions,
    panelActions: {
      seekRow: driver.navigate.seekRow,
      step: driver.navigate.step,
      explain: (of, index) => view.setState({ selection: { of, index } }),
      selectDomain: (domain) => view.setState({ domain }),
    },
  };

  const open = ({ summary, view: lanes, rows }: RunReply) => {
    const { cursor, selection } = view.getState();
    const [first] = lanes;
    // There is always something to explain: the first grace period that sleeps, or the first one.
    const index = Math.max(0, summary.headline.firstSleepingGp);
    view.setState({
      window:
        first === undefined ? { fromNs: 0, toNs: summary.endNs } : { fromNs: first.t0Ns, toNs: first.t1Ns },
      ...(isUnplaced(cursor) ? { cursor: rows.cursor } : {}),
      ...(selection === undefined && summary.gps > 0 ? { selection: { of: 'gp' as const, index } } : {}),
    });
  };
  const onRan = (ran: RunReply, isFirst: boolean) => {
    const { summary } = ran;
    run.finished(summary);
    timelineData.setState({ lanes: ran.view });
    panelData.setState({
      run: summary,
      scenario: scenarioText(summary, Object.keys(config.getState().overrides).length > 0),
    });
    if (isFirst) open(ran);
    driver.take(ran.rows);
    if (isFirst) bringIntoView(stores, view.getState().cursor.timeNs);
    const { playsOnArrival } = view.getState();
    if (playsOnArrival) view.setState({ isPlaying: true, playsOnArrival: false });
    timelineActions.frameSelection();
  };

  config.subscribe((state, before) => {
    if (state.scenario === before.scenario) return;
    view.forgetRun();
    const isAsItWas = isSameValue(view.getState().hiddenPanels, hiddenAtFirst(before.scenario));
    if (isAsItWas) view.setState({ hiddenPanels: hiddenAtFirst(state.scenario) });
  });
  view.subscribe((state, before) => {
    if (state.selection === before.selection) return;
    if (state.selection === undefined) timelineData.setState({ selection: undefined });
    else timelineActions.frameSelection();
  });
  askAboutRun(session, client);
  followPlaying(session);
  runOnChange(stores, client, () => timelineData.getState().widthPx, onRan);
  return session;
}
