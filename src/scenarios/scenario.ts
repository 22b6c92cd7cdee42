import type { ConfigInput } from '../config/configInput.ts';

/** One setting of a scenario, addressed as "scenario:variant". */
export interface Variant {
  readonly id: string;
  readonly title: string;
  /** One sentence on what is special about it. */
  readonly note?: string;
  /** Takes tens of seconds and leaves millions of rows; tests leave it out, and run a short form of it. */
  readonly isLong?: true;
}

/** The figures of a run that reported figures and assertions look at; part of the result of docs/configuration.md. */
export interface ScenarioResult {
  readonly virtualNs: number;
  /** It ended because all actors had done what they had to do; false: it was stopped. */
  readonly isDone: boolean;
  readonly latency?: Readonly<Record<string, LatencyFigures>>;
  readonly gracePeriods?: {
    readonly srcu?: { readonly n: number };
    readonly rcu?: GracePeriodFigures;
    readonly exp?: GracePeriodFigures;
    readonly tasks?: GracePeriodFigures;
  };
  readonly srcu?: {
    readonly polls: number;
    readonly passes: number;
    readonly sleeps: number;
    readonly sleptJiffies: number;
    readonly requesterHits: number;
  };
  readonly kvfree?: KvfreeResult;
  readonly tasks?: TasksResult;
}

/** Classic RCU Tasks: mean of its hold-out phases, ns, and ages in jiffies that its lines and its stalls name. */
export interface TasksResult {
  readonly holdoutPhaseNs: number;
  readonly infoAges: readonly number[];
  readonly stallAges: readonly number[];
}

/** kvfree_rcu(): sizes in bytes, NaN where no flood has ended. */
export interface KvfreeResult {
  readonly peakBytes: number;
  /** Of the flood that ended last, as rcuscale prints it: footprint; of all floods: time; of the last: "batches". */
  readonly footprintBytes: number;
  readonly floodNs: number;
  readonly batches: number;
  readonly queued: number;
  readonly freed: number;
  /** Pointers that a block holds, and freed blocks by the number of those that they held. */
  readonly records: number;
  readonly blocksByRecords: ArrayLike<number>;
  /** Objects that debug objects and the check at free found. */
  readonly debug: { readonly freeActive: number; readonly leaked: number };
  /** Objects freed although no grace period has begun and ended since they were queued. */
  readonly freedEarly: number;
}

/** Finished grace periods of Tree RCU or RCU Tasks: number, and ns from start to end. */
export interface GracePeriodFigures {
  readonly n: number;
  readonly p50: number;
  readonly p99: number;
}

/** A latency series: number of calls, and ns; `log2Ns`: calls in [2^k, 2^(k+1)) ns by k, empty ones absent. */
export interface LatencyFigures {
  readonly n: number;
  readonly mean: number;
  readonly p0: number;
  readonly p50: number;
  readonly p99: number;
  readonly p100: number;
  readonly log2Ns: Readonly<Record<string, number>>;
}

/** A figure that somebody measured and made public. */
export interface ReportedFigure {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  /** Where it was reported. */
  readonly source: string;
  /** True if a constant of the model was chosen so that this figure comes out; false: predicted. */
  readonly fitted: boolean;
  /** How near the model can come, where it is known to be off, and why. */
  readonly remark?: string;
  /** The same figure of a simulated run, in `unit`; NaN where the run does not come to it. */
  readonly measure: (result: ScenarioResult) => number;
}

/** Something that is true of every run of a variant; tests check it. */
export interface Expectation {
  readonly text: string;
  readonly holds: (result: ScenarioResult) => boolean;
}

/** Where the page opens a scenario. */
export interface StartView {
  readonly at: 'begin' | 'firstSleepingGracePeriod';
  /** Width of the window, ns; "all": the whole run; "gracePeriod": the one it opens at, with some room around it. */
  readonly spanNs: number | 'all' | 'gracePeriod';
  /** What is explained; absent: the first grace period that sleeps. "firstTasks": the first one of RCU Tasks, if there is any. */
  readonly explains?: 'firstTasks';
}

/** A ready-made run with variants: what is needed before anything is shown. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Variants in the order in which they are offered. */
  readonly variants: readonly Variant[];
  /** The variant that the bare id stands for. */
  readonly defaultVariant: string;
  readonly startView: StartView;
  /** The configuration of a variant of `variants`. */
  config(variant: string): ConfigInput;
}

/** What a scenario has to say; the page loads it while the first run is under way. */
export interface Story {
  /** One line: what the scenario shows. */
  readonly shows: string;
  /** Two or three sentences on what to look at. */
  readonly lookAt: readonly string[];
  /** Paragraphs on which of its constants were fitted to reports and which figures are predicted; mostly none. */
  readonly fitted: readonly string[];
  /** What was reported of this variant; mostly nothing. */
  reported(variant: string): readonly ReportedFigure[];
  /** What must be true of its runs. */
  expectations(variant: string): readonly Expectation[];
}
