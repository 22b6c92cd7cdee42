import { scenarioSource } from '../scenarios/registry.ts';
import { isSameValue } from '../state/isSameValue.ts';
import { createEngineClient, type RunReply, type WorkerLike } from '../worker/engineClient.ts';
import { createCursorDriver } from './cursorDriver.ts';
import type { OpenedLink } from './link.ts';
import { followPlaying } from './player.ts';
import { askAboutRun, scenarioText } from './questions.ts';
import { createStores, type Session } from './session.ts';
import { createTimelineActions } from './timelineActions.ts';
import { runOnChange } from './workerBridge.ts';

/** Three mechanism panels side by side can be read from afar; callbacks wait for a scenario that is about them. */
function hiddenAtFirst(scenario: string): readonly string[] {
  return scenario.startsWith('callbacks-and-barrier') ? [] : ['callbacks'];
}

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
    const { cursor, selection, playsOnArrival } = view.getState();
    const [first] = lanes;
    const gp = summary.headline.firstSleepingGp;
    const isAtSleep = gp >= 0 && rows.cursor.timeNs === summary.headline.firstSleepingNs;
    view.setState({
      window:
        first === undefined ? { fromNs: 0, toNs: summary.endNs } : { fromNs: first.t0Ns, toNs: first.t1Ns },
      cursor: cursor.row < 0 && cursor.timeNs === 0 ? rows.cursor : cursor,
      ...(selection === undefined && isAtSleep ? { selection: { of: 'gp' as const, index: gp } } : {}),
      isPlaying: playsOnArrival,
      playsOnArrival: false,
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
    else {
      const { cursor } = view.getState();
      const timeNs = Math.min(cursor.timeNs, summary.endNs);
      view.seek(timeNs === ran.rows.cursor.timeNs ? ran.rows.cursor : { timeNs, row: -1 });
    }
    driver.take(ran.rows);
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
