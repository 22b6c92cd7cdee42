/** What every panel takes: the same two props, so that the host can show any of them without knowing it. */
import type { ReactNode } from 'react';
import type { Blame } from '../analysis/blameTypes.ts';
import type { KvfreeFigures } from '../analysis/kvfreeFigures.ts';
import type { StateAt } from '../analysis/stateTypes.ts';
import type { TasksFigures } from '../analysis/tasksFigures.ts';
import type { Cursor, Headline, RowWindow, SelectionStats, SeriesSummary } from '../analysis/types.ts';
import type { RunInfo } from '../engine/core/info.ts';

/** A finished run as far as panels ask. */
export interface RunFigures {
  readonly info: RunInfo;
  readonly headline: Headline;
  readonly series: readonly SeriesSummary[];
  /** Undefined where nothing was given to kvfree_rcu(). */
  readonly kvfree: KvfreeFigures | undefined;
  /** Undefined without RCU Tasks. */
  readonly tasks: TasksFigures | undefined;
  /** Virtual time reached, ns. */
  readonly endNs: number;
  /** Grace periods, update-side calls, and blocks and runs of kvfree_rcu(), in their tables. */
  readonly gps: number;
  readonly calls: number;
  readonly units: number;
}

/** A grace period in a list: as much of the worker's row as is shown. */
export interface GpListItem {
  /** Index in the GpTable. */
  readonly index: number;
  readonly number: number;
  /** GP_FLAVOR. */
  readonly flavor: number;
  /** Track of its domain. */
  readonly domain: number;
  readonly startNs: number;
  /** NaN while it runs. */
  readonly endNs: number;
  /** Tree RCU and RCU Tasks. */
  readonly scans: number;
  /** SRCU. */
  readonly sleeps: number;
  readonly overshootNs: number;
}

/** A figure reported on the list and the one of this run. */
export interface ReportedFigure {
  readonly what: string;
  readonly unit: string;
  readonly reported: number;
  /** Null where the run does not come to it: it was stopped before. */
  readonly simulated: number | null;
  /** True: constants of the model were chosen with this figure in sight. False: predicted. */
  readonly fitted: boolean;
  readonly source: string;
  /** How near the model can come, where it is known to be off, and why. */
  readonly remark?: string;
}

/** What the running scenario has to say. */
export interface ScenarioText {
  readonly title: string;
  /** Paragraphs. */
  readonly lookAt: readonly string[];
  /** Which figures are fitted and which predicted (spec srcu 8.8), in plain words; empty where nothing is. */
  readonly fitted: readonly string[];
  readonly reported: readonly ReportedFigure[];
  /** True once the configuration differs from the scenario's: reported figures are then of another run. */
  readonly isChanged: boolean;
}

/** Everything any panel draws. `undefined` is "not there (yet)"; a panel then says so. */
export interface PanelData {
  readonly run: RunFigures | undefined;
  readonly state: StateAt | undefined;
  /** Track of the domain that the mechanism panels show. */
  readonly domain: number;
  readonly cursor: Cursor | undefined;
  /** Rows around the cursor. */
  readonly rows: RowWindow | undefined;
  /** The cursor's last move was a single step, not play, scrub or a new run: only then it is announced. */
  readonly isStepped: boolean;
  readonly why: Blame | undefined;
  /** Slowest first. */
  readonly slowest: readonly GpListItem[];
  /** Statistics of the selected stretch of the timeline. */
  readonly selection: SelectionStats | undefined;
  readonly scenario: ScenarioText | undefined;
  /** Nothing that changes the run may be touched: a link asked for it. */
  readonly isLocked: boolean;
}

/** A value of the configuration by its path; undefined: as the scenario has it. */
export type RunChange = readonly [path: readonly ['rules' | 'kconfig', string], value: unknown];

/** What a panel can ask for. */
export interface PanelActions {
  /** Moves the cursor to a log row and brings it into view. */
  readonly seekRow: (row: number) => void;
  /** Moves the cursor by one event. */
  readonly step: (direction: 1 | -1) => void;
  /** Explains a grace period or call (index in its table) in the why panel. */
  readonly explain: (of: Blame['of'], index: number) => void;
  readonly selectDomain: (track: number) => void;
  /** Opens "which flavour am I waiting for?". */
  readonly showFlavours: () => void;
  /** Changes the configuration, in one step of the history, and runs again. */
  readonly change: (values: readonly RunChange[]) => void;
}

export interface PanelProps {
  readonly data: PanelData;
  readonly actions: PanelActions;
  /** Buttons of the host for the panel's heading: hide, full screen. */
  readonly tools?: ReactNode;
}
