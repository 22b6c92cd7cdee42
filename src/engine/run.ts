/** A run: the engine behind one door. */
import type { SimConfig } from './config.ts';
import type { EventLog } from './core/eventLog.ts';
import type { RunInfo } from './core/info.ts';

/** Where a run stops for its own sake; the message says so and everything so far can be looked at. */
export interface RunLimits {
  /** Log rows; default 20 million. */
  readonly maxEvents?: number;
  /** Bytes of log; default 1 GiB. */
  readonly maxBytes?: number;
}

export type RunStatus =
  | { readonly state: 'running' }
  /** `reason` of STOP_REASON; `message` is set where a limit or a stuck configuration ended it. */
  | { readonly state: 'ended'; readonly reason: number; readonly message?: string };

/** A run under way. `log` grows with every `advance`. */
export interface Run {
  readonly info: RunInfo;
  readonly log: EventLog;
  /** Virtual time reached, ns. */
  readonly nowNs: number;
  /** Processes up to `budget` engine events (not rows) and says whether the run has ended. */
  advance(budget: number): RunStatus;
}

/** A run of `config` from t = 0. Throws on configurations that the config layer would have refused. */
export declare function createRun(config: SimConfig, limits?: RunLimits): Run;
