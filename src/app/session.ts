import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ScenarioSource } from '../config/configInput.ts';
import type { PanelActions } from '../panels/panelProps.ts';
import type { Story } from '../scenarios/scenario.ts';
import type { Choice, ConfigPath, ConfigState, ConfigStore } from '../state/configStore.ts';
import { createConfigStore } from '../state/configStore.ts';
import { createRunStore, type RunState } from '../state/runStore.ts';
import { createViewStore, type ViewState, type ViewStore } from '../state/viewStore.ts';
import type { RunSummary } from '../worker/protocol.ts';
import { createDialogStore } from './dialogStore.ts';
import { createDragPace } from './dragPace.ts';
import type { Navigation } from './navigation.ts';
import { createPanelData, type PanelDataStore } from './panelData.ts';
import { effectiveValue, type Setup, setUp } from './setup.ts';
import type { TimelineActions } from './timelineActions.ts';
import { createTimelineData, type TimelineData } from './timelineData.ts';

export type RunStore = ReturnType<typeof createRunStore<RunSummary>>;

/** How a value that is dragged gets into `config`. */
export interface Drag {
  /** Changes the configuration in the next frame that can afford it; a newer change takes its place. */
  readonly step: (change: () => void) => void;
  /** The drag has ended: what still waits is done. */
  readonly release: () => void;
}

/** What scenarios have to say, by id; empty until it has been loaded. */
export type Stories = Readonly<Record<string, Story>>;

/** The stores of one page. */
export interface Stores {
  readonly scenarios: ScenarioSource;
  readonly stories: StoreApi<Stories>;
  readonly config: ConfigStore;
  readonly drag: Drag;
  /** Follows `config`: what the choice comes to. */
  readonly setup: StoreApi<Setup>;
  readonly view: ViewStore;
  readonly run: RunStore;
  readonly panelData: PanelDataStore;
  readonly timelineData: StoreApi<TimelineData>;
  readonly dialog: ReturnType<typeof createDialogStore>;
}

/** The stores and what can be done with them. Made once by startPage.tsx; nothing else is shared. */
export interface Session extends Stores {
  readonly navigate: Navigation;
  readonly panelActions: PanelActions;
  readonly timelineActions: TimelineActions;
  /** Runs again, although nothing has changed. */
  readonly rerun: () => void;
  /** Stops the run under way: the last picture stays. */
  readonly cancel: () => void;
}

/** Stores that begin with `choice`, which must be valid. */
export function createStores(scenarios: ScenarioSource, choice: Choice, view: Partial<ViewState>): Stores {
  const config = createConfigStore(choice, (of: Choice, path: ConfigPath) =>
    effectiveValue(of, path, scenarios),
  );
  const pace = createDragPace();
  const setup = createStore<Setup>(() => setUp(choice, scenarios, undefined));
  config.subscribe((state, before) => {
    if (state.overrides === before.overrides && state.scenario === before.scenario) return;
    const { scenario, overrides } = state;
    setup.setState(setUp({ scenario, overrides }, scenarios, setup.getState()));
  });
  return {
    scenarios,
    stories: createStore<Stories>(() => ({})),
    config,
    drag: {
      step: pace.step,
      release: () => {
        pace.flush();
        config.release();
      },
    },
    setup,
    view: createViewStore(view),
    run: createRunStore<RunSummary>(),
    panelData: createPanelData(view.isLocked ?? false),
    timelineData: createTimelineData(),
    dialog: createDialogStore(),
  };
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The page's session. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('no session around this component');
  return session;
}

export function useConfig<T>(select: (state: ConfigState) => T): T {
  return useStore(useSession().config, select);
}

export function useSetup<T>(select: (setup: Setup) => T): T {
  return useStore(useSession().setup, select);
}

export function useStories(): Stories {
  return useStore(useSession().stories);
}

export function useView<T>(select: (state: ViewState) => T): T {
  return useStore(useSession().view, select);
}

export function useRun<T>(select: (state: RunState<RunSummary>) => T): T {
  return useStore(useSession().run, select);
}
