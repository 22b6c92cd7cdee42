import { scenarioSource } from '../scenarios/registry.ts';
import { createEngineClient, type WorkerLike } from '../worker/engineClient.ts';
import { createArrival, followScenario } from './arrivals.ts';
import { createCursorDriver } from './cursorDriver.ts';
import { hiddenAtFirst } from './layout/hiddenAtFirst.ts';
import type { OpenedLink } from './link.ts';
import { followPlaying } from './player.ts';
import { askAboutRun } from './questions.ts';
import { loadStories } from './scenarioText.ts';
import { createStores, type Session } from './session.ts';
import { createTimelineActions } from './timelineActions.ts';
import { runOnChange } from './workerBridge.ts';

/** A session that opens `link` and simulates in `worker`. */
export function createSession(link: OpenedLink, worker: WorkerLike): Session {
  const client = createEngineClient(worker);
  const stores = createStores(scenarioSource, link.choice, {
    ...link.view,
    playsOnArrival: link.isPlaying,
  });
  const { view, setup } = stores;
  const { actors } = setup.getState().config;
  if (link.view.hiddenPanels === undefined)
    view.setState({ hiddenPanels: hiddenAtFirst(link.choice.scenario, actors) });
  const driver = createCursorDriver(stores, client);
  const timelineActions = createTimelineActions(stores, client);
  const questions = askAboutRun(stores, client);
  followScenario(stores);
  loadStories(stores);
  const session: Session = {
    ...stores,
    navigate: driver.navigate,
    cancel: client.cancel,
    timelineActions,
    rerun: runOnChange(stores, client, createArrival(stores, driver, timelineActions, questions)),
    panelActions: {
      seekRow: driver.navigate.seekRow,
      step: driver.navigate.step,
      explain: (of, index) => view.setState({ selection: { of, index } }),
      selectDomain: (domain) => view.setState({ domain }),
      showFlavours: () => stores.dialog.show('flavours'),
      change: (values) => stores.config.setValues(values),
    },
  };
  view.subscribe((state, before) => {
    if (state.selection !== before.selection) timelineActions.frameSelection();
    if (state.isLocked !== before.isLocked) stores.panelData.setState({ isLocked: state.isLocked });
  });
  // what is explained of a unit says where it is, whether a run brought it or somebody asked
  stores.panelData.subscribe(({ why }, before) => {
    if (why !== before.why && stores.view.getState().selection?.of === 'unit') timelineActions.frameUnit(why);
  });
  followPlaying(session);
  return session;
}
