import { createStore } from 'zustand/vanilla';

/** The visible stretch of the run, ns. */
export interface TimeWindow {
  readonly fromNs: number;
  readonly toNs: number;
}

/** A place in the run: after log row `row` (-1: before the first), at `timeNs`; `poll` inside the burst `poll.row`. */
export interface CursorPlace {
  readonly timeNs: number;
  readonly row: number;
  readonly poll?: { readonly row: number; readonly pass: number; readonly check: number };
}

/** What is selected: a grace period, a call or a unit of kvfree_rcu() by its index in the run's table, or a log row. */
export interface Selection {
  readonly of: 'gp' | 'call' | 'unit' | 'row';
  readonly index: number;
}

export type Theme = 'system' | 'dark' | 'light';

/** What is looked at, and how. Nothing here changes a run. */
export interface ViewState {
  /** Undefined until the first run has told its length. */
  readonly window: TimeWindow | undefined;
  readonly cursor: CursorPlace;
  readonly selection: Selection | undefined;
  /** A stretch of time that was dragged out. */
  readonly range: TimeWindow | undefined;
  /** Ids of panels that are not shown. */
  readonly hiddenPanels: readonly string[];
  /** The panel that fills the window. */
  readonly fullPanel: string | undefined;
  /** Track of the SRCU domain that the mechanism panels show; undefined: the run's first. */
  readonly domain: number | undefined;
  /** Controls that change the configuration are read-only: a link asked for it. */
  readonly isLocked: boolean;
  readonly theme: Theme;
  readonly isPlaying: boolean;
  /** A link asked to play: the next run that arrives begins to. */
  readonly playsOnArrival: boolean;
  /** Virtual nanoseconds per real second while playing. */
  readonly speedNsPerSec: number;
}

/** Playing speeds as virtual time per real second, from 20 us to real time, three a decade. */
export const SPEEDS_NS_PER_SEC: readonly number[] = [
  20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000,
  50_000_000, 100_000_000, 200_000_000, 500_000_000, 1_000_000_000,
];
/** 2 ms of virtual time a second: a jiffy of HZ=250 takes two seconds. */
export const DEFAULT_SPEED_NS_PER_SEC = 2_000_000;

const START: CursorPlace = { timeNs: 0, row: -1 };

const INITIAL: ViewState = {
  window: undefined,
  cursor: START,
  selection: undefined,
  range: undefined,
  hiddenPanels: [],
  fullPanel: undefined,
  domain: undefined,
  isLocked: false,
  theme: 'system',
  isPlaying: false,
  playsOnArrival: false,
  speedNsPerSec: DEFAULT_SPEED_NS_PER_SEC,
};

export type ViewStore = ReturnType<typeof createViewStore>;

/** The view: window, cursor, selection, panels, theme, playing. Starts paused at t = 0. */
export function createViewStore(initial: Partial<ViewState> = {}) {
  const store = createStore<ViewState>(() => ({ ...INITIAL, ...initial }));
  const { setState: set, getState: get } = store;
  return {
    ...store,
    /** Moves the cursor; playing goes on from there. */
    seek: (cursor: CursorPlace) => set({ cursor }),
    /** Moves the cursor and stops: steps, jumps and the scrub slider. */
    stopAt: (cursor: CursorPlace) => set({ cursor, isPlaying: false }),
    /** To the start, paused: reset never plays. */
    reset: () => set({ cursor: START, isPlaying: false }),
    /** Another scenario: nothing of the old run's view means anything for the new one. */
    forgetRun: () =>
      set({
        cursor: START,
        isPlaying: false,
        window: undefined,
        selection: undefined,
        range: undefined,
        domain: undefined,
      }),
    togglePanel: (id: string) => {
      const { hiddenPanels } = get();
      const isHidden = hiddenPanels.includes(id);
      set({ hiddenPanels: isHidden ? hiddenPanels.filter((other) => other !== id) : [...hiddenPanels, id] });
    },
    toggleFullPanel: (id: string) => set({ fullPanel: get().fullPanel === id ? undefined : id }),
  };
}
