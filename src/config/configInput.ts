/**
 * A configuration as a person writes it: sparse, durations as numbers or text. Keys as in the engine's SimConfig.
 * With `scenario` it is an overlay: what it does not name comes from the scenario.
 */

import type { RcuGp } from '../engine/index.ts';

/** Whole nanoseconds, or text with a unit. */
export type Duration = number | string;

/** A workload draw; see the engine's Dist. */
export type DistInput =
  | Duration
  | { readonly uniform: readonly [lo: Duration, hi: Duration] }
  | { readonly exp: Duration }
  | { readonly list: readonly Duration[] }
  | {
      readonly lcg: {
        readonly seed: number;
        readonly stream: number;
        readonly lo: Duration;
        readonly hi: Duration;
      };
    };

/** When an actor first acts. */
export type StartInput = Duration | { readonly ticks: number; readonly plus?: Duration };

interface ActorInputBase {
  readonly cpu?: number;
  readonly count?: number;
  readonly start?: StartInput;
  readonly stagger?: Duration;
}

export interface ReaderInput extends ActorInputBase {
  readonly kind: 'reader';
  readonly domain?: string;
  readonly hold: DistInput;
  readonly holdMode?: 'spin' | 'sleep';
  readonly idle?: DistInput;
  readonly idleMode?: 'spin' | 'sleep';
  readonly times?: number;
  readonly incDelay?: DistInput;
}

export interface UpdaterInput extends ActorInputBase {
  readonly kind: 'updater';
  readonly api: string;
  readonly domain?: string;
  readonly calls: number;
  readonly gap?: DistInput;
  readonly gapMode?: 'sleep' | 'spin';
  readonly gapFrom?: 'return' | 'call';
  readonly batch?: number;
  readonly wait?: 'barrier' | 'none';
  readonly cookie?: 'compressed' | 'full';
}

export interface LoadInput extends ActorInputBase {
  readonly kind: 'load';
  readonly mode?: 'kernel' | 'user';
  readonly spin?: DistInput;
  readonly idle?: DistInput;
}

export interface KfreeInput extends ActorInputBase {
  readonly kind: 'kfree';
  readonly loops: number;
  readonly allocs: number;
  readonly sizes?: readonly number[];
  readonly form?: 'double' | 'single' | 'mixed';
  readonly resched?: boolean;
  readonly nice?: number;
  readonly sampleNs?: Duration;
}

export interface HoldoutInput extends ActorInputBase {
  readonly kind: 'holdout';
  readonly spin: DistInput;
  readonly sleep: DistInput;
}

export interface ExiterInput extends ActorInputBase {
  readonly kind: 'exiter';
  readonly gap: DistInput;
  readonly exit?: DistInput;
  readonly tail?: DistInput;
}

export type ActorInput = ReaderInput | UpdaterInput | LoadInput | KfreeInput | HoldoutInput | ExiterInput;

/** A preset and single entries; `passNs` sets passLoopNs, passFirstCheckNs and cbWorkNs (preset plain only). */
export interface MachineInput {
  readonly preset?: string;
  readonly passNs?: Duration;
  readonly [entry: string]: unknown;
}

export interface InitialInput {
  readonly workerLagNs?: number | readonly number[];
  readonly migratorCpu?: number;
  readonly timekeeperCpu?: number;
  readonly gpKthreadCpu?: number;
  readonly rcuGp?: RcuGp;
  readonly tasksUrgent?: number;
}

export interface StopInput {
  readonly afterNs?: Duration;
  readonly whenDone?: boolean;
}

export interface ConfigInput {
  readonly v?: 1;
  /** "id" or "id:variant". */
  readonly scenario?: string;
  readonly kernel?: string;
  readonly rules?: Readonly<Record<string, string>>;
  readonly hz?: number;
  readonly startJiffies?: number;
  readonly cpus?: number;
  readonly preempt?: 'full' | 'voluntary' | 'none';
  readonly seed?: number;
  readonly params?: Readonly<Record<string, number | string>>;
  readonly machine?: MachineInput;
  readonly initial?: InitialInput;
  readonly kconfig?: Readonly<Record<string, boolean>>;
  readonly actors?: readonly ActorInput[];
  readonly stop?: StopInput;
}

/** Where scenarios are looked up; the scenario registry is one. */
export interface ScenarioSource {
  /** Ids, for messages. */
  readonly names: readonly string[];
  /** The configuration of "id" or "id:variant", or undefined. */
  find(name: string): ConfigInput | undefined;
  /** Ids of the variants of a scenario, the default one first; undefined if there is no such scenario. */
  variantsOf(id: string): readonly string[] | undefined;
}

/** For configurations that name no scenario. */
export const NO_SCENARIOS: ScenarioSource = { names: [], find: () => undefined, variantsOf: () => undefined };
